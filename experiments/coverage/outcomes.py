"""Outcome distributions of regressions: log density of records, and a sampler.

A log density takes the linear predictor, the auxiliary parameters and the table's outcome columns.
It accepts complex arguments and may leave out terms without parameters.
"""
import dataclasses
from collections.abc import Callable

import numpy as np
from scipy.special import expit, loggamma


@dataclasses.dataclass(frozen=True)
class Outcome:
    """log_density(eta, auxiliary, columns); draw(rng, eta, auxiliary) returns the columns."""
    log_density: Callable
    draw: Callable


def _normal_log_density(eta, auxiliary, columns):
    return -auxiliary[0] - .5 * ((columns["y"] - eta) * np.exp(-auxiliary[0])) ** 2


def _normal_draw(rng, eta, auxiliary):
    return {"y": rng.normal(eta, np.exp(auxiliary[0]))}


def _bernoulli_log_density(eta, auxiliary, columns):
    return columns["y"] * eta - np.log1p(np.exp(eta))


def _bernoulli_draw(rng, eta, auxiliary):
    return {"y": (rng.random(len(eta)) < expit(eta)).astype(int)}


def _poisson_log_density(eta, auxiliary, columns):
    return columns["y"] * eta - np.exp(eta)


def _poisson_draw(rng, eta, auxiliary):
    return {"y": rng.poisson(np.exp(eta))}


def _negative_binomial_log_density(eta, auxiliary, columns):
    y, dispersion = columns["y"], np.exp(auxiliary[0])
    spread = np.log(np.exp(eta) + dispersion)
    return (loggamma(y + dispersion) - loggamma(dispersion)
            + dispersion * (auxiliary[0] - spread) + y * (eta - spread))


def _negative_binomial_draw(rng, eta, auxiliary):
    dispersion = np.exp(auxiliary[0])
    return {"y": rng.poisson(rng.gamma(dispersion, np.exp(eta) / dispersion))}


def _logistic(value):
    return 1 / (1 + np.exp(-value))


def _ordered_log_density(eta, auxiliary, columns):
    below = np.stack([np.zeros_like(eta + auxiliary[0])]
                     + [_logistic(cut - eta) for cut in auxiliary]
                     + [np.ones_like(eta + auxiliary[0])])
    rows = np.arange(len(eta))
    return np.log(below[columns["y"], rows] - below[columns["y"] - 1, rows])


def _ordered_draw(rng, eta, auxiliary):
    latent = eta + rng.logistic(size=len(eta))
    return {"y": 1 + np.searchsorted(auxiliary, latent)}


def _weibull_log_density(eta, auxiliary, columns):
    """Times that reached their limit are censored there."""
    hazard = np.exp(auxiliary[0]) * (np.log(columns["time"]) - eta)
    event = columns["time"] < columns["limit"]
    return np.where(event, auxiliary[0] + hazard, 0) - np.exp(hazard)


def _weibull_draw(rng, eta, auxiliary):
    limit = rng.uniform(.5, 4, size=len(eta))
    time = np.exp(eta) * rng.weibull(np.exp(auxiliary[0]), size=len(eta))
    return {"time": np.minimum(time, limit), "limit": limit}


NORMAL = Outcome(_normal_log_density, _normal_draw)
BERNOULLI = Outcome(_bernoulli_log_density, _bernoulli_draw)
POISSON = Outcome(_poisson_log_density, _poisson_draw)
NEGATIVE_BINOMIAL = Outcome(_negative_binomial_log_density, _negative_binomial_draw)
ORDERED = Outcome(_ordered_log_density, _ordered_draw)
WEIBULL = Outcome(_weibull_log_density, _weibull_draw)
