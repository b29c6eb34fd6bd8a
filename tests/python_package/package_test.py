"""Models, fits, results, ledgers and errors of the Python package."""
import doctest
import os
import pathlib
import pickle
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import types
import unittest
from unittest import mock

import arviz_base
import numpy as np
import pandas as pd

import dpvi
import dpvi.sklearn
from examples import KNOBS, PROGRAM, SCHEMA, WARDS, columns

SLOW_FIT = """
import sys, dpvi
sys.path.insert(0, {here!r})
from examples import PROGRAM, SCHEMA, columns
print("begin", flush=True)
try:
    dpvi.fit(dict(age=[0.0] * 1, ward=["north"], died=[1]) and __import__("pandas").DataFrame(columns(20000)),
             PROGRAM, epsilon=1, schema=SCHEMA, posterior="variational", steps=400000, sampling_rate=1,
             out={out!r}, progress=lambda done, all: print("step", flush=True))
except KeyboardInterrupt as error:
    print(type(error).__name__, error.code, getattr(error, "__notes__", ""), flush=True)
"""


def one_fit(model=PROGRAM, **knobs):
    return dpvi.fit(pd.DataFrame(columns()), model, **{**KNOBS, **knobs})


class Results(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.fit = one_fit()

    def test_summary_and_draws_agree(self):
        summary = self.fit.summary()
        self.assertEqual(list(summary.index), ["alpha", "beta", "a[1]", "a[2]", "a[3]"])
        self.assertAlmostEqual(self.fit.draws("a")[:, 1].mean(), summary.loc["a[2]", "mean"], places=6)
        self.assertEqual(self.fit.draws("a").shape, (50, 3))
        self.assertTrue((summary["sd_privacy"] > 0).all())

    def test_statement_and_stamp(self):
        self.assertTrue(self.fit.private)
        self.assertLessEqual(self.fit.statement["epsilon"], 1)
        self.assertIn("epsilon", repr(self.fit))
        page = self.fit._repr_html_()
        self.assertIn("<svg", page)
        self.assertIn("a[2]", page)
        self.assertIn("<html", self.fit.report())

    def test_levels_are_coordinates(self):
        tree = self.fit.to_datatree()
        self.assertEqual(list(tree["posterior"]["a_dim_0"].values), WARDS)
        self.assertEqual(list(self.fit.to_inference_data().posterior["a_dim_0"].values), WARDS)
        draws = arviz_base.extract(arviz_base.convert_to_datatree(tree), var_names="a")
        self.assertEqual(draws.sel(a_dim_0="süd").shape, (50,))
        self.assertAlmostEqual(float(draws.sel(a_dim_0="süd").mean()), self.fit.draws("a")[:, 2].mean())

    def test_levels_of_a_formula_are_coordinates(self):
        schema = {**SCHEMA, "columns": {**SCHEMA["columns"], "died": {"type": "int", "lower": 0, "upper": 1}}}
        fit = one_fit(model="died ~ age + ward", schema=schema, family="bernoulli")
        self.assertEqual(list(fit.to_datatree()["posterior"]["b_ward_dim_0"].values), WARDS[1:])
        fit = one_fit(model="died ~ (1 + age | ward)", schema=schema, family="bernoulli")
        effects = fit.to_inference_data().posterior["r_ward"]
        self.assertEqual(list(effects.coords["r_ward_dim_0"].values), WARDS)
        self.assertIn("r_ward[süd", fit.report())

    def test_arviz_1_is_told_of_the_data_tree(self):
        with mock.patch.dict(sys.modules, {"arviz": types.SimpleNamespace(__version__="1.3.0")}):
            with self.assertRaisesRegex(ImportError, "to_datatree"):
                self.fit.to_inference_data()

    def test_predictions_follow_the_rows(self):
        new = pd.DataFrame({"age": [0.5, None], "ward": ["north", "süd"]}, index=["x", "y"])
        table = self.fit.predict(new, quantities=["p"])
        self.assertEqual(list(table.columns), ["p_mean", "p_q5", "p_q95"])
        self.assertEqual(list(table.index), ["x", "y"])
        self.assertTrue(0 < table.loc["x", "p_mean"] < 1 and np.isnan(table.loc["y", "p_mean"]))
        scored = self.fit.predict(pd.DataFrame(columns()), outcome="died", score=True)
        self.assertEqual(scored.attrs["scores"]["rows"], 397)
        self.assertEqual(list(self.fit.predict(new, quantities="p").columns), list(table.columns))

    def test_synthetic_tables_have_the_columns(self):
        table = self.fit.synth(30)
        self.assertEqual(sorted(table.columns), ["age", "died", "ward"])
        self.assertEqual(len(self.fit.synth(5, datasets=2)), 2)
        given = pd.DataFrame({"age": [0.5, 1], "ward": ["north", "süd"]})
        self.assertEqual(list(self.fit.synth(covariates=given)["ward"]), ["north", "süd"])

    def test_options_are_checked_as_those_of_the_command_line(self):
        new = pd.DataFrame(columns(10))
        for call in (self.fit.synth, lambda: self.fit.synth(-1), lambda: self.fit.synth(2, datasets=0),
                     lambda: self.fit.synth("many"), lambda: self.fit.predict(new, draws=0),
                     lambda: self.fit.predict(new, seed=-1), lambda: self.fit.predict(new, quantities="zz"),
                     lambda: self.fit.predict(new, outcome="age")):
            with self.assertRaises(dpvi.UsageError) as caught:
                call()
            self.assertNotIn("--", str(caught.exception))

    def test_saved_results_are_the_same_and_verified(self):
        with tempfile.TemporaryDirectory() as folder:
            path = self.fit.save(pathlib.Path(folder) / "b")
            self.assertEqual(dpvi.load(path)._text("draws.csv"), self.fit._text("draws.csv"))
            self.assertTrue(dpvi.verify(path)["ok"])
            with self.assertRaises(dpvi.CannotCreateError):
                self.fit.save(path)
            draws = pathlib.Path(path) / "draws.csv"
            draws.write_text(draws.read_text() + "\n")
            self.assertFalse(dpvi.verify(path)["ok"])
            with self.assertRaises(dpvi.InputError):
                dpvi.load(path)


    def test_pickled_results_need_no_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            kept = pickle.dumps(dpvi.load(self.fit.save(os.path.join(folder, "b"))))
        again = pickle.loads(kept)
        self.assertEqual(again._text("draws.csv"), self.fit._text("draws.csv"))
        self.assertTrue(dpvi.verify(again.path)["ok"])


class Errors(unittest.TestCase):
    def test_errors_are_also_those_of_python(self):
        with self.assertRaises(FileNotFoundError) as caught:
            dpvi.load("/no/such/folder")
        self.assertIsInstance(caught.exception, dpvi.MissingInputError)
        with self.assertRaises(ValueError):
            dpvi.plan(epsilon=0, delta=1e-6, steps=1)

    def test_no_error_quotes_a_cell(self):
        frame = pd.DataFrame(columns()).assign(died="secret-4711")
        for data in (frame, {name: frame[name].to_numpy() for name in frame}, frame.assign(age=object())):
            try:
                fit = dpvi.fit(data, PROGRAM, **KNOBS)
                self.assertNotIn("4711", repr(fit) + fit._repr_html_() + fit.statement_text)
            except dpvi.DpviError as error:
                self.assertNotIn("4711", repr(error) + str(error.__context__))

    def test_an_epsilon_that_is_given_is_never_dropped(self):
        noise = dict(noise_multiplier=5, sampling_rate=0.5)
        self.assertGreater(one_fit(**{**noise, "epsilon": None}).epsilon, 1)
        for knobs in (noise, {"non_private": True}):
            with self.assertRaises(dpvi.UsageError):
                one_fit(**knobs, epsilon=1.0)
        data, knobs = pd.DataFrame(columns()), {name: KNOBS[name] for name in KNOBS if name != "epsilon"}
        self.assertGreater(dpvi.fit(data, PROGRAM, **knobs, **noise).epsilon, 1)
        self.assertFalse(dpvi.fit(data, PROGRAM, **knobs, non_private=True).private)

    def test_what_would_not_count_is_refused(self):
        for knobs, words in ((dict(family="poisson"), "family"), (dict(data_version="2"), "data_version")):
            with self.assertRaises(dpvi.UsageError) as caught:
                one_fit(**knobs)
            self.assertEqual(caught.exception.code, "DP103")
            self.assertIn(words, str(caught.exception))

    def test_messages_spell_settings_as_arguments(self):
        with self.assertRaises(dpvi.UsageError) as caught:
            one_fit(epsilon=None)
        self.assertIn("for example epsilon 1", caught.exception.hint)
        self.assertNotIn("--", str(caught.exception))

    def test_a_missing_column_is_named(self):
        with self.assertRaises(dpvi.InputError) as caught:
            dpvi.fit(pd.DataFrame(columns()).drop(columns="died"), PROGRAM, **KNOBS)
        self.assertEqual(caught.exception.code, "DP321")


    def test_errors_survive_another_process(self):
        try:
            dpvi.plan(epsilon=0, delta=1e-6, steps=1)
        except dpvi.DpviError as error:
            again = pickle.loads(pickle.dumps(error))
            self.assertEqual((type(again), str(again), again.code), (type(error), str(error), error.code))


class Ledgers(unittest.TestCase):
    def test_fits_of_data_frames_are_counted(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "l.ledger")
            ledger = dpvi.Ledger.create(path, epsilon=np.float64(2))
            frame = pd.DataFrame(columns()).astype({"died": "Int64"})
            dpvi.fit(frame, PROGRAM, **KNOBS, ledger=ledger)
            self.assertGreater(ledger.spent, 0.5)
            import polars
            dpvi.fit(polars.DataFrame(columns()), PROGRAM, **{**KNOBS, "epsilon": 0.1}, ledger=ledger)
            self.assertEqual(len(ledger.show()["entries"]), 2)
            with self.assertRaises(dpvi.InputError) as caught:
                dpvi.fit(frame.assign(age=frame.age + 1), PROGRAM, **{**KNOBS, "epsilon": 0.1}, ledger=ledger)
            self.assertEqual(caught.exception.code, "DP604")
            with self.assertRaises(dpvi.BudgetError) as caught:
                one_fit(ledger=ledger, epsilon=5)
            self.assertGreater(caught.exception.asked, caught.exception.left)
            self.assertEqual(ledger.verify(), [])


class Interrupts(unittest.TestCase):
    def test_ctrl_c_ends_a_fit_without_a_bundle(self):
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "b")
            code = SLOW_FIT.format(here=str(pathlib.Path(__file__).parent), out=out)
            # A test run in the background may inherit an ignored SIGINT.
            child = subprocess.Popen(
                [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True,
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
            for line in child.stdout:
                if line == "step\n":
                    break
            child.send_signal(signal.SIGINT)
            rest = child.stdout.read()
            child.wait()
            self.assertIn("Interrupted DP501", rest)
            self.assertNotIn("had ended", rest)
            self.assertEqual(os.listdir(folder), [])

    def test_ctrl_c_after_the_last_step_names_the_result(self):
        begun = dpvi._core.fit

        def fit_and_stop(*arguments):
            begun(*arguments)
            raise KeyboardInterrupt

        with mock.patch("dpvi._core.fit", fit_and_stop), self.assertRaises(KeyboardInterrupt) as caught:
            one_fit()
        path = re.search(r"dpvi.load\('(.*)'\)", caught.exception.__notes__[0])[1]
        self.assertTrue(dpvi.load(path).private)

    def test_a_time_limit_ends_a_fit_with_its_own_error(self):
        def stop(*_):
            raise TimeoutError("too long")

        before = signal.signal(signal.SIGALRM, stop)
        try:
            with self.assertRaisesRegex(TimeoutError, "too long"):
                one_fit(steps=400000, sampling_rate=1,
                        progress=lambda *_: signal.setitimer(signal.ITIMER_REAL, 0.01))
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    def test_a_forked_process_leaves_results_to_its_parent(self):
        code = ("import os, sys, dpvi\nfrom dpvi._folders import new_folder\nkept = os.path.dirname(new_folder())\n"
                "child = os.fork()\nif child == 0: sys.exit(0)\nos.waitpid(child, 0)\n"
                "print(os.path.exists(kept), kept)")
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        exists, folder = done.stdout.split()
        self.assertEqual(exists, "True", done.stderr)
        self.assertFalse(os.path.exists(folder))

    def test_other_threads_run_during_a_fit(self):
        ticks, done = [], threading.Event()

        def tick():
            while not done.is_set():
                ticks.append(time.monotonic())
                time.sleep(0.001)

        thread = threading.Thread(target=tick)
        thread.start()
        begin = time.monotonic()
        dpvi.fit(pd.DataFrame(columns(20000)), PROGRAM, **{**KNOBS, "steps": 2000, "sampling_rate": 1})
        end = time.monotonic()
        done.set()
        thread.join()
        longest = max(np.diff([begin, *[t for t in ticks if begin < t < end], end]))
        self.assertLess(longest, (end - begin) / 2)


class Documents(unittest.TestCase):
    def test_examples_in_docstrings_run(self):
        import dpvi._fitting, dpvi._tables, dpvi.ledger, dpvi.model, dpvi.result, dpvi.schema
        run = 0
        for module in (dpvi._fitting, dpvi.errors, dpvi.ledger, dpvi.model, dpvi.schema, dpvi.sklearn):
            result = doctest.testmod(module)
            self.assertEqual(result.failed, 0, module.__name__)
            run += result.attempted
        self.assertGreater(run, 20)

    def test_the_page_of_the_package_runs(self):
        page = (pathlib.Path(__file__).parents[2] / "docs" / "python.md").read_text()
        blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
        self.assertTrue(blocks)
        records = pd.DataFrame(columns(3000)).drop(columns="ward")
        records["age"] = 60 + 15 * records["age"]
        at = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            records.to_csv(os.path.join(folder, "records.csv"), index=False)
            os.chdir(folder)
            try:
                for block in blocks:
                    exec(compile(block, "docs/python.md", "exec"), {})
                self.assertTrue(dpvi.verify("result")["ok"])
            finally:
                os.chdir(at)

    def test_stubs_and_annotations_hold(self):
        package = pathlib.Path(dpvi.__file__).parent
        check = [sys.executable, "-m", "mypy", "--strict", "--allow-subclassing-any", "--ignore-missing-imports"]
        with tempfile.TemporaryDirectory() as cache:
            done = subprocess.run([*check, "--cache-dir", cache, "-p", "dpvi"], cwd=package.parent,
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            program = pathlib.Path(__file__).parent / "typed_program.py"
            done = subprocess.run([*check, "--cache-dir", cache, str(program)], capture_output=True, text=True,
                                  env=dict(os.environ, MYPYPATH=str(package.parent)))
            wrong = [number for number, line in enumerate(program.read_text().splitlines(), 1) if "# wrong" in line]
            found = [int(number) for number in re.findall(r"program.py:(\d+): error", done.stdout)]
            self.assertEqual(found, wrong, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
