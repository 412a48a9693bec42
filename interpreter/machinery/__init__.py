"""Pure functions on plain data: no I/O, no clock, no knowledge of tiers or of operations."""
