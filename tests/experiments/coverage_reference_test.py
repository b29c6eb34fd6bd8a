"""The reference posterior of the coverage experiment against independent computations."""
import unittest

import coverage_modules  # noqa: F401
import numpy as np
from scipy.special import expit

import hierarchies
import regressions
from binary_groups_reference import BinaryGroups, binary_groups_draws
from dp_gradient_descent import Descent, descend
from likelihood import derivatives
from prior import lognormal_scale
from reference import (Measurement, gradient_norms, measure, noise_share, posterior_mode,
                       reference_draws)

DRAWS = 20_000


class Derivatives(unittest.TestCase):
    def test_logistic_regression(self):
        data = regressions.logistic(3).simulate(np.random.default_rng(1), 200)
        design, y = data.likelihood.design, data.table["y"].to_numpy()
        found, p = derivatives(data.likelihood, data.truth), expit(design @ data.truth)
        np.testing.assert_allclose(found.record_scores, (y - p)[:, None] * design, atol=1e-10)
        np.testing.assert_allclose(found.information, design.T @ (design * (p * (1 - p))[:, None]),
                                   rtol=1e-6, atol=1e-6)

    def test_score_has_the_information_as_covariance(self):
        """The information identity, for auxiliary parameters too: both sides are means over
        records."""
        for make in (regressions.linear, regressions.negative_binomial, regressions.weibull,
                     regressions.ordinal):
            with self.subTest(make.__name__):
                data = make(2).simulate(np.random.default_rng(2), 40_000)
                found = derivatives(data.likelihood, data.truth)
                squares = np.einsum("ni,nj->nij", found.record_scores, found.record_scores)
                error = squares.std(0) / np.sqrt(len(squares))
                away = np.abs(squares.mean(0) - found.information / len(squares))
                self.assertLess((away / (error + 1e-12)).max(), 6)

    def test_sparse_and_dense_designs_agree(self):
        data = hierarchies.varying_slopes("centred", 5).simulate(np.random.default_rng(3), 300)
        touched = data.truth[:data.likelihood.size]
        sparse = derivatives(data.likelihood, touched)
        norms = gradient_norms(sparse, 300)
        data.likelihood.design = data.likelihood.design.toarray()
        dense = derivatives(data.likelihood, touched)
        np.testing.assert_allclose(sparse.information, dense.information)
        np.testing.assert_allclose(norms, gradient_norms(dense, 300))


class GaussianReference(unittest.TestCase):
    def test_mode_and_draws_of_a_linear_model(self):
        """With sigma fixed by a narrow prior, the posterior is that of ridge regression."""
        data = regressions.linear(2).simulate(np.random.default_rng(4), 500)
        prior = regressions.linear(2).prior()
        mode = posterior_mode(data.likelihood, prior, data.truth)
        found = derivatives(data.likelihood, mode)
        z = np.linalg.solve(prior.factor(()), mode - prior.mean)
        np.testing.assert_allclose(prior.factor(()).T @ found.score, z, atol=1e-4)
        measurement = measure(data.likelihood, mode, 1e9, np.random.default_rng(5), 1)
        draws = reference_draws(prior, measurement, np.random.default_rng(6), DRAWS)[0]
        covariance = np.linalg.inv(found.information + np.diag(np.diag(prior.factor(())) ** -2))
        sds = np.sqrt(np.diag(covariance))
        self.assertLess((np.abs(draws.mean(0) - mode) / sds).max(), 5 / np.sqrt(DRAWS))
        np.testing.assert_allclose(draws.std(0), sds, rtol=.03)

    def test_noise_share_is_that_of_its_definition(self):
        data = regressions.logistic(3).simulate(np.random.default_rng(7), 1000)
        found = derivatives(data.likelihood, data.truth)
        whitened = np.linalg.solve(np.linalg.cholesky(found.information / 1000),
                                   found.record_scores.T)
        bound = np.quantile(np.linalg.norm(whitened, axis=0), .9)
        self.assertAlmostEqual(noise_share(found, 1000, .5), (2 * bound / .5) ** 2 / 1000)

    def test_noise_of_the_release_has_the_declared_covariance(self):
        data = regressions.logistic(2).simulate(np.random.default_rng(8), 400)
        found = derivatives(data.likelihood, data.truth)
        repeats = 4000
        measurement = measure(data.likelihood, data.truth, .5, np.random.default_rng(9), repeats)
        expected = noise_share(found, 400, .5) * found.information
        np.testing.assert_allclose(np.cov(measurement.noise), expected,
                                   atol=6 * expected.max() / np.sqrt(repeats))

    def test_hierarchy_agrees_with_quadrature(self):
        """Effects measured with variances v: given tau, closed forms of mu; tau by quadrature."""
        rng = np.random.default_rng(10)
        problem = hierarchies.normal_groups("centred", 8).problem("any")
        estimates, v = rng.normal(1, 1.2, size=8), rng.uniform(.05, .6, size=8)
        point, precision = np.append(estimates, [0, 0]), np.diag(np.append(1 / v, [100, 0]))
        measurement = Measurement(point, precision, np.zeros((10, 1)))
        draws = reference_draws(problem.prior, measurement, rng, DRAWS)[0]
        log_tau = np.linspace(-1.6, 1.6, 2001)
        w = 1 / (np.exp(2 * log_tau)[:, None] + v)
        precise = w.sum(1) + 1 / 4
        mu = (w @ estimates) / precise
        log_density = (.5 * np.log(w).sum(1) - .5 * w @ estimates ** 2 + .5 * precise * mu ** 2
                       - .5 * np.log(precise) - .5 * (log_tau / .4) ** 2)
        weight = np.exp(log_density - log_density.max())
        weight /= weight.sum()
        for place, mean, second in ((9, weight @ mu, weight @ (mu ** 2 + 1 / precise)),
                                    (10, weight @ log_tau, weight @ log_tau ** 2)):
            sd = np.sqrt(second - mean ** 2)
            self.assertLess(abs(draws[:, place].mean() - mean), 5 * sd / np.sqrt(DRAWS))
            self.assertAlmostEqual(draws[:, place].std() / sd, 1, delta=.03)


class BinaryReference(unittest.TestCase):
    def test_agrees_with_the_gaussian_reference_for_large_groups(self):
        problem = hierarchies.logistic_groups("centred", 6).problem("any")
        rng = np.random.default_rng(11)
        data = problem.simulate(rng, 60_000)
        mode = posterior_mode(data.likelihood, problem.prior, data.truth, data.log_scales)
        measurement = measure(data.likelihood, mode, 5, rng, 1)
        gaussian = reference_draws(problem.prior, measurement, rng, 4000)[0]
        exact = problem.reference(problem.prior, data, measurement, rng, 4000)[0]
        np.testing.assert_allclose(exact.mean(0), gaussian.mean(0),
                                   atol=.15 * gaussian.std(0).max())
        np.testing.assert_allclose(exact.std(0), gaussian.std(0), rtol=.15)

    def test_group_without_successes_has_a_finite_posterior(self):
        groups = BinaryGroups(np.array([50, 50]), np.array([0, 25]), 1.5, lognormal_scale(-.3, .5))
        measurement = Measurement(np.zeros(3), np.eye(3), np.zeros((3, 1)), np.zeros((2, 1)), 1)
        draws = binary_groups_draws(groups, measurement, np.random.default_rng(12), 2000)[0]
        self.assertLess(draws[:, 0].mean(), -2)
        self.assertGreater(draws[:, 0].min(), -12)
        self.assertLess(abs(draws[:, 1].mean()), .3)


class GradientDescent(unittest.TestCase):
    def test_finds_the_maximum_without_noise(self):
        data = regressions.logistic(2).simulate(np.random.default_rng(13), 2000)
        design, y = data.likelihood.design, data.table["y"].to_numpy()
        found = descend(Descent(steps=2000, clip_bound=100), lambda eta: y - expit(eta), design,
                        1e9, np.random.default_rng(14))
        np.testing.assert_allclose(design.T @ (y - expit(design @ found)), 0, atol=1e-2)


if __name__ == "__main__":
    unittest.main()
