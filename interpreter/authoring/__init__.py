"""What the author of Lua scripts works with: lint, bundle, scaffold, stubs. Nothing here prints."""
