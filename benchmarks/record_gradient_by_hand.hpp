#pragma once

// What the tape is measured against: the models written out for one block of 16 records, with
// nothing that the model does not need. Built for AVX2 and FMA.
namespace dpvi {

// Columns: dim covariates, then the outcome as -1 or 1. Parameters: intercept, coefficients.
void logistic_block(int dim, const double* theta, const double* block, double* log_density,
                    double* gradient);

// What a mixture of five spherical normals computes once a draw.
struct MixtureDraw {
  double constant[5];  // log weight minus the log of the normalising constant
  double weight[5];
  double precision[5];  // 1 / variance
};

MixtureDraw begin_mixture(int dim, const double* theta);

// Columns: a point. Parameters: log weights before the softmax, log standard deviations, means.
void mixture_block(int dim, const MixtureDraw& draw, const double* theta, const double* block,
                   double* log_density, double* gradient);

}  // namespace dpvi
