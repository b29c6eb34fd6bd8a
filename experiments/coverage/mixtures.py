"""Mixtures of normal components with unit variance.

Locations are fixed and weights come from the prior, Dirichlet(4, ..., 4). The reference describes
the mode whose labels match the locations. One permutation per fit matches the published draws.
"""
import dataclasses
import itertools

import numpy as np
import pandas
from scipy.special import polygamma

from likelihood import Likelihood
from prior import gaussian
from problem import DataSet, Parameter, Problem, columns_schema, model_text

LOCATION_SD = 4
CONCENTRATION = 4


def _log_weights(ratios):
    """Log weights from the log ratios to the last weight."""
    padded = np.append(ratios, 0)
    return padded - np.log(np.exp(padded).sum())


def _dirichlet_log_density(ratios):
    """Log density of the log ratios, up to a constant; one row per draw."""
    padded = np.hstack([ratios, np.zeros((len(ratios), 1))])
    log_weights = padded - np.logaddexp.reduce(padded, axis=1)[:, None]
    return CONCENTRATION * log_weights.sum(1)


@dataclasses.dataclass(frozen=True)
class Mixture:
    """locations has one row per component and one column per dimension."""
    locations: np.ndarray

    @property
    def components(self):
        return len(self.locations)

    @property
    def dimensions(self):
        return self.locations.shape[1]

    def prior(self):
        count, ratios = self.locations.size, self.components - 1
        spread = polygamma(1, CONCENTRATION) * (np.eye(ratios) + 1)
        inverse = np.linalg.inv(spread)
        covariance = np.zeros((count + ratios, count + ratios))
        covariance[:count, :count] = LOCATION_SD ** 2 * np.eye(count)
        covariance[count:, count:] = spread

        def log_correction(draws):
            found = draws[:, count:]
            return (_dirichlet_log_density(found)
                    + .5 * np.einsum("ni,ij,nj->n", found, inverse, found))

        return gaussian(np.zeros(count + ratios), covariance, log_correction)

    def location_columns(self):
        if self.dimensions == 1:
            return [f"mu.{k + 1}" for k in range(self.components)]
        return [f"mu.{k + 1}.{d + 1}" for k in range(self.components)
                for d in range(self.dimensions)]

    def weight_columns(self):
        return [f"w.{k + 1}" for k in range(self.components)]

    def parameters(self):
        locations = self.location_columns()
        return tuple([Parameter("locations", column, place)
                      for place, column in enumerate(locations)]
                     + [Parameter("weights", column, len(locations) + place)
                        for place, column in enumerate(self.weight_columns()[:-1])])

    def extract(self, draws, truth, parameters):
        """Locations and log ratios of weights, with the labels that fit the true locations best."""
        locations = draws[self.location_columns()].to_numpy(float)
        locations = locations.reshape(len(draws), self.components, self.dimensions)
        log_weights = np.log(draws[self.weight_columns()].to_numpy(float))
        centers = locations.mean(0)
        labels = min(itertools.permutations(range(self.components)),
                     key=lambda order: ((centers[list(order)] - self.locations) ** 2).sum())
        locations, log_weights = locations[:, labels], log_weights[:, labels]
        return np.hstack([locations.reshape(len(draws), -1),
                          log_weights[:, :-1] - log_weights[:, -1:]])

    def _log_density(self, point, y):
        locations = point[:self.locations.size].reshape(self.locations.shape)
        log_weights = _log_weights(point[self.locations.size:])
        parts = [log_weight - .5 * ((y - location) ** 2).sum(1)
                 for log_weight, location in zip(log_weights, locations)]
        largest = np.max([part.real for part in parts], axis=0)
        return largest + np.log(sum(np.exp(part - largest) for part in parts))

    def simulate(self, rng, rows):
        weights = rng.dirichlet(np.full(self.components, CONCENTRATION))
        labels = rng.choice(self.components, size=rows, p=weights)
        y = self.locations[labels] + rng.standard_normal((rows, self.dimensions))
        names = ["y"] if self.dimensions == 1 else ["y.1", "y.2"]
        truth = np.concatenate([self.locations.ravel(), np.log(weights[:-1] / weights[-1])])
        likelihood = Likelihood(lambda eta, values: self._log_density(values, y), None, len(truth),
                                rows)
        return DataSet(pandas.DataFrame(y, columns=names), truth, np.zeros(0), likelihood)

    def schema(self, rows):
        names = ["y"] if self.dimensions == 1 else ["y.1", "y.2"]
        sd = round(float(np.sqrt(LOCATION_SD ** 2 + 1)), 1)
        return columns_schema(rows, {name: {"mean": 0, "sd": sd} for name in names},
                              [("K", self.components)])

    def problem(self, name):
        model = "mixture" if self.dimensions == 1 else "mixture_plane"
        return Problem(name, lambda run: model_text(model), self.parameters(), self.prior(),
                       self.simulate, self.schema, self.extract)


def on_line(*locations):
    return Mixture(np.array(locations, float)[:, None])


def in_plane(*locations):
    return Mixture(np.array(locations, float))
