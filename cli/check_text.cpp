#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "check_output.hpp"

namespace dpvi::cli {
namespace {

using Out = std::back_insert_iterator<std::string>;

// Widths of the name and type columns, fitted to their contents.
struct Columns {
  std::size_t name = 4;
  std::size_t type = 8;
  void fit(const std::string& name_text, const std::string& type_text) {
    constexpr std::size_t kWidestName = 20, kWidestType = 36;
    name = std::max(name, std::min(kWidestName, name_text.size()));
    type = std::max(type, std::min(kWidestType, type_text.size()));
  }
  void row(Out out, const std::string& first, const std::string& second,
           const std::string& rest) const {
    if (rest.empty()) {
      fmt::format_to(out, "  {:<{}}  {}\n", first, name, second);
    } else {
      fmt::format_to(out, "  {:<{}}  {:<{}}  {}\n", first, name, second, type, rest);
    }
  }
};

std::string plural(std::int64_t count, const std::string& word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 6;
  if (names.size() <= kShown) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{}, {}, ... {} ({} in all)", names[0], names[1], names.back(), names.size());
}

void write_record(Out out, const ModelCheck& check, const Columns& columns,
                  const std::optional<DeclaredUnit>& unit) {
  if (check.record_data.empty()) {
    fmt::format_to(out,
                   "Record data: none. No data variable has {} as its first size, so no record has "
                   "any influence.\n",
                   check.record_count);
    return;
  }
  if (!check.data.tables.empty()) {
    fmt::format_to(out, "One record is {}. The tables are counted by {}. Their rows provide\n",
                   unit ? fmt::format("all rows of the tables with the same {} (the first {} are "
                                      "used)",
                                      unit->column, unit->max_rows)
                        : "one row of one of the tables",
                   check.record_count);
  } else if (unit) {
    fmt::format_to(out,
                   "One record is all rows of the table with the same {} (the first {} are used); "
                   "{} counts rows. Each row provides\n",
                   unit->column, unit->max_rows, check.record_count);
  } else {
    fmt::format_to(out,
                   "One record is one row of the table; {} counts the rows. Each row provides\n",
                   check.record_count);
  }
  for (const RecordDataSummary& data : check.record_data) {
    const std::string where =
        data.columns.empty()
            ? fmt::format("columns {0}.1, {0}.2, ...", data.name)
            : fmt::format("column{} {}", data.columns.size() == 1 ? "" : "s", listed(data.columns));
    columns.row(out, data.name, data.type, where);
  }
}

void write_public(Out out, const ModelCheck& check, const Columns& columns) {
  if (check.public_data.empty()) return;
  fmt::format_to(out, "\nPublic data, which the result reveals\n");
  for (const PublicDataSummary& data : check.public_data) {
    std::string state;
    if (!data.value.empty()) {
      state = fmt::format("= {} ({})", data.value, data.source);
    } else if (data.is_scalar) {
      state = fmt::format("still to be given: -D {}=...", data.name);
    } else {
      state = fmt::format("still to be given: --public FILE.json with \"{}\"", data.name);
    }
    columns.row(out, data.name, data.type, state);
  }
}

bool wants_public_data(const ModelCheck& check) {
  return std::any_of(check.public_data.begin(), check.public_data.end(),
                     [](const PublicDataSummary& data) { return data.value.empty(); });
}

std::string size_text(const ModelCheck& check, const ParameterSummary& parameter) {
  if (!parameter.size) return wants_public_data(check) ? "size not known yet" : "";
  if (parameter.unconstrained == parameter.size) return plural(*parameter.size, "number");
  return fmt::format("{}, {} unconstrained", plural(*parameter.size, "number"),
                     *parameter.unconstrained);
}

void write_parameters(Out out, const ModelCheck& check, const Columns& columns) {
  std::string total;
  if (check.unconstrained_dim) {
    total = fmt::format(": {} unconstrained", plural(*check.unconstrained_dim, "number"));
  } else if (wants_public_data(check)) {
    total = ": the number depends on public data that are not given yet";
  }
  fmt::format_to(out, "\nParameters{}\n", total);
  for (const ParameterSummary& parameter : check.parameters) {
    columns.row(out, parameter.name, parameter.type, size_text(check, parameter));
  }
  if (check.local_latents.empty()) return;
  const std::string method = check.model ? check.model->stan().latent_method : "";
  fmt::format_to(out, "\nLatent variables of each record, integrated out{}{}: {}\n",
                 method.empty() ? "" : " by ", method, listed(check.local_latents));
}

void write_outputs(Out out, const ModelCheck& check) {
  std::vector<std::string> kept = check.transformed.kept;
  kept.insert(kept.end(), check.generated.kept.begin(), check.generated.kept.end());
  if (!kept.empty()) fmt::format_to(out, "\nAlso in the result: {}\n", listed(kept));
  std::vector<DroppedQuantity> dropped = check.transformed.dropped;
  dropped.insert(dropped.end(), check.generated.dropped.begin(), check.generated.dropped.end());
  if (dropped.empty()) return;
  fmt::format_to(out, "\nLeft out of the result\n");
  for (const DroppedQuantity& quantity : dropped) {
    fmt::format_to(out, "  {}: {}\n", quantity.name, quantity.reason);
  }
}

void write_tests(Out out, const ModelCheck& check) {
  if (!check.model) return;
  fmt::format_to(out, "\nTested on mock records{}\n",
                 check.with_mock_data ? " and mock public data" : "");
  const char* factorises = !check.factorises   ? "could not be tested"
                           : *check.factorises ? "yes"
                                               : "NO";
  fmt::format_to(out, "  the log density is a sum over records: {}\n", factorises);
  const GradientTest& gradients = *check.gradients;
  fmt::format_to(out, "  gradients agree with finite differences: {}\n",
                 gradients.compared == 0 ? "could not be tested"
                 : gradients.passed()    ? "yes"
                                         : "NO");
  if (check.model->stan().prior_from_mock_record) {
    fmt::format_to(out,
                   "  the program cannot run without records; its prior was computed from the\n"
                   "  densities of one and two copies of a mock record\n");
  }
}

void write_next(Out out, const ModelCheck& check, const CheckWords& words) {
  if (!check.ok()) {
    const auto errors = std::count_if(
        check.findings.begin(), check.findings.end(),
        [](const CheckFinding& finding) { return finding.severity == Severity::error; });
    fmt::format_to(out, "\nNot ready: {} to correct.\n", plural(errors, "error"));
    return;
  }
  std::string flags = words.flags;
  bool wants_file = false;
  for (const PublicDataSummary& data : check.public_data) {
    if (!data.value.empty()) continue;
    if (data.is_scalar) flags += fmt::format(" -D {}=...", data.name);
    wants_file = wants_file || !data.is_scalar;
  }
  if (wants_file) flags += " --public FILE.json";
  fmt::format_to(out, "\nNext: dpvi fit {}{}{} --epsilon 1 --out RESULT\n", check.file,
                 words.tables_have_files ? "" : " RECORDS.csv", flags);
}

std::string finding_text(const CheckFinding& finding, const SourceText& source) {
  if (finding.place.file == source.file_name()) {
    const Spot spot{static_cast<std::uint32_t>(finding.place.line),
                    static_cast<std::uint32_t>(finding.place.column)};
    return render({finding.severity, finding.code, spot, finding.message, finding.hint}, source);
  }
  const Error error(finding.code, finding.message, finding.hint, finding.place);
  const std::string line = error.what();
  return finding.severity == Severity::error ? line : "warning" + line.substr(line.find('['));
}

}  // namespace

std::string check_text(const ModelCheck& check, const CheckWords& words) {
  Columns columns;
  for (const auto& data : check.record_data) columns.fit(data.name, data.type);
  for (const auto& data : check.public_data) columns.fit(data.name, data.type);
  for (const auto& parameter : check.parameters) columns.fit(parameter.name, parameter.type);
  std::string text;
  const Out out = std::back_inserter(text);
  write_record(out, check, columns, words.unit);
  write_public(out, check, columns);
  write_parameters(out, check, columns);
  write_outputs(out, check);
  write_tests(out, check);
  if (!words.data_note.empty()) fmt::format_to(out, "\n{}\n", words.data_note);
  write_next(out, check, words);
  return text;
}

std::string findings_text(const ModelCheck& check, const SourceText& source, bool errors_only) {
  std::string text;
  for (const CheckFinding& finding : check.findings) {
    if (errors_only && finding.severity != Severity::error) continue;
    text += finding_text(finding, source) + "\n";
  }
  return text;
}

}  // namespace dpvi::cli
