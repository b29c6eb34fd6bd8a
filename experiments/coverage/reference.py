"""The reference posterior: what an ideal private analysis of the same table would publish.

Records are summarised by one release: their total gradient at the non-private estimate, plus
Gaussian noise. In coordinates in which the mean information of a record is the identity, the noise
has standard deviation 2 C / mu. C is the .9 quantile of the records' gradient norms there, 2 C the
sensitivity under substitution. Then the release is a Gaussian measurement of the parameters with
precision H / kappa, where H is the information of the table and kappa = 1 + (2 C / mu)^2 / records.
The reference posterior is the prior times this measurement, sampled exactly: on a grid of the scale
parameters, and from closed-form Gaussians given these.

C ignores a tenth of the records, and the estimate is found without privacy. So the reference is a
bound to compare with, not a method.
"""
import dataclasses
import itertools

import numpy as np
import scipy.linalg
import scipy.sparse

from likelihood import derivatives, log_density

CLIP_QUANTILE = .9
GRID_POINTS = {1: 41, 2: 21}
# Grid points whose log weight is this far below the largest are ignored.
NEGLIGIBLE = 12
NEWTON_STEPS = 50
SHORTEST_STEP = 1e-6
CANDIDATES_PER_DRAW = 4


@dataclasses.dataclass
class Measurement:
    """exp(linear' d - d' precision d / 2) with d = parameters - point. One column of linear for
    each independent realisation of the noise."""
    point: np.ndarray
    precision: np.ndarray
    linear: np.ndarray


def _padded(values, size):
    """Adds zeros for parameters that no record touches."""
    missing = size - len(values)
    return np.pad(values, [(0, missing)] * values.ndim)


def _information_roots(information):
    """Square root and pseudo-inverse of the information. Directions without information, such as
    a shift between an intercept and all group effects, stay without."""
    values, vectors = np.linalg.eigh(information)
    kept = values > 1e-10 * values.max()
    values, vectors = values[kept], vectors[:, kept]
    return (vectors * np.sqrt(values)) @ vectors.T, (vectors / values) @ vectors.T


def gradient_norms(found, records):
    """Norms of the records' gradients where their mean information is the identity."""
    inverse = _information_roots(found.information / records)[1]
    scores = found.record_scores
    if scipy.sparse.issparse(scores):
        return np.sqrt(np.asarray((scores @ inverse * scores.toarray()).sum(1)).ravel())
    return np.sqrt(np.einsum("ni,ij,nj->n", scores, inverse, scores, optimize=True))


def noise_share(found, records, mu):
    """(2 C / mu)^2 / records: the variance of the noise over that of the records' gradients."""
    clip_bound = np.quantile(gradient_norms(found, records), CLIP_QUANTILE)
    return (2 * clip_bound / mu) ** 2 / records


def posterior_mode(likelihood, prior, start, log_scales=()):
    """Newton's method with halved steps for the non-private posterior mode, given the scale
    parameters. Works on z, whose prior is standard normal."""
    factor = prior.factor(log_scales)

    def value(z):
        point = (prior.mean + factor @ z)[:likelihood.size]
        with np.errstate(all="ignore"):
            return log_density(likelihood, point) - .5 * z @ z

    z = np.linalg.lstsq(factor, np.asarray(start, float) - prior.mean, rcond=None)[0]
    reached = value(z)
    for _ in range(NEWTON_STEPS):
        step = _newton_target(likelihood, prior, prior.mean + factor @ z, log_scales) - z
        length = 1.
        while not value(z + length * step) >= reached and length > SHORTEST_STEP:
            length /= 2
        if length <= SHORTEST_STEP or np.abs(step).max() < 1e-7 * (1 + np.abs(z).max()):
            return prior.mean + factor @ z
        z = z + length * step
        reached = value(z)
    raise RuntimeError(f"the posterior mode was not found in {NEWTON_STEPS} Newton steps")


def _newton_target(likelihood, prior, point, log_scales):
    """The mode of the quadratic approximation at a point, in z."""
    found = derivatives(likelihood, point[:likelihood.size])
    root = _information_roots(found.information)[0]
    measurement = Measurement(point, _padded(root @ root, len(point)),
                              _padded(found.score, len(point))[:, None])
    return _Conditional(prior, measurement, log_scales).mean[:, 0]


def measure(likelihood, point, mu, rng, repeats):
    """The noisy release at a point, with independent noise in each repeat."""
    found = derivatives(likelihood, point[:likelihood.size])
    share = noise_share(found, likelihood.records, mu)
    root = _information_roots(found.information)[0]
    noise = np.sqrt(share) * root @ rng.standard_normal((likelihood.size, repeats))
    linear = np.zeros((len(point), repeats))
    linear[:likelihood.size] = found.score[:, None] + noise
    return Measurement(point, _padded(root @ root, len(point)) / (1 + share),
                       linear / (1 + share))


class _Conditional:
    """The Gaussian posterior of z, given the scale parameters."""

    def __init__(self, prior, measurement, log_scales):
        self.log_scales = np.asarray(log_scales, float)
        self.factor = prior.factor(log_scales)
        precision = self.factor.T @ measurement.precision @ self.factor
        precision[np.diag_indices_from(precision)] += 1
        self.root = scipy.linalg.cholesky(precision, lower=True)
        to_prior = measurement.precision @ (prior.mean - measurement.point)
        linear = self.factor.T @ (measurement.linear - to_prior[:, None])
        self.mean = scipy.linalg.cho_solve((self.root, True), linear)
        self.log_weight = (.5 * (linear * self.mean).sum(0) - np.log(np.diag(self.root)).sum()
                           + sum(scale.log_density(value)
                                 for scale, value in zip(prior.scales, log_scales)))

    def draw(self, rng, repeat, count):
        noise = scipy.linalg.solve_triangular(self.root.T,
                                              rng.standard_normal((len(self.root), count)))
        return (self.factor @ (self.mean[:, repeat, None] + noise)).T


def _grid(axes):
    return [np.array(point) for point in itertools.product(*axes)]


def _conditionals(prior, measurement):
    """The conditional posteriors on a grid of scale parameters, and the spacings of the grid. A
    coarse grid over the prior's range finds where a finer grid is needed."""
    if not prior.scales:
        return [_Conditional(prior, measurement, ())], np.zeros(0)
    count = GRID_POINTS[len(prior.scales)]
    axes = [np.linspace(scale.lower, scale.upper, count) for scale in prior.scales]
    for _ in range(2):
        given = [_Conditional(prior, measurement, point) for point in _grid(axes)]
        weights = np.stack([each.log_weight for each in given])
        kept = ((weights - weights.max(0)) > -NEGLIGIBLE).any(1)
        points = np.stack([each.log_scales for each in given])[kept]
        last, spacings = axes, np.array([axis[1] - axis[0] for axis in axes])
        axes = [np.linspace(max(low - step, axis[0]), min(high + step, axis[-1]), count)
                for low, high, step, axis in zip(points.min(0), points.max(0), spacings, last)]
    return [each for each, keep in zip(given, kept) if keep], spacings


def _resampled(prior, draws, rng, count):
    """Draws weighted by the ratio of the exact prior to its Gaussian replacement."""
    log_weights = prior.log_correction(draws)
    weights = np.exp(log_weights - log_weights.max())
    return draws[rng.choice(len(draws), size=count, p=weights / weights.sum())]


def reference_draws(prior, measurement, rng, count):
    """Draws of parameters and log scales, one array for each repeat of the measurement."""
    given, spacings = _conditionals(prior, measurement)
    weights = np.stack([each.log_weight for each in given])
    candidates = count * (1 if prior.log_correction is None else CANDIDATES_PER_DRAW)
    found = []
    for repeat in range(measurement.linear.shape[1]):
        shares = np.exp(weights[:, repeat] - weights[:, repeat].max())
        counts = rng.multinomial(candidates, shares / shares.sum())
        draws = np.concatenate([
            np.hstack([prior.mean + each.draw(rng, repeat, number),
                       each.log_scales + spacings * (rng.random((number, len(spacings))) - .5)])
            for each, number in zip(given, counts) if number])
        found.append(draws if prior.log_correction is None
                     else _resampled(prior, draws, rng, count))
    return found
