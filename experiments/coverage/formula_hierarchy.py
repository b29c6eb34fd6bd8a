"""The hierarchy that `dpvi formula "y ~ x + (1 | g)"` writes.

Its priors are those of the program: normal(0, 5) for intercept and slope, exponential(0.5) for sd_g
and sigma if the declared standard deviation of y is 2. The group effects sum to zero.
"""
import numpy as np
import pandas
import scipy.sparse

from hierarchies import group_design
from likelihood import Likelihood
from outcomes import NORMAL
from prior import Prior, exponential_scale
from problem import DataSet, Parameter, Problem, columns_schema

OUTCOME_SD = 2
COEFFICIENT_SD = 2.5 * OUTCOME_SD
RATE = 1 / OUTCOME_SD
# Mean and standard deviation of the logarithm of an exponential variable with rate 1.
LOG_EXPONENTIAL = (-np.euler_gamma, np.pi / np.sqrt(6))


def _sum_to_zero_basis(groups):
    """Orthonormal basis of the vectors that sum to zero."""
    return np.linalg.svd(np.ones((1, groups)))[2][1:].T


class FormulaHierarchy:
    """Parameters: intercept, slope, group effects, log sigma; scale parameter: log sd_g."""

    def __init__(self, groups):
        self.groups = groups
        basis = _sum_to_zero_basis(groups)
        log_mean, log_sd = LOG_EXPONENTIAL[0] - np.log(RATE), LOG_EXPONENTIAL[1]

        def factor(log_scales):
            found = np.zeros((groups + 3, groups + 2))
            found[0, 0] = found[1, 1] = COEFFICIENT_SD
            found[2:2 + groups, 2:1 + groups] = np.exp(log_scales[0]) * basis
            found[-1, -1] = log_sd
            return found

        def log_correction(draws):
            log_sigma = draws[:, groups + 2]
            return (log_sigma - RATE * np.exp(log_sigma)
                    + .5 * ((log_sigma - log_mean) / log_sd) ** 2)

        self.prior = Prior(np.append(np.zeros(groups + 2), log_mean), factor,
                           (exponential_scale(RATE),), log_correction)

    def parameters(self):
        return tuple([Parameter("intercept", "intercept", 0), Parameter("slopes", "b_x", 1),
                      Parameter("sigma", "sigma", self.groups + 2, logarithm=True),
                      Parameter("tau", "sd_g", self.groups + 3, logarithm=True)]
                     # The last effect follows from the others.
                     + [Parameter("effects", f"r_g.{j + 1}", 2 + j)
                        for j in range(self.groups - 1)])

    def simulate(self, rng, rows):
        log_scales = np.array([self.prior.scales[0].draw(rng)])
        truth = self.prior.gaussian_draw(rng, log_scales)
        truth[-1] = np.log(rng.exponential(1 / RATE))
        group, x = rng.integers(self.groups, size=rows), rng.standard_normal(rows)
        design = scipy.sparse.csr_array(scipy.sparse.hstack(
            [np.ones((rows, 1)), x[:, None], group_design(group, self.groups, np.ones(rows))]))
        outcome = NORMAL.draw(rng, design @ truth[:-1], truth[-1:])
        likelihood = Likelihood(
            lambda eta, values: NORMAL.log_density(eta, values, outcome), design, 1, rows)
        table = pandas.DataFrame({"g": [f"g{j + 1}" for j in group], "x": x} | outcome)
        return DataSet(table, truth, log_scales, likelihood)

    def schema(self, rows):
        levels = ", ".join(f'"g{j + 1}"' for j in range(self.groups))
        return columns_schema(rows, {"x": {"mean": 0, "sd": 1},
                                     "y": {"mean": 0, "sd": OUTCOME_SD},
                                     "g": {"levels": f"[{levels}]"}})

    def problem(self, name):
        return Problem(name, self._program, self.parameters(), self.prior, self.simulate,
                       self.schema)

    @staticmethod
    def _program(run):
        return run("formula", "y ~ x + (1 | g)", "--likelihood", "normal", "--schema", "schema.toml")
