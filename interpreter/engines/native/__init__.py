"""The native tier: Kubernetes' own kinds, one file per kind, editing the plain object.

A kind module holds ``KIND``, a :class:`~interpreter.engines.native.kind.NativeKind` that lists its
handlers. Handlers read only the fields they need, check the types of those, and never drop a field
they do not know. A handler that returns an object returns a copy of its own; it never changes its
arguments.
"""
