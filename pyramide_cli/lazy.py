"""Names of a package that are loaded when they are first used (PEP 562), so that importing it costs nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping


def lazy(package: str, homes: Mapping[str, str]) -> Callable[[str], object]:
    """Return the `__getattr__` of a package that has these names, each from the module inside it that is its home.

    It raises `AttributeError` for every other name, as a package without it does.
    """

    def load(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        from importlib import import_module

        value: object = getattr(import_module(f"{package}.{homes[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return load
