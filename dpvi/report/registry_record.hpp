#pragma once

#include <nlohmann/json_fwd.hpp>

#include <dpvi/fit/train/fit_result.hpp>
#include <dpvi/report/statement_facts.hpp>

namespace dpvi {

// The fields that the Differential Privacy Deployments Registry of OpenDP asks for at its highest
// tier, under the registry's names. Fields that only people know are null unless [study] has them.
nlohmann::ordered_json registry_record(const FitResult& result, const StatementFacts& facts);

}  // namespace dpvi
