"""Models, schemas, settings and progress of the Python package."""
import json
import os
import pathlib
import pty
import tempfile
import threading
import unittest
from unittest import mock

import IPython.display
import numpy as np
import pandas as pd

import dpvi
from dpvi._progress import shown
from examples import KNOBS, PROGRAM, SCHEMA, columns

KNOTS = """
data {
  int<lower=0> N;
  vector[N] y;
  matrix[2, 3] knots;
  vector[1] one;
}
parameters { real mu; }
model {
  mu ~ normal(knots[1, 2] + knots[2, 1], one[1]);
  y ~ normal(mu, 1);
}
"""
FORMULA_SCHEMA = {**SCHEMA, "columns": {**SCHEMA["columns"], "died": {"type": "int", "lower": 0, "upper": 1}}}


class Models(unittest.TestCase):
    def test_formulas_write_programs(self):
        model = dpvi.Model(formula="died ~ age + (1 | ward)", family="bernoulli", schema=FORMULA_SCHEMA)
        self.assertIn("bernoulli_logit", model.program)
        self.assertTrue(model.check()["ok"])
        fit = dpvi.fit(pd.DataFrame(columns()), model, epsilon=1, steps=20, draws=20)
        self.assertTrue(fit.private)
        predicted = fit.predict(pd.DataFrame(columns(10)).drop(columns="died"))
        self.assertEqual(len(predicted), 10)
        self.assertTrue(predicted.iloc[:, 0].dropna().between(0, 1).all(), predicted)
        self.assertTrue(predicted.columns[0].startswith("died_p_"), predicted.columns)

    def test_formulas_with_a_real_outcome_are_predicted_and_drawn_without_it(self):
        schema = {"table": {"rows": 1000, "one_row_per_person": True},
                  "columns": {"x": {"type": "real", "mean": 0, "sd": 1}, "y": {"type": "real", "mean": 5, "sd": 2}}}
        x = np.linspace(-2, 2, 1000)
        y = 5 + 2 * x + np.random.default_rng(1).normal(size=1000)
        fit = dpvi.fit({"x": x, "y": y}, "y ~ x", family="normal", schema=schema, non_private=True)
        predicted = fit.predict(pd.DataFrame({"x": [-1.0, 1.0]}))
        self.assertEqual([name for name in predicted.columns if name.endswith("_mean")],
                         ["expected_mean", "y_rep_mean"])
        np.testing.assert_allclose(predicted["expected_mean"], [3, 7], atol=.3)
        drawn = fit.synth(covariates=pd.DataFrame({"x": np.repeat([-1.0, 1.0], 500)}))
        self.assertEqual(set(drawn.columns), {"x", "y"})
        np.testing.assert_allclose(drawn.groupby("x")["y"].mean(), [3, 7], atol=.5)
        # With scores, the outcome is predicted, and it need not be named.
        scored = fit.predict(pd.DataFrame({"x": x, "y": y}), score=True)
        self.assertEqual(scored.attrs["scores"]["rows"], 1000)

    def test_check_finds_mistakes(self):
        check = dpvi.Model("parameters { real x; } model { x ~ wrong(1); }\n").check()
        self.assertFalse(check["ok"])
        self.assertEqual(check["findings"][0]["severity"], "error")

    def test_schemas_from_text_dict_and_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "s.toml"
            path.write_text(dpvi.Schema(SCHEMA).toml)
            self.assertEqual(dpvi.Schema(path).toml, dpvi.Schema(SCHEMA).toml)
        with self.assertRaises(dpvi.InputError) as caught:
            dpvi.Schema({"columns": {"age": {"lowr": 1}}})
        self.assertEqual(caught.exception.code, "DP311")

    def test_unknown_settings_get_a_suggestion(self):
        with self.assertRaises(dpvi.UsageError) as caught:
            dpvi.fit(pd.DataFrame(columns()), PROGRAM, **KNOBS, sampling_rat=0.1)
        self.assertIn("sampling_rate", str(caught.exception))

    def test_public_values_keep_their_shape(self):
        # The prior means 1 + 2 and 1 + 3 differ only by the order of the numbers.
        values = {"knots": np.array([[0.0, 1.0, 9.0], [2.0, 9.0, 9.0]]), "one": [1e-6]}
        other = {"knots": [[0, 1, 9], [3, 9, 9]], "one": (1e-6,)}
        y = {"y": np.zeros(50)}
        for public, mean in ((values, 3), (other, 4)):
            model = dpvi.Model(KNOTS, public=public, one_row_per_person=True)
            fit = dpvi.fit(y, model, non_private=True, seed=1, steps=50, draws=20, posterior="variational")
            self.assertAlmostEqual(fit.draws("mu").mean(), mean, places=3)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "public.json"
            path.write_text(json.dumps(other))
            self.assertEqual(dpvi.Model(KNOTS, public=path).check()["public_data_missing"], [])
        with self.assertRaises(dpvi.InputError):
            dpvi.plan(dpvi.Model(KNOTS, public={**values, "one": 1.0}), epsilon=1)

    def test_arguments_of_other_types_are_refused_in_words(self):
        for call, words in ((lambda: dpvi.Model(3), "int"), (lambda: dpvi.Schema(3), "int"),
                            (lambda: dpvi.Model(KNOTS, public={"one": "x"}), "one"),
                            (lambda: dpvi.fit({}, None), "model is None"),
                            (lambda: dpvi.Schema({"columns": {"age": {"lower": None}}}), "NoneType")):
            with self.assertRaises(TypeError) as caught:
                call()
            self.assertIn(words, str(caught.exception))

    def test_schemas_take_numbers_of_numpy_and_odd_names(self):
        made = dpvi.Schema({"columns": {
            "a b\x7f": {"type": "category", "levels": np.array(["x\x7f", 'q"', "ü"])},
            "c": {"type": "real", "lower": np.float32(-1.5), "upper": np.int64(3)}}})
        self.assertIn("lower = -1.5\nupper = 3\n", made.toml)


class Progress(unittest.TestCase):
    """What a person sees while a fit runs."""

    def screen(self, columns, environment=()):
        master, slave = pty.openpty()
        read = []

        def collect():
            try:
                while part := os.read(master, 1000):
                    read.append(part)
            except OSError:
                pass  # a closed terminal

        thread = threading.Thread(target=collect)
        thread.start()
        with open(slave, "w") as terminal, mock.patch("sys.stderr", terminal), mock.patch.dict(
                os.environ, {"TERM": "xterm", **dict(environment)}), mock.patch(
                "shutil.get_terminal_size", return_value=os.terminal_size((columns, 24))):
            try:
                with shown(None) as tell:
                    if tell is not None:
                        tell(1, 3)
                        tell(2, 3)
                        raise KeyboardInterrupt
            except KeyboardInterrupt:
                print("after", file=terminal, flush=True)
        thread.join()
        os.close(master)
        return b"".join(read).decode()

    def test_the_bar_fits_the_terminal_and_ends_its_line(self):
        for columns in (20, 45, 120):
            shown_lines = self.screen(columns).replace("\r\n", "\n").replace("\n", "\r").split("\r")
            self.assertIn(" step 2 of 3", shown_lines[2])
            self.assertLess(max(map(len, shown_lines)), columns)
            self.assertEqual(shown_lines[3], "after")

    def test_a_dumb_terminal_gets_none(self):
        self.assertEqual(self.screen(80, {"TERM": "dumb"}), "")

    def test_a_notebook_updates_one_bar(self):
        class ZMQInteractiveShell:
            pass

        handle = mock.Mock()
        with mock.patch("IPython.get_ipython", return_value=ZMQInteractiveShell()), mock.patch(
                "IPython.display.display", return_value=handle) as display, shown(None) as tell:
            tell(1, 3)
            tell(2, 3)
        self.assertIn('value="1" max="3"', display.call_args.args[0].data)
        self.assertIn("step 2 of 3", handle.update.call_args.args[0].data)
        self.assertEqual((display.call_count, handle.update.call_count), (1, 1))

    def test_functions_are_told_and_false_is_silent(self):
        told = []
        dpvi.fit(pd.DataFrame(columns()), PROGRAM, **KNOBS, progress=lambda *step: told.append(step))
        self.assertEqual(told[-1], (20, 20))
        with shown(False) as tell:
            self.assertIsNone(tell)


if __name__ == "__main__":
    unittest.main()
