#pragma once

#include <span>
#include <string>
#include <vector>

#include <dpvi/report/atomic_folder.hpp>

#include "reproduce_runs.hpp"

namespace dpvi::cli {

// What ran, for the page that gathers the figures.
struct ReproductionRun {
  std::string started_at;  // UTC
  double seconds = 0.0;    // all of it, with reading and planning
  std::size_t runs = 0;    // asked for
  int threads = 1;
  bool quick = false;
  std::vector<std::string> seeds;  // sentences on what was drawn from where
};

struct Figure {
  std::string name;
  std::vector<PointResult> points;
  std::string picture;  // SVG
};

// Curves of scores against epsilon; the paper's own beside ours.
std::string figure_chart(const std::string& figure, std::span<const PointResult> points);

// The mixtures that were fitted, over the records they were fitted to.
struct MixtureView {
  std::string title;
  const ExperimentTable* table;
  const RecordModel* model;
  const KeptPosterior* posterior;
};
std::string mixture_map(const std::string& title, std::span<const MixtureView> views);

// A CSV table and a picture for each figure, and index.html.
std::vector<FolderFile> reproduction_files(std::span<const Figure> figures,
                                           const ReproductionRun& run);

}  // namespace dpvi::cli
