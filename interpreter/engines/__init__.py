"""The tiers' engines. They never import each other; the registry brings them together."""
