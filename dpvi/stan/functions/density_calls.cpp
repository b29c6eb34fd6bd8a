#include <dpvi/stan/functions/density_calls.hpp>

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include <dpvi/stan/types/signature.hpp>
#include <dpvi/stan/value/operators.hpp>
#include <dpvi/stan/value/record_count_rules.hpp>
#include <dpvi/tape/graph/entries.hpp>

namespace dpvi {
namespace {

using Kind = ArgumentPattern::Kind;

std::string_view registry_suffix(std::string_view suffix) {
  if (suffix == "_lupdf") return "_lpdf";
  if (suffix == "_lupmf") return "_lpmf";
  return suffix == "_cdf" ? "_lcdf" : suffix;
}

ShapedNode shaped(CallContext& context, const Value& value) {
  const bool scalars =
      value.type().base == StanBase::integer || value.type().base == StanBase::real;
  return {value.flat(context.builder),
          static_cast<std::int32_t>(scalars ? value.size() : value.rows()),
          static_cast<std::int32_t>(scalars ? 1 : value.columns())};
}

// The number of variates in an argument; -1 for an argument that is shared by all variates.
std::int64_t variates(const Value& value, Kind kind) {
  switch (kind) {
    case Kind::ints:
    case Kind::reals:
      return value.is_scalar() ? -1 : value.size();
    case Kind::vectors:
      return value.type().is_array() ? value.dims()[0] : -1;
    default:
      return -1;
  }
}

// The common size of all vectorised arguments; -1 if there are none.
std::int64_t common_count(const CallContext& context, const std::vector<std::int64_t>& counts,
                          std::span<const Value> arguments) {
  std::int64_t common = -1;
  bool over_records = false;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] < 0) continue;
    if (common >= 0 && common != counts[i]) {
      context.fail_sizes(
          fmt::format("Arguments of sizes {} and {} do not match.", common, counts[i]),
          over_records, arguments[i].trace.over_records);
    }
    common = counts[i];
    over_records = arguments[i].trace.over_records;
  }
  return common;
}

// Vectors, and rows and columns of matrices, must have the same size within one variate.
void check_one_size(const CallContext& context, const std::vector<ArgumentPattern>& patterns,
                    const std::vector<ShapedNode>& arguments) {
  std::int32_t size = -1;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const ArgumentPattern& pattern = patterns[k];
    const bool number = pattern.kind == Kind::ints || pattern.kind == Kind::reals ||
                        (pattern.kind == Kind::exact && pattern.type.is_scalar());
    if (number) continue;
    const bool matrix = pattern.type == kMatrixType;
    const std::int32_t own = matrix ? arguments[k].rows : arguments[k].size();
    if (size < 0) size = own;
    if (own != size || (matrix && arguments[k].columns != size)) {
      context.fail(fmt::format("Argument {} of '{}' is {} x {}; the others need size {}.", k + 1,
                               context.function, arguments[k].rows, arguments[k].columns, size));
    }
  }
}

bool is_distribution_function(std::string_view suffix) {
  return suffix == "_lcdf" || suffix == "_lccdf";
}

// True for densities of record data, and for distribution functions of anything that is not known.
bool is_collected(const CallContext& context, std::string_view suffix,
                  std::span<const Value> arguments) {
  if (context.densities == nullptr || suffix == "_cdf") return false;
  Space space = Space::constant;
  const auto examined = arguments.first(is_distribution_function(suffix) ? arguments.size() : 1);
  for (const Value& value : examined) {
    space = space | context.builder.space(value.flat(context.builder));
  }
  return is_distribution_function(suffix) ? space != Space::constant : depends_on_record(space);
}

// Densities of the rows of a unit are separate terms, which runs on more rows of the unit share.
bool is_of_rows(const CallContext& context, bool linear_model, std::span<const Value> arguments) {
  if (!context.by_unit || linear_model) return false;
  return std::ranges::any_of(arguments, [&](const Value& value) {
    return depends_on_record(context.builder.space(value.flat(context.builder)));
  });
}

NodeId collected(CallContext& context, const DensityRow& row, std::string_view suffix,
                 std::span<const Value> arguments) {
  std::vector<DensitySite>& sites = context.densities->sites;
  const auto column = context.densities->first_column + static_cast<std::int32_t>(sites.size());
  sites.push_back({&row, suffix, {arguments.begin(), arguments.end()}, {}, {}, context.spot});
  return context.builder.record_real(column);
}

NodeId called_one_by_one(CallContext& context, const GraphFunction& function,
                         const std::vector<ArgumentPattern>& patterns,
                         std::span<const Value> arguments, std::int64_t count) {
  GraphBuilder& builder = context.builder;
  NodeId total = builder.constant(0.0);
  for (std::int64_t i = 0; i < std::max<std::int64_t>(count, 1); ++i) {
    std::vector<ShapedNode> single;
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      const Value& value = arguments[k];
      if (variates(value, patterns[k].kind) < 0) {
        single.push_back(shaped(context, value));
      } else if (patterns[k].kind == Kind::vectors) {
        single.push_back(shaped(context, value.array_element(builder, i)));
      } else {
        const NodeId entry = context.by_unit ? entry_alone(builder, value.flat(builder),
                                                           static_cast<std::int32_t>(i))
                                             : value.entry(builder, i);
        single.push_back({entry, 1, 1});
      }
    }
    check_one_size(context, patterns, single);
    context.spend(4);
    const bool empty = std::any_of(single.begin(), single.end(),
                                   [](const ShapedNode& node) { return node.size() == 0; });
    if (!empty) total = builder.add(total, function(builder, single));
  }
  return total;
}

// Returns the number of rows.
std::int64_t check_linear_model(const CallContext& context, const DensityRow& row,
                                std::span<const Value> arguments) {
  // One row vector may serve all outcomes.
  const auto matrix = std::find_if(arguments.begin(), arguments.end(), [](const Value& value) {
    return value.type() == kMatrixType || value.type() == kRowVectorType;
  });
  const std::int64_t rows = matrix->type() == kMatrixType ? matrix->rows() : arguments[0].size();
  const bool ordered = row.name == "ordered_logistic_glm";
  const bool categorical = row.name == "categorical_logit_glm";
  for (auto value = arguments.begin(); value != arguments.end(); ++value) {
    // After the matrix come intercepts, one per row, and coefficients, one per column. Ordered
    // outcomes have coefficients and cut points; categorical outcomes have one intercept per
    // category.
    const auto place = value - matrix;
    const bool coefficients = place == (ordered ? 1 : 2);
    const bool free = place == 0 || (ordered && place == 2) || (categorical && place == 1);
    if (value->is_scalar() || free) continue;
    const std::int64_t found = categorical && coefficients ? value->rows() : value->size();
    const std::int64_t wanted = coefficients ? matrix->columns() : rows;
    const bool intercepts = categorical && coefficients && (matrix + 1)->size() != value->columns();
    if (found != wanted || intercepts) {
      context.fail(fmt::format("An argument of size {} does not match a matrix of {} x {}.",
                               shape_text(*value), matrix->rows(), matrix->columns()));
    }
  }
  return rows;
}

}  // namespace

NodeId density_sum(CallContext& context, const DensityRow& row, std::string_view suffix,
                   std::span<const Value> arguments) {
  GraphBuilder& builder = context.builder;
  const std::string name = fmt::format("{}{}", row.name, registry_suffix(suffix));
  const GraphFunction* const function = context.registry.find(name);
  const std::vector<ArgumentPattern> patterns =
      parse_signatures(fmt::format("{} -> real", row.arguments))[0].arguments;
  const bool linear_model = row.name.ends_with("_glm");
  std::vector<std::int64_t> counts;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    check_distribution_argument(context, arguments[i]);
    counts.push_back(linear_model ? -1 : variates(arguments[i], patterns[i].kind));
    context.spend(arguments[i].size() / 8 + 1);
  }
  const std::int64_t count = common_count(context, counts, arguments);
  NodeId result = builder.constant(0.0);
  if (linear_model) {
    const std::int64_t rows = check_linear_model(context, row, arguments);
    if (rows == 0 || arguments[0].size() == 0) return result;
  }
  if (count != 0 && is_collected(context, suffix, arguments)) {
    return collected(context, row, suffix, arguments);
  }
  if (count != 0) {
    if (row.one_by_one || (count > 1 && is_of_rows(context, linear_model, arguments))) {
      result = called_one_by_one(context, *function, patterns, arguments, count);
    } else {
      std::vector<ShapedNode> all;
      for (const Value& value : arguments) {
        ShapedNode node = shaped(context, value);
        if (!linear_model) node = {node.node, node.size(), 1};
        all.push_back(node);
      }
      result = (*function)(builder, all);
    }
  }
  return suffix == "_cdf" ? builder.exp(result) : result;
}

std::vector<std::vector<Value>> calls_by_variate(CallContext& context, const DensityRow& row,
                                                 std::span<const Value> arguments) {
  const std::vector<ArgumentPattern> patterns =
      parse_signatures(fmt::format("{} -> real", row.arguments))[0].arguments;
  std::vector<std::int64_t> counts;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    counts.push_back(variates(arguments[i], patterns[i].kind));
  }
  const std::int64_t count = common_count(context, counts, arguments);
  std::vector<std::vector<Value>> calls(static_cast<std::size_t>(std::abs(count)));
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const auto at = static_cast<std::int64_t>(i);
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      const Value& value = arguments[k];
      if (counts[k] < 0) {
        calls[i].push_back(value);
      } else if (patterns[k].kind == Kind::vectors) {
        calls[i].push_back(value.array_element(context.builder, at));
      } else {
        const bool whole = value.type().base == StanBase::integer;
        calls[i].push_back(
            Value::scalar(whole ? kIntType : kRealType, value.entry(context.builder, at)));
      }
    }
  }
  return calls;
}

}  // namespace dpvi
