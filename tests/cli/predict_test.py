"""Tests `dpvi predict`, which needs only a bundle and the caller's rows."""
import csv
import io
import json
import math
import shutil

from fit_example import MODEL, FitCase, table
from forged_bundle import forge
from program import run

WITH_QUANTITIES = MODEL + """generated quantities {
  real odds = exp(alpha);
  vector[N] p = inv_logit(alpha + x * beta);
  vector[N] log_lik;
  array[N] int y_rep = bernoulli_logit_rng(alpha + x * beta);
  real total = sum(p);
  for (n in 1:N) log_lik[n] = bernoulli_logit_lpmf(y[n] | alpha + x[n] * beta);
}
"""


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


class PredictCase(FitCase):
    model = WITH_QUANTITIES

    def setUp(self):
        super().setUp()
        self.write("m.stan", self.model)
        self.fitted("--non-private", "--steps", "200")
        for name in ("m.stan", "d.csv"):
            (self.at / name).unlink()
        self.write("new.csv", "\n".join(table(60, seed=2)) + "\n")

    def predict(self, *flags, rows="new.csv", bundle="b"):
        return rows_of(self.ok("predict", bundle, rows, *flags, cwd=self.at))


class Predict(PredictCase):
    def test_all_quantities_of_rows_come_with_mean_and_quantiles(self):
        rows = self.predict()
        self.assertEqual(len(rows), 60)
        self.assertEqual(list(rows[0]), ["row"] + [f"{name}_{part}" for name in
                                                   ("p", "log_lik", "y_rep")
                                                   for part in ("mean", "q5", "q95")])
        means = self.means()
        for i, line in enumerate(table(60, seed=2)[1:]):
            a, b, _ = map(float, line.split(","))
            eta = means["alpha"] + means["beta[1]"] * a + means["beta[2]"] * b
            p = float(rows[i]["p_mean"])
            self.assertEqual(rows[i]["row"], str(i + 1))
            self.assertAlmostEqual(p, 1 / (1 + math.exp(-eta)), delta=.02)
            self.assertLess(float(rows[i]["p_q5"]), p)
            self.assertGreater(float(rows[i]["p_q95"]), p)
            # The tolerance is five standard errors of 1000 draws of 0 or 1.
            self.assertAlmostEqual(float(rows[i]["y_rep_mean"]), p,
                                   delta=5 * math.sqrt(p * (1 - p) / 1000))

    def test_only_the_columns_that_a_quantity_reads_are_needed(self):
        whole = self.predict("--quantity", "p")
        self.write("x.csv", "x.2,other,x.1\n" + "\n".join(
            ",".join((b, "text", a)) for a, b, _ in
            (line.split(",") for line in table(60, seed=2)[1:])) + "\n")
        self.assertEqual(self.predict("--quantity", "p", rows="x.csv"), whole)
        self.refused("DP321", ["x.csv", "'y'"], "predict", "b", "x.csv", exit_code=65, cwd=self.at)

    def test_rows_that_cannot_be_used_have_no_prediction(self):
        self.write("gaps.csv", "x.1,x.2\n1,2\n1,\nabc,2\n1,NA\n")
        done = run("predict", "b", "gaps.csv", "--quantity", "p", cwd=self.at)
        self.assertEqual([row["p_mean"] == "NaN" for row in rows_of(done.stdout)],
                         [False, True, True, True])
        self.assertIn("3 of 4 rows", done.stderr)
        self.write("none.csv", "x.1,x.2\n")
        self.assertEqual(self.predict("--quantity", "p", rows="none.csv"), [])

    def test_the_seed_repeats_and_threads_change_nothing(self):
        first = self.predict("--seed", "7", "--threads", "1")
        self.assertEqual(self.predict("--seed", "7", "--threads", "3"), first)
        self.assertNotEqual(self.predict("--seed", "8"), first)

    def test_a_bundle_works_alone_elsewhere(self):
        elsewhere = self.folder()
        shutil.copytree(self.at / "b", elsewhere / "moved")
        shutil.copy(self.at / "new.csv", elsewhere)
        moved = rows_of(self.ok("predict", "moved", "new.csv", cwd=elsewhere))
        self.assertEqual(moved, self.predict())

    def test_a_file_is_written_whole_and_never_replaced(self):
        text = self.ok("predict", "b", "new.csv", cwd=self.at)
        self.assertEqual(self.ok("predict", "b", "new.csv", "--out", "p.csv", cwd=self.at), "")
        self.assertEqual((self.at / "p.csv").read_text(), text)
        self.refused("DP402", ["p.csv"], "predict", "b", "new.csv", "--out", "p.csv",
                     exit_code=73, cwd=self.at)
        done = self.json("predict", "b", "new.csv", cwd=self.at)
        self.assertEqual((done["rows"], done["unusable_rows"], done["csv"]), (60, 0, text))

    def test_refusals(self):
        for flags, code, words, exit_code in (
                (("--quantity", "log_like"), "DP102", ["'log_like'", "'log_lik'"], 64),
                (("--quantity", "odds"), "DP102", ["'odds'", "summary"], 64),
                (("--quantity", "total"), "DP205",
                 ["'total'", "the record count is not its first size"], 65),
                (("--outcome", "x.1"), "DP102", ["'x.1'", "y"], 64),
                (("--outcome", "y", "--score", "x.1"), "DP103", ["--score"], 64),
                (("--laplace",), "DP103", ["--outcome"], 64),
                (("--draws", "0"), "DP102", ["--draws"], 64)):
            with self.subTest(flags=flags):
                self.refused(code, words, "predict", "b", "new.csv", *flags,
                             exit_code=exit_code, cwd=self.at)
        self.refused("DP301", ["none"], "predict", "none", "new.csv", exit_code=66, cwd=self.at)
        self.refused("DP301", ["no.csv"], "predict", "b", "no.csv", exit_code=66, cwd=self.at)
        self.write("ragged.csv", "x.1,x.2,y\n1,2,0\n1,2\n")
        self.refused("DP322", ["ragged.csv:3"], "predict", "b", "ragged.csv", exit_code=65,
                     cwd=self.at)

    def test_a_damaged_bundle_is_refused_with_its_file(self):
        run_json = json.loads((self.at / "b/run.json").read_text())
        del run_json["inputs"]
        for name, content, words in (
                ("model.stan", WITH_QUANTITIES.replace("2)", "3)"), ["model.stan", "SHA-256"]),
                ("run.json", "{", ["run.json:1", "not JSON"]),
                ("run.json", json.dumps(run_json), ["run.json", "inputs"]),
                ("posterior.json", "[]", ["posterior.json"])):
            with self.subTest(name=name, words=words):
                shutil.copytree(self.at / "b", self.at / "damaged")
                (self.at / "damaged" / name).write_text(content)
                forge(self.at / "damaged", name)
                self.refused("DP411", words, "predict", "damaged", "new.csv", exit_code=65,
                             cwd=self.at)
                shutil.rmtree(self.at / "damaged")
        for name in ("model.stan", "run.json"):
            shutil.copytree(self.at / "b", self.at / "partial")
            (self.at / "partial" / name).unlink()
            self.refused("DP412", [f"{name} is missing"], "predict", "partial", "new.csv",
                         exit_code=65, cwd=self.at)
            forge(self.at / "partial", name)
            self.refused("DP301", [name], "predict", "partial", "new.csv", exit_code=66,
                         cwd=self.at)
            shutil.rmtree(self.at / "partial")


class PredictOutcome(PredictCase):
    model = MODEL

    def test_a_program_without_quantities_says_what_it_can_predict(self):
        self.refused("DP103", ["--outcome"], "predict", "b", "new.csv", cwd=self.at)

    def test_the_outcome_follows_from_the_density(self):
        rows = self.predict("--outcome", "y")
        self.assertEqual(list(rows[0]), ["row", "y_p_1_mean", "y_p_1_q5", "y_p_1_q95",
                                         "log_density"])
        for row, line in zip(rows, table(60, seed=2)[1:]):
            p = float(row["y_p_1_mean"])
            self.assertAlmostEqual(float(row["log_density"]),
                                   math.log(p if line.endswith("1") else 1 - p), places=6)
        self.write("x.csv", "x.1,x.2\n.5,-1\n")
        self.assertEqual(list(self.predict("--outcome", "y", rows="x.csv")[0]),
                         ["row", "y_p_1_mean", "y_p_1_q5", "y_p_1_q95"])
        laplace = self.predict("--outcome", "y", "--laplace")
        self.assertEqual(list(laplace[0]), ["row", "y_p_1_mean", "log_density"])
        for row, other in zip(rows, laplace):
            self.assertAlmostEqual(float(row["y_p_1_mean"]), float(other["y_p_1_mean"]), delta=.01)

    def test_scores_are_those_of_the_predictions(self):
        done = run("predict", "b", "new.csv", "--score", "y", "--json", cwd=self.at)
        self.assertIn("declares new.csv public", done.stderr)
        found = json.loads(done.stdout)
        scores = found["score"]
        rows = [(float(row["y_p_1_mean"]), int(line[-1])) for row, line in
                zip(rows_of(found["csv"]), table(60, seed=2)[1:])]
        mean = lambda values: sum(values) / len(rows)
        self.assertEqual(scores["rows"], 60)
        self.assertAlmostEqual(scores["accuracy"], mean([(p > .5) == y for p, y in rows]))
        self.assertAlmostEqual(scores["brier"], mean([(p - y) ** 2 for p, y in rows]), places=6)
        self.assertAlmostEqual(scores["log_predictive_density"],
                               mean([math.log(p if y else 1 - p) for p, y in rows]), places=6)
        self.assertEqual(sum(bin["rows"] for bin in scores["calibration"]), 60)
        for bin in scores["calibration"]:
            self.assertTrue(bin["lower"] <= bin["predicted"] <= bin["upper"], bin)

    def test_scores_go_where_the_table_does_not(self):
        done = run("predict", "b", "new.csv", "--score", "y", cwd=self.at)
        self.assertTrue(done.stdout.startswith("row,"))
        self.assertIn("Brier", done.stderr)
        done = run("predict", "b", "new.csv", "--score", "y", "--out", "p.csv", cwd=self.at)
        self.assertTrue(done.stdout.startswith("Scores of y on 60 rows"), done.stdout)

    def test_a_missing_outcome_is_not_scored_but_predicted(self):
        self.write("gap.csv", "x.1,x.2,y\n1,1,1\n1,1,\n1,1,7\n")
        found = self.json("predict", "b", "gap.csv", "--score", "y", cwd=self.at)
        self.assertEqual((found["score"]["rows"], found["score"]["left_out"]), (1, 2))
        self.assertEqual(len({row["y_p_1_mean"] for row in rows_of(found["csv"])}), 1)
        self.write("x.csv", "x.1,x.2\n1,1\n")
        self.refused("DP321", ["'y'", "x.csv"], "predict", "b", "x.csv", "--score", "y",
                     exit_code=65, cwd=self.at)


class PredictWithSchema(FitCase):
    SCHEMA = """[columns.age]
mean = 60
sd = 15
standardise = true
lower = 18
upper = 90
if_missing = 60

[columns.ward]
levels_file = "wards.txt"

[columns.dead]
type = "category"
levels = ["no", "yes"]
coding = "dummy"

[model]
x = ["age", "ward"]
y = "dead"
"""

    def setUp(self):
        super().setUp()
        self.write("m.stan", MODEL + "generated quantities { matrix[N, K] seen = x; }")
        self.write("s.toml", self.SCHEMA)
        self.write("wards.txt", "north\nsouth\n")
        self.write("d.csv", "age,ward,dead\n" + "60,north,no\n75,south,yes\n" * 100)
        self.fitted("--schema", "s.toml", "--epsilon", "1", "--steps", "20", "--rows", "200")

    def test_the_schema_is_applied_and_level_files_travel_with_the_bundle(self):
        elsewhere = self.folder()
        shutil.move(self.at / "b", elsewhere / "b")
        (elsewhere / "new.csv").write_text(
            "ward,age\nsouth,75\nnorth,45\nnorth,200\nsouth,\neast,60\n")
        rows = rows_of(self.ok("predict", "b", "new.csv", cwd=elsewhere))
        seen = [(row["seen[1]_mean"], row["seen[2]_mean"]) for row in rows]
        self.assertEqual(seen, [("1", "1"), ("-1", "0"), ("2", "0"), ("0", "1"), ("NaN", "NaN")])

    def test_outcomes_are_named_by_their_levels(self):
        self.write("new.csv", "age,ward,dead\n75,south,yes\n45,north,no\n")
        found = self.json("predict", "b", "new.csv", "--score", "dead", cwd=self.at)
        self.assertTrue(found["csv"].startswith("row,dead_p_yes_mean,"), found["csv"])
        self.assertEqual(found["score"]["rows"], 2)

    def test_every_row_is_predicted_whatever_its_unit(self):
        self.write("u.toml", '[table]\nunit = "who"\nmax_rows_per_unit = 1\n' + self.SCHEMA)
        self.write("d.csv", "who,age,ward,dead\n" + "a,60,north,no\nb,75,south,yes\n" * 20)
        self.fitted("--schema", "u.toml", "--epsilon", "1", "--steps", "5", "--rows", "2", out="u")
        self.write("new.csv", "age,ward\n" + "75,south\n" * 3)
        rows = rows_of(self.ok("predict", "u", "new.csv", cwd=self.at))
        self.assertEqual([row["seen[1]_mean"] for row in rows], ["1", "1", "1"])
