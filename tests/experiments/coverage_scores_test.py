"""Scores of the coverage experiment against closed forms."""
import unittest

import coverage_modules  # noqa: F401
import numpy as np
import pandas
from scipy.stats import norm

import cells
import gaussian_dp
import results
import scoring


class Scores(unittest.TestCase):
    def test_coverage_of_a_known_gaussian_is_right(self):
        """Truth and draws come from the same Gaussians, so that 90 % of the intervals cover."""
        rng, sets = np.random.default_rng(1), 2000
        centers, truths = rng.normal(size=sets), rng.normal(size=sets)
        draws = centers + rng.normal(size=(1000, sets))
        found = scoring.score_draws(draws, centers + truths)
        error = np.sqrt(.9 * .1 / sets)
        self.assertLess(abs(found["covered"].mean() - .9), 4 * error)
        np.testing.assert_allclose(found["upper"] - found["lower"], 2 * norm.ppf(.95), rtol=.2)

    def test_expected_interval_score_of_a_gaussian(self):
        """Exact intervals of a standard normal have expected score 4 phi(z) / alpha."""
        truth = np.random.default_rng(2).normal(size=40_000)
        found = scoring.score_gaussian(np.zeros(len(truth)), 1, truth)["interval_score"]
        expected = 4 * norm.pdf(norm.ppf(.95)) / .1
        self.assertLess(abs(found.mean() - expected), 4 * found.std() / np.sqrt(len(truth)))

    def test_interval_score_penalises_misses(self):
        np.testing.assert_allclose(scoring.interval_score(0, 1, np.array([.5, 1.5, -1])),
                                   [1, 1 + 20 * .5, 1 + 20 * 1])

    def test_standard_error_counts_data_sets(self):
        """Ten parameters that are always covered together count as one."""
        together = np.array([1.] * 18 + [0.] * 2)
        expected = np.sqrt(.9 * .1 * 20 / 19 / 20)
        self.assertAlmostEqual(scoring.coverage_standard_error(together, 10), expected)

    def test_unanimous_data_sets_keep_a_standard_error(self):
        self.assertAlmostEqual(scoring.coverage_standard_error(np.ones(20), 1),
                               np.sqrt(.9 * .1 / 20))
        self.assertEqual(scoring.sets_needed(np.ones(20), 1), 144)

    def test_ratio_of_proportional_scores_is_certain(self):
        scores = np.random.default_rng(3).random(30)
        self.assertAlmostEqual(scoring.ratio_standard_error(3 * scores, scores), 0)

    def test_mu_is_that_of_the_exact_relation(self):
        """At mu = 1 and epsilon = 1, delta is Phi(-1/2) - e Phi(-3/2)."""
        delta = norm.cdf(-.5) - np.e * norm.cdf(-1.5)
        self.assertAlmostEqual(gaussian_dp.mu_of(1, delta), 1)
        for epsilon in (.1, 3, 100):
            mu = gaussian_dp.mu_of(epsilon, 1e-6)
            self.assertAlmostEqual(gaussian_dp.delta_of(mu, epsilon) / 1e-6, 1, places=4)


class Tables(unittest.TestCase):
    def rows(self):
        score = {"covered": 1, "interval_score": 2., "squared_error": 4., "reference_covered": 1,
                 "reference_interval_score": 1., "reference_squared_error": 1., "sd": 1.,
                 "reference_sd": 1.}
        good = [{"set": number, "block": "slopes", "parameter": f"beta.{d}", "status": "drifting",
                 **score} for number in range(3) for d in range(2)]
        return pandas.DataFrame(good + [{"set": 3, "block": None, "status": "failed: no draws"}])

    def test_failed_data_sets_are_counted(self):
        cell = cells.all_cells()["linear/n1000/e1"]
        row = results.cell_results(cell, self.rows()).iloc[0]
        self.assertEqual((row.sets, row.failed, row.parameters), (3, 1, 2))
        self.assertEqual((row.coverage, row.score_ratio, row.rmse_ratio), (1, 2, 2))
        self.assertEqual(row.status, "drifting 3, failed 1")


if __name__ == "__main__":
    unittest.main()
