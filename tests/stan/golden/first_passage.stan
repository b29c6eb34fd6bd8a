// Times at which a drifting particle leaves between two boundaries: which one is data.
// records: N = 8
// data: rt = listed(0.35, 0.51, 0.92, 1.7, 0.44, 3.1, 0.62, 8.5); up = binary(); x = normal(); J = 3; who = index(3)
functions {
  real choice_time_lpdf(real y, int side, real gap, real start, real share, real drift) {
    if (side == 1)
      return wiener_lpdf(y | gap, start, share, drift);
    return wiener_lpdf(y | gap, start, 1 - share, -drift);
  }
}
data {
  int<lower=0> N;
  vector<lower=0>[N] rt;
  array[N] int<lower=0, upper=1> up;
  vector[N] x;
  int<lower=1> J;
  array[N] int<lower=1, upper=J> who;
}
parameters {
  vector<lower=0.3>[J] gap;
  real<lower=0, upper=0.3> start;
  real<lower=0, upper=1> share;
  real a;
  real b;
}
model {
  gap ~ gamma(2, 1);
  a ~ normal(0, 1);
  b ~ normal(0, 1);
  for (n in 1 : N) {
    target += choice_time_lpdf(rt[n] | up[n], gap[who[n]], start, share, a + b * x[n]);
  }
  rt ~ wiener(gap[who], start, 0.5, a + b * x);
}
