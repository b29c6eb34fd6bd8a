#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <dpvi/fit/plan/privacy_plan.hpp>

namespace dpvi {

// Noise multipliers of plans around one plan. They have its delta, sampling rate, adjacency and
// accountant, and differ in epsilon and steps.
struct ExplorerGrid {
  double delta = 0.0;
  double sampling_rate = 1.0;
  Adjacency adjacency = Adjacency::substitute;
  std::vector<double> epsilons;                       // increasing
  std::vector<std::int64_t> steps;                    // increasing
  std::vector<std::vector<double>> noise_multiplier;  // a row for each of `steps`; NaN: no plan
  std::size_t chosen_epsilon = 0, chosen_steps = 0;   // places of the plan itself
};

// Solves every plan of the grid. Requires a plan with one phase.
ExplorerGrid explorer_grid(const PrivacyPlan& plan);

// A page that shows epsilon against noise, steps and rows, complete without scripts. Its script
// reads numbers of the grid and computes no privacy cost itself.
std::string explorer_html(const ExplorerGrid& grid);

}  // namespace dpvi
