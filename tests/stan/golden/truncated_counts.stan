// records: N = 8
// data: y = integers(1, 7); z = integers(1, 5); x = normal(); w = positive()
data {
  int<lower=0> N;
  array[N] int<lower=1> y;
  array[N] int<lower=1, upper=5> z;
  vector[N] x;
  vector[N] w;
}
parameters {
  real alpha;
  real beta;
  real<lower=0> phi;
}
model {
  alpha ~ normal(0, 1) T[-3, 3];
  phi ~ gamma(2, 1) T[0.01, ];
  beta ~ student_t(4, 0, phi) T[-5, ];
  for (n in 1:N) {
    y[n] ~ poisson(exp(alpha + beta * x[n])) T[1, ];
    y[n] ~ neg_binomial_2(exp(alpha + beta * x[n]), phi) T[1, ];
    z[n] ~ binomial(5, inv_logit(alpha)) T[1, ];
    z[n] ~ poisson(phi) T[1, 5];
    w[n] ~ gamma(phi, 1) T[, 30];
    w[n] ~ student_t(3, alpha, phi) T[0, ];
  }
}
