"""DP gradient descent, the simple method to compare with: clipped full-batch gradients from zero.

Each of the T steps releases the sum of clipped gradients with noise of standard deviation
2 C sqrt(T) / mu, so that all steps together are mu-GDP under substitution.
"""
import dataclasses

import numpy as np


@dataclasses.dataclass(frozen=True)
class Descent:
    """A step is rate times the mean of the clipped gradients."""
    steps: int
    clip_bound: float
    rate: float = 1


def descend(descent, residuals, design, mu, rng):
    """residuals(eta) is the derivative of each record's log density by its linear predictor.
    Returns the last iterate."""
    records, size = design.shape
    norms = np.linalg.norm(design, axis=1)
    noise_sd = 2 * descent.clip_bound * np.sqrt(descent.steps) / mu
    point = np.zeros(size)
    for _ in range(descent.steps):
        slopes = residuals(design @ point)
        slopes *= np.minimum(1, descent.clip_bound / np.maximum(np.abs(slopes) * norms, 1e-300))
        released = design.T @ slopes + noise_sd * rng.standard_normal(size)
        point = point + descent.rate * released / records
    return point
