#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include <dpvi/tape/graph/graph.hpp>
#include <dpvi/tape/reference/reference_evaluator.hpp>

namespace dpvi {

// Entry i of a value is at offset + i * stride.
struct SlotRange {
  std::int32_t offset = 0;
  std::int32_t stride = 1;
};

// A straight-line program on doubles. It computes values that depend on parameters alone, once per
// draw, or on a record alone, once at load. All values live in one array of slots that the caller
// owns, so one program may serve many threads. The program does not refer to the graph once it is
// built.
class ScalarProgram {
 public:
  // `nodes` are in order, arguments before users, and include constants and inputs. No node may
  // depend on both parameters and the record.
  ScalarProgram(const Graph& graph, std::span<const NodeId> nodes);

  SlotRange place(NodeId id) const { return places_.at(id.index); }
  // Makes run() also compute the derivative of every entry of `id` with respect to the same entry
  // of its argument. The results are in `count` slots from the returned offset. For a reduction
  // they are the derivatives of its one entry with respect to each entry of the argument.
  std::int32_t save_partials(NodeId id, int argument, std::int32_t count);
  // Makes run() also compute `count` products, after everything else. Zero times anything is zero:
  // the factors are derivatives along a chain, and a zero ends the chain.
  SlotRange save_products(SlotRange a, SlotRange b, std::int32_t count);
  SlotRange add_constant(double value);

  std::int32_t slots() const { return slots_; }
  std::int32_t inputs(Op op) const;  // the length that this input must have
  // For each slot: true if its value may depend on that entry of the input. The program must save
  // neither partials nor products.
  std::vector<bool> slots_that_read(Op op, std::int32_t entry) const;

  void set_constants(std::span<double> slots) const;
  void run(std::span<const double> theta, RecordValues record, std::span<double> slots) const;

 private:
  struct Argument {
    SlotRange place;
    std::int32_t length = 1;
  };
  struct Step {
    Node node;  // without arguments and values; the slots replace them
    std::int32_t out = 0;
    std::vector<Argument> arguments;
    std::int32_t partials[kMaxArguments] = {-1, -1, -1, -1};
  };

  struct Products {
    SlotRange a;
    SlotRange b;
    std::int32_t out = 0;
    std::int32_t count = 0;
  };

  std::int32_t first_slot(Op op) const;  // of an input
  void place_input(NodeId id, const Node& node);
  void add_step(NodeId id, const Node& node);
  void compute_partials(const Step& step, std::span<double> slots) const;
  static void compute_reduction_partials(const Step& step, std::span<double> slots);

  std::vector<Step> steps_;
  std::vector<Products> products_;
  std::unordered_map<std::uint32_t, SlotRange> places_;
  std::unordered_map<std::uint32_t, std::size_t> step_of_;
  std::vector<std::pair<std::int32_t, std::vector<double>>> constants_;  // first slot and values
  std::int32_t input_sizes_[3] = {0, 0, 0};  // theta, record_real, record_int
  std::int32_t slots_ = 0;
};

}  // namespace dpvi
