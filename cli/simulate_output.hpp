#pragma once

#include <string>

#include <dpvi/eval/simulation_result.hpp>

namespace dpvi::cli {

std::string simulation_text(const Simulation& simulation);
std::string simulation_json(const Simulation& simulation);

}  // namespace dpvi::cli
