#include <dpvi/fit/check/model_check.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <dpvi/base/error.hpp>
#include <dpvi/base/nearest_name.hpp>
#include <dpvi/data/indexed_columns.hpp>
#include <dpvi/fit/check/failing_statement.hpp>
#include <dpvi/fit/check/other_counts.hpp>
#include <dpvi/fit/check/partial_binding.hpp>
#include <dpvi/fit/check/record_reads.hpp>
#include <dpvi/fit/mock/mock_public_data.hpp>
#include <dpvi/fit/prepare/program_data.hpp>
#include <dpvi/fit/prepare/requested_facts.hpp>
#include <dpvi/model/stan_functions.hpp>
#include <dpvi/stan/facts/record_dependence.hpp>
#include <dpvi/stan/prove/factorisation.hpp>
#include <dpvi/stan/run/mock_record_generator.hpp>
#include <dpvi/stan/syntax/expression_text.hpp>
#include <dpvi/tape/graph/reachable.hpp>

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

class ModelChecker {
 public:
  explicit ModelChecker(const CheckRequest& request)
      : request_(request), program_(request.program.program) {
    check_.file = request.program.source.file_name();
    check_.record_count = request.record_count;
  }

  ModelCheck run() {
    take(request_.program.findings);
    if (!check_.ok()) return std::move(check_);
    describe();
    warn_of_brms();
    if (check_.ok()) bind();
    if (check_.ok()) refuse_several_counts(check_, undeclared_);
    if (check_.ok()) build();
    if (check_.model) test();
    refuse_second_table(check_, program_, undeclared_);
    take(missing_count_);
    return std::move(check_);
  }

 private:
  void take(const Findings& findings) {
    for (const Finding& finding : findings.list()) {
      const SourcePlace place{check_.file, static_cast<int>(finding.spot.line),
                              static_cast<int>(finding.spot.column)};
      check_.findings.push_back(
          {finding.severity, finding.code, place, finding.message, finding.hint});
    }
  }

  // Collects what the program text alone shows.
  void describe() {
    Findings findings;
    check_.data = describe_data_block(program_, check_.record_count, findings);
    // Continues with the likely record count, so that all findings are reported at once.
    if (const auto other = other_record_count(program_, check_.record_count)) {
      missing_count_ = std::exchange(findings, Findings());
      check_.record_count = *other;
      check_.data = describe_data_block(program_, check_.record_count, findings);
    }
    take(findings);
    check_.local_latents = dpvi::local_latents(program_, check_.data);
    for (const DataBlockVariable& variable : check_.data.variables) {
      const Declaration& declaration = *variable.declaration;
      if (variable.role == DataRole::record) {
        std::vector<std::string> columns;
        if (variable.sizes.empty()) columns = {declaration.name};
        check_.record_data.push_back(
            {declaration.name, variable.type_description, std::move(columns)});
      } else if (variable.role == DataRole::known) {
        check_.public_data.push_back(
            {declaration.name, variable.type_description, declaration.type().is_scalar(), "", ""});
      }
    }
    note_values(request_.schema.public_values);
    note_values(request_.public_data);
    for (const StatementPtr& statement : program_.block(BlockKind::parameters).statements) {
      if (statement->kind != StatementKind::declaration) continue;
      const Declaration& declaration = *statement->declaration;
      std::optional<std::int64_t> size;  // otherwise depends on public data
      if (declaration.type().is_scalar()) size = 1;
      check_.parameters.push_back({declaration.name, type_description(declaration), size, size});
    }
    if (check_.parameters.empty()) {
      check_.add(InputError(kNothingToFit, "The program has no parameters.",
                            "There is nothing to fit.", {check_.file, 0, 0}));
    }
  }

  // brms writes medians and spreads of the response into its default priors.
  void warn_of_brms() {
    const std::string_view text = request_.program.source.text();
    const std::size_t found = text.find("generated with brms");
    if (found == std::string_view::npos) return;
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<long>(found), '\n');
    check_.add(LeakError(kWouldPublish,
                         "brms computes default priors from the data, and the program is "
                         "published with the result.",
                         "Give brms every prior yourself (set_prior), from public knowledge.",
                         {check_.file, static_cast<int>(line), 1}),
               Severity::warning);
  }

  void note_values(const PublicData& values) {
    for (PublicDataSummary& known : check_.public_data) {
      const auto found = values.find(known.name);
      if (found == values.end()) continue;
      known.value = short_value(found->second);
      known.source = found->second.source;
    }
  }

  void bind() {
    BindingRequest wanted;
    wanted.variables = data_variables(check_.data, check_.file);
    wanted.schema = request_.schema;
    wanted.public_data = request_.public_data;
    wanted.record_count = check_.record_count;
    try {
      PartialBinding partial = bind_what_is_known(wanted);
      binding_ = std::move(partial.binding);
      undeclared_ = std::move(partial.undeclared);
    } catch (const InputError& error) {
      return check_.add(error);
    }
    check_.with_mock_data = !undeclared_.empty();
    check_.options.record_count = check_.record_count;
    check_.options.known = known_data(binding_.public_data);
    check_.options.facts = record_facts(binding_);
    if (!request_.observed.empty()) forget_declared_bounds();
    check_.options.mock_missing = check_.with_mock_data;
    note_values(binding_.public_data);
    for (const BoundVariable& bound : binding_.variables) {
      const auto& slots =
          bound.base == BaseType::integer ? binding_.integer_slots : binding_.real_slots;
      std::vector<std::string> columns;
      for (std::size_t i = 0; i < bound.count; ++i) {
        const std::string& name = binding_.columns[slots[bound.first_slot + i].column].name;
        if (columns.empty() || columns.back() != name) columns.push_back(name);
      }
      record_data(bound.name).columns = std::move(columns);
    }
    warn_of_unused_values();
    if (!check_.with_mock_data) warn_of_unused_columns();
  }

  // Bounds declared by the program limit the min and max over the records of --data but need not
  // equal them. Facts declared in the schema are kept, as in a fit.
  void forget_declared_bounds() {
    const auto in_schema = [&](const std::string& column) {
      return std::any_of(request_.schema.columns.begin(), request_.schema.columns.end(),
                         [&](const ColumnSchema& one) { return one.name == column; });
    };
    for (const BoundVariable& bound : binding_.variables) {
      const auto& slots =
          bound.base == BaseType::integer ? binding_.integer_slots : binding_.real_slots;
      std::vector<ColumnFacts>& facts = check_.options.facts[bound.name];
      for (std::size_t i = 0; i < facts.size(); ++i) {
        if (in_schema(binding_.columns[slots[bound.first_slot + i].column].name)) continue;
        facts[i].lower.reset();
        facts[i].upper.reset();
      }
    }
  }

  RecordDataSummary& record_data(const std::string& name) {
    return *std::find_if(check_.record_data.begin(), check_.record_data.end(),
                         [&](const RecordDataSummary& one) { return one.name == name; });
  }

  // The name is misspelt or is not public data of the program.
  void warn_of_unused_values() {
    std::vector<std::string> names;
    for (const PublicDataSummary& known : check_.public_data) names.push_back(known.name);
    for (const auto& [name, value] : request_.public_data) {
      if (std::find(names.begin(), names.end(), name) != names.end()) continue;
      const auto near = nearest_name(name, names);
      // A name from a file is not quoted: the file may be the private table.
      const std::string what = value.place.file.empty()
                                   ? fmt::format("'{}' ({})", name, value.source)
                                   : "The variable here";
      check_.add(
          InputError(kBadPublicValue,
                     fmt::format("{} is no public data of the program and is not used.", what),
                     near ? fmt::format("Did you mean '{}'?", *near) : "", value.place),
          Severity::warning);
    }
  }

  // Executes a part of the check that runs the program.
  void attempt(const std::function<void()>& part) {
    try {
      part();
    } catch (const InputError& error) {
      if (error.code().id == kModelFact.id) {
        return check_.add(with_all_facts(error, program_, check_.data, check_.options.facts));
      }
      if (!check_.with_mock_data || error.code().id != kModelFails.id) return check_.add(error);
      check_.add(InputError(error.code(),
                            fmt::format("With made-up values for {} the program stops here: {}",
                                        fmt::join(undeclared_, ", "), error.message()),
                            "Give the public data for a full check.", error.place()),
                 Severity::warning);
    }
  }

  void build_model() {
    check_.model.emplace(
        build_stan_model(request_.program, check_.data, stan_functions(), check_.options));
  }

  void take_observed_facts() {
    for (const auto& [name, columns] : request_.observed) {
      std::vector<ColumnFacts>& known = check_.options.facts[name];
      known.resize(std::max(known.size(), columns.size()));
      for (std::size_t i = 0; i < columns.size(); ++i) {
        for (const auto fact :
             {&ColumnFacts::mean, &ColumnFacts::sd, &ColumnFacts::lower, &ColumnFacts::upper}) {
          if (!(known[i].*fact)) known[i].*fact = columns[i].*fact;
        }
      }
    }
  }

  // Computes facts about expressions in the records, such as mean(log(x)).
  void compute_facts() {
    if (request_.records.empty()) return;
    GraphBuilder builder;
    const RunSetting setting{request_.program, check_.data, stan_functions(), check_.options};
    try {
      check_.options.computed = ProgramRun(setting, builder).facts_of(request_.records);
    } catch (const InputError&) {
      // The build reports which fact is missing.
    }
  }

  // If a fact is missing, builds again with the facts of the public records.
  void build_with_facts() {
    try {
      return build_model();
    } catch (const InputError& error) {
      if (error.code().id != kModelFact.id || request_.observed.empty()) throw;
      take_observed_facts();
      compute_facts();
      build_model();
      check_.add(InputError(error.code(),
                            fmt::format("{} Here the public records tell it; a fit takes what is "
                                        "declared.",
                                        error.message()),
                            error.hint(), error.place()),
                 Severity::warning);
    }
  }

  void build() {
    if (check_.with_mock_data) {
      check_.options.with_mock_data =
          choose_mock_public_data(request_.program, check_.data, check_.options);
    }
    attempt([&] { build_with_facts(); });
    if (!check_.model) return;
    const StanModel& model = check_.model->stan();
    note_sizes(model);
    for (const RecordVariable& variable : model.record_variables) {
      RecordDataSummary& summary = record_data(variable.variable->declaration->name);
      if (check_.with_mock_data || !summary.columns.empty()) continue;
      const std::vector<std::size_t> sizes(variable.sizes.begin(), variable.sizes.end());
      summary.columns = element_names(summary.name, sizes);
    }
    note_outputs(model);
  }

  void note_outputs(const StanModel& model) {
    for (const NamedValue& value : model.transformed_parameters) {
      check_.transformed.kept.push_back(value.name);
    }
    for (const NamedValue& value : model.generated) check_.generated.kept.push_back(value.name);
    for (const std::string& name : model.drawn) check_.generated.kept.push_back(name);
    std::vector<std::string> transformed;
    for (const StatementPtr& statement :
         program_.block(BlockKind::transformed_parameters).statements) {
      if (statement->kind == StatementKind::declaration) {
        transformed.push_back(statement->declaration->name);
      }
    }
    for (const DroppedQuantity& quantity : model.dropped) {
      const bool early =
          std::find(transformed.begin(), transformed.end(), quantity.name) != transformed.end();
      OutputSummary& outputs = early ? check_.transformed : check_.generated;
      outputs.dropped.push_back(quantity);
      if (check_.with_mock_data && quantity.failed) {
        outputs.dropped.back().reason +=
            fmt::format(" That is with made-up values for {}.", fmt::join(undeclared_, ", "));
      }
    }
  }

  // A size is known if it depends on no mock value.
  void note_sizes(const StanModel& model) {
    DataBlock unknown = check_.data;
    for (DataBlockVariable& variable : unknown.variables) {
      const std::string& name = variable.declaration->name;
      const bool mock =
          std::find(undeclared_.begin(), undeclared_.end(), name) != undeclared_.end();
      variable.role = mock ? DataRole::record : DataRole::known;
    }
    const RecordDependence on_unknown(program_, unknown, false);
    std::int64_t total = 0;
    bool all_known = true;
    std::size_t at = 0;
    for (const StatementPtr& statement : program_.block(BlockKind::parameters).statements) {
      if (statement->kind != StatementKind::declaration) continue;
      const ModelParameter& parameter = model.parameters[at];
      ParameterSummary& summary = check_.parameters[at++];
      if (on_unknown.on_records(statement->declaration->slot)) {
        all_known = false;
        continue;
      }
      summary.size = parameter.value.dims.total();
      summary.unconstrained = parameter.free_size;
      total += parameter.free_size;
    }
    if (all_known) check_.unconstrained_dim = total;
  }

  std::string with_mock_values() const {
    if (!check_.with_mock_data) return "";
    return fmt::format(" (with made-up values for {})", fmt::join(undeclared_, ", "));
  }

  void warn_of_no_influence() {
    const StanModel& model = check_.model->stan();
    if ((*model.graph)[model.record].op != Op::constant) return;
    const std::string mock = with_mock_values();
    check_.add(InputError(kNothingToFit,
                          fmt::format("Records have no influence{}: the density is the same for "
                                      "any.",
                                      mock),
                          check_.with_mock_data ? "Give the public data for a full check."
                                                : "Use the record data in the model block.",
                          {check_.file, 0, 0}),
               Severity::warning);
  }

  // True if the statement reads values filled in by records, and a few records leave gaps there.
  bool reads_gaps(Spot spot) const {
    const StanModel& model = check_.model->stan();
    const std::vector<NodeId> nodes = reachable_from(*model.graph, std::array{model.prior});
    const bool gaps = std::any_of(nodes.begin(), nodes.end(), [&](NodeId id) {
      const Node& node = (*model.graph)[id];
      return std::any_of(node.values.begin(), node.values.end(),
                         [](double number) { return std::isnan(number); });
    });
    return gaps && reads_records(program_, check_.data, spot);
  }

  void warn_of_no_prior() {
    constexpr int kAttempts = 25;
    constexpr std::uint64_t kPriorPointSeed = 7003;
    MockRecordGenerator mock_generator({}, check_.options.facts, kPriorPointSeed);
    std::vector<double> theta(check_.model->dimension());
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      for (double& entry : theta) entry = 0.5 * mock_generator.standard_normal();
      if (!std::isnan(check_.model->prior().value(theta))) return;
    }
    const FailingStatement failing(request_.program, check_.data, check_.options);
    const StatementFailure failure = failing.in_prior(theta);
    const SourcePlace place{check_.file, static_cast<int>(failure.spot.line),
                            static_cast<int>(failure.spot.column)};
    if (!check_.with_mock_data && reads_gaps(failure.spot)) {
      return check_.add(InputError(
          kModelFactorises,
          "This statement reads values that only further records would fill in, so no record has a "
          "density of its own.",
          "Use a record's values where they stand, in the loop over records; where some records "
          "differ, give an indicator column and an if instead of filling two tables.",
          place));
    }
    check_.add(
        InputError(kModelFails,
                   fmt::format("The prior has no value at any of {} made-up parameter values{}.",
                               kAttempts, with_mock_values()),
                   check_.with_mock_data
                       ? "Give the public data for a full check, or look for an argument "
                         "outside its rule."
                       : "Look for an argument outside its rule.",
                   place),
        Severity::warning);
  }

  // Facts about a column that no variable uses have no effect.
  void warn_of_unused_columns() {
    std::vector<std::string> used;
    for (const BoundColumn& column : binding_.columns) used.push_back(column.name);
    for (const ColumnSchema& column : request_.schema.columns) {
      if (std::find(used.begin(), used.end(), column.name) != used.end()) continue;
      const auto near = nearest_name(column.name, used);
      check_.add(
          InputError(kNotBindable,
                     fmt::format("No data of the program is made of column '{}'.", column.name),
                     near ? fmt::format("Did you mean '{}'?", *near) : "", column.place),
          Severity::warning);
    }
  }

  void test() {
    warn_of_no_influence();
    warn_of_no_prior();
    Findings findings;
    attempt([&] {
      check_.factorises = test_factorisation(request_.program, check_.data, stan_functions(),
                                             check_.options, findings);
    });
    take(findings);
    check_.gradients = test_gradients(*check_.model, check_.options.facts);
    if (check_.gradients->passed()) return;
    check_.add(InternalError(
        kInternal,
        fmt::format("{} of {} gradients disagree with differences of the density.",
                    check_.gradients->failed, check_.gradients->compared),
        "This is a mistake in dpvi; please report it with the program.", {check_.file, 0, 0}));
  }

  const CheckRequest& request_;
  Findings missing_count_;  // findings about another name of the record count
  const StanProgram& program_;
  ModelCheck check_;
  Binding binding_;
  std::vector<std::string> undeclared_;
};

}  // namespace

bool ModelCheck::ok() const {
  return std::none_of(findings.begin(), findings.end(), [](const CheckFinding& finding) {
    return finding.severity == Severity::error;
  });
}

void ModelCheck::add(const Error& error, Severity severity) {
  findings.push_back({severity, error.code(), error.place(), error.message(), error.hint()});
}

ModelCheck check_model(const CheckRequest& request) { return ModelChecker(request).run(); }

}  // namespace dpvi
