#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <dpvi/experiment/target.hpp>

namespace dpvi {

// Privacy cost and scores of one point of a figure.
struct PointResult {
  std::string figure;
  std::string reading;
  std::string series;
  std::string method;
  std::string setting;  // for display
  std::string measure;  // accuracy, or log density
  double delta = 0.0;
  std::optional<double> epsilon_asked;       // of the plan, if it was made for an epsilon
  std::optional<double> epsilon_published;   // as the paper printed or plotted it
  std::optional<double> epsilon_paper;       // by the paper's moments accountant, or as claimed
  std::optional<double> epsilon_advanced;    // by the paper's advanced composition
  std::optional<double> epsilon_substitute;  // certified upper bounds
  std::optional<double> epsilon_add_remove;
  RunMean score;
  std::optional<RunMean> log_score;
  std::optional<Target> target;
  std::optional<Verdict> verdict;

  // A target that is only shown is never missed.
  bool missed() const { return has_gate() && verdict->outcome == Outcome::missed; }
  bool undecided() const { return has_gate() && verdict->outcome == Outcome::undecided; }
  // The epsilon at which a figure shows the point: as published, else as requested, else as the
  // paper would claim it.
  std::optional<double> shown_epsilon() const;

 private:
  bool has_gate() const { return verdict && target && target->gate != GateKind::shown; }
};

// The verdict in words, such as "undecided (about 40 runs would decide)". Empty without a target.
std::string verdict_text(const PointResult& point);

// CSV with a header and one line per point; a cell without a value is empty.
std::string results_csv(std::span<const PointResult> points);

// Table for a terminal: expected and observed scores, with verdicts that are not "met".
std::string results_table(std::span<const PointResult> points);

}  // namespace dpvi
