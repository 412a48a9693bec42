"""Settings of all tests."""

from __future__ import annotations

from hypothesis import settings

# No test asserts seconds: on a machine that others use, too, an example may take any time.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
