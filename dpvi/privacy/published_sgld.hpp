#pragma once

namespace dpvi {

// A run of differentially private stochastic gradient Langevin dynamics, as Wang, Fienberg & Smola
// (2015) describe it.
struct SgldRun {
  double epsilon = 1.0;
  double delta = 1e-3;
  double passes = 10.0;        // over the data
  double sampling_rate = 0.1;  // batch size / records
};

// The noise of their algorithm, as a multiple of the Lipschitz constant L that it assumes of every
// record's gradient: q sqrt(C) / L with C = 128 T L^2 / (q epsilon^2) ln(5 T / (2 q delta))
// ln(2 / delta), T passes and q the sampling rate; L itself cancels. Their claim of (epsilon,
// delta) holds for gradients that are clipped to L; a PLD says more about the same run.
double published_sgld_noise_multiplier(const SgldRun& run);

}  // namespace dpvi
