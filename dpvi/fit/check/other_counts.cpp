#include <dpvi/fit/check/other_counts.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <dpvi/base/error.hpp>
#include <dpvi/fit/prepare/observed_public_data.hpp>

namespace dpvi {

void refuse_several_counts(ModelCheck& check, const std::vector<std::string>& undeclared) {
  if (!check.record_data.empty()) return;
  std::vector<std::string> counts;
  for (const DataBlockVariable& variable : check.data.variables) {
    const std::string& name = variable.declaration->name;
    if (std::find(undeclared.begin(), undeclared.end(), name) == undeclared.end()) continue;
    if (variable.sizes.empty() || variable.sizes[0].size.empty()) continue;
    const std::string& count = variable.sizes[0].size;
    if (std::find(counts.begin(), counts.end(), count) == counts.end()) counts.push_back(count);
  }
  if (counts.empty()) return;
  const std::string list = fmt::format("{}", fmt::join(counts, ", "));
  if (counts.size() == 1) {
    return check.add(InputError(
        kModelRecords,
        fmt::format("{} is not the first size of any data; {} is.", check.record_count, list),
        fmt::format("Give --records {} if it counts the records.", list), {check.file, 1, 1}));
  }
  check.add(InputError(
      kModelRecords,
      fmt::format("{} is not the first size of any data; {} are.", check.record_count, list),
      fmt::format("If one of them counts the records, give --records NAME. If they count the same "
                  "records, write {0} for them: one table, one count (brms: drop rows with missing "
                  "values first, then replace {1} by {0}).",
                  check.record_count, list),
      {check.file, 1, 1}));
}

void refuse_second_table(ModelCheck& check, const StanProgram& program,
                         const std::vector<std::string>& undeclared) {
  if (check.record_data.empty()) return;
  for (const ObservedPublicData& observed : observed_public_data(program, check.data)) {
    const DataBlockVariable& variable = *observed.variable;
    const std::string& name = variable.declaration->name;
    if (std::find(undeclared.begin(), undeclared.end(), name) == undeclared.end()) continue;
    const SourcePlace place{check.file, static_cast<int>(observed.spot.line),
                            static_cast<int>(observed.spot.column)};
    check.add(InputError(
        kModelRecords,
        fmt::format(
            "'{}' ({}) is observed like record data, but its first size is {} instead of {}.", name,
            variable.type_description, variable.sizes[0].text, check.record_count),
        fmt::format(
            "If {0} counts the records and {2} counts groups of them, give --records {0}. If {0} "
            "counts the same records as {2}, declare '{1}' with {2} too; if it counts other "
            "records, put all into one table with one count and an indicator column (e.g. event = "
            "0 or 1). If '{1}' is public, give it in --public FILE.json.",
            variable.sizes[0].size, name, check.record_count),
        place));
  }
}

}  // namespace dpvi
