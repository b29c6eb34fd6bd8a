"""The reference posterior of binary outcomes in groups, without linearisation.

A group whose outcomes are nearly all alike has a likelihood far from Gaussian. Here the measurement
keeps the shape of the likelihood: its logarithm is (l(a) + noise' a) / kappa, where l is the log
likelihood of the records. At the estimate it has the gradient and the curvature of the Gaussian
measurement. The posterior is computed on a grid of mu and log tau, with a grid of each effect.
"""
import dataclasses

import numpy as np
from scipy.special import logsumexp

MU_POINTS, TAU_POINTS, EFFECT_POINTS = 31, 25, 81
# Effects beyond this many log odds are not distinguishable in tables of this size.
FARTHEST = 12
# Grid points whose log weight is this far below the largest are ignored.
NEGLIGIBLE = 12


@dataclasses.dataclass
class BinaryGroups:
    """Trials and successes of each group, and the priors of mu and log tau."""
    trials: np.ndarray
    successes: np.ndarray
    mu_sd: float
    tau_prior: object


@dataclasses.dataclass
class Axes:
    """Grid points of mu and log tau, and of each effect (groups x points)."""
    mu: np.ndarray
    log_tau: np.ndarray
    effects: np.ndarray


def _widest_axes(groups):
    tau = groups.tau_prior
    effects = np.linspace(-FARTHEST, FARTHEST, EFFECT_POINTS)
    return Axes(np.linspace(-4 * groups.mu_sd, 4 * groups.mu_sd, MU_POINTS),
                np.linspace(tau.lower, tau.upper, TAU_POINTS),
                np.tile(effects, (len(groups.trials), 1)))


def _log_weights(groups, measurement, repeat, axes):
    """Joint log weights (mu x tau), and log weights of the effects given both
    (mu x tau x groups x points)."""
    effects = axes.effects
    log_likelihood = (groups.successes[:, None] * effects
                      - groups.trials[:, None] * np.logaddexp(0, effects))
    noise = measurement.noise[:len(effects), repeat]
    measured = (log_likelihood + noise[:, None] * effects) / measurement.kappa
    tau = np.exp(axes.log_tau)[None, :, None, None]
    away = (effects - axes.mu[:, None, None, None]) / tau
    given = measured - .5 * away ** 2 - np.log(tau)
    joint = (logsumexp(given, axis=3).sum(2) - .5 * (axes.mu[:, None] / groups.mu_sd) ** 2
             + groups.tau_prior.log_density(axes.log_tau))
    return joint, given


def _narrowed(points, log_weights):
    """A grid over the points that are not negligible, and one spacing more on either side."""
    kept = points[log_weights > log_weights.max() - NEGLIGIBLE]
    spacing = points[1] - points[0]
    return np.linspace(kept[0] - spacing, kept[-1] + spacing, len(points))


def _finer_axes(axes, joint, given):
    conditional = given - logsumexp(given, axis=3, keepdims=True)
    marginal = logsumexp(conditional + joint[:, :, None, None], axis=(0, 1))
    return Axes(_narrowed(axes.mu, logsumexp(joint, axis=1)),
                _narrowed(axes.log_tau, logsumexp(joint, axis=0)),
                np.stack([_narrowed(*pair) for pair in zip(axes.effects, marginal)]))


def _uniform_around(points, spacing, rng):
    return points + spacing * (rng.random(points.shape) - .5)


def _draw(axes, joint, given, rng, count):
    weights = np.exp(joint - joint.max()).ravel()
    chosen = rng.choice(len(weights), size=count, p=weights / weights.sum())
    mu, tau = np.unravel_index(chosen, joint.shape)
    effects = np.empty((count, len(axes.effects)))
    for group, points in enumerate(axes.effects):
        log_weights = given[mu, tau, group]
        # The largest log weight plus Gumbel noise is a draw with these weights.
        places = np.argmax(log_weights + rng.gumbel(size=log_weights.shape), axis=1)
        effects[:, group] = _uniform_around(points[places], points[1] - points[0], rng)
    return np.column_stack([
        effects, _uniform_around(axes.mu[mu], axes.mu[1] - axes.mu[0], rng),
        _uniform_around(axes.log_tau[tau], axes.log_tau[1] - axes.log_tau[0], rng)])


def binary_groups_draws(groups, measurement, rng, count):
    """Draws of effects, mu and log tau, one array for each repeat of the measurement."""
    found = []
    for repeat in range(measurement.linear.shape[1]):
        axes = _widest_axes(groups)
        joint, given = _log_weights(groups, measurement, repeat, axes)
        axes = _finer_axes(axes, joint, given)
        joint, given = _log_weights(groups, measurement, repeat, axes)
        found.append(_draw(axes, joint, given, rng, count))
    return found
