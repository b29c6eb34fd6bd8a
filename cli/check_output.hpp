#pragma once

#include <optional>
#include <string>

#include <dpvi/data/schema.hpp>
#include <dpvi/fit/model_check.hpp>
#include <dpvi/fit/point_densities.hpp>

#include "points_file.hpp"

namespace dpvi::cli {

// For programs: one JSON document; `points` is a JSON list to be put in, or empty.
std::string check_json(const ModelCheck& check, const std::string& points);

// A JSON list with the densities at every point.
std::string points_json(const Points& points, PointEvaluator& evaluator);

// For people: what the program wants, what it gives, and what to do next.
struct CheckWords {
  std::string flags;  // as they would be repeated for a fit
  std::string data_note;
  std::optional<DeclaredUnit> unit = std::nullopt;
};
std::string check_text(const ModelCheck& check, const CheckWords& words);

// Findings as they go to standard error, with the line of the program and a caret.
std::string findings_text(const ModelCheck& check, const SourceText& source, bool errors_only);

}  // namespace dpvi::cli
