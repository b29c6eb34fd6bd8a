#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <dpvi/base/gradient_term.hpp>
#include <dpvi/data/record_table.hpp>
#include <dpvi/gradient/coordinates.hpp>
#include <dpvi/gradient/grid_clipper.hpp>
#include <dpvi/gradient/record_window.hpp>
#include <dpvi/gradient/simulated_outcomes.hpp>
#include <dpvi/gradient/value_and_gradient.hpp>
#include <dpvi/privacy/partial_sum.hpp>
#include <dpvi/privacy/unclipped_sum.hpp>
#include <dpvi/tape/lanes/outcome_columns.hpp>
#include <dpvi/tape/lanes/record_tape.hpp>

namespace dpvi {

// Evaluates the gradient of the log density for selected records at one theta and sums it, using
// several threads. The lanes have the precision in which the table stores its records. The gradient
// of a record with several rows is the sum of its rows' gradients, added in that precision in row
// order. A row counts as zero if it is not usable or its log density is not finite.
//
// If the table has an outcome, clipping is conditionally unbiased: a record's clipped gradient has
// mean zero under the law that the log density gives the outcome, given the rest of the record.
// The law is either a few values, or draws from it (simulated_path.hpp). Records of several rows
// need draws; otherwise they are clipped around zero.
//
// Guarantee: the clipped sum is the same for any number of threads and any order of the records.
// Guarantee: a record of several rows is clipped once, as a whole, and its integers depend on its
// own rows alone.
class RecordGradients {
 public:
  // The rows of the table must have been prepared with the same outcome or the same simulation, or
  // with none. At most one of the two may be given.
  RecordGradients(const RecordTape& tape, const RecordTable& table, int threads,
                  std::optional<OutcomeColumns> outcome = std::nullopt,
                  std::shared_ptr<const SimulatedOutcomes> simulated = nullptr);
  // The same for records that are not in memory.
  RecordGradients(const RecordTape& tape, const StoredRecords& stored, int threads,
                  std::optional<OutcomeColumns> outcome = std::nullopt,
                  std::shared_ptr<const SimulatedOutcomes> simulated = nullptr);
  ~RecordGradients();

  // Number of records in the table. Records are numbered from 0.
  std::uint64_t record_count() const { return record_count_; }

  // Sums the records' gradients in working coordinates, each clipped to the grid of the settings.
  // If `joint` is not empty, the terms that it derives from the gradient are clipped instead.
  // Returns one part for each thread that took part; a Collective reduces them to the step's sum.
  std::vector<PartialSum> clipped_sums(const ClipSettings& settings, const Coordinates& coordinates,
                                       std::span<const double> theta,
                                       std::span<const std::uint64_t> records,
                                       std::span<const GradientTerm> joint = {});

  // Unclipped sum, for fits without privacy protection. A record whose log density is not finite
  // counts as zero. The result is the same for any number of threads.
  UnclippedSum plain_sum(std::span<const double> theta, std::span<const std::uint64_t> records);

  // Sum of the log densities, and its gradient. A log density that is not finite makes the sum not
  // finite. For fits without privacy protection.
  ValueAndGradient plain_value(std::span<const double> theta,
                               std::span<const std::uint64_t> records);

  // Sets whether clipped_sums() times its clipping. clip_seconds() is the total so far, averaged
  // over threads.
  void measure_clipping(bool wanted);
  double clip_seconds() const;

 private:
  class Lanes;
  template <class T>
  class LanesOf;

  std::uint64_t record_count_;
  std::optional<OutcomeColumns> outcome_;
  std::shared_ptr<const SimulatedOutcomes> simulated_;
  std::unique_ptr<Lanes> lanes_;
};

}  // namespace dpvi
