#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <dpvi/experiment/target.hpp>

namespace dpvi {

// What a point of a figure cost and what it came to.
struct PointResult {
  std::string figure;
  std::string reading;
  std::string series;
  std::string method;
  std::string setting;  // for people
  std::string measure;  // accuracy, or log density
  double delta = 0.0;
  std::optional<double> epsilon_asked;       // what the run was planned for, if it was so planned
  std::optional<double> epsilon_published;   // as the paper printed or plotted it
  std::optional<double> epsilon_paper;       // by its moments accountant, or as a method claims it
  std::optional<double> epsilon_advanced;    // by its advanced composition
  std::optional<double> epsilon_substitute;  // certified upper bounds
  std::optional<double> epsilon_add_remove;
  RunMean score;
  std::optional<RunMean> log_score;
  std::optional<Target> target;
  std::optional<Verdict> verdict;

  bool missed() const { return verdict && verdict->missed; }
  // Where a figure shows it: as published, else as asked for, else as the paper would claim it.
  std::optional<double> shown_epsilon() const;
};

// One line per point below a header; empty cells where there is nothing to say.
std::string results_csv(std::span<const PointResult> points);

// For a terminal: what was expected, what came, and whether that was near enough.
std::string results_table(std::span<const PointResult> points);

}  // namespace dpvi
