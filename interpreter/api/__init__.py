"""Types of the API groups (pydantic: people write them) and the result types of operations.

Result types are frozen dataclasses and named tuples: they are made in hot loops. Each has
``to_dict`` for the Kubernetes JSON shape of Karmada 1.19 and, where a script or a wire can send
one, ``from_dict``.
"""
