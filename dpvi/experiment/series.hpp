#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <dpvi/base/error.hpp>
#include <dpvi/experiment/mixture_table.hpp>
#include <dpvi/experiment/target.hpp>

namespace dpvi {

enum class Method {
  dpvi,        // `dpvi fit` with the given flags
  dp_sgld,     // Wang, Fienberg & Smola (2015), in the same loop
  non_private  // `dpvi fit --non-private`
};
inline constexpr Method kMethods[] = {Method::dpvi, Method::dp_sgld, Method::non_private};

std::string_view name_of(Method method);

// Constants of DP-SGLD that are not flags of `dpvi fit`.
struct SgldSettings {
  double passes = 10.0;    // over the data
  double lipschitz = 5.0;  // the clip bound; theta stays in a ball of radius one less
};

// One point of a curve.
struct SeriesPoint {
  // Exactly one of the two is given, unless the method is not private. The paper's sigma is half
  // our noise multiplier: its noise is relative to the sensitivity under substitution, ours to the
  // clip bound.
  std::optional<double> sigma;
  std::optional<double> epsilon;
  std::optional<double> published_epsilon;  // as printed or plotted
  std::optional<Target> target;
};

// One curve of a figure: a program fitted to a table by one method, at several settings.
struct Series {
  std::string figure;
  std::string reading;  // name of the file that describes the series
  std::string name;
  std::string table;
  std::string model;  // file name in the experiment's models folder
  Method method = Method::dpvi;
  std::vector<std::pair<std::string, std::string>> flags;  // of `dpvi fit`, without dashes
  // Clip bound for gradients scaled by 1 / sampling rate, which is what the paper clips.
  std::optional<double> scaled_clip_bound;
  bool declared = false;  // true if the fit is given the columns' means and the table's size
  double delta = 1e-3;
  double accounted_delta = 1e-3;  // delta that the paper's figure gave its moments accountant
  std::size_t runs_factor = 1;    // multiplies the requested number of runs
  SgldSettings sgld;
  std::vector<SeriesPoint> points;
  SourcePlace place;

  // The number given for a flag, or nullopt.
  std::optional<double> number(std::string_view flag) const;
};

// Requires one series of a reading to score higher than another, by at least `by`.
struct RankingRequirement {
  std::string figure;
  std::string reading;
  std::string ahead, behind;  // names of series
  std::size_t ahead_point = 0, behind_point = 0;
  double by = 0.0;
};

struct ExperimentFile {
  std::vector<Series> series;
  std::vector<RankingRequirement> leads;
  std::vector<std::pair<std::string, MixtureData>> mixtures;  // tables to generate, by name
};

// Rules for quick runs, which leave out points and widen tolerances.
struct QuickRules {
  bool quick = false;
  double tolerance = 0.03;  // smallest tolerance of a quick run
};

// Reads one file of an experiment. Unknown keys, values of the wrong type and lists of unequal
// length are refused (DP371) with their line.
ExperimentFile read_reading(const std::string& path, const QuickRules& rules);

}  // namespace dpvi
