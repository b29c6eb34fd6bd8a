"""fit, plan, load and verify."""
import os

from . import _core
from ._folders import new_folder
from ._progress import shown
from ._tables import as_rows
from ._texts import text_of, texts_of
from .ledger import Ledger
from .model import as_model
from .result import Fit


def _settings(knobs):
    """Settings as texts, by the names of the command line, and phases."""
    knobs = dict(knobs)
    phases = [knobs.pop(name) for name in ("phase", "phases") if knobs.get(name) is not None]
    phases = [phase for given in phases for phase in ([given] if isinstance(given, str) else given)]
    return ({name.replace("_", "-"): text for name, text in texts_of(knobs).items()},
            [phase if isinstance(phase, str) else ":".join(map(text_of, phase)) for phase in phases])


def fit(data, model, *, epsilon=1.0, schema=None, family="normal", ledger=None, data_version="",
        out=None, title="", progress=None, **knobs):
    """Fits a model to private records. What it returns may be published.

    `data` is a data frame (pandas, polars, pyarrow, duckdb), a dict of arrays or the name of a file.
    `model` is a `Model`, the name of a `.stan` file, a program or a formula. `schema` declares the
    columns. `knobs` are the settings of `dpvi fit`, with underscores: delta, steps, sampling_rate,
    clip_bound, posterior, draws, threads, ... `dpvi.settings()` lists them.

    >>> import dpvi, numpy
    >>> y = numpy.random.default_rng(1).normal(3, 1, 2000)
    >>> fit = dpvi.fit({"y": y}, '''
    ...     data { int<lower=0> N; vector[N] y; }
    ...     parameters { real mu; }
    ...     model { mu ~ normal(0, 10); y ~ normal(mu, 1); }
    ... ''', epsilon=1, rows=2000)
    >>> bool(abs(fit.draws("mu").mean() - 3) < 0.5)
    True

    With a ledger, the cost is charged before the first gradient. Ctrl-C raises `Interrupted`.
    """
    if knobs.get("non_private") and epsilon == 1.0:
        epsilon = None
    if knobs.get("noise_multiplier") is not None or knobs.get("phase") or knobs.get("phases"):
        epsilon = None if epsilon == 1.0 else epsilon
    described = as_model(model, schema, family)._described(schema, title)
    texts, phases = _settings({"epsilon": epsilon, **knobs})
    place = {}
    if ledger is not None:
        place["ledger"] = ledger.path if isinstance(ledger, Ledger) else os.fspath(ledger)
        place["data_version"] = data_version
    if out is None:
        out = new_folder()
    place["bundle"] = os.fspath(out)
    with shown(progress) as tell:
        _core.fit(described, as_rows(data), texts, phases, place, tell)
    return Fit(place["bundle"])


def plan(model=None, *, schema=None, family="normal", **knobs):
    """The privacy cost of a run, before any data is opened, as a dict.

    Without a model, give three of epsilon, delta, noise_multiplier and steps; the fourth is computed.
    With a model, the plan is that of a fit, and has the noise forecast if the number of rows is
    declared.

    >>> import dpvi
    >>> plan = dpvi.plan(epsilon=1, delta=1e-6, steps=100, sampling_rate=1)
    >>> plan["solved_for"], plan["epsilon"] <= 1
    ('noise_multiplier', True)
    """
    described = None if model is None else as_model(model, schema, family)._described(schema)
    return _core.plan(described, *_settings(knobs))


def load(path):
    """Opens a bundle that a fit wrote. Its files must be as they were written."""
    return Fit(path)


def verify(path, ledger=""):
    """Compares a bundle with its manifest and recomputes its ε. `differences` is empty if all holds."""
    return _core.verify(os.fspath(path), ledger.path if isinstance(ledger, Ledger) else os.fspath(ledger))


def settings():
    """The settings of a fit: name, default and meaning."""
    return [(name.replace("-", "_"), default, meaning) for name, default, meaning in _core.settings()]
