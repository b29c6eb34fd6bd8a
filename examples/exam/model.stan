// Rasch model of an exam: persons solve items.
data {
  int<lower=0> N;                                // persons
  int<lower=1> I;                                // items
  array[N, I] int<lower=0, upper=1> solved;
}
parameters {
  vector[I] difficulty;
  real<lower=0> spread;                          // sd of abilities
  vector[N] ability;                             // of a person
}
model {
  difficulty ~ normal(0, 1.5);
  spread ~ normal(0, 1);
  ability ~ normal(0, spread);
  for (n in 1:N) solved[n] ~ bernoulli_logit(ability[n] - difficulty);
}
