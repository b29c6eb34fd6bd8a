#pragma once

#include <cstdint>

#include <dpvi/privacy/event.hpp>
#include <dpvi/privacy/released.hpp>
#include <dpvi/random/sampling_rate.hpp>

namespace dpvi {

// The releases that a private run really made: the sampling rate and the noise multiplier of each,
// in order. A privacy claim is compared with this log before it is made.
//
// Guarantee: only the private step writes it, and every release of its mechanism is in it.
class ReleaseLog {
 public:
  std::uint64_t size() const { return releases_; }

  // The releases in the accountant's form, with one phase for each sequence of equal releases.
  const GaussianRun& run() const { return run_; }

 private:
  friend class PrivateStep;

  // Throws InternalError unless this is the mechanism's next release and is protected by noise.
  void add(SamplingRate sampling_rate, const Released& released);

  std::uint64_t releases_ = 0;
  GaussianRun run_;
};

// The same run, with adjacent phases joined if they differ only in their steps and empty phases
// left out.
GaussianRun joined_phases(const GaussianRun& run);

}  // namespace dpvi
