#pragma once

#include <span>
#include <string>
#include <vector>

#include <dpvi/report/atomic_folder.hpp>

#include "reproduce_panels.hpp"
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
  std::vector<FigurePanel> panels = {};  // empty for a map
  std::string picture = {};              // SVG, as a file
  std::string map_in_page = {};          // SVG, of a figure without panels
};

// Draws scores against epsilon, one comparison a panel.
void draw_figure(Figure& figure);

// A fitted mixture and the records it was fitted to.
struct MixtureView {
  std::string title;
  std::string setting;
  const ExperimentTable* table;
  const RecordModel* model;
  const KeptPosterior* posterior;
};
// Draws the mixtures side by side.
void draw_mixtures(Figure& figure, std::span<const MixtureView> views);

// Returns a CSV table and a picture for each figure, and index.html.
std::vector<FolderFile> reproduction_files(std::span<const Figure> figures,
                                           const ReproductionRun& run);

}  // namespace dpvi::cli
