"""fit, plan, load and verify."""
import os
from collections.abc import Callable
from typing import Any, cast

from . import _core
from ._folders import new_folder
from ._progress import shown
from ._tables import as_rows, refused
from ._texts import text_of, texts_of
from ._types import LedgerSource, Path, SchemaSource, Table
from .ledger import Ledger
from .model import Model, as_model
from .ranks import Collective, joined
from .result import Fit


class _Default(float):
    """An epsilon that nobody has given: other settings may take its place."""


_DEFAULT_EPSILON = _Default(1.0)


def _settings(knobs: dict[str, Any]) -> tuple[dict[str, str], list[str]]:
    """Settings as texts, by the names of the command line, and phases."""
    knobs = dict(knobs)
    phases = [knobs.pop(name) for name in ("phase", "phases") if knobs.get(name) is not None]
    phases = [phase for given in phases for phase in ([given] if isinstance(given, str) else given)]
    return ({name.replace("_", "-"): text for name, text in texts_of(knobs).items()},
            [phase if isinstance(phase, str) else ":".join(map(text_of, phase)) for phase in phases])


def _asked(epsilon: float | None, knobs: dict[str, Any]) -> float | None:
    """The default gives way to other settings that decide the cost."""
    others = ("non_private", "noise_multiplier", "phase", "phases")
    if isinstance(epsilon, _Default) and any(
            knobs.get(name) is not None and knobs[name] is not False for name in others):
        return None
    return epsilon


def _path_of(ledger: LedgerSource) -> str:
    return ledger.path if isinstance(ledger, Ledger) else os.fspath(ledger)


def fit(data: Table, model: Model | Path, *, epsilon: float | None = _DEFAULT_EPSILON,
        schema: SchemaSource | None = None, family: str | None = None, ledger: LedgerSource | None = None,
        data_version: str = "", out: Path | None = None, title: str = "",
        progress: bool | Callable[[int, int], Any] | None = None, collective: Collective | None = None,
        whole_table: bool = False, **knobs: Any) -> Fit:
    """Fits a model to private records. What it returns may be published.

    `data` is a data frame (pandas, polars, pyarrow, duckdb), a dict of arrays or the name of a file.
    `model` is a `Model`, the name of a `.stan` file, a program or a formula, of which `family` names
    the likelihood: normal by default, bernoulli, poisson, ... `schema` declares the columns. `knobs` are the settings of `dpvi fit`, with underscores: delta, steps, sampling_rate,
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

    With a collective (`dpvi.ranks`), this process is one rank of a job and `data` its part of the
    records, or with `whole_table` the table of all ranks. Every rank calls it with the same model and
    settings. Rank 0 alone uses the ledger and writes; the others return None.
    """
    with joined(collective) as job:
        if data_version and ledger is None:
            raise refused("data_version needs a ledger.", "Give ledger=..., or leave data_version out.", "DP103")
        described = as_model(model, schema, family)._described(schema, title)
        texts, phases = _settings({"epsilon": _asked(epsilon, knobs), **knobs})
        place: dict[str, str] = {"whole_table": ""} if whole_table else {}
        rows = as_rows(data)
        if job.is_root:
            if ledger is not None:
                place["ledger"] = _path_of(ledger)
                place["data_version"] = data_version
            place["bundle"] = os.fspath(new_folder() if out is None else out)
        try:
            with shown(progress) as tell:
                _core.fit(described, rows, texts, phases, place, tell, job.begin())
            return Fit(place["bundle"]) if job.is_root else cast(Fit, None)
        except KeyboardInterrupt as stopped:
            if os.path.isdir(place.get("bundle", "")):
                stopped.add_note(f"The fit had ended. dpvi.load({place['bundle']!r}) opens its result.")
            raise


def plan(model: Model | Path | None = None, *, schema: SchemaSource | None = None, family: str | None = None,
         **knobs: Any) -> dict[str, Any]:
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


def load(path: Path) -> Fit:
    """Opens a bundle that a fit wrote. Its files must be as they were written."""
    return Fit(path)


def verify(path: Path, ledger: LedgerSource = "") -> dict[str, Any]:
    """Compares a bundle with its manifest and recomputes its ε. `differences` is empty if all holds."""
    return _core.verify(os.fspath(path), _path_of(ledger))


def settings() -> list[tuple[str, str, str]]:
    """The settings of a fit: name, default and meaning."""
    return [(name.replace("-", "_"), default, meaning) for name, default, meaning in _core.settings()]
