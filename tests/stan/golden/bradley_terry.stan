// records: N = 8
// data: K = 4; player1 = index(4); player0 = integers(1, 4); y = binary()
data {
  int<lower=0> K;                     // players
  int<lower=0> N;                     // games
  array[N] int<lower=1, upper=K> player1;
  array[N] int<lower=1, upper=K> player0;
  array[N] int<lower=0, upper=1> y;
}
parameters {
  vector[K - 1] alpha_raw;
  real<lower=0> sigma;
}
transformed parameters {
  vector[K] alpha = append_row(alpha_raw, -sum(alpha_raw));
}
model {
  sigma ~ lognormal(0, 0.5);
  alpha ~ normal(0, sigma);
  y ~ bernoulli_logit(alpha[player1] - alpha[player0]);
}
generated quantities {
  array[K] int<lower=1, upper=K> ranked = sort_indices_desc(alpha);
}
