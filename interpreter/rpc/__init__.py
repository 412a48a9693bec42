"""The wire: Karmada's webhook protocol, and the gRPC service."""
