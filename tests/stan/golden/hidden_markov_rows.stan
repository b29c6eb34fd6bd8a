// records: N = 5
// data: T = 4; K = 2; y = rows(4)
data {
  int N;
  int T;
  int K;
  array[N, T] real y;
}
parameters {
  array[K] simplex[K] A;
  ordered[K] mu;
  real<lower=0> s;
  simplex[K] pi1;
}
model {
  for (n in 1:N) {
    vector[K] lp = log(pi1);
    for (k in 1:K) lp[k] += normal_lpdf(y[n, 1] | mu[k], s);
    for (t in 2:T) {
      vector[K] nlp;
      for (k in 1:K) {
        vector[K] acc;
        for (j in 1:K) acc[j] = lp[j] + log(A[j, k]);
        nlp[k] = log_sum_exp(acc) + normal_lpdf(y[n, t] | mu[k], s);
      }
      lp = nlp;
    }
    target += log_sum_exp(lp);
  }
}
