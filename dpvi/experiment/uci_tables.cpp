#include <dpvi/experiment/uci_tables.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include <dpvi/base/error.hpp>
#include <dpvi/experiment/experiment_errors.hpp>

namespace dpvi {
namespace {

using Cells = std::vector<std::string_view>;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\r')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> pieces(std::string_view text, char separator) {
  std::vector<std::string_view> result;
  while (true) {
    const std::size_t end = text.find(separator);
    result.push_back(trimmed(text.substr(0, end)));
    if (end == std::string_view::npos) return result;
    text.remove_prefix(end + 1);
  }
}

// Rows of `width` cells. Lines without a comma are not data.
std::vector<Cells> rows_of(std::string_view text, std::size_t width) {
  std::vector<Cells> rows;
  for (const std::string_view line : pieces(text, '\n')) {
    if (line.find(',') == std::string_view::npos) continue;
    Cells cells = pieces(line, ',');
    if (cells.size() != width) {
      throw InputError(kOtherDataFile,
                       fmt::format("row {} has {} cells; the published table has {}.",
                                   rows.size() + 1, cells.size(), width),
                       "");
    }
    rows.push_back(std::move(cells));
  }
  return rows;
}

double number_in(std::string_view cell) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error == std::errc() && end == cell.data() + cell.size()) return value;
  throw InputError(kOtherDataFile,
                   fmt::format("'{}' is where the published table has a number.", cell), "");
}

void standardise(std::vector<double>& column) {
  const auto count = static_cast<double>(column.size());
  double mean = 0.0;
  for (const double value : column) mean += value / count;
  double square = 0.0;
  for (const double value : column) square += (value - mean) * (value - mean) / count;
  const double sd = std::sqrt(square);
  for (double& value : column) value = (value - mean) / sd;
}

ColumnSchema declared_column(const std::string& name) {
  ColumnSchema column;
  column.name = name;
  return column;
}

// Builds a table column by column.
class TableBuilder {
 public:
  explicit TableBuilder(std::size_t rows) { table_.rows.resize(rows); }

  void add_numbers(const std::string& name, std::vector<double> column) {
    standardise(column);
    ColumnSchema declared = declared_column(name);
    declared.type = ColumnType::real;
    declared.mean = 0.0;
    declared.sd = 1.0;
    std::vector<std::string> cells;
    for (const double value : column) cells.push_back(fmt::format("{:.9g}", value));
    add(std::move(declared), std::move(cells));
  }

  void add_levels(const std::string& name, const std::vector<std::string_view>& column) {
    const std::set<std::string> levels(column.begin(), column.end());
    ColumnSchema declared = declared_column(name);
    declared.type = ColumnType::category;
    declared.levels = {levels.begin(), levels.end()};
    declared.coding = Coding::one_hot;
    add(std::move(declared), {column.begin(), column.end()});
  }

  ExperimentTable with_outcome(const std::vector<bool>& outcome) && {
    table_.schema.bindings["x"] = {table_.header, {}};
    table_.header.emplace_back("y");
    for (std::size_t row = 0; row < table_.rows.size(); ++row) {
      table_.rows[row].emplace_back(outcome[row] ? "1" : "0");
    }
    table_.outcome = std::string("y");
    table_.training_rows = table_.rows.size() * 8 / 10;
    std::sort(table_.schema.columns.begin(), table_.schema.columns.end(),
              [](const ColumnSchema& a, const ColumnSchema& b) { return a.name < b.name; });
    return std::move(table_);
  }

 private:
  void add(ColumnSchema declared, std::vector<std::string> cells) {
    table_.header.push_back(declared.name);
    table_.schema.columns.push_back(std::move(declared));
    for (std::size_t row = 0; row < cells.size(); ++row) {
      table_.rows[row].push_back(std::move(cells[row]));
    }
  }

  ExperimentTable table_;
};

std::vector<std::string_view> column_of(const std::vector<Cells>& rows, std::size_t column) {
  std::vector<std::string_view> result;
  for (const Cells& row : rows) result.push_back(row[column]);
  return result;
}

std::vector<double> numbers_of(const std::vector<std::string_view>& column) {
  std::vector<double> result;
  for (const std::string_view cell : column) result.push_back(number_in(cell));
  return result;
}

std::vector<double> alphabetical_codes(const std::vector<std::string_view>& column) {
  const std::set<std::string_view> levels(column.begin(), column.end());
  std::vector<double> result;
  for (const std::string_view cell : column) {
    result.push_back(static_cast<double>(std::distance(levels.begin(), levels.find(cell))));
  }
  return result;
}

struct AdultColumn {
  const char* name;
  bool is_number;
};
constexpr std::array<AdultColumn, 14> kAdultColumns = {{{"age", true},
                                                        {"workclass", false},
                                                        {"fnlwgt", true},
                                                        {"education", false},
                                                        {"education_num", true},
                                                        {"marital_status", false},
                                                        {"occupation", false},
                                                        {"relationship", false},
                                                        {"race", false},
                                                        {"sex", false},
                                                        {"capital_gain", true},
                                                        {"capital_loss", true},
                                                        {"hours_per_week", true},
                                                        {"native_country", false}}};

std::vector<Cells> adult_rows(std::string_view data, std::string_view test) {
  std::vector<Cells> rows = rows_of(data, kAdultColumns.size() + 1);
  for (Cells& row : rows_of(test, kAdultColumns.size() + 1)) rows.push_back(std::move(row));
  return rows;
}

// adult.test has a full stop after each label.
std::vector<bool> adult_outcome(const std::vector<Cells>& rows) {
  std::vector<bool> outcome;
  for (const Cells& row : rows) outcome.push_back(row.back().starts_with(">50K"));
  return outcome;
}

}  // namespace

ExperimentTable abalone_table(std::string_view abalone_data) {
  constexpr std::array<const char*, 8> kNames = {
      "sex",          "length",         "diameter",       "height",
      "whole_weight", "shucked_weight", "viscera_weight", "shell_weight"};
  constexpr double kAdultRings = 10.0;
  const std::vector<Cells> rows = rows_of(abalone_data, kNames.size() + 1);
  TableBuilder table(rows.size());
  std::vector<double> sex;
  for (const Cells& row : rows) sex.push_back(row[0] == "I" ? 0.0 : row[0] == "F" ? 1.0 : 2.0);
  table.add_numbers(kNames[0], std::move(sex));
  for (std::size_t i = 1; i < kNames.size(); ++i) {
    table.add_numbers(kNames[i], numbers_of(column_of(rows, i)));
  }
  std::vector<bool> outcome;
  for (const Cells& row : rows) outcome.push_back(number_in(row.back()) >= kAdultRings);
  return std::move(table).with_outcome(outcome);
}

ExperimentTable adult_label_coded(std::string_view adult_data, std::string_view adult_test) {
  const std::vector<Cells> rows = adult_rows(adult_data, adult_test);
  TableBuilder table(rows.size());
  for (std::size_t i = 0; i < kAdultColumns.size(); ++i) {
    const std::vector<std::string_view> column = column_of(rows, i);
    table.add_numbers(kAdultColumns[i].name,
                      kAdultColumns[i].is_number ? numbers_of(column) : alphabetical_codes(column));
  }
  return std::move(table).with_outcome(adult_outcome(rows));
}

ExperimentTable adult_one_hot(std::string_view adult_data, std::string_view adult_test) {
  const std::vector<Cells> rows = adult_rows(adult_data, adult_test);
  TableBuilder table(rows.size());
  for (std::size_t i = 0; i < kAdultColumns.size(); ++i) {
    const std::vector<std::string_view> column = column_of(rows, i);
    if (kAdultColumns[i].is_number) {
      table.add_numbers(kAdultColumns[i].name, numbers_of(column));
    } else {
      table.add_levels(kAdultColumns[i].name, column);
    }
  }
  return std::move(table).with_outcome(adult_outcome(rows));
}

}  // namespace dpvi
