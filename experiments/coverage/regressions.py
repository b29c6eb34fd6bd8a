"""Regressions with simulated columns."""
import dataclasses
from collections.abc import Callable

import numpy as np
import pandas

from likelihood import Likelihood
from outcomes import BERNOULLI, NEGATIVE_BINOMIAL, NORMAL, ORDERED, POISSON, WEIBULL, Outcome
from prior import gaussian, independent
from problem import DataSet, Parameter, Problem, columns_schema, model_text

CUTPOINTS = 3
CUTPOINT_SD = 2


@dataclasses.dataclass(frozen=True)
class PublicFacts:
    """Errors in what the schema declares: factors of rows and of standard deviations, and a shift
    of means in standard deviations."""
    declared: bool = True
    rows: float = 1
    sd: float = 1
    shift: float = 0


def normal_columns(correlation):
    """Standard normal columns, every pair with the same correlation."""
    def draw(rng, rows, size):
        shared = rng.standard_normal((rows, 1))
        return (np.sqrt(correlation) * shared
                + np.sqrt(1 - correlation) * rng.standard_normal((rows, size)))
    return draw


@dataclasses.dataclass(frozen=True)
class Regression:
    """The prior is that of the model file. The auxiliary parameters have lognormal priors, given by
    (column, mean, sd) on the log scale."""
    model: str
    outcome: Outcome
    size: int
    alpha_sd: float
    beta_sd: float
    auxiliary: tuple = ()
    outcome_facts: Callable = lambda regression: {}
    columns: Callable = normal_columns(0)
    column_facts: tuple = (0, 1)
    fixed_alpha: float | None = None

    def prior(self):
        means = [0] * (1 + self.size) + [mean for _, mean, _ in self.auxiliary]
        sds = [self.alpha_sd] + [self.beta_sd] * self.size + [sd for _, _, sd in self.auxiliary]
        return independent(means, sds)

    def parameters(self):
        return tuple([Parameter("intercept", "alpha", 0)]
                     + [Parameter("slopes", f"beta.{d + 1}", 1 + d) for d in range(self.size)]
                     + [Parameter("scales", column, 1 + self.size + place, logarithm=True)
                        for place, (column, _, _) in enumerate(self.auxiliary)])

    def design(self, x):
        return np.hstack([np.ones((len(x), 1)), x])

    def draw_truth(self, rng):
        truth = self.prior().gaussian_draw(rng)
        if self.fixed_alpha is not None:
            truth[0] = self.fixed_alpha
        return truth

    def simulate(self, rng, rows):
        truth = self.draw_truth(rng)
        x = self.columns(rng, rows, self.size)
        design = self.design(x)
        auxiliary = truth[design.shape[1]:]
        outcome = self.outcome.draw(rng, design @ truth[:design.shape[1]], auxiliary)
        table = pandas.DataFrame(x, columns=[f"x.{d + 1}" for d in range(self.size)])
        likelihood = Likelihood(
            lambda eta, values: self.outcome.log_density(eta, values, outcome), design,
            len(auxiliary), rows)
        return DataSet(table.assign(**outcome), truth, np.zeros(0), likelihood)

    def schema(self, rows, facts=PublicFacts()):
        if not facts.declared:
            return None
        mean, sd = self.column_facts
        columns = {f"x.{d + 1}": {"mean": mean, "sd": sd} for d in range(self.size)}
        columns |= self.outcome_facts(self)
        for each in columns.values():
            if "sd" in each:
                each["mean"] += facts.shift * each["sd"]
                each["sd"] *= facts.sd
        return columns_schema(round(facts.rows * rows), columns)

    def problem(self, name, facts=PublicFacts()):
        return Problem(name, lambda run: model_text(self.model), self.parameters(), self.prior(),
                       self.simulate, lambda rows: self.schema(rows, facts))


class OrdinalRegression(Regression):
    """Cutpoints take the place of an intercept. Their prior is that of sorted normal variables."""

    def prior(self):
        means, covariance = np.zeros(self.size), self.beta_sd ** 2 * np.eye(self.size)
        sorted_draws = np.sort(CUTPOINT_SD * np.random.default_rng(1).standard_normal(
            (200_000, CUTPOINTS)), axis=1)
        center, spread = sorted_draws.mean(0), np.cov(sorted_draws.T)
        inverse = np.linalg.inv(spread)

        def log_correction(draws):
            cuts = draws[:, self.size:]
            away = cuts - center
            exact = -.5 * (cuts ** 2).sum(1) / CUTPOINT_SD ** 2
            replaced = -.5 * np.einsum("ni,ij,nj->n", away, inverse, away)
            return np.where((np.diff(cuts) > 0).all(1), exact - replaced, -np.inf)

        zeros = np.zeros((self.size, CUTPOINTS))
        return gaussian(np.concatenate([means, center]),
                        np.block([[covariance, zeros], [zeros.T, spread]]), log_correction)

    def parameters(self):
        return tuple([Parameter("slopes", f"beta.{d + 1}", d) for d in range(self.size)]
                     + [Parameter("cutpoints", f"c.{k + 1}", self.size + k)
                        for k in range(CUTPOINTS)])

    def design(self, x):
        return x

    def draw_truth(self, rng):
        return np.concatenate([rng.normal(0, self.beta_sd, size=self.size),
                               np.sort(rng.normal(0, CUTPOINT_SD, size=CUTPOINTS))])


def _normal_facts(regression):
    """Prior predictive mean and standard deviation of the outcome."""
    sigma = np.exp(regression.auxiliary[0][1])
    variance = regression.alpha_sd ** 2 + regression.size * regression.beta_sd ** 2 + sigma ** 2
    return {"y": {"mean": 0, "sd": round(float(np.sqrt(variance)), 2)}}


def _follow_up_facts(regression):
    return {"time": {"lower": 0, "upper": 4}, "limit": {"lower": .5, "upper": 4}}


def linear(size=10, **others):
    return Regression("linear", NORMAL, size, 1, 1, (("sigma", 0, .3),), _normal_facts, **others)


def logistic(size=10, correlation=.5, **others):
    return Regression("logistic", BERNOULLI, size, 1, 1, columns=normal_columns(correlation),
                      **others)


def poisson(size=5, **others):
    return Regression("poisson", POISSON, size, 1, .3, **others)


def negative_binomial(size=5):
    return Regression("negative_binomial", NEGATIVE_BINOMIAL, size, 1, .3, (("phi", 1, .5),))


def ordinal(size=5):
    return OrdinalRegression("ordinal", ORDERED, size, 0, 1)


def weibull(size=5):
    return Regression("weibull", WEIBULL, size, 1, .5, (("shape", 0, .3),), _follow_up_facts)
