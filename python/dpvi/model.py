"""Models: Stan programs and regression formulas."""
import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from . import _core
from ._tables import refused
from ._types import Path, SchemaSource
from .schema import Schema


def _numbers(name: str, value: Any) -> tuple[list[int], list[float]]:
    """Sizes and numbers of a public value."""
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"public[{name!r}] is a {type(value).__name__}; give a number or an array of "
                        "numbers") from None
    return list(array.shape), array.ravel().tolist()


class Model:
    """A Stan program, or a regression formula that writes one.

    >>> import dpvi
    >>> model = dpvi.Model('''
    ... data { int<lower=0> N; vector[N] y; }
    ... parameters { real mu; }
    ... model { mu ~ normal(0, 10); y ~ normal(mu, 1); }
    ... ''')
    >>> model.check()["ok"]
    True

    `source` is the name of a `.stan` file or the text of a program. With `formula`, `family` names
    the likelihood (bernoulli, normal, poisson, ...), and a schema declares the columns. `public`
    holds public values that the program needs, such as `{"J": 85}` or `{"knots": [1.5, 4]}`; it may be
    the name of a file with Stan JSON.
    """

    def __init__(self, source: Path | None = None, *, formula: str | None = None, family: str = "normal",
                 schema: SchemaSource | None = None, public: Mapping[str, Any] | Path | None = None,
                 records: str = "", title: str = "", one_row_per_person: bool = False) -> None:
        if (source is None) == (formula is None):
            raise TypeError("give a Stan program or formula=..., one of them")
        self.formula = formula
        self.schema = None if schema is None else Schema(schema)
        self._parts = {"file": "model.stan", "records": records, "title": title}
        if formula is not None:
            self._parts.update(formula=formula, family=family)
        elif isinstance(source, str) and ("\n" in source or "{" in source):
            self._parts["text"] = source
        elif isinstance(source, (str, os.PathLike)):
            self._parts["file"] = os.fspath(source)
        else:
            raise TypeError(f"a Stan program is a text or the name of a file, not a {type(source).__name__}")
        if one_row_per_person:
            self._parts["one_row_per_person"] = "true"
        if isinstance(public, (str, os.PathLike)):
            self._parts["public_file"] = os.fspath(public)
            public = None
        self._public = {name: _numbers(name, value) for name, value in (public or {}).items()}

    def _described(self, schema: SchemaSource | None = None, title: str = "") -> _core.ModelDescription:
        parts = dict(self._parts)
        declared = self.schema if schema is None else Schema(schema)
        if declared is not None:
            parts.update(schema_text=declared.toml, schema_file=declared.file)
        if title:
            parts["title"] = title
        return _core.ModelDescription(parts, self._public)

    @property
    def program(self) -> str:
        """The text of the Stan program."""
        return _core.program_text(self._described())

    def check(self, schema: SchemaSource | None = None) -> dict[str, Any]:
        """What the program needs and whether it can be fitted. Reads no private data."""
        return _core.check(self._described(schema))

    def __repr__(self) -> str:
        return f"Model(formula={self.formula!r})" if self.formula else f"Model({self._parts['file']!r})"


def as_model(model: "Model | Path", schema: SchemaSource | None = None, family: str | None = None) -> Model:
    """A Model from what `fit` and `plan` take: a model, a formula, a file or a program."""
    if model is None:
        raise TypeError("model is None; give a Model, a formula, a file or a program")
    if isinstance(model, str) and "~" in model and "{" not in model:
        return Model(formula=model, family=family or "normal", schema=schema)
    if family:
        raise refused("family belongs to a formula; a Model or a Stan program has its own likelihood.",
                      "Leave family out.", "DP103")
    return model if isinstance(model, Model) else Model(model, schema=schema)
