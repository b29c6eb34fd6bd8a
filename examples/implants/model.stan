// Survival of hip implants. Revised and unrevised implants stand in two tables, as in Stan's guide.
data {
  int<lower=0> N_revised;
  vector[N_revised] age_revised;                       // standardised by the schema
  vector<lower=0, upper=1>[N_revised] cemented_revised;
  vector<lower=0>[N_revised] years_revised;            // until the revision
  int<lower=0> N_standing;
  vector[N_standing] age_standing;
  vector<lower=0, upper=1>[N_standing] cemented_standing;
  vector<lower=0>[N_standing] years_standing;          // of observation, without a revision
}
parameters {
  real mu;
  real b_age;
  real b_cemented;
  real<lower=0> shape;
}
model {
  mu ~ normal(2.5, 1);
  b_age ~ normal(0, .5);
  b_cemented ~ normal(0, .5);
  shape ~ lognormal(0, .5);
  years_revised ~ weibull(shape, exp(mu + b_age * age_revised + b_cemented * cemented_revised));
  target += weibull_lccdf(years_standing |
                          shape, exp(mu + b_age * age_standing + b_cemented * cemented_standing));
}
generated quantities {
  real standing_after_10 = exp(-pow(10 / exp(mu), shape));   // share, not cemented, of mean age
}
