"""Gradients and curvature of the log density of records.

A record's log density is a function of its linear predictor, if the model has one, and of a few
auxiliary parameters. First derivatives are complex steps (Squire & Trapp 1998), exact to rounding.
Second derivatives are central differences of them.
"""
import dataclasses
from collections.abc import Callable

import numpy as np
import scipy.sparse

COMPLEX_STEP = 1e-20
DIFFERENCE = 1e-5


@dataclasses.dataclass
class Likelihood:
    """Parameters are the coefficients of the design, then the auxiliary parameters.

    log_density(eta, auxiliary) returns one value per record and accepts complex arguments. eta is
    None if there is no design.
    """
    log_density: Callable
    design: np.ndarray | scipy.sparse.csr_array | None
    auxiliary: int
    records: int

    @property
    def coefficients(self):
        return 0 if self.design is None else self.design.shape[1]

    @property
    def size(self):
        return self.coefficients + self.auxiliary


@dataclasses.dataclass
class Derivatives:
    """Total gradient and negative Hessian, and the gradient of each record (records x size)."""
    score: np.ndarray
    information: np.ndarray
    record_scores: np.ndarray | scipy.sparse.csr_array


def log_density(likelihood, point):
    """Log density of all records."""
    return likelihood.log_density(*_arguments(likelihood, np.asarray(point, float))).sum()


def derivatives(likelihood, point):
    point = np.asarray(point, float)
    eta, auxiliary = _arguments(likelihood, point)
    first = _gradient(likelihood, eta, auxiliary)
    second = _hessian(likelihood, eta, auxiliary)
    if likelihood.design is None:
        return Derivatives(first.sum(0), -second.sum(0), first)
    design = likelihood.design
    if scipy.sparse.issparse(design):
        scaled = scipy.sparse.diags_array(first[:, 0]) @ design
        scores = scipy.sparse.csr_array(scipy.sparse.hstack([scaled, first[:, 1:]]))
        curved = scipy.sparse.diags_array(second[:, 0, 0]) @ design
        corner = (design.T @ curved).toarray()
    else:
        scores = np.hstack([design * first[:, :1], first[:, 1:]])
        corner = design.T @ (design * second[:, :1, 0])
    side = design.T @ second[:, 0, 1:]
    hessian = np.block([[corner, side], [side.T, second[:, 1:, 1:].sum(0)]])
    return Derivatives(np.asarray(scores.sum(0)).ravel(), -hessian, scores)


def _arguments(likelihood, point):
    coefficients = likelihood.coefficients
    eta = None if likelihood.design is None else likelihood.design @ point[:coefficients]
    return eta, point[coefficients:]


def _moved(eta, auxiliary, argument, by):
    """The arguments of the log density, one of them moved. Argument 0 is eta if there is one."""
    offset = 0 if eta is None else 1
    if argument < offset:
        return eta + by, auxiliary
    moved = auxiliary.astype(np.result_type(auxiliary, by))
    moved[argument - offset] += by
    return eta, moved


def _arguments_count(likelihood):
    return likelihood.auxiliary + (likelihood.design is not None)


def _gradient(likelihood, eta, auxiliary):
    """Gradient of each record by eta and the auxiliary parameters."""
    columns = [likelihood.log_density(*_moved(eta, auxiliary, argument, 1j * COMPLEX_STEP)).imag
               / COMPLEX_STEP for argument in range(_arguments_count(likelihood))]
    return np.stack(columns, axis=1)


def _hessian(likelihood, eta, auxiliary):
    """Second derivatives of each record, symmetrised."""
    rows = []
    for argument in range(_arguments_count(likelihood)):
        above = _gradient(likelihood, *_moved(eta, auxiliary, argument, DIFFERENCE))
        below = _gradient(likelihood, *_moved(eta, auxiliary, argument, -DIFFERENCE))
        rows.append((above - below) / (2 * DIFFERENCE))
    hessian = np.stack(rows, axis=1)
    return (hessian + hessian.transpose(0, 2, 1)) / 2
