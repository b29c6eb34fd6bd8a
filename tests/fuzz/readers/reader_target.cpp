#include <tests/fuzz/readers/reader_target.hpp>

#include <algorithm>

namespace dpvi {
namespace {

constexpr ReaderTarget kTargets[] = {
    {"program", &read_program},
    {"schema", &read_schema_text},
    {"config", &read_config},
    {"table", &read_table},
    {"stan_json", &read_stan_data},
    {"points", &read_points_text},
    {"bundle", &read_bundle_file_of_stranger},
    {"ledger", &read_ledger_file},
    {"ledger_lines", &read_ledger_lines},
    {"checkpoint", &read_checkpoint},
};

}  // namespace

std::span<const ReaderTarget> reader_targets() { return kTargets; }

const ReaderTarget* find_reader_target(std::string_view name) {
  const auto* found = std::ranges::find(kTargets, name, &ReaderTarget::name);
  return found == std::end(kTargets) ? nullptr : found;
}

}  // namespace dpvi
