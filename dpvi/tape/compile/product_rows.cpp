#include <dpvi/tape/compile/product_rows.hpp>

#include <algorithm>
#include <optional>

namespace dpvi {
namespace {

// For a block of records, setting up a product costs about as much as writing this many rows
// (benchmarks/record_gradient).
constexpr std::int32_t kFewestProducts = 32;

// True if an instruction reads and writes one entry after the other and nothing else.
bool walks_entries(AdjointRule kind) { return kind <= AdjointRule::where_not; }

// True if the entries of an operand overlap `rows`.
bool meets(const AdjointOperand& operand, std::int32_t entries, const ProductRows& rows) {
  if (operand.where != AdjointStore::gradient) return false;
  const std::int32_t first = operand.offset / kLanes;
  const std::int32_t last = first + (entries - 1) * (operand.stride / kLanes);
  return std::max(first, last) >= rows.first && std::min(first, last) < rows.first + rows.count;
}

bool touches(const AdjointInstruction& instruction, const ProductRows& rows) {
  if (!walks_entries(instruction.kind)) {
    return instruction.adjoint.where == AdjointStore::gradient ||
           instruction.target.where == AdjointStore::gradient;
  }
  return meets(instruction.adjoint, instruction.length, rows) ||
         meets(instruction.target, instruction.length, rows);
}

bool are_neighbours(const GradientRows& rows, std::int32_t first, std::int32_t count) {
  const auto at = rows.coordinates.begin() + first;
  for (std::int32_t i = 0; i < count; ++i) {
    if (at[0] == GradientRows::kOwn || at[i] != at[0] + i) return false;
  }
  return true;
}

// A product, and the scalar that turns its adjoint into the factor.
struct Product {
  ProductRows rows;
  std::optional<Operand> scale;
};

bool is_column(const Operand& operand) {
  return operand.where == Source::data && operand.stride > 0;
}

// Describes a difference of a column and a centre. `sign` is -1 if the centre comes first.
void set_difference(Product& product, const Operand& column, const Operand& centre, double sign,
                    LaneValues& values) {
  product.rows.column = column.offset / kLanes;
  product.rows.column_step = column.stride / kLanes;
  product.rows.centre = centre.offset;
  product.rows.centre_step = centre.stride;
  product.scale = values.uniform_constant(2.0 * sign);
}

std::optional<Product> product_of(const AdjointInstruction& instruction, LaneValues& values) {
  const bool in_order = instruction.target.where == AdjointStore::gradient &&
                        instruction.target.stride == kLanes && !instruction.accumulate;
  if (!in_order || instruction.adjoint.stride != 0 || instruction.length < kFewestProducts)
    return std::nullopt;
  const auto& [first, second] = instruction.factors;
  Product product{
      .rows = {.first = instruction.target.offset / kLanes, .count = instruction.length},
      .scale = {}};
  if (instruction.kind == AdjointRule::difference) {
    if (is_column(first) && is_uniform(second)) {
      set_difference(product, first, second, 1.0, values);
      return product;
    }
    if (!is_uniform(first) || !is_column(second)) return std::nullopt;
    set_difference(product, second, first, -1.0, values);
    return product;
  }
  const bool by_scalar =
      instruction.kind == AdjointRule::scaled && is_uniform(second) && second.stride == 0;
  if ((instruction.kind != AdjointRule::product && !by_scalar) || !is_column(first))
    return std::nullopt;
  product.rows.column = first.offset / kLanes;
  product.rows.column_step = first.stride / kLanes;
  if (by_scalar) product.scale = second;
  return product;
}

// The replacement of an instruction. It writes the factor to the first row.
AdjointInstruction factor_instruction(const AdjointInstruction& instruction,
                                      const Product& product) {
  AdjointInstruction result;
  result.kind = product.scale ? AdjointRule::product : AdjointRule::copy;
  result.length = 1;
  result.adjoint = instruction.adjoint;
  result.target = instruction.target;
  if (product.scale) {
    result.factors[0] = *product.scale;
    result.uniform = 1;
  }
  return result;
}

}  // namespace

FactoredReverse factor_out(const std::vector<AdjointInstruction>& instructions,
                           const GradientRows& rows, LaneValues& values) {
  FactoredReverse result{instructions, {}};
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    const std::optional<Product> product = product_of(instructions[i], values);
    if (!product || !are_neighbours(rows, product->rows.first, product->rows.count)) continue;
    bool alone = true;
    for (std::size_t other = 0; other < instructions.size() && alone; ++other) {
      alone = other == i || !touches(instructions[other], product->rows);
    }
    if (!alone) continue;
    result.instructions[i] = factor_instruction(instructions[i], *product);
    result.products.push_back(product->rows);
  }
  std::ranges::sort(result.products, {}, &ProductRows::first);
  return result;
}

}  // namespace dpvi
