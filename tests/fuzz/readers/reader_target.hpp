#pragma once

#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dpvi {

// One reader of files, which may be hostile. `read` takes the content of a file through all stages
// of that reader. An Error is a refusal and stays inside; internal errors and all other exceptions
// leave it, as no content may cause them. Returns true if the content is not refused.
struct ReaderTarget {
  std::string_view name;
  bool (*read)(std::string_view content);
};

// Names the reader in messages of tests.
inline std::ostream& operator<<(std::ostream& out, const ReaderTarget& target) {
  return out << target.name;
}

// The readers that libFuzzer attacks and whose corpus the suite replays.
std::span<const ReaderTarget> reader_targets();

// Returns nullptr if there is none.
const ReaderTarget* find_reader_target(std::string_view name);

// Contents that a mutator would hardly find: valid files, deep nesting, large numbers.
std::vector<std::string> reader_seeds(std::string_view target);

// Contents that take too long for a mutator, such as compressed data that expand far.
std::vector<std::string> large_reader_inputs(std::string_view target);

// The readers, one for each file of this folder.
bool read_program(std::string_view content);
bool read_schema_text(std::string_view content);
bool read_config(std::string_view content);
bool read_table(std::string_view content);
bool read_stan_data(std::string_view content);
bool read_points_text(std::string_view content);
bool read_bundle_file_of_stranger(std::string_view content);
bool read_ledger_file(std::string_view content);
bool read_ledger_lines(std::string_view content);
bool read_checkpoint(std::string_view content);

}  // namespace dpvi
