"""Tests `dpvi predict --program`: generated quantities of another program for a bundle."""
from fit_example import MODEL
from predict_test import PredictCase, rows_of

PARAMETERS = """parameters {
  vector[K] beta;
  real alpha;
}
"""
DATA = """data {
  int<lower=0> N;
  int<lower=1> K;
  matrix[N, K] x;
  vector[N] dose;
  real shift;
}
"""
QUANTITIES = """generated quantities {
  vector[N] p = inv_logit(alpha + x * beta);
  vector[N] moved = alpha + x * beta + dose + shift;
}
"""


class PredictProgram(PredictCase):
    def setUp(self):
        super().setUp()
        self.write("gq.stan", DATA + PARAMETERS + QUANTITIES)
        lines = (self.at / "new.csv").read_text().splitlines()
        self.write("more.csv", "\n".join([lines[0] + ",dose"] + [f"{line},{i}" for i, line in
                                                                  enumerate(lines[1:])]) + "\n")

    def test_quantities_of_another_program_in_another_order(self):
        rows = self.predict("--program", "gq.stan", "-D", "shift=10", rows="more.csv")
        own = self.predict("--quantity", "p")
        self.assertEqual([row["p_mean"] for row in rows], [row["p_mean"] for row in own])
        self.assertEqual([row["p_q5"] for row in rows], [row["p_q5"] for row in own])
        means = self.means()
        a, b, _, dose = map(float, (self.at / "more.csv").read_text().splitlines()[4].split(","))
        eta = means["alpha"] + means["beta[1]"] * a + means["beta[2]"] * b + dose + 10
        self.assertAlmostEqual(float(rows[3]["moved_mean"]), eta, delta=.05)

    def test_intervals_carry_the_noise_of_a_private_fit(self):
        self.write("m.stan", MODEL)
        self.write("d.csv", (self.at / "new.csv").read_text())
        self.fitted("--epsilon", "1", "--rows", "60", out="noisy")
        self.write("gq.stan", DATA.replace("  real shift;\n", "") + PARAMETERS +
                   "generated quantities { vector[N] slope = rep_vector(alpha, N) + 0 * dose; }\n")
        row = self.predict("--program", "gq.stan", "--draws", "4000", rows="more.csv",
                           bundle="noisy")[0]
        alpha = self.json("summary", "noisy", cwd=self.at)["variables"]["alpha"]
        width = float(row["slope_q95"]) - float(row["slope_q5"])
        self.assertGreater(alpha["sd_privacy"], 0)
        # Ten standard errors of a 90 % interval of 4000 draws, and the summary's own 1000 draws.
        self.assertAlmostEqual(width / (alpha["q95"] - alpha["q5"]), 1, delta=.2)

    def test_scores_come_from_the_program_of_the_bundle(self):
        found = self.json("predict", "b", "more.csv", "--program", "gq.stan", "-D", "shift=0",
                          "--score", "y", cwd=self.at)
        alone = self.json("predict", "b", "more.csv", "--score", "y", cwd=self.at)
        self.assertEqual(found["score"], alone["score"])
        self.assertIn("moved_mean", found["csv"].splitlines()[0])

    def test_other_parameters_are_refused_by_name(self):
        for parameters, words in [
                ("parameters { vector[K] beta; }", ["'alpha' is missing"]),
                ("parameters { vector[K] beta; real alpha; real more; }", ["no 'more'"]),
                ("parameters { vector[K + 1] beta; real alpha; }", ["'beta' is vector[(K + 1)]"]),
                ("parameters { vector[K] beta; real<lower=0> alpha; }", ["'alpha' is real<lower"]),
        ]:
            with self.subTest(parameters):
                quantities = QUANTITIES if "alpha" in parameters and "K + 1" not in parameters else ""
                self.write("other.stan", DATA + parameters + quantities)
                self.refused("DP203", words, "predict", "b", "more.csv", "--program", "other.stan",
                             "-D", "shift=1", exit_code=65, cwd=self.at)

    def test_public_values_need_a_program(self):
        self.refused("DP103", ["--program"], "predict", "b", "new.csv", "-D", "K=2", cwd=self.at)


class PredictProgramBounds(PredictCase):
    model = MODEL.replace("real alpha;", "real<lower=-5> alpha;") + (
        "generated quantities { vector[N] p = inv_logit(alpha + x * beta); }\n")

    def test_other_bounds_are_refused(self):
        self.write("gq.stan", self.model)
        own = self.predict()
        self.assertEqual(self.predict("--program", "gq.stan"), own)
        self.write("gq.stan", self.model.replace("lower=-5", "lower=-4"))
        self.refused("DP203", ["'alpha' has other bounds"], "predict", "b", "new.csv", "--program",
                     "gq.stan", exit_code=65, cwd=self.at)
