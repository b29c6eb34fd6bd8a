"""Tests `dpvi summary`: its table, JSON keys and refusals."""
import json
import math
import os
import shutil
import statistics
import subprocess

from program import ProgramTest

WRITE_EXAMPLE_BUNDLES = os.environ["DPVI_WRITE_EXAMPLE_BUNDLES"]
# Value j of draw i in the example is i + 1000 j + 1/8; alpha is value 0, beta[2] is value 2.
DRAWS = range(40)


class SummaryTest(ProgramTest):
    def setUp(self):
        self.place = self.folder()
        subprocess.run([WRITE_EXAMPLE_BUNDLES, self.place], check=True)


class Summary(SummaryTest):
    def test_json_has_the_statistics_of_the_draws(self):
        summary = self.json("summary", self.place / "mean_field")
        self.assertEqual(set(summary), {"ok", "private", "epsilon", "delta", "adjacency",
                                        "status", "reasons", "posterior", "optimisation",
                                        "r_hat", "effective_size", "variables"})
        self.assertEqual(summary["posterior"], {"kind": "variational", "reason": ""})
        self.assertEqual((summary["status"], summary["optimisation"], summary["r_hat"],
                          summary["effective_size"]), ("weak", "stationary", 1.02, 50))
        self.assertEqual(summary["reasons"], [
            {"status": "weak", "reason": "the answer is little more than the prior",
             "parameters": ["alpha"]}])
        self.assertEqual((summary["private"], summary["epsilon"], summary["delta"],
                          summary["adjacency"]), (True, 1 / 3, 1e-6, "substitute"))
        self.assertEqual(len(summary["variables"]), 18)
        beta = summary["variables"]["beta[2]"]
        self.assertEqual(list(beta), ["mean", "sd", "q5", "median", "q95", "sd_model", "sd_privacy"])
        self.assertEqual((beta["sd_model"], beta["sd_privacy"]), (2.5, 2.25))
        draws = [i + 2000.125 for i in DRAWS]
        self.assertAlmostEqual(beta["mean"], statistics.mean(draws), places=9)
        self.assertAlmostEqual(beta["sd"], statistics.stdev(draws), places=9)
        self.assertAlmostEqual(beta["median"], 2019.625, places=9)
        self.assertAlmostEqual(beta["q5"], 2000.125 + .05 * 39, places=9)
        self.assertAlmostEqual(beta["q95"], 2000.125 + .95 * 39, places=9)
        self.assertIn("Sigma[2,3]", summary["variables"])
        self.assertIn("z[2,1,2]", summary["variables"])

    def test_table_is_for_people(self):
        text = self.ok("summary", self.place / "mean_field")
        self.assertTrue(text.startswith("Private: epsilon 0.3334, delta 1e-06, adjacency "), text)
        self.assertIn("40 draws", text)
        header = next(line for line in text.splitlines() if "median" in line)
        self.assertEqual(header.split(), ["mean", "sd", "5%", "median", "95%", "sd", "model", "sd",
                                          "privacy"])
        row = next(line for line in text.splitlines() if line.startswith("beta[2]"))
        self.assertEqual(row.split(), ["beta[2]", "2020", "11.69", "2002", "2020", "2037", "2.5",
                                       "2.25"])
        self.assertIn("Status: weak\n- weak: the answer is little more than the prior: alpha\n", text)
        self.assertLessEqual(max(map(len, text.splitlines())), 100)

    def test_chains_have_their_diagnostics(self):
        summary = self.json("summary", self.place / "sampled")
        self.assertEqual(summary["chains"], {"chains": 2, "draws_per_chain": 20, "divergences": 1,
                                             "saturations": 9})
        beta = summary["variables"]["beta[2]"]
        self.assertEqual(list(beta)[7:], ["r_hat", "ess_bulk", "ess_tail", "mcse_mean"])
        # The draws increase from the first to the last, so the chains disagree.
        self.assertGreater(beta["r_hat"], 1.5)
        self.assertLess(beta["ess_bulk"], 10)
        text = self.ok("summary", self.place / "sampled")
        self.assertIn("2 chains of 20 draws: 1 divergences, 9 trajectories cut off", text)
        header = next(line for line in text.splitlines() if "median" in line)
        self.assertEqual(header.split()[-2:], ["R-hat", "ESS"])
        row = next(line for line in text.splitlines() if line.startswith("beta[2]"))
        self.assertEqual(len(row.split()), 10)
        self.assertNotIn("R-hat", self.ok("summary", self.place / "mean_field"))

    def test_advice_names_the_price_of_another_fit(self):
        text = self.ok("summary", self.place / "mean_field")
        self.assertIn("brings their cost to at most epsilon 0.6667.", text)
        self.assertNotIn("epsilon", self.ok("summary", self.place / "not_private"))

    def old_bundle(self):
        """A bundle as version 0.2 wrote it: draws and Gaussian without privacy noise."""
        path = self.place / "mean_field" / "posterior.json"
        document = json.loads(path.read_text())
        document["family"] = document["fitted"].pop("family")
        names, mean = (document["unconstrained"][key] for key in ("names", "mean"))
        document["unconstrained"] = {"names": names, "mean": mean, **document.pop("fitted")}
        document["trace"]["status"] = document["trace"].pop("optimisation")
        document["trace"]["output_mean_sd"] = [10.0] * 18
        for key in ("location_noise", "outputs", "status", "evidence"):
            del document[key]
        path.write_text(json.dumps(document))
        (path.parent / "manifest.json").unlink()
        path = path.parent / "statement.json"
        statement = json.loads(path.read_text())
        del statement["ledger"], statement["counting"]
        path.write_text(json.dumps(statement))
        return self.place / "mean_field"

    def test_an_old_bundle_gets_its_privacy_noise(self):
        summary = self.json("summary", self.old_bundle())
        beta = summary["variables"]["beta[2]"]
        model = statistics.stdev(DRAWS)
        self.assertAlmostEqual(beta["sd_model"], model, places=9)
        self.assertEqual(beta["sd_privacy"], 10)
        self.assertAlmostEqual(beta["sd"], math.hypot(model, 10), places=9)
        widened = math.hypot(model, 10) / model
        self.assertAlmostEqual(beta["q95"], 2019.625 + widened * .45 * 39, places=6)
        self.assertEqual((summary["status"], summary["optimisation"]), (None, "stationary"))
        self.assertIn("An earlier version wrote this bundle",
                      self.ok("summary", self.place / "mean_field"))

    def test_a_fit_without_protection_is_stamped(self):
        text = self.ok("summary", self.place / "not_private")
        self.assertTrue(text.startswith("NOT PRIVATE"), text)
        summary = self.json("summary", self.place / "not_private")
        self.assertEqual((summary["private"], summary["epsilon"], summary["delta"],
                          summary["adjacency"]), (False, None, None, None))

    def test_numbers_that_json_lacks_have_names(self):
        variables = self.json("summary", self.place / "diverged")["variables"]
        self.assertEqual(variables["alpha"]["mean"], "NaN")
        self.assertEqual(variables["beta[1]"]["mean"], "Inf")
        self.assertEqual(self.json("summary", self.place / "one_draw")["variables"]["alpha"]["sd"],
                         "NaN")

    def test_help_fits_one_screen_and_shows_an_example(self):
        text = self.ok("summary", "--help")
        self.assertLessEqual(text.count("\n"), 25)
        self.assertIn("dpvi summary results/", text)


class SummaryRefusals(SummaryTest):
    def test_missing_bundle_or_file(self):
        self.refused("DP301", ["nowhere"], "summary", self.place / "nowhere", exit_code=66)
        (self.place / "mean_field" / "draws.csv").unlink()
        self.refused("DP301", ["draws.csv"], "summary", self.place / "mean_field", exit_code=66)
        self.refused("DP103", ["BUNDLE"], "summary")

    def test_damage_is_named_by_file_and_line(self):
        draws = self.place / "mean_field" / "draws.csv"
        lines = draws.read_text().splitlines(keepends=True)
        lines[-1] = lines[-1].replace(",", ",oops,", 1)
        draws.write_text("".join(lines))
        self.refused("DP411", [f"{draws}:{len(lines)}: "], "summary", self.place / "mean_field",
                     exit_code=65)

    def test_a_stamp_cannot_be_exchanged(self):
        shutil.copy(self.place / "mean_field" / "statement.json",
                    self.place / "not_private" / "statement.json")
        self.refused("DP411", ["disagree"], "summary", self.place / "not_private", exit_code=65)

    def test_one_bundle_at_a_time(self):
        self.refused("DP101", ["full_rank"], "summary", self.place / "mean_field",
                     self.place / "full_rank")
