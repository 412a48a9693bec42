"""The webhook tier: other processes answer, over Karmada's HTTPS protocol or our gRPC service.

The only user of the HTTP client. Nothing connects before the first call.
"""
