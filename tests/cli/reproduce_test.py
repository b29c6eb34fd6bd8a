"""Tests `dpvi reproduce`: a smoke run with wide tolerances, its output files and its refusals."""
import csv
import os
import pathlib
import shutil
import unittest
import xml.etree.ElementTree

from program import ProgramTest, run

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXPERIMENTS = ROOT / "experiments/uai2017"
DATA = pathlib.Path(os.environ.get("DPVI_DATA", ROOT / "../shared/data"))
NEEDS_DATA = unittest.skipUnless((DATA / "adult.test").is_file(),
                                 f"no UCI files in {DATA} (DPVI_DATA)")


class ReproduceCase(ProgramTest):
    def setUp(self):
        self.at = self.folder()

    def reproduce(self, figure, *flags, data=DATA, out="figures"):
        return run("reproduce", figure, "--data", data, "--runs", 2, "--out", self.at / out,
                   "--quick", "--quiet", *flags)

    def rows(self, figure, out="figures"):
        with open(self.at / out / f"{figure}.csv", newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def changed_experiments(self, reading, old, new):
        """Copies the descriptions of the experiments and replaces one piece of text."""
        folder = self.at / "experiments"
        shutil.copytree(EXPERIMENTS, folder)
        path = folder / f"{reading}.toml"
        text = path.read_text()
        self.assertIn(old, text)
        path.write_text(text.replace(old, new, 1))
        return folder


class SmokeRun(ReproduceCase):
    def check(self, figure, readings):
        done = self.reproduce(figure)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        rows = self.rows(figure)
        self.assertEqual({row["reading"] for row in rows}, readings)
        for row in rows:
            self.assertEqual(row["figure"], figure)
            if row["method"] in ("dpvi", "dp-sgld"):
                self.assertLessEqual(float(row["epsilon_add_remove"]),
                                     float(row["epsilon_substitute"]))
                self.assertEqual(int(row["runs"]) % 2, 0)
        picture = (self.at / "figures" / f"{figure}.svg").read_text()
        xml.etree.ElementTree.fromstring(picture)
        page = (self.at / "figures/index.html").read_text()
        self.assertIn(f'href="{figure}.csv"', page)
        self.assertIn("cannot be repeated bit by bit", page)
        self.assertIn("2 runs of each point", page)
        return rows

    @NEEDS_DATA
    def test_abalone_is_near_what_the_paper_got(self):
        rows = self.check("fig1-abalone", {"as-published-code", "as-text", "today"})
        for row in rows:
            if row["measure"] == "accuracy" and row["method"] != "difference":
                self.assertLess(float(row["log_score"]), 0)
        published = [row for row in rows
                     if row["reading"] == "as-published-code" and row["method"] == "dpvi"]
        for row in published:
            self.assertAlmostEqual(float(row["epsilon_paper"]) / float(row["epsilon_published"]), 1,
                                   delta=1e-3)

    @NEEDS_DATA
    def test_adult_is_near_what_the_paper_got(self):
        self.check("fig1-adult", {"as-published-code", "as-text", "today"})

    @NEEDS_DATA
    def test_sampling_rates_are_near_what_the_paper_got(self):
        self.check("fig2", {"as-published-code", "today"})

    @NEEDS_DATA
    def test_clip_bounds_are_near_what_the_paper_got(self):
        self.check("fig3", {"as-published-code", "today"})

    def test_mixture_is_near_what_the_paper_got(self):
        self.check("fig4", {"as-published-code", "as-text", "today"})

    def test_fitted_mixtures_are_drawn_over_the_data(self):
        self.check("fig5", {"as-published-code", "as-text", "today"})
        self.assertGreater((self.at / "figures/fig5.svg").read_text().count("<circle"), 5000)


class Gates(ReproduceCase):
    def test_a_missed_target_ends_with_status_1_and_is_shown_as_missed(self):
        folder = self.changed_experiments("as-published-code", "expected = -3.68", "expected = 5")
        done = self.reproduce("fig4", "--experiments", folder)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("  missed", done.stdout)
        row = next(row for row in self.rows("fig4") if row["expected"] == "5")
        self.assertEqual(row["verdict"], "missed")
        self.assertIn("missed", (self.at / "figures/index.html").read_text())

    def test_json_says_which_target_was_missed(self):
        folder = self.changed_experiments("as-published-code", "expected = -3.68", "expected = 5")
        done = self.reproduce("fig4", "--experiments", folder, "--json")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn('"missed": true', done.stdout)
        self.assertIn('"verdict": "missed"', done.stdout)


class Refusals(ReproduceCase):
    def test_a_figure_that_does_not_exist(self):
        self.refused("DP102", ["fig1-abalone", "all"], "reproduce", "fig6", "--data", self.at,
                     "--out", self.at / "o")

    def test_data_that_is_not_there_says_where_people_get_it(self):
        self.refused("DP301", ["abalone.data", "UCI Machine Learning Repository"], "reproduce",
                     "fig1-abalone", "--data", self.at, "--out", self.at / "o", exit_code=66)

    def test_data_of_another_checksum(self):
        (self.at / "abalone.data").write_text("M,1,1,1,1,1,1,1,9\n")
        self.refused("DP370", ["abalone.data", "UCI Machine Learning Repository"], "reproduce",
                     "fig1-abalone", "--data", self.at, "--out", self.at / "o", exit_code=65)

    def test_an_output_folder_that_exists(self):
        (self.at / "o").mkdir()
        self.refused("DP402", ["o"], "reproduce", "fig5", "--data", self.at, "--out",
                     self.at / "o", exit_code=73)

    def test_a_flag_that_a_fit_does_not_have(self):
        folder = self.changed_experiments("today", 'adjacency = "add-remove"',
                                          'adjacensy = "add-remove"')
        self.refused("DP101", ["adjacensy", "today.toml"], "reproduce", "fig4", "--data", self.at,
                     "--out", self.at / "o", "--experiments", folder)

    def test_a_key_that_does_not_exist(self):
        folder = self.changed_experiments("today", "declared = true", "declarde = true")
        self.refused("DP371", ["declarde", "today.toml"], "reproduce", "fig4", "--data", self.at,
                     "--out", self.at / "o", "--experiments", folder, exit_code=65)


if __name__ == "__main__":
    unittest.main()
