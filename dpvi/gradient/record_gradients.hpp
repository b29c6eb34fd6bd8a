#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <dpvi/base/gradient_term.hpp>
#include <dpvi/data/record_table.hpp>
#include <dpvi/gradient/coordinates.hpp>
#include <dpvi/gradient/grid_clipper.hpp>
#include <dpvi/privacy/clipped_sum.hpp>
#include <dpvi/privacy/unclipped_sum.hpp>
#include <dpvi/tape/record_tape.hpp>

namespace dpvi {

// Evaluates the log density's gradient of chosen records at one theta and sums it, in threads. The
// lanes have the precision in which the table keeps its records. A record of several rows has the
// sum of its rows' gradients, added up in that precision in the order of the rows. A row that is
// not usable, or whose log density is not finite, counts as zero.
//
// Guarantee: the clipped sum is the same for any number of threads and any order of the records.
// Guarantee: a record of several rows is clipped once, as a whole, and its integers depend on its
// own rows alone.
class RecordGradients {
 public:
  RecordGradients(const RecordTape& tape, const RecordTable& table, int threads);
  ~RecordGradients();

  // Records of the table; they are numbered from 0.
  std::uint64_t record_count() const { return record_count_; }

  // Each record's gradient by the coordinates, clipped to the grid of the settings, summed. What is
  // clipped is what `joint` makes of the gradient, if that is not empty.
  ClippedSum clipped_sum(const ClipSettings& settings, const Coordinates& coordinates,
                         std::span<const double> theta, std::span<const std::uint64_t> records,
                         std::span<const GradientTerm> joint = {});

  // Plain sums, for fits without protection. A record whose log density is not finite counts as
  // zero. The same for any number of threads.
  UnclippedSum plain_sum(std::span<const double> theta, std::span<const std::uint64_t> records);

  // Sum of the log densities and their gradient; a log density that is not finite stays so in the
  // sum. For fits without protection.
  struct ValueAndGradient {
    double value = 0.0;
    std::vector<double> gradient;
  };
  ValueAndGradient plain_value(std::span<const double> theta,
                               std::span<const std::uint64_t> records);

  // Whether clipped_sum() measures how long clipping takes, and what it took in all, per thread.
  void measure_clipping(bool wanted);
  double clip_seconds() const;

 private:
  class Lanes;
  template <class T>
  class LanesOf;

  std::uint64_t record_count_;
  std::unique_ptr<Lanes> lanes_;
};

}  // namespace dpvi
