#pragma once

#include <span>
#include <string>
#include <vector>

#include <dpvi/eval/row_evaluator.hpp>

namespace dpvi {

// One number of every row, over the draws of a posterior. NaN where a draw has no value, and in
// rows that cannot be used.
struct RowSummary {
  std::string name;
  std::vector<double> mean, q5, q95;

  RowSummary(std::string what, std::size_t rows);
  // Changes the order of the draws.
  void set(std::size_t row, std::span<double> draws);
};

// The points at which rows are evaluated, and how fast.
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
