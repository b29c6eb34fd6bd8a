#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <dpvi/tape/graph/graph.hpp>

namespace dpvi {

class RecordTape;

// A scalar function of the parameters alone, with its gradient: the prior. Immutable.
//
// This header does not show record tapes, so code that includes it and no other header of the tape
// cannot evaluate a record.
class UniformFunction {
 public:
  UniformFunction(const Graph& graph, NodeId root, std::int32_t theta_size);
  ~UniformFunction();
  UniformFunction(UniformFunction&&) noexcept;
  UniformFunction& operator=(UniformFunction&&) noexcept;

  std::size_t theta_size() const;

  double value(std::span<const double> theta) const;
  // Writes theta_size numbers. All are zero if the value is not finite.
  double value_and_gradient(std::span<const double> theta, std::span<double> gradient) const;

 private:
  std::unique_ptr<const RecordTape> tape_;
};

// Numbers that depend on parameters alone, with derivatives. Some may be entries of theta
// themselves. Immutable.
class UniformMap {
 public:
  // The entries of theta come first, then the nodes.
  UniformMap(const Graph& graph, std::span<const std::int32_t> entries,
             std::span<const NodeId> nodes, std::int32_t theta_size);

  std::size_t size() const { return size_; }
  // The places of the leading numbers in theta.
  const std::vector<std::size_t>& entries() const { return entries_; }
  // True if all numbers are entries of theta.
  bool is_selection() const { return entries_.size() == size_; }

  std::vector<double> evaluate(std::span<const double> theta) const;
  // Adds J' weights to the gradient, where J are the derivatives of the numbers in theta.
  void pull_back(std::span<const double> theta, std::span<const double> weights,
                 std::span<double> gradient) const;

 private:
  std::size_t theta_size_;
  std::size_t size_;
  std::vector<std::size_t> entries_;
  // The sum of weights times computed numbers, as a function of theta and the weights: its
  // derivatives in the weights are the numbers.
  std::unique_ptr<const UniformFunction> weighted_;
};

// Concatenated values that depend on parameters alone: constrained parameters, generated
// quantities. Immutable.
class UniformValues {
 public:
  UniformValues(const Graph& graph, std::span<const NodeId> outputs, std::int32_t theta_size);
  ~UniformValues();
  UniformValues(UniformValues&&) noexcept;
  UniformValues& operator=(UniformValues&&) noexcept;

  std::size_t size() const { return slots_of_outputs_.size(); }
  std::vector<double> evaluate(std::span<const double> theta) const;

 private:
  std::unique_ptr<const class ScalarProgram> program_;
  std::vector<std::int32_t> slots_of_outputs_;
};

}  // namespace dpvi
