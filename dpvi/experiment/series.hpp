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
  dpvi,        // what `dpvi fit` does, with the flags given
  dp_sgld,     // Wang, Fienberg & Smola (2015), in the same loop
  non_private  // what `dpvi fit --non-private` does
};
inline constexpr Method kMethods[] = {Method::dpvi, Method::dp_sgld, Method::non_private};

std::string_view name_of(Method method);

// Constants of DP-SGLD that are not flags of a fit.
struct SgldSettings {
  double passes = 10.0;    // over the data
  double lipschitz = 5.0;  // the clip bound; theta stays in a ball of radius one less
};

// One point of a curve.
struct SeriesPoint {
  // Exactly one is given, unless the method is not private. The paper's sigma is half our noise
  // multiplier: its noise is relative to what replacing a record can change, ours to the clip
  // bound.
  std::optional<double> sigma;
  std::optional<double> epsilon;
  std::optional<double> published_epsilon;  // as printed or plotted
  std::optional<Target> target;
};

// One curve of a figure: a program fitted to a table in one way, at several settings.
struct Series {
  std::string figure;
  std::string reading;  // name of the file that describes it
  std::string name;
  std::string table;
  std::string model;  // file name within the experiment's models
  Method method = Method::dpvi;
  std::vector<std::pair<std::string, std::string>> flags;  // of `dpvi fit`, without dashes
  // The paper clips gradients that are scaled by 1 / sampling rate.
  std::optional<double> scaled_clip_bound;
  bool declared = false;  // whether the fit is told of the columns' means and the table's size
  double delta = 1e-3;
  double accounted_delta = 1e-3;  // what the paper's figure gave its moments accountant
  std::size_t runs_factor = 1;    // times the runs asked for
  SgldSettings sgld;
  std::vector<SeriesPoint> points;
  SourcePlace place;

  // The value of a flag, if it is given.
  std::optional<double> number(std::string_view flag) const;
};

// One series of a reading is to be ahead of another.
struct Lead {
  std::string figure;
  std::string reading;
  std::string ahead, behind;  // names of series
  std::size_t ahead_point = 0, behind_point = 0;
  double by = 0.0;
};

struct Reading {
  std::vector<Series> series;
  std::vector<Lead> leads;
  std::vector<std::pair<std::string, MixtureData>> mixtures;  // tables to draw, by name
};

// What a quick run leaves out and how far it widens.
struct QuickRules {
  bool quick = false;
  double tolerance = 0.03;  // of a quick run, at least
};

// Reads one file of an experiment. Keys that do not exist, values of another kind and lists of
// unequal length are refused (DP371) with their line.
Reading read_reading(const std::string& path, const QuickRules& rules);

}  // namespace dpvi
