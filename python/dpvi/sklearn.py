"""Regressions with the habits of scikit-learn.

    >>> import numpy
    >>> from dpvi.sklearn import PrivateLogisticRegression
    >>> generator = numpy.random.default_rng(1)
    >>> X = generator.normal(size=(4000, 2))
    >>> y = (generator.random(4000) < 1 / (1 + numpy.exp(-2 * X[:, 0]))).astype(int)
    >>> model = PrivateLogisticRegression(epsilon=1, classes=[0, 1], bounds=(-4, 4)).fit(X, y)
    >>> model.score(X, y) > 0.7
    True

`epsilon`, the classes and the bounds are arguments, because what is learned from data would have to
be paid for. Columns are named x1, x2, ... Every fit spends its epsilon again; count fits in a ledger.
`bounds` is (-1, 1) by default. `threads` is the number of threads of a fit, by default one for each core.
"""
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from ._fitting import fit as _fit
from ._types import LedgerSource
from .model import Model

__all__ = ["PrivateLinearRegression", "PrivateLogisticRegression", "PrivatePoissonRegression"]

_PROGRAM = """// Written by dpvi.sklearn; features are scaled to the unit ball of their bounds.
data {{
  int<lower=0> N;
  int<lower=1> K;
  matrix[N, K] x;
  {outcome}
}}
parameters {{
  real alpha;
  vector[K] beta;{scale}
}}
model {{
  alpha ~ normal(0, {prior});
  beta ~ normal(0, {prior});
  {likelihood}
}}
"""


def _are_ranges(bounds: NDArray[np.float64]) -> bool:
    return bool(np.isfinite(bounds).all() and (bounds[:, 0] < bounds[:, 1]).all())


class _PrivateRegression(BaseEstimator):
    """What the three regressions share. Features are centred and scaled by their declared bounds."""

    _settings: dict[str, Any] = {}
    epsilon: float | None
    bounds: ArrayLike | None
    delta: float
    rows: int | None
    prior: float
    ledger: LedgerSource | None
    draws: int
    threads: int | None

    def _scaled(self, X: Any) -> dict[str, NDArray[np.float64]]:
        bounds = np.asarray((-1.0, 1.0) if self.bounds is None else self.bounds, dtype=float)
        if bounds.shape == (2,):
            bounds = np.tile(bounds, (X.shape[1], 1))
        if bounds.shape != (X.shape[1], 2) or not _are_ranges(bounds):
            raise ValueError("bounds is (lower, upper), or one such pair for each feature; they are finite")
        self._centre = bounds.mean(axis=1)
        self._half = (bounds[:, 1] - bounds[:, 0]) / 2
        return self._columns(X)

    def _columns(self, X: Any) -> dict[str, NDArray[np.float64]]:
        scaled = np.clip((X - self._centre) / self._half, -1, 1)
        return {f"x.{i + 1}": scaled[:, i] for i in range(X.shape[1])}

    def _program(self) -> str:
        raise NotImplementedError

    def _fit_columns(self, X: Any, outcome: Any) -> tuple[Any, Any]:
        if self.epsilon is None:
            raise ValueError("epsilon is required: it is the privacy budget of this fit")
        if not 0 < self.prior < np.inf:
            raise ValueError("prior is the standard deviation of the coefficients before the fit, above 0")
        columns = self._scaled(X)
        columns["y"] = outcome
        model = Model(self._program(), public={"K": X.shape[1]}, one_row_per_person=True)
        self.result_ = _fit(columns, model, epsilon=self.epsilon, delta=self.delta, rows=self.rows,
                            ledger=self.ledger, draws=self.draws, threads=self.threads,
                            **self._settings)
        alpha, beta = self.result_.draws("alpha"), self.result_.draws("beta")
        # Back to the scale of the features: x = centre + half * scaled.
        coefficients = beta / self._half
        intercepts = alpha - coefficients @ self._centre
        self._draws_of_coefficients, self._draws_of_intercept = coefficients, intercepts
        self.intervals_ = np.quantile(np.column_stack([intercepts, coefficients]), [0.05, 0.95], axis=0).T
        return coefficients.mean(axis=0), intercepts.mean()

    def _predictors(self, X: Any) -> NDArray[np.float64]:
        """Linear predictors: one row for each draw."""
        clipped = np.clip(X, self._centre - self._half, self._centre + self._half)
        predictors: NDArray[np.float64] = (self._draws_of_intercept[:, None]
                                           + self._draws_of_coefficients @ clipped.T)
        return predictors


class PrivateLogisticRegression(ClassifierMixin, _PrivateRegression):
    """Private logistic regression of two classes.

    `classes` are the two labels, the second of which is the event. `bounds` is (lower, upper) for all
    features or a pair for each; values outside are clipped. `predict_proba` averages over draws with
    model and privacy uncertainty; `intervals_` has 90 % intervals of intercept and coefficients.
    """

    def __init__(self, epsilon: float | None = None, *, classes: ArrayLike | None = None,
                 bounds: ArrayLike | None = None, delta: float = 1e-6, rows: int | None = None,
                 prior: float = 2.5, ledger: LedgerSource | None = None, draws: int = 1000,
                 threads: int | None = None) -> None:
        self.epsilon = epsilon
        self.classes = classes
        self.bounds = bounds
        self.delta = delta
        self.rows = rows
        self.prior = prior
        self.ledger = ledger
        self.draws = draws
        self.threads = threads

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.non_deterministic = True
        return tags

    def _program(self) -> str:
        return _PROGRAM.format(outcome="array[N] int<lower=0, upper=1> y;", scale="", prior=self.prior,
                               likelihood="y ~ bernoulli_logit(alpha + x * beta);")

    def fit(self, X: Any, y: Any) -> "PrivateLogisticRegression":
        """Spends epsilon."""
        X, y = validate_data(self, X, y)
        check_classification_targets(y)
        if self.classes is None:
            raise ValueError("classes is required: labels that are learned from data are not private")
        self.classes_ = np.asarray(self.classes)
        if self.classes_.shape != (2,) or self.classes_[0] == self.classes_[1]:
            raise ValueError("Only binary classification is supported: classes has two different labels")
        # A row with another label contributes nothing; its number is not told.
        event = np.where(y == self.classes_[1], 1, np.where(y == self.classes_[0], 0, -1))
        coefficients, intercept = self._fit_columns(X, event)
        self.coef_, self.intercept_ = coefficients[None, :], np.array([intercept])
        return self

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        check_is_fitted(self)
        X = validate_data(self, X, reset=False)
        event = np.mean(1 / (1 + np.exp(-self._predictors(X))), axis=0)
        return np.column_stack([1 - event, event])

    def predict(self, X: Any) -> Any:
        check_is_fitted(self)
        return self.classes_[(self.predict_proba(X)[:, 1] > 0.5).astype(int)]


class PrivateLinearRegression(RegressorMixin, _PrivateRegression):
    """Private linear regression. `target_bounds` is (lower, upper) of y; values outside are clipped."""

    def __init__(self, epsilon: float | None = None, *, bounds: ArrayLike | None = None,
                 target_bounds: tuple[float, float] | None = None, delta: float = 1e-6,
                 rows: int | None = None, prior: float = 2.5, ledger: LedgerSource | None = None,
                 draws: int = 1000, threads: int | None = None) -> None:
        self.epsilon = epsilon
        self.bounds = bounds
        self.target_bounds = target_bounds
        self.delta = delta
        self.rows = rows
        self.prior = prior
        self.ledger = ledger
        self.draws = draws
        self.threads = threads

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.non_deterministic = True
        tags.regressor_tags.poor_score = True
        return tags

    def _program(self) -> str:
        return _PROGRAM.format(outcome="vector[N] y;", scale="\n  real<lower=0> sigma;", prior=self.prior,
                               likelihood="sigma ~ normal(0, 1);\n  y ~ normal(alpha + x * beta, sigma);")

    def fit(self, X: Any, y: Any) -> "PrivateLinearRegression":
        """Spends epsilon."""
        X, y = validate_data(self, X, y, y_numeric=True)
        if self.target_bounds is None:
            raise ValueError("target_bounds is required: a range that is learned from data is not private")
        lower, upper = map(float, self.target_bounds)
        if not _are_ranges(np.array([[lower, upper]])):
            raise ValueError("target_bounds is (lower, upper); they are finite")
        centre, half = (lower + upper) / 2, (upper - lower) / 2
        coefficients, intercept = self._fit_columns(X, np.clip((y - centre) / half, -1, 1))
        self._draws_of_coefficients = self._draws_of_coefficients * half
        self._draws_of_intercept = centre + half * self._draws_of_intercept
        self.intervals_ = half * self.intervals_ + np.array([[centre]] + [[0.0]] * X.shape[1])
        self.coef_, self.intercept_ = half * coefficients, centre + half * intercept
        return self

    def predict(self, X: Any) -> Any:
        check_is_fitted(self)
        X = validate_data(self, X, reset=False)
        return self._predictors(X).mean(axis=0)


class PrivatePoissonRegression(RegressorMixin, _PrivateRegression):
    """Private Poisson regression of counts, with the log link."""

    # Fits by measurements are too sure of counts whose means range widely (tests/python_package).
    _settings = {"posterior": "variational"}

    def __init__(self, epsilon: float | None = None, *, bounds: ArrayLike | None = None,
                 delta: float = 1e-6, rows: int | None = None, prior: float = 2.5,
                 ledger: LedgerSource | None = None, draws: int = 1000,
                 threads: int | None = None) -> None:
        self.epsilon = epsilon
        self.bounds = bounds
        self.delta = delta
        self.rows = rows
        self.prior = prior
        self.ledger = ledger
        self.draws = draws
        self.threads = threads

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.non_deterministic = True
        tags.regressor_tags.poor_score = True
        tags.target_tags.positive_only = True
        return tags

    def _program(self) -> str:
        return _PROGRAM.format(outcome="array[N] int<lower=0> y;", scale="", prior=self.prior,
                               likelihood="y ~ poisson_log(alpha + x * beta);")

    def fit(self, X: Any, y: Any) -> "PrivatePoissonRegression":
        """Spends epsilon."""
        X, y = validate_data(self, X, y, y_numeric=True)
        # Counts that are no whole numbers of at least 0 contribute nothing; their number is not told.
        whole = (y == np.floor(y)) & (y >= 0) & (y < 2**31)
        self.coef_, self.intercept_ = self._fit_columns(X, np.where(whole, y, -1).astype(np.int64))
        return self

    def predict(self, X: Any) -> Any:
        check_is_fitted(self)
        X = validate_data(self, X, reset=False)
        return np.exp(self._predictors(X)).mean(axis=0)
