#pragma once

#include <optional>
#include <string>
#include <vector>

#include <dpvi/data/binding.hpp>
#include <dpvi/eval/row_table.hpp>
#include <dpvi/stan/run/stan_model.hpp>

namespace dpvi {

// A column of the table that the program models, and how its values enter a row.
class OutcomeColumn {
 public:
  // `binding` must cover all of the program's variables, so that its slots are the program's
  // columns.
  OutcomeColumn(const Binding& binding, const std::string& column);

  const std::string& name() const { return name_; }
  // The values it can take, as numbers or level codes; empty if declarations do not list them.
  const std::vector<double>& values() const { return values_; }
  // The values as they appear in cells.
  const std::vector<std::string>& labels() const { return labels_; }

  void set(RowTable& rows, std::size_t row, double value) const;
  // Index in values() of the row's value, or nullopt if it is none of them.
  std::optional<std::size_t> find(const RowTable& rows, std::size_t row) const;

 private:
  struct Place {
    bool integer = false;
    std::size_t column = 0;
    Slot slot;
  };
  static double number_in(const RowTable& rows, std::size_t row, const Place& place);

  std::string name_;
  std::vector<double> values_;
  std::vector<std::string> labels_;
  std::vector<Place> places_;
};

// The record variables that a node of the graph reads, in the program's order.
std::vector<std::string> variables_read(const StanModel& model, NodeId node);

}  // namespace dpvi
