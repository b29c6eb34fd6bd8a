"""`dpvi check`: what a program wants and whether it can be fitted, without private data."""
import json
import math
import os
import pathlib
import unittest

from fit_example import MODEL
from program import ProgramTest, run

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = pathlib.Path(os.environ.get("DPVI_SHARED", ROOT / ".." / "shared"))

LOGISTIC = MODEL + """generated quantities {
  real odds = exp(alpha);
  vector[N] fitted = inv_logit(alpha + x * beta);
}
"""

NORMAL = """data {
  int<lower=0> N;
  vector[N] y;
}
parameters {
  real mu;
  real<lower=0> sigma;
}
model {
  mu ~ normal(0, 1);
  sigma ~ exponential(1);
  y ~ normal(mu, sigma);
}
"""


def plain_normal(y, mu, sigma):
    return -0.5 * math.log(2 * math.pi) - math.log(sigma) - 0.5 * ((y - mu) / sigma) ** 2


class CheckTest(ProgramTest):
    def setUp(self):
        self.at = self.folder()

    def write(self, name, content):
        text = content if isinstance(content, str) else json.dumps(content)
        (self.at / name).write_text(text)
        return self.at / name

    def check(self, program, *flags, code=0):
        """The JSON document of a program's check."""
        done = run("check", self.write("m.stan", program), "--json", *flags)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        document = json.loads(done.stdout)
        self.assertEqual(document["ok"], code == 0)
        return document

    def finding(self, program, *flags, code="", line=None, words=()):
        """A refused program has an error with this code, line and these words."""
        document = self.check(program, *flags, code=65)
        errors = [f for f in document["findings"] if f["severity"] == "error"]
        fitting = [f for f in errors if f["code"] == code and line in (None, f["line"])]
        self.assertTrue(fitting, document["findings"])
        for word in words:
            self.assertIn(word, fitting[0]["message"])
        return fitting[0]

    def points(self, program, data, points, *flags, code=0):
        document = self.check(program, "--data", self.write("d.json", data), "--at",
                              self.write("p.json", points), *flags, code=code)
        return document["points"] if code == 0 else document["findings"]


class Contract(CheckTest):
    def test_every_key_is_there(self):
        document = self.check(LOGISTIC, "-D", "K=2")
        self.assertEqual(document["model"], str(self.at / "m.stan"))
        self.assertEqual(document["parameters"], [
            {"name": "alpha", "type": "real", "size": 1, "unconstrained": 1},
            {"name": "beta", "type": "vector[K]", "size": 2, "unconstrained": 2}])
        self.assertEqual(document["unconstrained_dim"], 3)
        self.assertEqual(document["record_data"], ["x", "y"])
        self.assertEqual(document["columns"], {"x": ["x.1", "x.2"], "y": ["y"]})
        self.assertEqual(document["public_data"], ["K"])
        self.assertEqual(document["public_data_missing"], [])
        self.assertEqual(document["local_latents"], [])
        self.assertIs(document["factorises"], True)
        self.assertEqual(document["generated"], {"kept": ["odds"], "dropped": ["fitted"]})
        self.assertEqual(document["findings"], [])

    def test_sizes_are_null_while_unknown(self):
        document = self.check(LOGISTIC)
        sizes = {p["name"]: p["size"] for p in document["parameters"]}
        self.assertEqual(sizes, {"alpha": 1, "beta": None})
        self.assertIsNone(document["unconstrained_dim"])
        self.assertIsNone(document["columns"]["x"])
        self.assertEqual(document["public_data_missing"], ["K"])
        self.assertIs(document["factorises"], True)

    def test_constrained_types_count_their_free_numbers(self):
        document = self.check("""data { int N; array[N] int<lower=1, upper=3> y; }
            parameters { simplex[3] p; corr_matrix[3] R; real<lower=0, upper=1> s; }
            model { y ~ categorical(p); R ~ lkj_corr(2); }""")
        self.assertEqual([(p["size"], p["unconstrained"]) for p in document["parameters"]],
                         [(3, 2), (9, 3), (1, 1)])
        self.assertEqual(document["unconstrained_dim"], 6)

    def test_sizes_through_transformed_data_are_known_when_their_sources_are(self):
        program = """data { int N; int K; vector[N] y; }
            transformed data { int P = K + 1; }
            parameters { vector[P] b; } model { b ~ normal(0, 1); y ~ normal(b[1], 1); }"""
        self.assertIsNone(self.check(program)["unconstrained_dim"])
        self.assertEqual(self.check(program, "-D", "K=4")["unconstrained_dim"], 5)

    def test_schema_names_the_columns_and_sizes_follow(self):
        self.write("s.toml", """[columns.hospital]
            type = "category"
            levels = ["North", "South", "West"]
            [model]
            records = "rows"
            x = ["age", "hospital"]
            y = "died"
            """)
        document = self.check(LOGISTIC.replace("N", "rows"), "--schema", self.at / "s.toml")
        self.assertEqual(document["columns"], {"x": ["age", "hospital"], "y": ["died"]})
        self.assertEqual(document["unconstrained_dim"], 4)  # two dummies for three levels

    def test_public_values_come_from_a_file(self):
        document = self.check(LOGISTIC, "--public", self.write("public.json", {"K": 5}))
        self.assertEqual(document["unconstrained_dim"], 6)

    def test_record_count_may_have_another_name(self):
        document = self.check(NORMAL.replace("N", "n_rows"), "--records", "n_rows")
        self.assertEqual(document["record_data"], ["y"])

    def test_misspelt_public_names_are_warned_of(self):
        document = self.check(LOGISTIC, "-D", "K=2", "-D", "KK=3")
        self.assertEqual([f["severity"] for f in document["findings"]], ["warning"])
        self.assertIn("KK", document["findings"][0]["message"])

    def test_default_priors_of_brms_are_warned_of(self):
        document = self.check("// generated with brms 2.18.0\n" + NORMAL)
        self.assertEqual([(f["severity"], f["code"], f["line"]) for f in document["findings"]],
                         [("warning", "DP350", 1)])

    def test_records_without_influence_are_warned_of(self):
        document = self.check(NORMAL.replace("  y ~ normal(mu, sigma);\n", ""))
        self.assertEqual([f["severity"] for f in document["findings"]], ["warning"])
        self.assertIn("no influence", document["findings"][0]["message"])

    def test_a_switch_that_was_made_up_is_named_where_records_have_no_influence(self):
        switched = NORMAL.replace("vector[N] y;", "vector[N] y; int<lower=1> skip;").replace(
            "y ~ normal", "if (skip == 0) y ~ normal")
        finding, = self.check(switched)["findings"]
        self.assertIn("with made-up values for skip", finding["message"])

    def test_a_prior_without_value_is_warned_of_by_line(self):
        document = self.check(NORMAL.replace("mu ~ normal(0, 1)", "mu ~ normal(0, -1)"))
        self.assertEqual([(f["severity"], f["line"]) for f in document["findings"]],
                         [("warning", 10)])

    def test_columns_of_a_schema_that_nothing_is_made_of_are_warned_of(self):
        self.write("s.toml", "[columns.yy]\ntype = \"real\"\n")
        document = self.check(NORMAL, "--schema", self.at / "s.toml")
        self.assertEqual([(f["severity"], f["line"]) for f in document["findings"]],
                         [("warning", 1)])

    def test_quantities_that_a_failing_statement_would_fill_are_dropped(self):
        document = self.check(NORMAL + """generated quantities {
              real spread;
              { vector[N] e = y - mu; spread = variance(e) / variance(y); }
            }""")
        self.assertEqual(document["generated"], {"kept": [], "dropped": ["spread"]})

    def test_exit_codes(self):
        self.refused("DP301", ["none.stan"], "check", self.at / "none.stan", exit_code=66)
        model = self.write("m.stan", NORMAL)
        self.refused("DP101", ["--sede"], "check", model, "--sede")
        self.refused("DP103", ["--data"], "check", model, "--at", "p.json")
        self.refused("DP102", ["-D"], "check", model, "-D", "K")
        self.refused("DP301", ["d.json"], "check", model, "--data", self.at / "d.json",
                     exit_code=66)
        done = run("check", self.at / "none.stan", "--json")
        self.assertIs(json.loads(done.stdout)["ok"], False)

    def test_nothing_is_written_to_standard_error_for_a_good_program(self):
        self.assertEqual(run("check", self.write("m.stan", NORMAL)).stderr, "")


class Text(CheckTest):
    def test_it_says_what_goes_in_what_comes_out_and_what_is_next(self):
        text = self.ok("check", self.write("m.stan", LOGISTIC))
        for words in ("One record is one row", "columns x.1, x.2, ...", "column y",
                      "still to be given: -D K=...", "alpha", "vector[K]", "size not known yet",
                      "Also in the result: odds", "fitted: depends on record data",
                      "sum over records: yes", "differences: yes",
                      "RECORDS.csv -D K=... --epsilon 1"):
            self.assertIn(words, text)
        self.assertLess(text.count("\n"), 30)

    def test_given_public_data_are_shown_with_their_source(self):
        text = self.ok("check", self.write("m.stan", LOGISTIC), "-D", "K=2")
        self.assertIn("= 2 (-D K=2)", text)
        self.assertIn("columns x.1, x.2\n", text)
        self.assertIn("3 numbers unconstrained", text)

    def test_errors_show_line_and_caret_on_standard_error(self):
        model = self.write("m.stan", NORMAL.replace("mu ~ normal(0, 1)", "mu ~ normla(0, 1)"))
        done = run("check", model)
        self.assertEqual(done.returncode, 65)
        self.assertIn(f"error[DP202] {model}:10:", done.stderr)
        self.assertIn("\n    mu ~ normla(0, 1);\n", done.stderr)
        self.assertIn("^", done.stderr)
        self.assertIn("normal", done.stderr)


class Refusals(CheckTest):
    def test_syntax_errors_have_line_and_column(self):
        found = self.finding("data { int N; }\nparameters { real mu }\nmodel { }\n", code="DP201",
                             line=2)
        self.assertEqual(found["column"], 22)

    def test_several_mistakes_are_reported_at_once(self):
        document = self.check(NORMAL.replace("mu ~ normal(0, 1)", "mu ~ normla(0, 1)")
                              .replace("exponential(1)", "exponential(lambda)"), code=65)
        self.assertEqual([f["line"] for f in document["findings"]], [10, 11])

    def test_includes_are_refused(self):
        document = self.check("#include priors.stan\n" + NORMAL, code=65)
        self.assertEqual(document["findings"][0]["line"], 1)
        self.assertIn("include", document["findings"][0]["message"])

    def test_a_program_without_record_count_is_told_what_to_say(self):
        self.finding(NORMAL.replace("N", "T"), code="DP206", words=["'N'", "--records T"])

    def test_two_record_counts_get_the_one_count_rewrite(self):
        program = """data {
              int<lower=0> N_obs;
              int<lower=0> N_cens;
              vector[N_obs] t;
              vector[N_cens] limit;
            }
            parameters { real<lower=0> rate; }
            model {
              t ~ exponential(rate);
              target += exponential_lccdf(limit | rate);
            }"""
        self.finding(program, code="DP206", words=["N_obs", "N_cens", "event"])
        self.finding(program, "--records", "N_obs", code="DP206", line=10,
                     words=["limit", "N_cens", "event"])
        public = self.write("public.json", {"N_cens": 2, "limit": [1, 2]})
        self.check(program, "--records", "N_obs", "--public", public)

    def test_outcomes_with_a_count_each_are_told_to_share_one(self):
        program = """data {
              int<lower=0> N;
              int<lower=0> N_weight;
              vector[N] height;
              vector[N_weight] weight;
            }
            parameters { real mu; }
            model {
              height ~ normal(mu, 1);
              weight ~ normal(mu, 1);
            }"""
        self.finding(program, code="DP206", line=10,
                     words=["counted by N_weight instead of N", "declare 'weight' with N too", "event"])

    def test_the_record_count_in_a_later_dimension_is_refused(self):
        for declaration in ("matrix[3, N] x;", "array[2] vector[N] x;", "matrix[N, N] x;"):
            self.finding(NORMAL.replace("vector[N] y;", "vector[N] y;\n  " + declaration),
                         code="DP206", line=4, words=["x"])

    def test_aggregation_over_records_is_blamed_by_line(self):
        self.finding(NORMAL.replace("y ~ normal(mu, sigma);",
                                    "target += -square(sum(y) - mu);"), code="DP207", line=12)
        self.finding(NORMAL.replace("y ~ normal(mu, sigma);",
                                    "for (n in 2:N) y[n] ~ normal(mu * y[n - 1], sigma);"),
                     code="DP207", line=12)

    def test_one_joint_density_of_all_records_is_blamed_by_line(self):
        self.finding(NORMAL.replace(
            "y ~ normal(mu, sigma);",
            "y ~ multi_normal(rep_vector(mu, N), add_diag(rep_matrix(0.5, N, N), sigma));"),
            code="DP207", line=12)

    def test_means_over_records_want_a_declared_mean(self):
        program = NORMAL.replace("parameters {", "transformed data {\n  vector[N] c = y - mean(y);"
                                 "\n}\nparameters {").replace("  y ~", "  c ~")
        self.finding(program, code="DP210", line=6, words=["mean"])
        self.write("s.toml", "[columns.y]\ntype = \"real\"\nmean = 3\nsd = 1\n")
        self.assertIs(self.check(program, "--schema", self.at / "s.toml")["factorises"], True)

    def test_tables_that_records_fill_in_turn_are_blamed_by_line(self):
        program = """data {
  int N;
  int N_seen;
  vector[N] y;
}
transformed data {
  vector[N_seen] seen;
  int at = 1;
  for (n in 1:N) {
    if (y[n] < 3) {
      seen[at] = y[n];
      at += 1;
    }
  }
}
parameters {
  real mu;
}
model {
  seen ~ normal(mu, 1);
}
"""
        self.finding(program, "-D", "N_seen=2", code="DP207", line=20, words=["indicator column"])

    def test_sizes_say_which_of_them_counts_records(self):
        program = """data {
  int N;
  int K;
  vector[N] x;
}
parameters {
  vector[K] b;
}
model {
  b ~ normal(x, 1);
}
"""
        self.finding(program, "-D", "K=4", code="DP209", line=10,
                     words=["an entry for each record", "public data"])

    def test_local_latents_are_named(self):
        program = NORMAL.replace("real mu;", "real mu;\n  vector[N] z;")
        document = self.check(program.replace("  y ~", "  z ~ normal(0, 1);\n  y ~"), code=65)
        self.assertEqual(document["local_latents"], ["z"])
        self.assertEqual([f["code"] for f in document["findings"]], ["DP211"])

    def test_a_program_without_parameters_has_nothing_to_fit(self):
        self.finding("data { int N; vector[N] y; } model { y ~ normal(0, 1); }", code="DP212")

    def test_schemas_that_do_not_fit_are_findings_with_their_own_file(self):
        schema = self.write("s.toml", "[model]\nz = \"age\"\n")
        found = self.finding(NORMAL, "--schema", schema, code="DP340", line=2)
        self.assertEqual(found["file"], str(schema))

    def test_public_values_against_their_declaration_are_refused(self):
        self.finding(LOGISTIC, "-D", "K=0", code="DP333", words=["K"])
        done = run("check", self.at / "m.stan", "-D", "K=2.5")
        self.assertTrue(done.stderr.startswith("error[DP333] 'K' is 2.5"), done.stderr)


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

    def test_no_record_and_no_point_are_fine(self):
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

    def test_a_record_against_its_declaration_has_an_error(self):
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
        self.assertIn("a fit takes what is declared", document["findings"][0]["message"])
        # A schema says what a fit will take, so the check takes it too.
        schema = self.write("s.toml", "[columns.y]\ntype = \"int\"\nlower = 0\nupper = 6\n")
        point, = self.points(program, data, [[0.0]], "--schema", schema)
        expected = sum(math.log(math.comb(6, y)) + 6 * math.log(0.5) for y in data["y"])
        self.assertAlmostEqual(point["lp"], expected + math.log(0.25), places=12)

    def test_a_point_where_the_program_fails_has_an_error_and_others_go_on(self):
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

    def test_points_make_the_output_json_also_unasked(self):
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
                ("[[[0, 0]]]", "DP330", 1, "inside a point"),
                ("{\"theta\": []}", "DP330", 1, "neither"),
                ("[[0, 0]", "DP330", 1, "JSON"), ("", "DP330", 1, "JSON")):
            findings = self.points(NORMAL, {"N": 0, "y": []}, points, code=65)
            self.assertEqual([(f["code"], f["line"]) for f in findings], [(code, line)], points)
            self.assertIn(words, findings[0]["message"])

    def test_local_latents_are_refused(self):
        program = NORMAL.replace("real mu;", "real mu;\n  vector[N] z;")
        findings = self.points(program, {"N": 0, "y": []}, [[0, 0]], code=65)
        self.assertEqual(findings[0]["code"], "DP211")


class AgainstStanTest(CheckTest):
    def close(self, found, expected, tolerance):
        """Values to 1e-8, gradients to the tolerance, both relative."""
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
