"""A problem: a Stan program, public facts, a simulator and the reference for its posterior."""
import dataclasses
import pathlib
from collections.abc import Callable

import numpy as np
import pandas

from likelihood import Likelihood
from prior import Prior

MODELS = pathlib.Path(__file__).resolve().parent / "models"


def model_text(name):
    return (MODELS / f"{name}.stan").read_text()


@dataclasses.dataclass(frozen=True)
class Parameter:
    """A scored parameter: its block, its column in draws.csv, whether its logarithm is scored, and
    its place among the reference's parameters (the coefficients, auxiliary parameters, parameters
    that no record touches, log scales)."""
    block: str
    column: str
    place: int
    logarithm: bool = False

    @property
    def summary_name(self):
        """The name in `dpvi summary`: beta.1 is beta[1], and mu.1.2 is mu[1,2]."""
        name, *indices = self.column.split(".")
        return f"{name}[{','.join(indices)}]" if indices else name


@dataclasses.dataclass
class DataSet:
    """A simulated table, the parameter values that made it, and the likelihood of its records."""
    table: pandas.DataFrame
    truth: np.ndarray
    log_scales: np.ndarray
    likelihood: Likelihood

    @property
    def coordinates(self):
        return np.concatenate([self.truth, self.log_scales])


def columns_of(draws, truth, parameters):
    """The scored parameters of the published draws, as they are in draws.csv."""
    found = draws[[each.column for each in parameters]].to_numpy(float)
    logarithm = np.array([each.logarithm for each in parameters])
    found[:, logarithm] = np.log(found[:, logarithm])
    return found


@dataclasses.dataclass(frozen=True)
class Problem:
    """program(run) returns the Stan program, where run calls dpvi. schema(rows) is the TOML text of
    public facts, or None. extract(draws, truth, parameters) returns one column per parameter."""
    name: str
    program: Callable
    parameters: tuple
    prior: Prior
    simulate: Callable
    schema: Callable
    extract: Callable = columns_of


def columns_schema(rows, columns, public=()):
    """A schema from declared facts: columns maps a name to its keys and values."""
    lines = [] if rows is None else ["[table]", f"rows = {rows}"]
    for name, facts in columns.items():
        lines.append(f'[columns."{name}"]')
        lines += [f"{key} = {value}" for key, value in facts.items()]
    if public:
        lines.append("[public]")
        lines += [f"{name} = {value}" for name, value in public]
    return "\n".join(lines) + "\n"
