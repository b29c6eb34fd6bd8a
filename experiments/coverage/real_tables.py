"""Real tables: log score on held-out rows, and error against the non-private fit.

A record's noise is what varies between the data sets of a cell: the table and its split stay the
same. The non-private posterior mode takes the place of the true value, and the interval is that of
the privacy noise alone: the published mean and sd_privacy.
"""
import dataclasses
import functools
from collections.abc import Callable

import numpy as np
import pandas
from scipy.special import expit, gammaln, logsumexp

from dp_gradient_descent import descend
from gaussian_dp import mu_of
from likelihood import Likelihood, derivatives
from outcomes import BERNOULLI, POISSON
from prior import independent
from problem import Parameter, columns_schema, model_text
from program import fit_table
from reference import noise_share, posterior_mode
from scoring import score_gaussian
from set_rows import averaged, failed_row, parameter_rows
from simulated_set import generator
from table_sources import data_file, statsmodels_table

DELTA = "1e-6"
REPEATS = 16
HELD_OUT_ROWS = 4000
SCORED_DRAWS = 500
# Steps and clip bound of DP gradient descent.
DESCENTS = ((30, 1), (100, 2))


@dataclasses.dataclass(frozen=True)
class Response:
    """A model file, its prior sds, the records' log density and its derivative by the predictor,
    the log density with all constants, and the step of DP gradient descent: less than 2 over the
    curvature of standardised columns."""
    model: str
    alpha_sd: float
    beta_sd: float
    log_density: Callable
    residuals: Callable
    log_score: Callable
    descent_rate: float


BINARY = Response("table_logistic", 2.5, 2.5, BERNOULLI.log_density,
                  lambda eta, y: y - expit(eta),
                  lambda eta, y: y * eta - np.logaddexp(0, eta), 1)
COUNTS = Response("table_poisson", 2.5, 1, POISSON.log_density,
                  lambda eta, y: y - np.exp(np.minimum(eta, 20)),
                  lambda eta, y: y * eta - np.exp(np.minimum(eta, 20)) - gammaln(y + 1), .1)


@dataclasses.dataclass(frozen=True)
class Split:
    """A table in training and held-out rows. The first columns are on their public scale; the
    others lie between 0 and 1."""
    columns: pandas.DataFrame
    scaled: int
    y: np.ndarray
    held_out: np.ndarray

    def part(self, held_out):
        rows = self.held_out == held_out
        x = self.columns.to_numpy(float)[rows]
        return np.hstack([np.ones((len(x), 1)), x]), self.y[rows]


def _random_fifth(rows):
    """The split is the same in every run, so that log scores can be compared."""
    return np.random.default_rng(20_171).random(rows) < .2


def _scaled(frame, facts):
    """Columns on their public scale: facts maps a name to its mean and sd."""
    return pandas.DataFrame({name: (frame[name].astype(float) - mean) / sd
                             for name, (mean, sd) in facts.items()})


def _abalone():
    facts = {"length": (.5, .12), "diameter": (.4, .1), "height": (.14, .04), "whole": (.8, .5),
             "shucked": (.36, .22), "viscera": (.18, .11), "shell": (.24, .14)}
    frame = pandas.read_csv(data_file("abalone.data"), names=["sex", *facts, "rings"])
    columns = _scaled(frame, facts).assign(infant=(frame.sex == "I").astype(int),
                                           male=(frame.sex == "M").astype(int))
    return Split(columns, len(facts), (frame.rings >= 10).to_numpy(int), _random_fifth(len(frame)))


def _adult():
    names = ["age", "workclass", "weight", "education", "years", "marital", "occupation",
             "relationship", "race", "sex", "gain", "loss", "hours", "country", "income"]
    frames = [pandas.read_csv(data_file(file), names=names, skipinitialspace=True, skiprows=skipped)
              for file, skipped in (("adult.data", 0), ("adult.test", 1))]
    frame = pandas.concat(frames, ignore_index=True)
    frame = frame.assign(gain=np.log1p(frame.gain), loss=np.log1p(frame.loss))
    facts = {"age": (40, 14), "years": (10, 2.5), "hours": (40, 12), "gain": (1, 2.5),
             "loss": (.5, 1.5)}
    columns = _scaled(frame, facts).assign(
        male=(frame.sex == "Male").astype(int), white=(frame.race == "White").astype(int),
        married=(frame.marital == "Married-civ-spouse").astype(int),
        private=(frame.workclass == "Private").astype(int),
        manager=(frame.occupation == "Exec-managerial").astype(int),
        professional=(frame.occupation == "Prof-specialty").astype(int))
    held_out = np.arange(len(frame)) >= len(frames[0])
    return Split(columns, len(facts), frame.income.str.startswith(">").to_numpy(int), held_out)


def _fair():
    frame = statsmodels_table("fair")
    facts = {"rate_marriage": (4, 1), "age": (30, 7), "yrs_married": (9, 7), "children": (1.5, 1.5),
             "religious": (2.5, 1), "educ": (14, 2), "occupation": (3.5, 1),
             "occupation_husb": (4, 1.3)}
    return Split(_scaled(frame, facts), len(facts), (frame.affairs > 0).to_numpy(int), _random_fifth(len(frame)))


def _randhie():
    frame = statsmodels_table("randhie")
    facts = {"lncoins": (2, 2), "lpi": (4.5, 2.7), "fmde": (4, 3.5), "disea": (11, 7)}
    columns = _scaled(frame, facts).assign(**{name: frame[name] for name in
                                              ("idp", "physlm", "hlthg", "hlthf", "hlthp")})
    return Split(columns, len(facts), frame.mdvis.to_numpy(int), _random_fifth(len(frame)))


@dataclasses.dataclass(frozen=True)
class RealTable:
    name: str
    response: Response
    load: Callable

    @functools.cached_property
    def split(self):
        return self.load()

    @functools.cached_property
    def nonprivate(self):
        return NonPrivateFit(self.response, *self.split.part(False))

    def parameters(self):
        return [Parameter("intercept", "alpha", 0)] + [
            Parameter("slopes", f"beta.{d + 1}", 1 + d)
            for d in range(self.split.columns.shape[1])]

    def table(self):
        design, y = self.split.part(False)
        names = [f"x.{d + 1}" for d in range(design.shape[1] - 1)]
        return pandas.DataFrame(design[:, 1:], columns=names).assign(y=y)

    def schema(self):
        columns = {f"x.{d + 1}": {"mean": 0, "sd": 1} if d < self.split.scaled
                   else {"lower": 0, "upper": 1} for d in range(self.split.columns.shape[1])}
        return columns_schema(round(len(self.nonprivate.y), -3), columns)


class NonPrivateFit:
    """Posterior mode and covariance, and the information of the training rows."""

    def __init__(self, response, design, y):
        self.design, self.y, self.records = design, y, len(y)
        sds = np.array([response.alpha_sd] + [response.beta_sd] * (design.shape[1] - 1))
        columns = {"y": y}
        likelihood = Likelihood(lambda eta, rest: response.log_density(eta, rest, columns), design,
                                0, self.records)
        start = np.zeros(design.shape[1])
        if response is COUNTS:
            start[0] = np.log(y.mean())
        self.mode = posterior_mode(likelihood, independent(np.zeros(len(sds)), sds), start)
        self.found = derivatives(likelihood, self.mode)
        self.covariance = np.linalg.inv(self.found.information + np.diag(sds ** -2.))

    def privacy_covariance(self, mu):
        """Covariance of the mode due to the noise of the reference."""
        share = noise_share(self.found, self.records, mu)
        return share * self.covariance @ self.found.information @ self.covariance


def mean_log_score(response, points, split):
    """Mean log predictive density of the held-out rows, averaged over points (one per row)."""
    design, y = split.part(True)
    eta = design[:HELD_OUT_ROWS] @ points.T
    scores = response.log_score(eta, y[:HELD_OUT_ROWS, None])
    return float((logsumexp(scores, axis=1) - np.log(len(points))).mean())


def _log_scores(table, draws, mu, rng):
    """Log scores of the published draws, of the non-private mode and of DP gradient descent."""
    fit, response = table.nonprivate, table.response
    found = {"log_score": mean_log_score(response, draws[:SCORED_DRAWS], table.split),
             "log_score_nonprivate": mean_log_score(response, fit.mode[None], table.split)}
    for steps, clip_bound in DESCENTS:
        point = descend(lambda eta: response.residuals(eta, fit.y), fit.design, mu, steps,
                        clip_bound, response.descent_rate, rng)
        found[f"log_score_descent_{steps}"] = mean_log_score(response, point[None], table.split)
    return found


def measure_table(table, epsilon, number, settings):
    """Rows of results for one realisation of the noise."""
    rng = generator(settings.seed, f"{table.name}/e{epsilon}", number)
    mu, fit, parameters = mu_of(epsilon, float(DELTA)), table.nonprivate, table.parameters()
    noise = fit.privacy_covariance(mu)
    sd, root = np.sqrt(np.diag(noise)), np.linalg.cholesky(noise)
    errors = (root @ rng.standard_normal((len(sd), REPEATS))).T
    references = [score_gaussian(fit.mode + error, sd, fit.mode) for error in errors]
    posterior = {"nonprivate_sd": np.sqrt(np.diag(fit.covariance))}
    if settings.self_test:
        return parameter_rows(parameters, fit.mode, {"status": "self-test"}, references[0],
                              averaged(references), posterior)
    private = fit_table(settings.program, lambda run: model_text(table.response.model),
                        table.table(), table.schema(),
                        ["--epsilon", f"{epsilon:g}", "--delta", DELTA])
    if private.failure:
        return failed_row(private.failure)
    draws = private.draws[[each.column for each in parameters]].to_numpy(float)
    published = private.published_sds(parameters)
    scores = score_gaussian(draws.mean(0), published["sd_privacy"], fit.mode)
    return parameter_rows(parameters, fit.mode,
                          private.shared() | _log_scores(table, draws, mu, rng), scores,
                          averaged(references), posterior, published)


REAL_TABLES = (RealTable("abalone", BINARY, _abalone), RealTable("adult", BINARY, _adult),
               RealTable("fair", BINARY, _fair), RealTable("randhie", COUNTS, _randhie))
