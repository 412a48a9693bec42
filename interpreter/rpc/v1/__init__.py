"""Generated from ``proto/interpreter/v1/interpreter.proto``: ``make proto`` writes it, nobody else."""
