"""Tests `dpvi check`: the needs of a program and whether it can be fitted, without private data."""
import json
import unittest

from check_program import LOGISTIC, NORMAL, CheckTest
from program import run


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

    def test_a_mock_value_is_named_if_records_have_no_influence(self):
        switched = NORMAL.replace("vector[N] y;", "vector[N] y; int<lower=1> skip;").replace(
            "y ~ normal", "if (skip == 0) y ~ normal")
        finding, = self.check(switched)["findings"]
        self.assertIn("with mock values for skip", finding["message"])

    def test_a_prior_without_value_is_warned_of_by_line(self):
        document = self.check(NORMAL.replace("mu ~ normal(0, 1)", "mu ~ normal(0, -1)"))
        self.assertEqual([(f["severity"], f["line"]) for f in document["findings"]],
                         [("warning", 10)])

    def test_unused_columns_of_a_schema_cause_warnings(self):
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

    def test_mock_public_data_look_like_scales_and_times(self):
        document = self.check("""data {
              int<lower=0> N;
              int<lower=1> K;
              vector[N] y;
              array[N] int plot;
              matrix[2, 2] scale;
              array[K + 1] int<lower=0> day;
              vector[K] knot;
            }
            parameters { corr_matrix[2] R; array[K] real<lower=0> hazard; vector[4] b; }
            model {
              R ~ wishart(4, scale);
              for (k in 1:K) hazard[k] ~ gamma(day[k + 1] - day[k], 1);
              for (k in 2:K) target += log(knot[k] - knot[k - 1]) * hazard[k];
              y ~ normal(b[plot], 1 + hazard[1] + square(R[1, 2]));
            }
            """)
        self.assertIs(document["factorises"], True)
        self.assertEqual(document["findings"], [])

    def test_a_dropped_quantity_says_which_line_failed(self):
        program = NORMAL.replace("vector[N] y;", "vector[N] y;\n  int<lower=1> K;").replace(
            "real mu;", "real mu;\n  vector[K] season;") + """generated quantities {
              vector[K] against_fourth = season - season[4];
            }"""
        model = self.write("m.stan", program)
        text = run("check", model, "-D", "K=3").stdout
        self.assertIn("against_fourth: line 17: Index 4 is outside 1..3.\n", text)
        self.assertIn("Index 4 is outside 1..3. This used mock values for K.",
                      run("check", model).stdout)
        self.assertIn("Also in the result: against_fourth", run("check", model, "-D", "K=4").stdout)

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
    def test_the_report_names_inputs_outputs_and_the_next_step(self):
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

    def test_the_only_possible_record_count_is_taken_and_named(self):
        document = self.check(NORMAL.replace("N", "T"))
        notes = [f for f in document["findings"] if f["severity"] == "note"]
        self.assertEqual([f["code"] for f in notes], ["DP206"])
        self.assertIn("T is taken as the record count", notes[0]["message"])
        self.assertEqual(self.check(NORMAL.replace("N", "T"), "--records", "T")["findings"], [])

    def test_the_only_possible_record_count_is_taken_for_other_findings(self):
        program = NORMAL.replace("N", "T").replace("mu ~ normal(0, 1)", "mu ~ normal(mean(y), 1)")
        document = self.check(program, code=65)
        self.assertEqual(document["record_data"], ["y"])
        self.assertEqual([(f["severity"], f["code"]) for f in document["findings"]],
                         [("error", "DP210"), ("note", "DP206")])

    def test_a_count_of_groups_alone_is_not_the_record_count(self):
        program = """data {
              int<lower=0> N;
              int<lower=0> n_visits;
              array[n_visits] int<lower=1, upper=N> clinic;
              vector[n_visits] weight;
            }
            parameters { vector[N] level; real<lower=0> spread; }
            model { level ~ normal(60, 20); weight ~ normal(level[clinic], spread); }
            """
        document = self.check(program, "-D", "N=4")
        self.assertEqual(document["record_data"], ["clinic", "weight"])
        self.assertEqual(document["local_latents"], [])
        self.assertIn("n_visits is taken as the record count", document["findings"][0]["message"])
        self.finding(program, "--records", "N", code="DP206", line=2,
                     words=["N is not the first size of any data", "--records n_visits"])
        # Public data are indexed by the groups: both readings are possible, and both are named.
        program = program.replace("vector[n_visits] weight;",
                                  "vector[n_visits] weight; vector[N] altitude;")
        self.finding(program, code="DP206", words=["'weight'", "--records n_visits"])

    def test_a_program_without_data_has_no_records(self):
        self.finding("parameters { real<lower=0> r; } model { r ~ gamma(2, 1); }", code="DP206",
                     words=["takes no data"])

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

    def test_outcomes_with_different_counts_get_the_advice_to_share_one(self):
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
                     words=["its first size is N_weight instead of N",
                            "declare 'weight' with N too", "event"])

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

    def test_means_over_records_need_a_declared_mean(self):
        program = NORMAL.replace("parameters {", "transformed data {\n  vector[N] c = y - mean(y);"
                                 "\n}\nparameters {").replace("  y ~", "  c ~")
        self.finding(program, code="DP210", line=6, words=["mean"])
        self.write("s.toml", "[columns.y]\ntype = \"real\"\nmean = 3\nsd = 1\n")
        self.assertIs(self.check(program, "--schema", self.at / "s.toml")["factorises"], True)

    def test_all_undeclared_facts_are_reported_at_once(self):
        program = NORMAL.replace("parameters {", "transformed data {\n  vector[N] c = (y - mean(y)) / "
                                 "sd(y);\n}\nparameters {").replace("  y ~", "  c ~")
        self.finding(program, code="DP210", line=6, words=["mean of 'y', sd of 'y'"])

    def test_tables_that_records_fill_inside_the_model_are_blamed_by_line(self):
        program = """data {
  int<lower=0> N;
  int<lower=0> J;
  vector[N] y;
  array[N] int<lower=1, upper=J> g;
}
parameters {
  real mu;
}
model {
  vector[J] last;
  vector[J] moved;
  for (n in 1:N) {
    last[g[n]] = y[n];
  }
  moved = last + 1;
  moved ~ normal(mu, 1);
}
"""
        self.finding(program, "-D", "J=3", code="DP207", line=17, words=["other records fill in"])

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
        used = program.replace("  y ~ normal(mu", "  z ~ normal(0, 1);\n  y ~ normal(mu + z")
        document = self.check(used)
        self.assertEqual(document["local_latents"], ["z"])
        unused = self.check(program, code=65)
        self.assertEqual(unused["local_latents"], ["z"])
        self.assertEqual([f["code"] for f in unused["findings"]], ["DP211"])

    def test_a_program_without_parameters_has_nothing_to_fit(self):
        self.finding("data { int N; vector[N] y; } model { y ~ normal(0, 1); }", code="DP212")

    def test_schemas_that_do_not_fit_are_findings_with_their_own_file(self):
        schema = self.write("s.toml", "[model]\nyy = \"age\"\n")
        found = self.finding(NORMAL, "--schema", schema, code="DP340", line=2)
        self.assertEqual(found["file"], str(schema))

    def test_public_values_against_their_declaration_are_refused(self):
        self.finding(LOGISTIC, "-D", "K=0", code="DP333", words=["K"])
        done = run("check", self.at / "m.stan", "-D", "K=2.5")
        self.assertTrue(done.stderr.startswith("error[DP333] 'K' is 2.5"), done.stderr)


if __name__ == "__main__":
    unittest.main()
