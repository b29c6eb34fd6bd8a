"""DP gradient descent, the simple method to compare with: clipped full-batch gradients from zero.

Each of the T steps releases the sum of clipped gradients with noise of standard deviation
2 C sqrt(T) / mu, so that all steps together are mu-GDP under substitution.
"""
import numpy as np


def descend(residuals, design, mu, steps, clip_bound, rate, rng):
    """residuals(eta) is the derivative of each record's log density by its linear predictor. Steps
    are rate times the mean gradient. Returns the last iterate."""
    records, size = design.shape
    norms = np.linalg.norm(design, axis=1)
    noise_sd = 2 * clip_bound * np.sqrt(steps) / mu
    point = np.zeros(size)
    for _ in range(steps):
        slopes = residuals(design @ point)
        slopes *= np.minimum(1, clip_bound / np.maximum(np.abs(slopes) * norms, 1e-300))
        released = design.T @ slopes + noise_sd * rng.standard_normal(size)
        point = point + rate * released / records
    return point
