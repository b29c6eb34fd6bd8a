#include <dpvi/eval/outcome_column.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <dpvi/data/slot_value.hpp>
#include <dpvi/tape/graph/reachable.hpp>

namespace dpvi {
namespace {

constexpr double kMaxValues = 100;

// The values that an integer column may hold, if they are declared and few.
std::vector<double> whole_numbers(const BoundColumn& column, double lower, double upper) {
  lower = std::ceil(std::max(lower, column.lower));
  upper = std::floor(std::min(upper, column.upper));
  std::vector<double> values;
  if (!(upper - lower < kMaxValues)) return values;
  for (double value = lower; value <= upper; ++value) values.push_back(value);
  return values;
}

}  // namespace

OutcomeColumn::OutcomeColumn(const Binding& binding, const std::string& column) : name_(column) {
  const auto found = std::find_if(binding.columns.begin(), binding.columns.end(),
                                  [&](const BoundColumn& one) { return one.name == column; });
  const auto index = static_cast<std::size_t>(found - binding.columns.begin());
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  for (const auto* slots : {&binding.real_slots, &binding.integer_slots}) {
    for (std::size_t i = 0; i < slots->size(); ++i) {
      const Slot& slot = (*slots)[i];
      if (slot.column != index) continue;
      const bool integer = slots == &binding.integer_slots;
      places_.push_back({integer, i, slot});
      if (!integer) continue;
      lower = std::max(lower, slot.lower);
      upper = std::min(upper, slot.upper);
    }
  }
  if (found->type == ColumnType::category) {
    labels_ = found->levels;
    for (std::size_t i = 1; i <= labels_.size(); ++i) values_.push_back(static_cast<double>(i));
  } else if (found->type == ColumnType::integer) {
    values_ = whole_numbers(*found, lower, upper);
    for (const double value : values_) labels_.push_back(fmt::format("{:.0f}", value));
  }
}

void OutcomeColumn::set(RowTable& rows, std::size_t row, double value) const {
  for (const Place& place : places_) {
    if (place.integer) {
      rows.integers_of(row)[place.column] = integer_in_slot(place.slot, value).value_or(0);
    } else {
      rows.reals_of(row)[place.column] = real_in_slot(place.slot, value).value_or(0.0);
    }
  }
}

double OutcomeColumn::number_in(const RowTable& rows, std::size_t row, const Place& place) {
  return place.integer ? static_cast<double>(rows.integers_of(row)[place.column])
                       : rows.reals_of(row)[place.column];
}

std::optional<std::size_t> OutcomeColumn::find(const RowTable& rows, std::size_t row) const {
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const bool same = std::all_of(places_.begin(), places_.end(), [&](const Place& place) {
      return number_in(rows, row, place) == unbounded_in_slot(place.slot, values_[i]);
    });
    if (same) return i;
  }
  return std::nullopt;
}

std::vector<std::string> variables_read(const StanModel& model, NodeId node) {
  std::vector<std::string> names;
  const Graph& graph = *model.graph;
  const std::vector<NodeId> nodes = reachable_from(graph, std::span(&node, 1));
  for (const RecordVariable& columns : model.row_variables()) {
    const Op op = columns.integer ? Op::record_int : Op::record_real;
    const bool reads = std::any_of(nodes.begin(), nodes.end(), [&](NodeId id) {
      const std::int32_t first = graph[id].attributes[0];
      return graph[id].op == op && first < columns.first_column + columns.count &&
             columns.first_column < first + graph[id].length;
    });
    if (reads) names.push_back(columns.variable->declaration->name);
  }
  return names;
}

}  // namespace dpvi
