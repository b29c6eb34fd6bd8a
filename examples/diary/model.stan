// Pain in a diary: what remains of yesterday, within each person, in long form.
data {
  int<lower=0> N;                                // days
  int<lower=0> J;                                // persons
  array[N] int<lower=1, upper=J> person;
  vector<lower=0, upper=1>[N] exercise;
  vector[N] pain;                                // standardised by the schema
}
parameters {
  real mu;
  real b_exercise;
  real<lower=-1, upper=1> carried;               // from the day before
  real<lower=0> spread;
}
model {
  mu ~ normal(0, 1);
  b_exercise ~ normal(0, 1);
  spread ~ normal(0, 1);
  for (n in 1:N) {
    real expected = mu + b_exercise * exercise[n];
    if (n > 1 && person[n] == person[n - 1])
      expected += carried * (pain[n - 1] - mu - b_exercise * exercise[n - 1]);
    pain[n] ~ normal(expected, spread);
  }
}
