"""What authors of scripts and plugins work with: lint, bundle, scaffold, stubs. It never prints."""
