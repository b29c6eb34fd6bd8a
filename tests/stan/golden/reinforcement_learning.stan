// records: N = 5
// data: T = 5; choice = ints(1, 2, 5); outcome = rows(5)
data {
  int<lower=1> N;
  int<lower=1> T;
  array[N, T] int<lower=1, upper=2> choice;
  array[N, T] real outcome;
}
transformed data {
  vector[2] initV;
  initV = rep_vector(0.0, 2);
}
parameters {
  real<lower=0,upper=1> A;
  real<lower=0,upper=20> tau;
}
model {
  for (i in 1:N) {
    vector[2] ev;
    real PE;
    ev = initV;
    for (t in 1:T) {
      choice[i, t] ~ categorical_logit(tau * ev);
      PE = outcome[i, t] - ev[choice[i, t]];
      ev[choice[i, t]] += A * PE;
    }
  }
}
