"""Names of the documents that configure interpretation.

Apart, so that naming them costs nothing.
"""

CONFIG_API_VERSION = "config.karmada.io/v1alpha1"
CUSTOMIZATION_KIND = "ResourceInterpreterCustomization"
WEBHOOK_CONFIGURATION_KIND = "ResourceInterpreterWebhookConfiguration"
