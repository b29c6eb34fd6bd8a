// Death in intensive care, by logistic regression on what is known in the first 24 hours.
data {
  int<lower=0> N;                          // stays
  vector[N] age;                           // standardised by the schema
  vector[N] sofa;                          // organ failure score, standardised
  vector[N] lactate;                       // mmol/l, standardised
  vector<lower=0, upper=1>[N] ventilated;
  vector<lower=0, upper=1>[N] female;
  int<lower=1> U;
  matrix[N, U] unit;                       // type of unit, one column for each but the first
  array[N] int<lower=0, upper=1> died;
}
parameters {
  real alpha;
  real b_age;
  real b_sofa;
  real b_lactate;
  real b_ventilated;
  real b_female;
  vector[U] b_unit;
}
model {
  alpha ~ normal(-1.5, 1);
  b_age ~ normal(0, 1);
  b_sofa ~ normal(0, 1);
  b_lactate ~ normal(0, 1);
  b_ventilated ~ normal(0, 1);
  b_female ~ normal(0, 1);
  b_unit ~ normal(0, 0.5);
  died ~ bernoulli_logit(alpha + b_age * age + b_sofa * sofa + b_lactate * lactate
                         + b_ventilated * ventilated + b_female * female + unit * b_unit);
}
generated quantities {
  real odds_ratio_sofa_point = exp(b_sofa / 3.5);   // one point more; the schema's sd is 3.5
}
