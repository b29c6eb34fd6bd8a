"""Hierarchical models with simulated groups.

The parameters that records touch are the effects of the groups, population slopes if there are any,
and log sigma. mu and tau are known through the effects alone. Centred and non-centred programs have
the same posterior, so they share a reference and are scored on the same quantities.
"""
import dataclasses
import functools

import numpy as np
import pandas
import scipy.sparse

from binary_groups_reference import BinaryGroups, binary_groups_draws
from likelihood import Likelihood
from outcomes import BERNOULLI, NORMAL
from prior import Prior, lognormal_scale
from problem import DataSet, Parameter, Problem, columns_schema, model_text


def group_design(groups, count, values):
    """Sparse design with one column per group; values are its entries."""
    rows = np.arange(len(groups))
    return scipy.sparse.csr_array((values, (rows, groups)), shape=(len(groups), count))


@dataclasses.dataclass(frozen=True)
class Effects:
    """Names of the effects, their mean and their sd in the Stan program; the prior sd of the mean,
    and prior mean and sd of the log sd."""
    name: str
    mu: str
    tau: str
    mu_sd: float
    log_tau: tuple


def _nested_factor(count, blocks, others_sds, log_scales):
    """Factor of the prior of effects, other touched parameters and population means. The effects
    come first, count of them for each population mean."""
    others, effects = len(others_sds), len(blocks) * count
    factor = np.zeros((effects + others + len(blocks), effects + others + len(blocks)))
    for place, (block, log_tau) in enumerate(zip(blocks, log_scales)):
        rows = slice(place * count, (place + 1) * count)
        factor[rows, rows] = np.exp(log_tau) * np.eye(count)
        factor[rows, effects + others + place] = block.mu_sd
        factor[effects + others + place, effects + others + place] = block.mu_sd
    for place, sd in enumerate(others_sds):
        factor[effects + place, effects + place] = sd
    return factor


class Hierarchy:
    """Effects of groups with normal distributions: intercepts, and slopes if there are two
    blocks."""

    def __init__(self, model, outcome, groups, blocks, log_sigma_sd=None):
        self.model, self.outcome, self.groups, self.blocks = model, outcome, groups, blocks
        self.others_sds = [] if log_sigma_sd is None else [log_sigma_sd]
        size = len(blocks) * (groups + 1) + len(self.others_sds)
        self.prior = Prior(
            np.zeros(size),
            functools.partial(_nested_factor, groups, blocks, self.others_sds),
            tuple(lognormal_scale(*block.log_tau) for block in blocks))

    def parameters(self):
        effects, others = len(self.blocks) * self.groups, len(self.others_sds)
        found = []
        for place, block in enumerate(self.blocks):
            found += [Parameter("effects", f"{block.name}.{j + 1}", place * self.groups + j)
                      for j in range(self.groups)]
            found.append(Parameter("mu", block.mu, effects + others + place))
            found.append(Parameter("tau", block.tau, effects + others + len(self.blocks) + place,
                                   logarithm=True))
        if self.others_sds:
            found.append(Parameter("sigma", "sigma", effects, logarithm=True))
        return tuple(found)

    def simulate(self, rng, rows):
        log_scales = np.array([scale.draw(rng) for scale in self.prior.scales])
        truth = self.prior.gaussian_draw(rng, log_scales)
        group = rng.integers(self.groups, size=rows)
        columns = {"g": group + 1}
        entries = [np.ones(rows)]
        if len(self.blocks) == 2:
            columns["x"] = rng.standard_normal(rows)
            entries.append(columns["x"])
        design = scipy.sparse.csr_array(scipy.sparse.hstack(
            [group_design(group, self.groups, values) for values in entries]))
        effects, others = design.shape[1], len(self.others_sds)
        auxiliary = truth[effects:effects + others]
        outcome = self.outcome.draw(rng, design @ truth[:effects], auxiliary)
        likelihood = Likelihood(
            lambda eta, values: self.outcome.log_density(eta, values, outcome), design, others,
            rows)
        return DataSet(pandas.DataFrame(columns | outcome), truth, log_scales, likelihood)

    def schema(self, rows):
        """Declares the prior predictive standard deviation of a real outcome."""
        columns = {}
        if len(self.blocks) == 2:
            columns["x"] = {"mean": 0, "sd": 1}
        if self.others_sds:
            variance = 1 + sum(block.mu_sd ** 2 + np.exp(2 * block.log_tau[0])
                               for block in self.blocks)
            columns["y"] = {"mean": 0, "sd": round(float(np.sqrt(variance)), 2)}
        return columns_schema(rows, columns, [("J", self.groups)])

    def problem(self, name):
        found = Problem(name, lambda run: model_text(self.model), self.parameters(), self.prior,
                        self.simulate, self.schema)
        if self.outcome is BERNOULLI:
            return dataclasses.replace(found, reference=self._binary_reference)
        return found

    def _binary_reference(self, prior, data, measurement, rng, count):
        group = data.table["g"].to_numpy() - 1
        groups = BinaryGroups(np.bincount(group, minlength=self.groups),
                              np.bincount(group, data.table["y"], minlength=self.groups),
                              self.blocks[0].mu_sd, prior.scales[0])
        return binary_groups_draws(groups, measurement, rng, count)


def normal_groups(form, groups):
    return Hierarchy(f"normal_groups_{form}", NORMAL, groups,
                     [Effects("a", "mu", "tau", 2, (0, .4))], log_sigma_sd=.3)


def logistic_groups(form, groups):
    return Hierarchy(f"logistic_groups_{form}", BERNOULLI, groups,
                     [Effects("a", "mu", "tau", 1.5, (-.3, .5))])


def varying_slopes(form, groups):
    return Hierarchy(f"slopes_{form}", NORMAL, groups,
                     [Effects("a", "mu_a", "tau_a", 2, (0, .4)),
                      Effects("b", "mu_b", "tau_b", 1, (-.5, .4))], log_sigma_sd=.3)
