"""Arguments as the texts that the library reads."""
import os
from collections.abc import Mapping
from typing import Any


def text_of(value: Any) -> str:
    """A value as a text; numbers keep all their digits."""
    if hasattr(value, "tolist"):  # numbers and arrays of NumPy
        value = value.tolist()
    if isinstance(value, str):
        return value
    if isinstance(value, os.PathLike):
        return str(os.fspath(value))
    if isinstance(value, (list, tuple)):
        return ",".join(text_of(entry) for entry in value)
    return repr(value)


def texts_of(options: Mapping[str, Any]) -> dict[str, str]:
    """Named options as texts; those that are None or False are left out, and True is "true"."""
    return {name: "true" if value is True else text_of(value)
            for name, value in options.items() if value is not None and value is not False}
