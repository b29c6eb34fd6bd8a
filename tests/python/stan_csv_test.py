"""Tests that cmdstanpy reads draws.csv like the output of Stan's own variational method."""
import hashlib
import importlib.metadata
import json
import logging
import os
import pathlib
import subprocess
import tempfile
import unittest

import cmdstanpy
import numpy

logging.getLogger("cmdstanpy").setLevel(logging.ERROR)

# The shapes and numbers of tests/report/example_result.hpp.
SHAPES = {"alpha": (), "beta": (3,), "Sigma": (2, 3), "z": (2, 2, 2)}
DRAWS = 40
COLUMNS = 18


def value(draw, column):
    return draw + 1000 * column + .125


def location(column):
    return 1000 * column + .5


class ReadByCmdstanpy(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.place = pathlib.Path(cls.folder.name)
        subprocess.run([os.environ["DPVI_WRITE_EXAMPLE_BUNDLES"], cls.place], check=True)

    def read(self, name):
        return cmdstanpy.from_csv(str(self.place / name / "draws.csv"))

    def test_packages_are_those_required(self):
        lines = (pathlib.Path(__file__).parent / "requirements.txt").read_text().splitlines()
        for package, version in (line.split("==") for line in lines if "==" in line):
            self.assertEqual(importlib.metadata.version(package), version, package)

    def test_method_is_recognised(self):
        for name in ("mean_field", "full_rank", "not_private", "one_draw", "diverged"):
            fit = self.read(name)
            self.assertIsInstance(fit, cmdstanpy.CmdStanVB)
            config = fit.metadata.cmdstan_config
            self.assertEqual(config["method"], "variational")
            self.assertEqual(config["seed"], 0)
            # The privacy noise has any covariance; only a diverged fit has none.
            self.assertEqual(config["algorithm"],
                             "meanfield" if name == "diverged" else "fullrank")
            self.assertEqual(config["dp_status"], "weak")
            self.assertEqual(len(config["dp_sd_privacy"].split(",")), COLUMNS)
            self.assertEqual(fit.eta, 1)
        self.assertIsInstance(cmdstanpy.from_csv(self.place / "mean_field", method="variational"),
                              cmdstanpy.CmdStanVB)

    def test_chains_are_a_sample(self):
        fit = self.read("sampled")
        self.assertIsInstance(fit, cmdstanpy.CmdStanMCMC)
        config = fit.metadata.cmdstan_config
        self.assertEqual((config["method"], config["dp_chains"], config["seed"]), ("sample", 2, 0))
        # One file is one chain for cmdstanpy.
        self.assertEqual((fit.chains, fit.num_draws_sampling, fit.thin), (1, DRAWS, 3))
        self.assertEqual(fit.column_names[:8], (
            "lp__", "accept_stat__", "stepsize__", "treedepth__", "n_leapfrog__", "divergent__",
            "energy__", "alpha"))
        draws = fit.draws(concat_chains=True)
        numpy.testing.assert_array_equal(draws[:, 0], -numpy.arange(DRAWS) - .25)
        expected = [[value(i, j) for j in range(COLUMNS)] for i in range(DRAWS)]
        numpy.testing.assert_array_equal(draws[:, 7:], expected)
        self.assertEqual(fit.stan_variable("Sigma").shape, (DRAWS, 2, 3))
        numpy.testing.assert_array_equal(fit.divergences, [1])
        numpy.testing.assert_array_equal(fit.max_treedepths, [9])
        self.assertEqual(fit.step_size[0], .5)

    def test_columns_have_brackets(self):
        names = self.read("mean_field").column_names
        self.assertEqual(names[:7], ("lp__", "log_p__", "log_g__", "alpha", "beta[1]", "beta[2]",
                                     "beta[3]"))
        self.assertEqual(names[7:10], ("Sigma[1,1]", "Sigma[2,1]", "Sigma[1,2]"))
        self.assertEqual(len(names), 3 + COLUMNS)

    def test_first_row_is_the_mean_and_no_draw(self):
        fit = self.read("mean_field")
        mean = fit.variational_params_np
        numpy.testing.assert_array_equal(mean[3:], [location(j) for j in range(COLUMNS)])
        self.assertEqual(fit.variational_sample.shape, (DRAWS, 3 + COLUMNS))
        expected = [[value(i, j) for j in range(COLUMNS)] for i in range(DRAWS)]
        numpy.testing.assert_array_equal(fit.variational_sample[:, 3:], expected)

    def test_one_draw_is_a_sample(self):
        self.assertEqual(self.read("one_draw").variational_sample.shape, (1, 3 + COLUMNS))

    def test_log_p_is_nan_and_log_g_is_there(self):
        sample = self.read("mean_field").variational_sample
        self.assertTrue((sample[:, 0] == 0).all())
        self.assertTrue(numpy.isnan(sample[:, 1]).all())
        numpy.testing.assert_array_equal(sample[:, 2], -numpy.arange(DRAWS) - .75)

    def test_variables_have_their_shapes_and_places(self):
        fit = self.read("full_rank")
        variables = fit.stan_variables(mean=False)
        self.assertEqual({name: v.shape for name, v in variables.items()},
                         {name: (DRAWS, *shape) for name, shape in SHAPES.items()})
        first = 0
        for name, shape in SHAPES.items():
            size = int(numpy.prod(shape, dtype=int))
            flat = numpy.array([value(7, first + j) for j in range(size)])
            numpy.testing.assert_array_equal(variables[name][7], flat.reshape(shape, order="F"))
            first += size
        means = fit.stan_variables(mean=True)
        self.assertEqual(means["alpha"], location(0))
        self.assertEqual(means["Sigma"][1, 2], location(1 + 3 + 5))

    def test_diverged_draws_keep_their_nan_and_infinity(self):
        sample = self.read("diverged").variational_sample
        self.assertTrue(numpy.isnan(sample[3, 3]))
        self.assertTrue(numpy.isposinf(sample[3, 4]))

    def test_privacy_lines_are_metadata(self):
        config = self.read("mean_field").metadata.cmdstan_config
        self.assertEqual(config["dp_private"], 1)
        self.assertEqual(config["dp_epsilon"], 1 / 3)
        self.assertEqual(config["dp_delta"], 1e-6)
        self.assertEqual(config["dp_adjacency"], "substitute")
        config = self.read("not_private").metadata.cmdstan_config
        self.assertEqual(config["dp_private"], 0)
        self.assertIn("NOT PRIVATE", config["dp_notice"])
        self.assertNotIn("dp_epsilon", config)

    def test_anyone_can_compute_the_hashes_again(self):
        bundle = self.place / "mean_field"
        run = json.loads((bundle / "run.json").read_text())
        plan = json.dumps(run["plan"], separators=(",", ":"))
        for key, content in (("model", (bundle / "model.stan").read_bytes()),
                             ("schema", (bundle / "schema.toml").read_bytes()),
                             ("plan", plan.encode())):
            self.assertEqual(run["sha256"][key], hashlib.sha256(content).hexdigest(), key)
