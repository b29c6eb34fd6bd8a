"""Public facts about the columns of a table."""
import datetime
import json
import os
from collections.abc import Mapping
from typing import Any

from . import _core
from ._tables import as_rows, like, refused
from ._types import SchemaSource, Table


def _toml_text(text: str) -> str:
    # TOML, unlike JSON, also escapes the last control character.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _toml_key(name: str) -> str:
    plain = name and all(letter.isascii() and (letter.isalnum() or letter in "_-") for letter in name)
    return name if plain else _toml_text(name)


def _toml_value(value: Any) -> str:
    if hasattr(value, "tolist"):  # arrays and numbers of NumPy
        value = value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _toml_text(value)
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_toml_key(str(k))} = {_toml_value(v)}" for k, v in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_toml_value(entry) for entry in value) + "]"
    if isinstance(value, (datetime.date, datetime.datetime)):
        return value.isoformat()
    if not isinstance(value, (int, float)):
        raise TypeError(f"a schema holds a {type(value).__name__}; it takes texts, numbers, Booleans, dates, "
                        "lists and dicts, and leaves out what is not declared")
    return repr(value)


def _toml(parts: Mapping[str, Any], path: tuple[str, ...] = ()) -> str:
    """TOML text of nested dicts: plain values first, then tables."""
    plain = {key: value for key, value in parts.items() if not isinstance(value, dict)}
    lines = ["[" + ".".join(_toml_key(name) for name in path) + "]"] if path and (plain or not parts) else []
    lines += [f"{_toml_key(str(key))} = {_toml_value(value)}" for key, value in plain.items()]
    text = "\n".join(lines) + "\n" if lines else ""
    for key, value in parts.items():
        if isinstance(value, dict):
            text += _toml(value, (*path, str(key)))
    return text


class Schema:
    """Declared facts: types, bounds, levels, the unit of privacy. None of them is taken from data.

    >>> import dpvi
    >>> schema = dpvi.Schema({
    ...     "table": {"rows": 3000, "one_row_per_person": True},
    ...     "columns": {"age": {"type": "real", "lower": 18, "upper": 100}}})
    >>> print(schema.toml)
    [table]
    rows = 3000
    one_row_per_person = true
    [columns.age]
    type = "real"
    lower = 18
    upper = 100
    <BLANKLINE>

    A dict has the tables and keys of a schema file. A text is TOML, and a path names a file.
    """

    def __init__(self, source: SchemaSource) -> None:
        self.file = ""
        self.toml: str
        if isinstance(source, Schema):
            self.toml, self.file = source.toml, source.file
        elif isinstance(source, dict):
            self.toml = _toml(source)
        elif isinstance(source, os.PathLike) or (
                isinstance(source, str) and "\n" not in source and source.endswith(".toml")):
            self.file = os.fspath(source)
            self.toml = _core.read_text(self.file)
        elif isinstance(source, str):
            self.toml = source
        else:
            raise TypeError(f"a schema is a dict, TOML or the name of a file, not a {type(source).__name__}")
        _core.check_schema(self.toml, self.file or "schema")

    @staticmethod
    def template(data: Table) -> str:
        """A schema to complete, as TOML text: names and types only. It looks at no cell.

        >>> import dpvi, numpy
        >>> print(dpvi.Schema.template({"age": numpy.array([41.0])}).split("[columns")[1])
        ... # doctest: +ELLIPSIS
        .age]
        type = "real"...
        """
        rows = as_rows(data)
        if isinstance(rows, str):
            raise refused("a file of records has no types.",
                          "Read it as a data frame, or use dpvi schema on the command line.")
        return _core.schema_template(rows)

    def inspect(self, data: Table) -> Any:
        """How the cells of a private table are read, by column. NOT FOR RELEASE: it is not protected."""
        found = _core.inspect(self.toml, self.file or "schema", as_rows(data))
        columns = found["columns"]
        table = {key: [column[key] for column in columns] for key in (columns[0] if columns else {})}
        return like(data, table, index=False)

    def __repr__(self) -> str:
        return f"Schema({self.file!r})" if self.file else f"Schema({len(self.toml.splitlines())} lines)"
