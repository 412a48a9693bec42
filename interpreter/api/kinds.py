"""Kinds of the documents that configure interpretation, apart from their types.

Naming them must not cost the import of pydantic.
"""

CUSTOMIZATION_KIND = "ResourceInterpreterCustomization"
WEBHOOK_CONFIGURATION_KIND = "ResourceInterpreterWebhookConfiguration"
