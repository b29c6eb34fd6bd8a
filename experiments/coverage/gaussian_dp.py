"""Gaussian differential privacy: the exact relation between mu and (epsilon, delta).

Dong, Roth & Su (2022), corollary 2.13: a mechanism is mu-GDP if and only if it is
(epsilon, delta)-DP for every epsilon with delta = Phi(mu/2 - epsilon/mu)
- e^epsilon Phi(-mu/2 - epsilon/mu).
"""
import numpy as np
from scipy.optimize import brentq
from scipy.special import log_ndtr


def delta_of(mu, epsilon):
    return (np.exp(log_ndtr(mu / 2 - epsilon / mu))
            - np.exp(epsilon + log_ndtr(-mu / 2 - epsilon / mu)))


def mu_of(epsilon, delta):
    """The largest mu whose mechanisms are all (epsilon, delta)-DP."""
    return brentq(lambda mu: delta_of(mu, epsilon) - delta, 1e-5, 1000, xtol=1e-12)
