"""The base of every error that a user can cause."""

from __future__ import annotations


class PyramideError(ValueError):
    """Something that a user gave is wrong; `str` of it is the whole message, on one line."""
