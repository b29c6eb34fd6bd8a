"""Tests `dpvi check` on programs with several tables: a record is one row of one of them."""
import math
import pathlib

from check_program import CheckTest

TABLES = """data {
  int<lower=0> N_obs;
  int<lower=0> N_cens;
  vector[N_obs] x_obs;
  vector<lower=0>[N_obs] t_obs;
  vector[N_cens] x_cens;
  vector<lower=0>[N_cens] t_cens;
}
parameters { real a; real b; }
model {
  a ~ normal(0, 1);
  b ~ normal(0, 1);
  t_obs ~ exponential(exp(a + b * x_obs));
  target += exponential_lccdf(t_cens | exp(a + b * x_cens));
}
"""
WHERE = """[tables.N_obs]
where = {column = "event", equals = "1"}
[tables.N_cens]
where = {column = "event", equals = "0"}
[model]
x_obs = "x"
x_cens = "x"
t_obs = "time"
t_cens = "time"
"""
DATA = {"N_obs": 3, "x_obs": [.5, -1, 2], "t_obs": [1.5, .2, 3],
        "N_cens": 2, "x_cens": [.1, -.4], "t_cens": [2.5, .7]}
# What Stan 2.39 gives for the program on this data: points, log densities and gradients.
STAN = [([0.3, -0.2], -10.510661455345055, [-6.5077843889357085, -4.236675090738634]),
        ([-1, 0.7], -11.008966915531467, [-2.47608984912212, -8.526733797073842])]

IMPLANTS = {"N_revised": 3, "age_revised": [0.4, -1.2, 0], "cemented_revised": [1, 0, 1],
            "years_revised": [2.5, 0.7, 9.1], "N_standing": 4, "age_standing": [0.1, 1.1, -0.6,
            0], "cemented_standing": [0, 1, 1, 0], "years_standing": [10.2, 4.4, 14, 1.3]}
STAN_IMPLANTS = [([2.4, -0.1, 0.3, 0.2],
                  -13.1054216313081,
                  [-0.12928926089533888,
                   1.218768597068446,
                   -1.45859506038534,
                   -2.6117880920986387]),
                 ([1.5, 0.4, -0.5, -0.3],
                  -17.952026993236085,
                  [6.839518702784003,
                   -1.8961121314064726,
                   6.694398035326697,
                   -4.077941505972008])]


class CheckTables(CheckTest):
    def schema(self, text=WHERE):
        return ("--schema", self.write("s.toml", text))

    def test_each_row_has_the_density_of_its_own_table(self):
        for theta in ([.3, -.2], [-1.0, .7]):
            point = self.points(TABLES, DATA, [theta], *self.schema())[0]
            rate = [math.exp(theta[0] + theta[1] * x) for x in DATA["x_obs"] + DATA["x_cens"]]
            time = DATA["t_obs"] + DATA["t_cens"]
            self.assertEqual(len(point["records"]), 5)
            for i, record in enumerate(point["records"]):
                seen = i < 3
                lp = -rate[i] * time[i] + (math.log(rate[i]) if seen else 0)
                slope = seen - rate[i] * time[i]
                x = (DATA["x_obs"] + DATA["x_cens"])[i]
                self.assertAlmostEqual(record["lp"], lp, 12)
                self.assertAlmostEqual(record["grad"][0], slope, 12)
                self.assertAlmostEqual(record["grad"][1], slope * x, 12)
            total = point["prior"]["lp"] + sum(record["lp"] for record in point["records"])
            self.assertAlmostEqual(point["lp"], total, 12)

    def test_the_whole_has_the_density_of_stan(self):
        for theta, lp, gradient in STAN:
            point = self.points(TABLES, DATA, [theta], *self.schema())[0]
            self.assertAlmostEqual(point["lp"], lp, 10)
            for found, wanted in zip(point["grad"], gradient):
                self.assertAlmostEqual(found, wanted, 9)

    def test_the_example_has_the_density_of_stan(self):
        example = pathlib.Path(__file__).parents[2] / "examples" / "implants"
        program = (example / "model.stan").read_text()
        for theta, lp, gradient in STAN_IMPLANTS:
            point = self.points(program, IMPLANTS, [theta], "--schema", example / "schema.toml")[0]
            self.assertAlmostEqual(point["lp"], lp, 9)
            for found, wanted in zip(point["grad"], gradient):
                self.assertAlmostEqual(found, wanted, 8)

    def test_a_table_may_be_empty_and_may_have_no_columns(self):
        empty = {**DATA, "N_cens": 0, "x_cens": [], "t_cens": []}
        self.assertEqual(len(self.points(TABLES, empty, [[0, 0]], *self.schema())[0]["records"]), 3)
        program = """data { int<lower=0> N_obs; int<lower=0> N_cens; real U; vector[N_obs] y; }
parameters { real mu; }
model { y ~ normal(mu, 1); target += N_cens * normal_lccdf(U | mu, 1); }
"""
        point = self.points(program, {"N_obs": 1, "N_cens": 3, "U": 2, "y": [.5]}, [[.4]],
                            *self.schema(WHERE.split("[model]")[0]))[0]
        self.assertEqual(len(point["records"]), 4)
        tail = math.log(.5 * math.erfc((2 - .4) / math.sqrt(2)))
        for record in point["records"][1:]:
            self.assertAlmostEqual(record["lp"], tail, 9)

    def test_the_tables_are_listed(self):
        document = self.check(TABLES, *self.schema())
        self.assertIs(document["factorises"], True)
        self.assertEqual(document["record_data"], ["x_obs", "t_obs", "x_cens", "t_cens"])
        self.assertEqual(document["public_data"], [])
        text = self.ok("check", self.write("m.stan", TABLES), *self.schema())
        self.assertIn("One record is one row of one of the tables. The tables are counted by "
                      "N_obs, N_cens.", text)
        text = self.ok("check", self.write("m.stan", TABLES), "--table", "N_obs=a.csv", "--table",
                       "N_cens=b.csv")  # the files need not exist
        self.assertIn("The tables are counted by N_obs, N_cens.", text)
        self.assertIn("m.stan --table N_obs=a.csv --table N_cens=b.csv --epsilon 1", text)

    def test_conditions_on_counts_and_on_cells_are_understood(self):
        guarded = TABLES.replace("target +=", "if (N_cens > 0) target +=")
        self.assertIs(self.check(guarded, *self.schema())["factorises"], True)
        looped = TABLES.replace("  target += exponential_lccdf(t_cens | exp(a + b * x_cens));\n", """
  for (n in 1:N_cens) {
    if (x_cens[n] > 0) target += -t_cens[n] * exp(a + b * x_cens[n]);
    else target += exponential_lccdf(t_cens[n] | exp(a + b * x_cens[n]));
  }
""")
        self.assertIs(self.check(looped, *self.schema())["factorises"], True)
        point = self.points(looped, DATA, [[.3, -.2]], *self.schema())[0]
        plain = self.points(TABLES, DATA, [[.3, -.2]], *self.schema())[0]
        self.assertAlmostEqual(point["lp"], plain["lp"], 10)

    def test_statements_that_mix_tables_are_refused(self):
        for statement in ("target += a * dot_product(x_obs, x_obs) * sum(x_cens);",
                          "for (n in 1:min(N_obs, N_cens)) t_obs[n] ~ normal(a + t_cens[n], 1);",
                          "target += a * N_obs * N_cens;",
                          "if (N_obs > 3) target += a * sum(x_cens);"):
            program = TABLES.replace("  target +=", f"  {statement}\n  target +=")
            document = self.check(program, *self.schema(), code=65)
            errors = [f for f in document["findings"] if f["severity"] == "error"]
            self.assertEqual((errors[0]["code"], errors[0]["line"]), ("DP207", 14), errors)

    def test_several_counts_are_explained(self):
        found = self.finding(TABLES, code="DP206")
        for words in ("--table N_obs=FILE --table N_cens=FILE", "[tables.N_obs]", "--records"):
            self.assertIn(words, found["message"])

    def test_counts_that_are_asked_for_as_public_but_count_records_are_refused(self):
        program = """data { real U; int<lower=0> N_censored; int<lower=0> N_observed;
  array[N_observed] real<upper=U> y; }
parameters { real mu; }
model {
  mu ~ normal(0, 10);
  for (n in 1:N_observed) y[n] ~ normal(mu, 1);
  target += N_censored * log1m(normal_cdf(U | mu, 1.0));
}
"""
        found = self.finding(program, code="DP206", line=1, words=["N_censored counts records too"])
        self.assertIn("--table N_observed=FILE --table N_censored=FILE", found["message"])
        self.check(program, "-D", "N_censored=3", "-D", "U=2")
        plain = TABLES.replace("N_obs", "N")
        found = self.finding(plain, code="DP206", words=["'t_cens'", "second table: --table N=FILE --table N_cens=FILE"])
        self.check(plain, "--table", "N=a.csv", "--table", "N_cens=b.csv")
        imputed = """data { int<lower=0> N; int<lower=0> M; vector<lower=0>[N] t; vector<lower=0>[M] limit; }
parameters { real<lower=0> r; real<lower=0> s; vector<lower=1>[M] times; }
model {
  r ~ exponential(1); s ~ exponential(1);
  t ~ weibull(r, s);
  for (m in 1:M) times[m] ~ weibull(r, s / limit[m]);
}
"""
        self.finding(imputed, code="DP206", line=1, words=["M counts records too", "'times'"])
        groups = """data { int<lower=0> N; int<lower=1> J; array[N] int<lower=1, upper=J> g; vector[N] y;
  vector[J] u; int<lower=1> K; vector<lower=0>[K] weight; }
parameters { vector[J] a; simplex[K] share; real b; }
model {
  a ~ normal(b * u, 1); b ~ normal(0, 1); share ~ dirichlet(weight);
  y ~ normal(a[g] + share[1], 1);
}
"""
        self.assertIs(self.check(groups)["factorises"], True)

    def test_wrong_sections_are_refused_with_their_line(self):
        cases = {
            "only table": ('[tables.N_obs]\nfile = "a.csv"\n', "DP313", 1),
            "same rows": (WHERE.replace('"0"', '"1"'), "DP313", 1),
            "another column": (WHERE.replace('"event", equals = "0"', '"e", equals = "0"'),
                               "DP313", 3),
            "either file or where": (WHERE.replace("where", 'file = "a.csv"\nwhere', 1), "DP313", 1),
            "some tables have a file": ('[tables.N_obs]\nfile = "a.csv"\n' +
                                        WHERE[WHERE.index("[tables.N_cens]"):], "DP313", 3),
            "it must be a string": (WHERE.replace('"0"', '""'), "DP312", 4),
            "names a record count too": (WHERE + 'records = "N_obs"\n', "DP313", 1),
            "is no level": (WHERE + '[columns.event]\nlevels = ["0", "yes"]\n', "DP313", 1),
        }
        for words, (text, code, line) in cases.items():
            with self.subTest(words):
                self.refused(code, [words, f"s.toml:{line}"], "check",
                             self.write("m.stan", TABLES), *self.schema(text), exit_code=65)

    def test_counts_and_columns_that_do_not_fit_are_refused(self):
        self.finding(TABLES, *self.schema(WHERE.replace("N_cens]", "N_censored]")), code="DP206",
                     words=["N_censored"])
        taken = TABLES.replace("vector[N_obs] x_obs;", "vector[N_obs] x_obs; vector[N_obs] event;")
        self.finding(taken, *self.schema(), code="DP340", words=["tells the tables apart"])
        self.refused("DP103", ["--records"], "check", self.write("m.stan", TABLES),
                     *self.schema(), "--records", "N_obs")
        self.refused("DP103", ["one --table"], "check", self.write("m.stan", TABLES),
                     "--table", "N_obs=a.csv")
        self.refused("DP102", ["COUNT=FILE"], "check", self.write("m.stan", TABLES),
                     "--table", "N_obs")
