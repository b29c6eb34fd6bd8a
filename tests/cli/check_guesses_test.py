"""Tests `dpvi check` with little public data: the values that it assumes and those it asks for."""
import unittest

from check_program import CheckTest
from program import run

# Works for two places only, whatever K is; a record's state follows from the previous record.
TWO_PLACES = """data {
  int<lower=0> N;
  int<lower=1> K;
  vector[N] y;
  matrix<lower=0>[K, K] weight;
}
parameters {
  simplex[K] stay;
  simplex[K] move;
  ordered[K] level;
}
transformed parameters {
  array[K] simplex[K] jump;
  jump[1] = stay;
  jump[2] = move;
}
model {
  vector[K] reach = rep_vector(0, K);
  for (k in 1:K) jump[k] ~ dirichlet(weight[k]' + 1);
  for (n in 1:N) {
    vector[K] now;
    for (k in 1:K) {
      vector[K] came;
      for (j in 1:K) came[j] = reach[j] + log(jump[j, k]);
      now[k] = log_sum_exp(came) + normal_lpdf(y[n] | level[k], 1);
    }
    reach = now;
  }
  target += log_sum_exp(reach);
}
"""

# Scales and positions of groups are public data without bounds.
SCALES = """data {
  int<lower=0> N;
  int J;
  array[N] int<lower=1, upper=J> clinic;
  vector[J] size;
  array[J] int region;
  vector[N] y;
}
parameters {
  vector[3] mean_of;
}
model {
  mean_of ~ normal(0, 1);
  for (n in 1:N) y[n] ~ normal(mean_of[region[clinic[n]]], size[clinic[n]]);
}
"""

VISITS = """data {
  int<lower=0> N;
  int<lower=0> visits;
  array[visits] int<lower=1, upper=N> ward;
  vector[visits] pulse;
}
parameters {
  vector[N] level;
  real<lower=0> spread;
}
model {
  level ~ normal(70, 10);
  pulse ~ normal(level[ward], spread);
}
"""


class MadeUpPublicData(CheckTest):
    def test_sizes_are_tried_until_the_program_runs(self):
        self.finding(TWO_PLACES, code="DP207", line=29)

    def test_numbers_may_have_to_be_positive(self):
        document = self.check(SCALES)
        self.assertIs(document["factorises"], True)
        self.assertEqual(document["findings"], [])

    def test_a_program_that_runs_with_no_guess_is_not_called_sound(self):
        program = SCALES.replace("size[clinic[n]])", "-square(size[clinic[n]]))")
        found = self.finding(program, code="DP207", words=["could not be tested", "size"])
        self.assertIn("Give the public data", found["message"])
        self.assertIsNone(self.check(program, code=65)["factorises"])

    def test_a_program_without_record_data_is_refused(self):
        program = """data { int N; int K; int L; array[K] int<lower=0> y; array[L] int<lower=0> z; }
            parameters { real<lower=0> rate; }
            model { y ~ poisson(rate); z ~ poisson(rate); target += -rate * N; }"""
        public = {"K": 2, "y": [1, 2], "L": 1, "z": [3]}
        self.finding(program, "--public", self.write("p.json", public), code="DP206",
                     words=["no record data"])


class WhatCountsRecords(CheckTest):
    def test_the_first_size_of_the_data_is_taken_as_record_count(self):
        found = self.finding(VISITS, "--records", "N", code="DP206",
                             words=["N is not the first size of any data; visits is."])
        self.assertIn("--records visits", found["message"])
        self.assertIs(self.check(VISITS, "-D", "N=3")["factorises"], True)

    def test_the_refusal_of_a_program_without_a_table_explains_records(self):
        found = self.finding("data { int trials; int hits; } parameters { real<lower=0, upper=1> p; }"
                             "model { hits ~ binomial(trials, p); }", code="DP206", line=1)
        self.assertIn("array[N] int y", found["message"])

    def test_groups_with_sizes_get_the_advice_to_use_rows(self):
        program = """data { int J; array[J] int<lower=0> size;
            vector[sum(size)] y; } parameters { real m; } model { y ~ normal(m, 1); }"""
        found = self.finding(program, "--records", "J", code="DP206", line=2,
                             words=["sum(size)", "size"])
        self.assertIn("one row for each value", found["message"])


    def test_lists_of_positions_get_the_advice_to_use_an_indicator_column(self):
        program = """data { int N; vector<lower=0>[N] months; int ended;
              array[ended] int last_seen; }
            parameters { real<lower=0> rate; }
            model { months[last_seen] ~ exponential(rate); }"""
        for flags in ((), ("-D", "ended=2", "--public", self.write("p.json", {"last_seen": [2, 4]}))):
            found = self.finding(program, *flags, code="DP207", line=4)
            self.assertIn("indicator column", found["message"])


class FailingQuantities(CheckTest):
    def test_a_failing_function_leaves_other_quantities_intact(self):
        program = """functions { real pick(vector v, int k) { vector[2] w = v[1:2]; return w[k]; } }
            data { int N; vector[N] y; }
            parameters { real a; real b; real c; real d; vector[3] m; }
            model { y ~ normal(a + b + c + d + m[1], 1); }
            generated quantities { real bad = pick(m, 7); real good = d + m[3]; }"""
        done = run("check", self.write("m.stan", program), "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.check(program)["generated"], {"kept": ["good"], "dropped": ["bad"]})

    def test_statistics_of_the_data_for_later_checks_need_no_facts(self):
        program = """data { int N; array[N] int<lower=0> hits; array[N] int<lower=0> shots; }
            transformed data { real spread = sd(to_vector(hits)); int most = max(hits); }
            parameters { real<lower=0, upper=1> p; }
            model { hits ~ binomial(shots, p); }
            generated quantities { array[N] int again = binomial_rng(shots, p);
              int wider = sd(to_vector(again)) > spread; int higher = max(again) > most;
              real odds = p / (1 - p); }"""
        document = self.check(program)
        self.assertIs(document["factorises"], True)
        self.assertEqual(document["generated"]["kept"], ["odds"])


if __name__ == "__main__":
    unittest.main()
