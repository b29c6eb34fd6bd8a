#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <dpvi/api/opened_bundle.hpp>
#include <dpvi/api/table.hpp>
#include <dpvi/base/all_cores.hpp>
#include <dpvi/eval/synthetic_rows.hpp>

namespace dpvi {

// Synthetic tables drawn by the program of a bundle, each at one draw from the posterior.
struct SynthRequest {
  std::optional<std::size_t> rows = std::nullopt;  // per table; default: those of the covariates
  std::size_t datasets = 1;
  // Public rows with the columns that are not drawn. nullopt: mock columns from the schema.
  std::optional<Table> covariates = std::nullopt;
  std::vector<Replicate> replicates = {};  // which quantity draws a variable; default by name
  std::uint64_t seed = 1;
  int threads = all_cores();
};

// How tables were drawn.
struct SyntheticDraws {
  std::vector<Replicate> drawn;
  std::size_t unusable_covariates = 0;  // left out
};

struct SyntheticTables : SyntheticDraws {
  std::vector<std::string> csv;
};

// The rows of all tables together are limited.
inline constexpr std::size_t kMostSyntheticRows = 10'000'000;

// Takes the next piece of the CSV text of a table, which counts from 0. Tables come in order.
using TableSink = std::function<void(std::size_t table, std::string_view text)>;

// Holds no more than one piece of a table in memory, besides the covariates.
SyntheticDraws draw_tables(const OpenedBundle& opened, const SynthRequest& request,
                           const TableSink& sink);

SyntheticTables draw_tables(const OpenedBundle& opened, const SynthRequest& request);

}  // namespace dpvi
