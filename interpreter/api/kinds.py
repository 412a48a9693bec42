"""Kinds of the documents that configure interpretation, apart from their types.

Naming them must not cost the import of pydantic.
"""

CONFIG_API_VERSION = "config.karmada.io/v1alpha1"
CUSTOMIZATION_KIND = "ResourceInterpreterCustomization"
WEBHOOK_CONFIGURATION_KIND = "ResourceInterpreterWebhookConfiguration"
