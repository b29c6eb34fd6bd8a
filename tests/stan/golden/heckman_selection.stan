// records: N = 8
// data: D = 2; y = normal(); X = rows(2); Z = rows(2); S = binary()
data {
  int N;
  int D;
  vector[N] y;
  matrix[N, D] X;
  matrix[N, D] Z;
  array[N] int<lower=0,upper=1> S;
}
parameters {
  real<lower=-1,upper=1> rho;
  vector[D] b;
  vector[D] g;
  real<lower=0> sd1;
}
model {
  vector[N] Xb = X * b;
  vector[N] Zg = Z * g;
  b ~ normal(0, 1);
  g ~ normal(0, 1);
  sd1 ~ normal(0, 1);
  for (n in 1:N) {
    if (S[n] == 1) {
      target += normal_lpdf(y[n] | Xb[n], sd1) + log(Phi(sqrt(1 - rho ^ 2) ^ (-1) * (Zg[n] + rho / sd1 * (y[n] - Xb[n]))));
    } else {
      target += log(Phi(-Zg[n]));
    }
  }
}
