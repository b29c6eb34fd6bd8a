"""Hierarchical models with simulated groups.

The parameters that records touch are the effects of the groups, population slopes if there are any,
and log sigma. mu and tau are known through the effects alone. Centred and non-centred programs have
the same posterior, so they share a reference and are scored on the same quantities.
"""
import functools

import numpy as np
import pandas
import scipy.sparse

from likelihood import Likelihood
from outcomes import BERNOULLI, NORMAL
from prior import Prior, lognormal_scale
from problem import DataSet, Parameter, Problem, columns_schema, model_text


def group_design(groups, count, values):
    """Sparse design with one column per group; values are its entries."""
    rows = np.arange(len(groups))
    return scipy.sparse.csr_array((values, (rows, groups)), shape=(len(groups), count))


def _nested_factor(count, mu_sds, others_sds, log_scales):
    """Factor of the prior of effects, other touched parameters and population means. The effects
    come first, one block of count for each population mean."""
    blocks, others = len(mu_sds), len(others_sds)
    effects = blocks * count
    factor = np.zeros((effects + others + blocks, effects + others + blocks))
    for block, (mu_sd, log_tau) in enumerate(zip(mu_sds, log_scales)):
        rows = slice(block * count, (block + 1) * count)
        factor[rows, rows] = np.exp(log_tau) * np.eye(count)
        factor[rows, effects + others + block] = mu_sd
        factor[effects + others + block, effects + others + block] = mu_sd
    for place, sd in enumerate(others_sds):
        factor[effects + place, effects + place] = sd
    return factor


class Hierarchy:
    """Effects of groups with normal distributions: intercepts, and slopes if there are two blocks.
    names has one (effect, mu, tau) of the Stan program for each block."""

    def __init__(self, model, outcome, groups, names, mu_sds, tau_priors, log_sigma_sd=None):
        self.model, self.outcome, self.groups, self.names = model, outcome, groups, names
        self.others_sds = [] if log_sigma_sd is None else [log_sigma_sd]
        size = len(names) * (groups + 1) + len(self.others_sds)
        self.prior = Prior(
            np.zeros(size),
            functools.partial(_nested_factor, groups, mu_sds, self.others_sds),
            tuple(lognormal_scale(mean, sd) for mean, sd in tau_priors))
        self.mu_sds, self.tau_priors = mu_sds, tau_priors

    def parameters(self):
        effects, others = len(self.names) * self.groups, len(self.others_sds)
        found = []
        for block, (effect, mu, tau) in enumerate(self.names):
            found += [Parameter("effects", f"{effect}.{j + 1}", block * self.groups + j)
                      for j in range(self.groups)]
            found.append(Parameter("mu", mu, effects + others + block))
            found.append(Parameter("tau", tau, effects + others + len(self.names) + block,
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
        if len(self.names) == 2:
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
        if len(self.names) == 2:
            columns["x"] = {"mean": 0, "sd": 1}
        if self.others_sds:
            variance = 1 + sum(mu_sd ** 2 + np.exp(2 * mean)
                               for mu_sd, (mean, _) in zip(self.mu_sds, self.tau_priors))
            columns["y"] = {"mean": 0, "sd": round(float(np.sqrt(variance)), 2)}
        return columns_schema(rows, columns, [("J", self.groups)])

    def problem(self, name):
        return Problem(name, lambda run: model_text(self.model), self.parameters(), self.prior,
                       self.simulate, self.schema)


def normal_groups(form, groups):
    return Hierarchy(f"normal_groups_{form}", NORMAL, groups, [("a", "mu", "tau")], [2], [(0, .4)],
                     log_sigma_sd=.3)


def logistic_groups(form, groups):
    return Hierarchy(f"logistic_groups_{form}", BERNOULLI, groups, [("a", "mu", "tau")], [1.5],
                     [(-.3, .5)])


def varying_slopes(form, groups):
    return Hierarchy(f"slopes_{form}", NORMAL, groups,
                     [("a", "mu_a", "tau_a"), ("b", "mu_b", "tau_b")], [2, 1],
                     [(0, .4), (-.5, .4)], log_sigma_sd=.3)
