#include <dpvi/fit/check/program_summary.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <dpvi/base/error.hpp>
#include <dpvi/fit/prepare/persons.hpp>
#include <dpvi/fit/prepare/program_data.hpp>
#include <dpvi/stan/syntax/expression_text.hpp>

namespace dpvi {
namespace {

std::string short_value(const PublicValue& value) {
  constexpr std::size_t kShown = 4;
  if (value.dimensions.empty() && !value.numbers.empty())
    return fmt::format("{}", value.numbers.front());
  const std::size_t count = std::min(kShown, value.numbers.size());
  return fmt::format("[{}{}]",
                     fmt::join(value.numbers.begin(), value.numbers.begin() + count, ", "),
                     count < value.numbers.size() ? ", ..." : "");
}

void summarise_data(ModelCheck& check) {
  for (const DataBlockVariable& variable : check.data.variables) {
    const Declaration& declaration = *variable.declaration;
    if (variable.role == DataRole::record) {
      std::vector<std::string> columns;
      if (variable.sizes.empty()) columns = {declaration.name};
      check.record_data.push_back(
          {declaration.name, variable.type_description, std::move(columns)});
    } else if (variable.role == DataRole::known) {
      check.public_data.push_back(
          {declaration.name, variable.type_description, declaration.type().is_scalar(), "", ""});
    }
  }
}

void summarise_parameters(ModelCheck& check, const StanProgram& program) {
  for (const StatementPtr& statement : program.block(BlockKind::parameters).statements) {
    if (statement->kind != StatementKind::declaration) continue;
    const Declaration& declaration = *statement->declaration;
    if (std::ranges::count(check.local_latents, declaration.name) > 0) continue;
    std::optional<std::int64_t> size;  // otherwise depends on public data
    if (declaration.type().is_scalar()) size = 1;
    check.parameters.push_back({declaration.name, type_description(declaration), size, size});
  }
  if (check.parameters.empty()) {
    check.add(InputError(kNothingToFit, "The program has no parameters.",
                         "There is nothing to fit.", {check.file, 0, 0}));
  }
}

}  // namespace

Findings summarise_program(CheckState& state) {
  ModelCheck& check = state.check;
  Findings findings, about_count;
  const Schema& schema = state.request.schema;
  check.data =
      describe_data_block(state.program, record_counts(schema, check.record_count), findings);
  if (!check.data.tables.empty()) {
    check.record_count = fmt::format("{}", fmt::join(check.data.tables, ", "));
  } else if (const auto other = other_record_count(state.program, check.record_count)) {
    about_count = std::exchange(findings, Findings());
    check.record_count = *other;
    check.data = describe_data_block(state.program, check.record_count, findings);
  }
  join_declared_units(state.program, state.request.schema, check.data, findings);
  state.take(findings);
  check.local_latents = local_latents(state.program, check.data);
  summarise_data(check);
  note_values(state, state.request.schema.public_values);
  note_values(state, state.request.public_data);
  summarise_parameters(check, state.program);
  return about_count;
}

void ask_about_levels(CheckState& state) {
  const DeclaredTable declared{state.request.schema, state.request.public_data, std::nullopt};
  const auto undecided =
      undecided_levels(state.program, state.check.data, declared, state.check.file);
  if (undecided) state.check.add(*undecided);
}

void note_values(CheckState& state, const PublicData& values) {
  for (PublicDataSummary& known : state.check.public_data) {
    const auto found = values.find(known.name);
    if (found == values.end()) continue;
    known.value = short_value(found->second);
    known.source = found->second.source;
  }
}

void warn_of_brms(CheckState& state) {
  const std::string_view text = state.request.program.source.text();
  const std::size_t found = text.find("generated with brms");
  if (found == std::string_view::npos) return;
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<long>(found), '\n');
  state.check.add(LeakError(kWouldPublish,
                            "brms computes default priors from the data, and the program is "
                            "published with the result.",
                            "Give brms every prior yourself (set_prior), from public knowledge.",
                            {state.check.file, static_cast<int>(line), 1}),
                  Severity::warning);
}

}  // namespace dpvi
