#pragma once

#include <span>
#include <string>
#include <vector>

#include <dpvi/report/atomic_folder.hpp>

#include "reproduce_runs.hpp"

namespace dpvi::cli {

// Description of the run for the index page.
struct ReproductionRun {
  std::string started_at;  // UTC
  double seconds = 0.0;    // total, including reading and planning
  std::size_t runs = 0;    // number requested
  int threads = 1;
  bool quick = false;
  std::vector<std::string> seeds;  // sentences on the sources of randomness
};

struct Figure {
  std::string name;
  std::vector<PointResult> points;
  std::string picture;  // SVG
};

// Draws scores against epsilon, with the expected curves beside the obtained ones.
std::string figure_chart(const std::string& figure, std::span<const PointResult> points);

// A fitted mixture and the records it was fitted to.
struct MixtureView {
  std::string title;
  const ExperimentTable* table;
  const RecordModel* model;
  const KeptPosterior* posterior;
};
std::string mixture_map(const std::string& title, std::span<const MixtureView> views);

// Returns a CSV table and a picture for each figure, and index.html.
std::vector<FolderFile> reproduction_files(std::span<const Figure> figures,
                                           const ReproductionRun& run);

}  // namespace dpvi::cli
