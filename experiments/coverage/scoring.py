"""Scores of interval estimates, and standard errors that respect data sets.

Parameters of one fit share their data and their noise. Standard errors therefore treat a data set,
not a parameter, as the independent observation.
"""
import numpy as np
from scipy.stats import norm

LEVEL = .9
TARGET_STANDARD_ERROR = .025
# Coverage that bounds the variance from below: see coverage_standard_error.
NEARLY_SURE = .95


def central_interval(draws):
    """The central 90 % interval of each column of draws."""
    return np.quantile(draws, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)


def interval_score(lower, upper, truth):
    """Gneiting & Raftery (2007), equation 43: width plus a penalty for missing the truth."""
    penalty = 2 / (1 - LEVEL)
    return (upper - lower) + penalty * (np.maximum(lower - truth, 0)
                                        + np.maximum(truth - upper, 0))


def score_interval(mean, sd, lower, upper, truth):
    """Scores of interval estimates: one entry per parameter in each value."""
    return {"mean": mean, "sd": sd, "lower": lower, "upper": upper,
            "covered": ((lower <= truth) & (truth <= upper)).astype(int),
            "interval_score": interval_score(lower, upper, truth),
            "squared_error": (mean - truth) ** 2}


def score_draws(draws, truth):
    lower, upper = central_interval(draws)
    return score_interval(draws.mean(0), draws.std(0, ddof=1), lower, upper, truth)


def score_gaussian(mean, sd, truth):
    """Scores of the central 90 % intervals of Gaussians."""
    half = norm.ppf((1 + LEVEL) / 2) * sd
    return score_interval(mean, sd, mean - half, mean + half, truth)


def clustered_standard_error(set_means):
    """Standard error of the mean over data sets, given the mean within each data set."""
    set_means = np.asarray(set_means, float)
    if len(set_means) < 2:
        return np.inf
    return set_means.std(ddof=1) / np.sqrt(len(set_means))


def coverage_standard_error(set_means, parameters):
    """Clustered standard error of coverage, never below that of independent parameters with
    coverage .95. A few data sets that are all covered, or all missed, prove little."""
    least = np.sqrt(NEARLY_SURE * (1 - NEARLY_SURE) / (parameters * len(set_means)))
    return max(clustered_standard_error(set_means), least)


def ratio_standard_error(numerators, denominators):
    """Standard error of mean(numerators) / mean(denominators) by the delta method."""
    numerators, denominators = np.asarray(numerators, float), np.asarray(denominators, float)
    ratio = numerators.mean() / denominators.mean()
    return clustered_standard_error(numerators - ratio * denominators) / denominators.mean()


def sets_needed(set_means, parameters):
    """Number of data sets at which the standard error of coverage is expected to reach .025."""
    error = coverage_standard_error(set_means, parameters)
    return int(np.ceil(len(set_means) * (error / TARGET_STANDARD_ERROR) ** 2))
