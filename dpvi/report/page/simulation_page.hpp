#pragma once

#include <string>

#include <dpvi/eval/simulation_result.hpp>

namespace dpvi {

// A page about a simulation of fits: the width of intervals against rows and epsilon, how often
// they contain the truth, and all numbers.
std::string simulation_html(const Simulation& simulation, const std::string& model);

}  // namespace dpvi
