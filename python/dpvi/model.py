"""Models: Stan programs and regression formulas."""
import os

from . import _core
from .schema import Schema


def _numbers(value):
    if hasattr(value, "tolist"):
        value = value.tolist()
    return [float(number) for number in value] if isinstance(value, (list, tuple)) else [float(value)]


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
    holds public values that the program needs, such as `{"J": 85}`.
    """

    def __init__(self, source=None, *, formula=None, family="normal", schema=None, public=None,
                 records="", title="", one_row_per_person=False):
        if (source is None) == (formula is None):
            raise TypeError("give a Stan program or formula=..., one of them")
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
        self._public = {name: _numbers(value) for name, value in (public or {}).items()}

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
    if isinstance(model, str) and "~" in model and "{" not in model:
        return Model(formula=model, family=family, schema=schema)
    return Model(model, schema=schema)
