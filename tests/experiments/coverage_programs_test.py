"""The coverage experiment writes each likelihood twice: as a Stan program and in numpy. `dpvi
check` evaluates the program, and both must agree on every record and on the prior."""
import json
import pathlib
import subprocess
import tempfile
import unittest

import coverage_modules
import numpy as np

import hierarchies
import likelihood
import regressions

ROWS = 6


def lp_of_program(model, data, points):
    """Log densities of prior and records at unconstrained points, by `dpvi check`."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "data.json").write_text(json.dumps(data))
        (folder / "points.json").write_text(json.dumps([list(map(float, p)) for p in points]))
        (folder / "model.stan").write_text(model)
        command = [coverage_modules.PROGRAM, "check", "model.stan", "--data", "data.json", "--at",
                   "points.json"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    found = json.loads(done.stdout[done.stdout.index("{"):])["points"]
    return (np.array([point["prior"]["lp"] for point in found]),
            np.array([[record["lp"] for record in point["records"]] for point in found]))


def stan_data(table, **public):
    """Columns x.1, x.2, ... become the rows of a matrix x."""
    matrix = [name for name in table if name.startswith("x.")]
    data = {name: table[name].tolist() for name in table if name not in matrix}
    if matrix:
        data |= {"x": table[matrix].to_numpy().tolist(), "D": len(matrix)}
    return {"N": len(table), **data, **public}


class ProgramsAgreeWithReferences(unittest.TestCase):
    def check_records(self, data, points, records):
        """Differences between points: constants of a record may differ."""
        arguments = [likelihood._arguments(data.likelihood, point) for point in points]
        expected = np.array([data.likelihood.log_density(*each) for each in arguments])
        np.testing.assert_allclose(records[1] - records[0], expected[1] - expected[0], rtol=1e-6,
                                   atol=1e-8)

    def test_regressions(self):
        """In the order alpha, beta, log scale, the program's unconstrained parameters are the
        reference's."""
        for make in (regressions.linear, regressions.logistic, regressions.poisson,
                     regressions.negative_binomial, regressions.weibull):
            with self.subTest(make.__name__):
                regression, rng = make(3), np.random.default_rng(1)
                problem, data = regression.problem("any"), regression.simulate(rng, ROWS)
                points = [data.truth, problem.prior.gaussian_draw(rng)]
                prior, records = lp_of_program(problem.program(None), stan_data(data.table), points)
                self.check_records(data, points, records)
                z = [np.linalg.solve(problem.prior.factor(()), point - problem.prior.mean)
                     for point in points]
                self.assertAlmostEqual(prior[1] - prior[0], .5 * (z[0] @ z[0] - z[1] @ z[1]), 6)

    def test_ordinal(self):
        regression, rng = regressions.ordinal(3), np.random.default_rng(2)
        data = regression.simulate(rng, ROWS)
        points = [data.truth, regression.draw_truth(rng)]
        free = [np.concatenate([point[:4], np.log(np.diff(point[3:]))]) for point in points]
        _, records = lp_of_program(regression.problem("any").program(None), stan_data(data.table),
                                   free)
        self.check_records(data, points, records)

    def test_groups(self):
        """The program's order is mu, log tau, effects and log sigma."""
        for make in (hierarchies.normal_groups, hierarchies.logistic_groups):
            with self.subTest(make.__name__):
                problem, rng = make("centred", 4).problem("any"), np.random.default_rng(3)
                data = problem.simulate(rng, ROWS)
                scales = [data.log_scales, np.array([scale.draw(rng)
                                                     for scale in problem.prior.scales])]
                points = [data.truth, problem.prior.gaussian_draw(rng, scales[1])]
                free = [np.concatenate([point[-1:], scale, point[:-1]])
                        for point, scale in zip(points, scales)]
                prior, records = lp_of_program(problem.program(None), stan_data(data.table, J=4),
                                               free)
                touched = [point[:data.likelihood.size] for point in points]
                self.check_records(data, touched, records)
                self.assertAlmostEqual(prior[1] - prior[0],
                                       np.diff([self.log_prior(problem.prior, point, scale)
                                                for point, scale in zip(points, scales)])[0], 6)

    @staticmethod
    def log_prior(prior, point, log_scales):
        factor = prior.factor(log_scales)
        z = np.linalg.solve(factor, point - prior.mean)
        return (-.5 * z @ z - np.linalg.slogdet(factor)[1]
                + sum(scale.log_density(value)
                      for scale, value in zip(prior.scales, log_scales)))


if __name__ == "__main__":
    unittest.main()
