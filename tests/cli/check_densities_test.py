"""Tests `dpvi check --data --at`: densities and gradients by record, also compared with Stan's."""
import json
import math
import os
import pathlib
import unittest

from check_program import LOGISTIC, NORMAL, CheckTest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = pathlib.Path(os.environ.get("DPVI_SHARED", ROOT / ".." / "shared"))


def plain_normal(y, mu, sigma):
    return -0.5 * math.log(2 * math.pi) - math.log(sigma) - 0.5 * ((y - mu) / sigma) ** 2


class Densities(CheckTest):
    def test_prior_and_records_add_up_and_equal_the_formulas(self):
        y, mu, log_sigma = [0.5, -1.25, 3], 0.3, -0.7
        sigma = math.exp(log_sigma)
        point = self.points(NORMAL, {"N": 3, "y": y}, [[mu, log_sigma]])[0]
        self.assertEqual(point["theta"], [mu, log_sigma])
        prior = plain_normal(mu, 0, 1) - sigma + log_sigma
        self.assertAlmostEqual(point["prior"]["lp"], prior, places=12)
        self.assertAlmostEqual(point["prior"]["grad"][1], 1 - sigma, places=12)
        for record, value in zip(point["records"], y):
            self.assertAlmostEqual(record["lp"], plain_normal(value, mu, sigma), places=12)
            self.assertAlmostEqual(record["grad"][0], (value - mu) / sigma ** 2, places=12)
        total = prior + sum(plain_normal(value, mu, sigma) for value in y)
        self.assertAlmostEqual(point["lp"], total, places=11)
        for j in range(2):
            parts = [point["prior"], *point["records"]]
            self.assertAlmostEqual(point["grad"][j], sum(part["grad"][j] for part in parts))

    def test_numbers_round_trip(self):
        theta = [0.1 + 0.2, 1 / 3]
        self.assertEqual(self.points(NORMAL, {"N": 0, "y": []}, [theta])[0]["theta"], theta)

    def test_empty_lists_of_records_and_points_are_accepted(self):
        point = self.points(NORMAL, {"N": 0, "y": []}, [[0, 0]])[0]
        self.assertEqual(point["records"], [])
        self.assertEqual(point["lp"], point["prior"]["lp"])
        self.assertEqual(self.points(NORMAL, {"N": 1, "y": [1]}, []), [])

    def test_a_record_where_the_program_fails_has_an_error_and_so_has_the_sum(self):
        program = NORMAL.replace("y ~ normal(mu, sigma)", "y ~ lognormal(mu, sigma)")
        point = self.points(program, {"N": 3, "y": [1, "NaN", 2]}, [[0, 0]])[0]
        self.assertIn("line 12", point["records"][1]["error"])
        self.assertIn("lp", point["records"][2])
        self.assertIn("record 2", point["error"])
        self.assertNotIn("lp", point)

    def test_a_record_that_violates_its_declaration_has_an_error(self):
        program = NORMAL.replace("vector[N]", "vector<lower=0>[N]")
        point = self.points(program, {"N": 2, "y": [1, -2]}, [[0, 0]])[0]
        self.assertIn("-2", point["records"][1]["error"])

    def test_records_that_break_the_rule_of_their_type_have_an_error(self):
        for declared, good, bad in [
                ("simplex[2]", [0.25, 0.75], [0.25, 0.7]),
                ("ordered[2]", [1, 2], [2, 2]),
                ("positive_ordered[2]", [0, 1], [-1, 1]),
                ("unit_vector[2]", [0.6, 0.8], [0.6, 0.7]),
                ("sum_to_zero_vector[2]", [1, -1], [1, 1]),
                ("cov_matrix[2]", [[2, 1], [1, 2]], [[1, 2], [2, 1]]),
                ("corr_matrix[2]", [[1, 0.5], [0.5, 1]], [[2, 0.5], [0.5, 1]]),
                ("cholesky_factor_cov[2]", [[1, 0], [3, 2]], [[1, 1], [3, 2]]),
                ("cholesky_factor_corr[2]", [[1, 0], [0.6, 0.8]], [[1, 0], [0.6, 0.7]])]:
            program = f"""data {{ int<lower=0> N; array[N] {declared} x; }}
                parameters {{ real m; }} model {{ for (n in 1:N) m ~ normal(sum(x[n]), 1); }}"""
            with self.subTest(declared):
                point = self.points(program, {"N": 2, "x": [good, bad]}, [[0.5]])[0]
                self.assertIn("lp", point["records"][0])
                self.assertIn(f"declared array[N] {declared}", point["records"][1]["error"])

    def test_undeclared_means_are_those_of_the_public_records(self):
        program = """data { int<lower=0> N; vector[N] x; vector[N] y; }
            transformed data { vector[N] z = (x - mean(x)) / sd(x); }
            parameters { real b; } model { b ~ normal(0, 1); y ~ normal(b * z, 1); }"""
        x, y, b = [1, 2, 6], [0.5, 1, -1], 0.7
        data = self.write("d.json", {"N": 3, "x": x, "y": y})
        document = self.check(program, "--data", data, "--at", self.write("p.json", [[b]]))
        mean, sd = 3, math.sqrt(7)
        lp = plain_normal(b, 0, 1) + sum(plain_normal(y, b * (x - mean) / sd, 1)
                                         for x, y in zip(x, y))
        self.assertAlmostEqual(document["points"][0]["lp"], lp, places=12)
        self.assertEqual([f["code"] for f in document["findings"]], ["DP210"])
        self.finding(program, code="DP210", words=["mean(x)"])

    def test_facts_about_computed_columns_come_from_public_records(self):
        program = """data {
  int<lower=0> N;
  vector<lower=0>[N] x;
  matrix[N, 2] z;
  vector[N] y;
}
transformed data {
  vector[N] log_x = log(x);
  vector[N] centred = (log_x - mean(log_x)) / sd(log_x);
  matrix[N, 2] scaled;
  for (k in 1:2) scaled[, k] = exp(z[, k]) - mean(exp(z[, k]));
}
parameters {
  real b;
  vector[2] c;
}
model {
  y ~ normal(b * centred + scaled * c, 1);
}
"""
        data = {"N": 3, "x": [1, 4, 2], "z": [[0, 1], [0.5, -1], [2, 0]], "y": [0, 1, 3]}
        point, = self.points(program, data, [[0.7, 0.2, -0.3]])
        log_x = [math.log(x) for x in data["x"]]
        mean = sum(log_x) / 3
        sd = math.sqrt(sum((x - mean) ** 2 for x in log_x) / 2)
        means = [sum(math.exp(z[k]) for z in data["z"]) / 3 for k in range(2)]
        expected = 0
        for x, z, y in zip(log_x, data["z"], data["y"]):
            mu = 0.7 * (x - mean) / sd
            mu += 0.2 * (math.exp(z[0]) - means[0]) - 0.3 * (math.exp(z[1]) - means[1])
            expected += -0.5 * (y - mu) ** 2 - 0.5 * math.log(2 * math.pi)
        self.assertAlmostEqual(point["lp"], expected, places=12)
        # Without public records the value is unknown.
        document = self.check(program, code=65)
        self.assertEqual(document["findings"][0]["code"], "DP210")
        # Records of another shape must not cause a crash.
        data["z"] = [[0], [1], [2]]
        self.check(program, "--data", self.write("d.json", data), code=65)

    def test_declared_bounds_are_not_taken_for_the_extremes_of_public_records(self):
        program = """data {
  int N;
  array[N] int<lower=0, upper=9> y;
}
transformed data {
  int most = max(y);
}
parameters {
  real<lower=0, upper=1> p;
}
model {
  y ~ binomial(most, p);
}
"""
        data = {"N": 3, "y": [1, 4, 2]}
        point, = self.points(program, data, [[0.0]])
        expected = sum(math.log(math.comb(4, y)) + 4 * math.log(0.5) for y in data["y"])
        self.assertAlmostEqual(point["lp"], expected + math.log(0.25), places=12)
        document = self.check(program, "--data", self.at / "d.json")
        self.assertIn("a fit takes the declared value", document["findings"][0]["message"])
        # A schema declares what a fit will use, so the check uses it too.
        schema = self.write("s.toml", "[columns.y]\ntype = \"int\"\nlower = 0\nupper = 6\n")
        point, = self.points(program, data, [[0.0]], "--schema", schema)
        expected = sum(math.log(math.comb(6, y)) + 6 * math.log(0.5) for y in data["y"])
        self.assertAlmostEqual(point["lp"], expected + math.log(0.25), places=12)

    def test_a_point_where_the_program_fails_has_an_error_and_others_have_values(self):
        program = NORMAL.replace("mu ~ normal(0, 1)", "sigma ~ normal(0, mu)")
        points = self.points(program, {"N": 1, "y": [1]}, [[-1, 0], [1, 0]])
        self.assertIn("line 10", points[0]["error"])
        self.assertNotIn("records", points[0])
        self.assertIn("lp", points[1])

    def test_zero_densities_are_minus_infinity(self):
        program = NORMAL.replace("y ~ normal(mu, sigma)", "y ~ uniform(0, 1)")
        point = self.points(program, {"N": 2, "y": [0.5, 2]}, [[0, 0]])[0]
        self.assertEqual(point["records"][0]["lp"], 0)
        self.assertEqual(point["records"][1]["lp"], "-Inf")
        self.assertEqual(point["lp"], "-Inf")

    def test_everything_in_the_data_file_is_taken_as_public(self):
        point = self.points(LOGISTIC, {"N": 1, "K": 2, "x": [[1, 2]], "y": [1], "unused": 3},
                            [[0, 0, 0]])[0]
        self.assertAlmostEqual(point["records"][0]["lp"], -math.log(2))

    def test_points_imply_json_output(self):
        text = self.ok("check", self.write("m.stan", NORMAL), "--data",
                       self.write("d.json", {"N": 1, "y": [1]}), "--at",
                       self.write("p.json", [[0, 0]]))
        self.assertEqual(len(json.loads(text)["points"]), 1)

    def test_without_points_only_shapes_are_checked(self):
        good = self.write("d.json", {"N": 2, "y": [1, 2]})
        self.assertNotIn("points", self.check(NORMAL, "--data", good))
        self.assertIn("shapes", self.ok("check", self.at / "m.stan", "--data", good))
        for data, code in (({"N": 3, "y": [1, 2]}, "DP331"), ({"N": 2}, "DP332"),
                           ({"N": 2, "y": [1, "x"]}, "DP333"), ({"N": -1, "y": []}, "DP331"),
                           ({"N": 2, "y": [[1], [2]]}, "DP331")):
            found = self.finding(NORMAL, "--data", self.write("d.json", data), code=code)
            self.assertEqual(found["file"], str(self.at / "d.json"))
        self.finding(LOGISTIC, "--data", self.write("d.json", {"N": 0, "x": [], "y": []}),
                     code="DP332", words=["K"])

    def test_wrong_points_are_refused_with_their_place(self):
        for points, code, line, words in (
                ("[[0, 0], [1]]", "DP331", 1, "point 2 has 1 numbers; theta has 2"),
                ("[[0, 0],\n [1, \"a\"]]", "DP330", 2, "neither"),
                ("[[0, 0],\n [1, NaN]]", "DP330", 2, "JSON"),
                ("[[0, 1e999]]", "DP330", 1, "too big"),
                ("[0, 0]", "DP330", 1, "outside a point"),
                ("[[[0, 0]]]", "DP330", 1, "a point contains a list"),
                ("{\"theta\": []}", "DP330", 1, "neither"),
                ("[[0, 0]", "DP330", 1, "JSON"), ("", "DP330", 1, "JSON")):
            findings = self.points(NORMAL, {"N": 0, "y": []}, points, code=65)
            self.assertEqual([(f["code"], f["line"]) for f in findings], [(code, line)], points)
            self.assertIn(words, findings[0]["message"])

    def test_latents_without_a_density_are_refused(self):
        program = NORMAL.replace("real mu;", "real mu;\n  vector[N] z;")
        findings = self.points(program, {"N": 0, "y": []}, [[0, 0]], code=65)
        self.assertEqual(findings[0]["code"], "DP211")


class AgainstStanTest(CheckTest):
    def close(self, found, expected, tolerance):
        """Compares values to 1e-8 and gradients to the tolerance, both relative."""
        if "error" in expected:
            return self.assertTrue("error" in found or found["lp"] in ("-Inf", "NaN"), found)
        lp = float(expected["lp"])
        self.assertLess(abs(found["lp"] - lp), 1e-8 * (1 + abs(lp)))
        self.assertEqual(len(found["grad"]), len(expected["grad"]))
        for a, b in zip(found["grad"], map(float, expected["grad"])):
            self.assertLess(abs(a - b), tolerance * (1 + abs(b)))

    def shared(self, *parts):
        path = SHARED.joinpath(*parts)
        if not path.exists():
            self.skipTest(f"{path} not found; set DPVI_SHARED")
        return path


class StanVectors(AgainstStanTest):
    def test_every_program_agrees_with_stan_at_every_point_and_record(self):
        for program in sorted(self.shared("stan_vectors").glob("*.stan")):
            with self.subTest(program.stem):
                expected = json.loads(program.with_suffix(".json").read_text())
                points = self.write("p.json", expected["theta"])
                document = self.json("check", program, "--data",
                                     program.with_suffix(".data.json"), "--at", points)
                self.assertEqual(document["unconstrained_dim"], expected["dimension"])
                self.assertEqual(sorted(document["record_data"]), sorted(expected["record_data"]))
                self.assertIs(document["factorises"], True)
                tolerance = max(1e-6, expected["gradient_tolerance"])
                for p, point in enumerate(document["points"]):
                    self.close(point["prior"], expected["base"][p], tolerance)
                    self.close(point, expected["full"][p], tolerance)
                    for i, record in enumerate(point["records"]):
                        self.close(record, expected["records"][i][p], tolerance)


class Posteriordb(AgainstStanTest):
    def test_published_models_agree_with_stan_on_their_data(self):
        self.shared("posteriordb")
        goldens = sorted((ROOT / "tests/posteriordb").glob("*.json"))
        self.assertEqual(len(goldens), 6)
        for golden in goldens:
            with self.subTest(golden.stem):
                expected = json.loads(golden.read_text())
                points = self.write("p.json", [point["theta"] for point in expected["points"]])
                document = self.json("check", golden.with_suffix(".stan"), "--data",
                                     self.shared(expected["data"]), "--at", points)
                for point, wanted in zip(document["points"], expected["points"], strict=True):
                    self.close(point["prior"], wanted["prior"], 1e-6)
                    self.close(point, wanted, 1e-6)
                    for record, one in zip(point["records"], wanted["records"]):
                        self.close(record, one, 1e-6)


if __name__ == "__main__":
    unittest.main()
