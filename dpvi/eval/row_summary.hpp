#pragma once

#include <span>
#include <string>
#include <vector>

#include <dpvi/eval/row_evaluator.hpp>

namespace dpvi {

// Summary of one number of every row over posterior draws. NaN if a draw has no value or the row is
// not usable.
struct RowSummary {
  std::string name;
  std::vector<double> mean, q5, q95;

  RowSummary(std::string what, std::size_t rows);
  // Changes the order of the draws.
  void set(std::size_t row, std::span<double> draws);
};

// The posterior points at which rows are evaluated, with generator and number of threads.
struct PosteriorPoints {
  std::span<const std::vector<double>> thetas;
  SeededGenerator generator;
  int threads = 1;
};

// Means and quantiles of the quantities' entries, in the order given.
std::vector<RowSummary> summarise_quantities(const RowProgram& program,
                                             std::span<const RowQuantity* const> quantities,
                                             const RowTable& rows, const PosteriorPoints& points);

}  // namespace dpvi
