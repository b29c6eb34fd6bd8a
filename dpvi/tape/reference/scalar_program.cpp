#include <dpvi/tape/reference/scalar_program.hpp>

#include <algorithm>
#include <cmath>

#include <dpvi/base/error.hpp>
#include <dpvi/tape/graph/node_evaluation.hpp>

namespace dpvi {
namespace {

std::size_t input_number(Op op) {
  return static_cast<std::size_t>(op) - static_cast<std::size_t>(Op::theta);
}

template <class Source>
double* copy_inputs(std::span<const Source> from, std::int32_t count, double* to) {
  if (from.size() < static_cast<std::size_t>(count)) {
    throw InternalError(kInternal, "Fewer inputs than the program reads.", "Report this.");
  }
  return std::copy_n(from.begin(), count, to);
}

}  // namespace

ScalarProgram::ScalarProgram(const Graph& graph, std::span<const NodeId> nodes) {
  for (const NodeId id : nodes) {
    const Node& node = graph[id];
    if (op_class(node.op) != OpClass::input || node.op == Op::constant) continue;
    std::int32_t& size = input_sizes_[input_number(node.op)];
    size = std::max(size, node.attributes[0] + node.length);
  }
  slots_ = input_sizes_[0] + input_sizes_[1] + input_sizes_[2];
  for (const NodeId id : nodes) {
    const Node& node = graph[id];
    switch (op_class(node.op)) {
      case OpClass::input:
        place_input(id, node);
        break;
      case OpClass::slice: {
        const SlotRange base = place(node.arguments[0]);
        places_[id.index] = {base.offset + node.attributes[0] * base.stride,
                             node.attributes[1] * base.stride};
        break;
      }
      default:
        add_step(id, node);
        for (const NodeId argument : node.arguments) {
          const std::int32_t length = graph.length(argument);
          const SlotRange range = place(argument);
          steps_.back().arguments.push_back(
              {{range.offset, length == 1 ? 0 : range.stride}, length});
        }
    }
  }
}

void ScalarProgram::place_input(NodeId id, const Node& node) {
  if (node.op == Op::constant) {
    constants_.emplace_back(slots_, std::vector<double>(node.values.begin(), node.values.end()));
    places_[id.index] = {slots_, 1};
    slots_ += node.length;
    return;
  }
  places_[id.index] = {first_slot(node.op) + node.attributes[0], 1};
}

std::int32_t ScalarProgram::first_slot(Op op) const {
  std::int32_t first = 0;
  for (std::size_t i = 0; i < input_number(op); ++i) first += input_sizes_[i];
  return first;
}

void ScalarProgram::add_step(NodeId id, const Node& node) {
  Step step;
  step.node = node;
  step.node.arguments = {};
  step.out = slots_;
  places_[id.index] = {slots_, 1};
  slots_ += node.length;
  step_of_[id.index] = steps_.size();
  steps_.push_back(std::move(step));
}

std::int32_t ScalarProgram::save_partials(NodeId id, int argument, std::int32_t count) {
  std::int32_t& offset = steps_[step_of_.at(id.index)].partials[argument];
  if (offset < 0) {
    offset = slots_;
    slots_ += count;
  }
  return offset;
}

SlotRange ScalarProgram::save_products(SlotRange a, SlotRange b, std::int32_t count) {
  products_.push_back({a, b, slots_, count});
  slots_ += count;
  return {products_.back().out, count == 1 ? 0 : 1};
}

SlotRange ScalarProgram::add_constant(double value) {
  constants_.emplace_back(slots_, std::vector<double>{value});
  return {slots_++, 0};
}

std::int32_t ScalarProgram::inputs(Op op) const { return input_sizes_[input_number(op)]; }

std::vector<bool> ScalarProgram::slots_that_read(Op op, std::int32_t entry) const {
  std::vector<bool> reads(static_cast<std::size_t>(slots_), false);
  if (entry >= inputs(op)) return reads;
  reads[static_cast<std::size_t>(first_slot(op) + entry)] = true;
  const auto any = [&](SlotRange range, std::int32_t count) {
    for (std::int32_t i = 0; i < count; ++i) {
      if (reads[static_cast<std::size_t>(range.offset + i * range.stride)]) return true;
    }
    return false;
  };
  const auto mark = [&](std::int32_t first, std::int32_t count) {
    for (std::int32_t i = 0; i < count; ++i) reads[static_cast<std::size_t>(first + i)] = true;
  };
  for (const Step& step : steps_) {
    const bool found = std::ranges::any_of(step.arguments, [&](const Argument& argument) {
      return any(argument.place, argument.length);
    });
    if (found) mark(step.out, step.node.length);
  }
  return reads;
}

void ScalarProgram::set_constants(std::span<double> slots) const {
  for (const auto& [first, values] : constants_) std::ranges::copy(values, slots.data() + first);
}

void ScalarProgram::run(std::span<const double> theta, RecordValues record,
                        std::span<double> slots) const {
  double* to = copy_inputs(theta, input_sizes_[0], slots.data());
  to = copy_inputs(record.reals, input_sizes_[1], to);
  copy_inputs(record.ints, input_sizes_[2], to);
  std::vector<StridedValues<double>> views;
  for (const Step& step : steps_) {
    views.clear();
    for (const Argument& argument : step.arguments) {
      views.push_back(
          {slots.data() + argument.place.offset, argument.place.stride, argument.length});
    }
    evaluate_node<double>(step.node, views, slots.data() + step.out);
    const auto wanted = [](std::int32_t offset) { return offset >= 0; };
    if (std::ranges::any_of(step.partials, wanted)) compute_partials(step, slots);
  }
  for (const Products& products : products_) {
    for (std::int32_t i = 0; i < products.count; ++i) {
      const double a = slots.data()[products.a.offset + i * products.a.stride];
      const double b = slots.data()[products.b.offset + i * products.b.stride];
      slots.data()[products.out + i] = a == 0.0 || b == 0.0 ? 0.0 : a * b;
    }
  }
}

void ScalarProgram::compute_partials(const Step& step, std::span<double> slots) const {
  const auto entry = [&](std::size_t argument, std::int32_t i) {
    const SlotRange place = step.arguments[argument].place;
    return slots[static_cast<std::size_t>(place.offset + i * place.stride)];
  };
  const double* value = slots.data() + step.out;
  double* first = step.partials[0] < 0 ? nullptr : slots.data() + step.partials[0];
  double* second = step.partials[1] < 0 ? nullptr : slots.data() + step.partials[1];
  switch (op_class(step.node.op)) {
    case OpClass::unary:
      for (std::int32_t i = 0; i < step.node.length; ++i) {
        first[i] = unary_partial(step.node.op, entry(0, i), value[i]);
      }
      break;
    case OpClass::binary:
      for (std::int32_t i = 0; i < step.node.length; ++i) {
        const BinaryPartials partials =
            binary_partials(step.node.op, entry(0, i), entry(1, i), value[i]);
        if (first != nullptr) first[i] = partials.first;
        if (second != nullptr) second[i] = partials.second;
      }
      break;
    case OpClass::several:
      for (std::int32_t i = 0; i < step.node.length; ++i) {
        double numbers[kMaxArguments];
        const std::size_t count = step.arguments.size();
        for (std::size_t k = 0; k < count; ++k) numbers[k] = entry(k, i);
        const SeveralResult result = several_result(step.node.op, {numbers, count});
        for (std::size_t k = 0; k < count; ++k) {
          if (step.partials[k] >= 0) slots.data()[step.partials[k] + i] = result.partials[k];
        }
      }
      break;
    default:
      compute_reduction_partials(step, slots);
  }
}

void ScalarProgram::compute_reduction_partials(const Step& step, std::span<double> slots) {
  const Argument& argument = step.arguments[0];
  const StridedValues<double> x{slots.data() + argument.place.offset, argument.place.stride,
                                argument.length};
  const double value = slots[static_cast<std::size_t>(step.out)];
  double* partials = slots.data() + step.partials[0];
  bool taken = false;  // among equal entries, the first is the extreme one
  for (std::int32_t i = 0; i < x.length; ++i) {
    if (step.node.op == Op::log_sum_exp) {
      partials[i] = std::exp(x[i] - value);
    } else if (step.node.op == Op::prod) {
      partials[i] = 1.0;
      for (std::int32_t k = 0; k < x.length; ++k) partials[i] *= k == i ? 1.0 : x[k];
    } else {
      partials[i] = !taken && x[i] == value ? 1.0 : 0.0;
      taken = taken || x[i] == value;
    }
  }
}

}  // namespace dpvi
