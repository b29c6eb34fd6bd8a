#pragma once

#include <string>

namespace dpvi::cli {

// What the script after a start has to name. Paths are absolute.
struct NextSteps {
  std::string program;  // of dpvi itself
  std::string table;
  std::string model = {};  // Stan program; empty: model.stan, which the formula writes
  std::string formula = {};
  std::string likelihood = {};
  bool asks_for_unit = false;
};

// A shell script with the commands from a completed schema to a result. Without an argument it
// rehearses on mock records: no record is read and nothing is spent. With one, it fits at that
// epsilon.
std::string next_script(const NextSteps& steps);

}  // namespace dpvi::cli
