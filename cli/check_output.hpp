#pragma once

#include <optional>
#include <string>

#include <dpvi/data/schema.hpp>
#include <dpvi/fit/check/model_check.hpp>
#include <dpvi/fit/check/point_densities.hpp>

#include "points_file.hpp"

namespace dpvi::cli {

// Machine-readable report: one JSON document. `points` is a JSON list to embed, or empty.
std::string check_json(const ModelCheck& check, const std::string& points);

// Returns a JSON list with the densities at every point.
std::string points_json(const Points& points, PointEvaluator& evaluator);

// Context for the human-readable report on the program's inputs, its outputs and the next step.
struct CheckWords {
  std::string flags;  // flags to repeat for a fit
  std::string data_note;
  std::optional<DeclaredUnit> unit = std::nullopt;
  bool tables_have_files = false;  // so a fit takes no DATA
};
std::string check_text(const ModelCheck& check, const CheckWords& words);

// Formats findings for stderr, each with its program line and a caret.
std::string findings_text(const ModelCheck& check, const SourceText& source, bool errors_only);

}  // namespace dpvi::cli
