#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <dpvi/fit/prepare/mock_record.hpp>
#include <dpvi/fit/prepare/record_model.hpp>

namespace dpvi {

// Components of a mixture that a program does not tell apart: exchanging two of them changes
// neither the prior nor the density of any record. Their labels mean nothing, so a fit may give
// them in any order.
class ComponentLabels {
 public:
  // Finds parameters with one entry, row or element for each component, from the densities of mock
  // records at a few points. The entries of a simplex are exchanged at equal weights only.
  static ComponentLabels find(const RecordModel& model, std::span<const MockRecord> records);

  bool empty() const { return places_.empty(); }
  std::size_t components() const { return components_; }

  // Returns the order of the components in which `values` are nearest to `truth`, in units of
  // `scales`. All are values of the outputs.
  std::vector<std::size_t> nearest_order(std::span<const double> values,
                                         std::span<const double> truth,
                                         std::span<const double> scales) const;
  // Puts outputs in that order: component k of the result is component order[k].
  std::vector<double> reordered(std::span<const double> values,
                                std::span<const std::size_t> order) const;

 private:
  std::size_t components_ = 0;
  // A row for each set of exchangeable numbers: their places in the outputs, by component.
  std::vector<std::vector<std::size_t>> places_;
};

}  // namespace dpvi
