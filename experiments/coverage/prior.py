"""Priors of the reference posterior: Gaussian given a few scale parameters.

The parameters are mean + factor(log_scales) z with standard normal z. Models without a hierarchy
have no scale parameters. A prior that is not Gaussian is replaced by a Gaussian with its moments,
and log_correction gives the log ratio of the two densities.
"""
import dataclasses
from collections.abc import Callable

import numpy as np


@dataclasses.dataclass(frozen=True)
class ScalePrior:
    """Prior of the logarithm of a scale parameter; lower to upper hold nearly all of its mass."""
    log_density: Callable
    draw: Callable
    lower: float
    upper: float


def lognormal_scale(mean, sd):
    return ScalePrior(lambda value: -.5 * ((value - mean) / sd) ** 2,
                      lambda rng: rng.normal(mean, sd), mean - 4 * sd, mean + 4 * sd)


def exponential_scale(rate):
    """The logarithm of an exponential variable has density exp(v) rate exp(-rate exp(v))."""
    return ScalePrior(lambda value: value - rate * np.exp(value),
                      lambda rng: np.log(rng.exponential(1 / rate)),
                      np.log(1e-3 / rate), np.log(9 / rate))


@dataclasses.dataclass(frozen=True)
class Prior:
    mean: np.ndarray
    factor: Callable
    scales: tuple = ()
    log_correction: Callable | None = None

    def gaussian_draw(self, rng, log_scales=()):
        factor = self.factor(log_scales)
        return self.mean + factor @ rng.standard_normal(factor.shape[1])


def gaussian(mean, covariance, log_correction=None):
    """A Gaussian prior without scale parameters."""
    factor = np.linalg.cholesky(covariance)
    return Prior(np.asarray(mean, float), lambda log_scales: factor, (), log_correction)


def independent(means, sds):
    return gaussian(means, np.diag(np.square(np.asarray(sds, float))))
