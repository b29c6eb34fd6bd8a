// records: N = 7
// data: T = 5; C = 6; visits = listed(3, 5, 1, 4, 2, 5, 0); joined = listed(1, 3, 5, 2, 4, 1, 2); left = listed(4, 3, 5, 1, 5, 2, 3)
// data: tests = listed(2, 0, 1, 3, 1, 2, 0); result = ints(0, 1, 5); dose = rows(5); low = listed(1, 4, 2, 1, 3, 1, 5); high = listed(3, 6, 5, 2, 5, 4, 6); grade = listed(1, 3, 2, 1, 4, 2, 1)
// Loops and slices whose ends a record sets and no declaration bounds from both sides.
data {
  int<lower=0> N;
  int<lower=1> T;
  int<lower=1> C;
  array[N] int<lower=0> visits;
  array[N] int joined;
  array[N] int left;
  array[N] int<lower=0> tests;
  array[N, T] int<lower=0, upper=1> result;
  matrix[N, T] dose;
  array[N] int low;
  array[N] int high;
  array[N] int grade;
}
parameters {
  real start;
  real<lower=0, upper=1> rate;
  vector[T] season;
  ordered[C] cut;
  real b;
}
model {
  start ~ normal(0, 1);
  season ~ normal(0, 0.5);
  cut ~ normal(0, 2);
  for (i in 1:N) {
    real level = start;
    for (t in 1:visits[i]) {
      result[i, t] ~ bernoulli_logit(level + season[t]);
      level += rate * (result[i, t] - inv_logit(level));
      for (k in (t + 1):tests[i]) {
        target += -0.1 * square(season[k] - level);
      }
    }
    for (t in joined[i]:left[i]) {
      dose[i, t] ~ normal(b * season[t], 1);
    }
    grade[i] ~ ordered_logistic(b * dose[i, 1], cut[low[i]:high[i]]);
  }
}
