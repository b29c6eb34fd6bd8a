"""Regressions whose tables are difficult to protect: rare outcomes and heavy-tailed columns."""
import dataclasses

import numpy as np

from outcomes import BERNOULLI
from regressions import Regression, linear, logistic

SIZE = 5
# The quartiles of a t distribution with 2 degrees of freedom are those of a normal one with this sd.
T2_SD_FROM_QUARTILES = 1.2


def rare_outcome(rate):
    """The intercept is fixed at the log odds of the rate; the slopes come from the prior."""
    return Regression("rare", BERNOULLI, SIZE, 5, .5, fixed_alpha=float(np.log(rate / (1 - rate))))


def _t2_columns(rng, rows, size):
    return rng.standard_t(2, size=(rows, size))


def _lognormal_columns(rng, rows, size):
    """Lognormal(0, 1), scaled to mean 0 and standard deviation 1."""
    mean, variance = np.exp(.5), np.exp(1) * (np.exp(1) - 1)
    return (rng.lognormal(size=(rows, size)) - mean) / np.sqrt(variance)


def heavy_tailed(regression, columns):
    """A linear or logistic regression with columns "t2" or "lognormal"."""
    draw, facts = {"t2": (_t2_columns, (0, T2_SD_FROM_QUARTILES)),
                   "lognormal": (_lognormal_columns, (0, 1))}[columns]
    made = {"linear": linear, "logistic": logistic}[regression](SIZE)
    return dataclasses.replace(made, columns=draw, column_facts=facts)
