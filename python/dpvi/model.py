"""Models: Stan programs and regression formulas."""
import os

import numpy as np

from . import _core
from .schema import Schema


def _numbers(name, value):
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

    def __init__(self, source=None, *, formula=None, family="normal", schema=None, public=None,
                 records="", title="", one_row_per_person=False):
        if (source is None) == (formula is None):
            raise TypeError("give a Stan program or formula=..., one of them")
        if not isinstance(source, (str, os.PathLike, type(None))):
            raise TypeError(f"a Stan program is a text or the name of a file, not a {type(source).__name__}")
        self.formula = formula
        self.schema = None if schema is None else Schema(schema)
        self._parts = {"file": "model.stan", "records": records, "title": title}
        if formula is not None:
            self._parts.update(formula=formula, family=family)
        elif isinstance(source, os.PathLike) or "\n" not in source and "{" not in source:
            self._parts["file"] = os.fspath(source)
        else:
            self._parts["text"] = source
        if one_row_per_person:
            self._parts["one_row_per_person"] = "true"
        if isinstance(public, (str, os.PathLike)):
            self._parts["public_file"] = os.fspath(public)
            public = {}
        self._public = {name: _numbers(name, value) for name, value in (public or {}).items()}

    def _described(self, schema=None, title=""):
        parts = dict(self._parts)
        schema = self.schema if schema is None else Schema(schema)
        if schema is not None:
            parts.update(schema_text=schema.toml, schema_file=schema.file)
        if title:
            parts["title"] = title
        return _core.ModelDescription(parts, self._public)

    @property
    def program(self):
        """The text of the Stan program."""
        return _core.program_text(self._described())

    def check(self, schema=None):
        """What the program needs and whether it can be fitted. Reads no private data."""
        return _core.check(self._described(schema))

    def __repr__(self):
        return f"Model(formula={self.formula!r})" if self.formula else f"Model({self._parts['file']!r})"


def as_model(model, schema=None, family="normal"):
    """A Model from what `fit` and `plan` take: a model, a formula, a file or a program."""
    if isinstance(model, Model):
        return model
    if model is None:
        raise TypeError("model is None; give a Model, a formula, a file or a program")
    if isinstance(model, str) and "~" in model and "{" not in model:
        return Model(formula=model, family=family, schema=schema)
    return Model(model, schema=schema)
