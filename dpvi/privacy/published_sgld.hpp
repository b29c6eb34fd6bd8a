#pragma once

namespace dpvi {

// A run of differentially private stochastic gradient Langevin dynamics, as described by Wang,
// Fienberg & Smola (2015).
struct SgldRun {
  double epsilon = 1.0;
  double delta = 1e-3;
  double passes = 10.0;        // over the data
  double sampling_rate = 0.1;  // batch size / records
};

// Noise of their algorithm as a multiple of L, the Lipschitz constant that it assumes for every
// record's gradient: q sqrt(C) / L with C = 128 T L^2 / (q epsilon^2) ln(5 T / (2 q delta))
// ln(2 / delta). T is the number of passes and q the sampling rate; L cancels. Their claim of
// (epsilon, delta) holds for gradients that are clipped to L. A PLD says more about the same run.
double published_sgld_noise_multiplier(const SgldRun& run);

}  // namespace dpvi
