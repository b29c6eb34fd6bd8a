#include <dpvi/fit/prepare/record_model.hpp>

#include <fmt/format.h>

#include <dpvi/tape/compile/theta_use.hpp>

namespace dpvi {
namespace {

std::vector<NodeId> output_nodes_of(const StanModel& model) {
  std::vector<NodeId> nodes;
  for (const ModelParameter& parameter : model.parameters) nodes.push_back(parameter.value.node);
  for (const NamedValue& value : model.transformed_parameters) nodes.push_back(value.node);
  for (const NamedValue& value : model.generated) nodes.push_back(value.node);
  return nodes;
}

// Names each free number after its parameter: "beta.1", or "beta" for a scalar.
std::vector<std::string> names_of_theta(const StanModel& model) {
  std::vector<std::string> names;
  for (const ModelParameter& parameter : model.parameters) {
    const bool scalar = parameter.value.dims.count() == 0;
    for (std::int32_t i = 1; i <= parameter.free_size; ++i) {
      names.push_back(scalar ? parameter.value.name
                             : fmt::format("{}.{}", parameter.value.name, i));
    }
  }
  return names;
}

}  // namespace

RecordModel::RecordModel(StanModel model)
    : model_(std::move(model)),
      tape_(*model_.graph, model_.record, model_.free_size),
      prior_(*model_.graph, model_.prior, model_.free_size),
      used_by_records_(theta_used(*model_.graph, model_.record, model_.free_size)),
      unconstrained_names_(names_of_theta(model_)),
      output_nodes_(output_nodes_of(model_)),
      output_values_(*model_.graph, output_nodes_, model_.free_size) {
  for (const ModelParameter& parameter : model_.parameters) add_output(parameter.value);
  for (const NamedValue& value : model_.transformed_parameters) add_output(value);
  for (const NamedValue& value : model_.generated) add_output(value);
}

void RecordModel::add_output(const NamedValue& value) {
  OutputVariable output;
  output.name = value.name;
  for (std::size_t i = 0; i < value.dims.count(); ++i) output.dimensions.push_back(value.dims[i]);
  const std::size_t first = output_order_.size();
  for (const std::int64_t offset : offsets_by_columns(value.type, value.dims)) {
    output_order_.push_back(first + static_cast<std::size_t>(offset));
  }
  outputs_.push_back(std::move(output));
}

std::vector<double> RecordModel::output_values(std::span<const double> theta) const {
  const std::vector<double> values = output_values_.evaluate(theta);
  std::vector<double> ordered;
  ordered.reserve(output_order_.size());
  for (const std::size_t place : output_order_) ordered.push_back(values[place]);
  return ordered;
}

std::optional<UnitWidth> RecordModel::unit_width() const {
  if (!model_.unit) return std::nullopt;
  UnitWidth width{static_cast<std::size_t>(model_.unit->real_columns),
                  static_cast<std::size_t>(model_.unit->integer_columns),
                  static_cast<std::size_t>(model_.unit->most_rows)};
  for (const RecordVariable& variable : model_.unit->variables) {
    width.parts.push_back({variable.integer, static_cast<std::size_t>(variable.first_column),
                           static_cast<std::size_t>(variable.count)});
  }
  return width;
}

PreparedRecords RecordModel::empty_records(Precision precision) const {
  if (const auto unit = unit_width()) return {tape_, precision, *unit};
  return {tape_, precision};
}

RecordTable RecordModel::prepare(RecordTable&& taken, Precision precision) const {
  RecordTable raw = std::move(taken);
  constexpr std::size_t kLaneCount = RecordTable::kLanes;
  PreparedRecords prepared = empty_records(precision);
  std::vector<double> lane_reals(raw.real_slots() * kLaneCount), reals(raw.real_slots());
  std::vector<std::int32_t> lane_ints(raw.integer_slots() * kLaneCount), ints(raw.integer_slots());
  for (std::uint64_t row = 0; row < raw.row_count(); ++row) {
    raw.forget_before(row);
    if (raw.load_lanes({&row, 1}, lane_reals, lane_ints) == 0) {
      prepared.append_unusable();
    } else {
      for (std::size_t i = 0; i < reals.size(); ++i) reals[i] = lane_reals[i * kLaneCount];
      for (std::size_t i = 0; i < ints.size(); ++i) ints[i] = lane_ints[i * kLaneCount];
      prepared.append(reals, ints);
    }
    if (const auto record = raw.assignment(row)) prepared.assign_last_row(*record);
  }
  return std::move(prepared).gathered();
}

RecordTable RecordModel::prepare(std::span<const MockRecord> rows, Precision precision,
                                 std::size_t rows_per_record) const {
  PreparedRecords prepared = empty_records(precision);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    prepared.append(rows[i].reals, rows[i].integers);
    if (rows_per_record == 1 && !model_.unit) continue;
    prepared.assign_last_row(static_cast<std::uint32_t>(i / rows_per_record));
  }
  return std::move(prepared).gathered();
}

}  // namespace dpvi
