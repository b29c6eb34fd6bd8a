#pragma once

#include <cstdint>

#include <dpvi/privacy/event.hpp>
#include <dpvi/privacy/released.hpp>
#include <dpvi/random/sampling_rate.hpp>

namespace dpvi {

// What a private run really released: the sampling rate and the noise multiplier of every release,
// in order. A claim is compared with it before it is made.
//
// Guarantee: only the private step writes it, and every release of its mechanism is in it.
class ReleaseLog {
 public:
  std::uint64_t size() const { return releases_; }

  // The releases as an accountant reads them: one phase for each stretch of equal ones.
  const GaussianRun& run() const { return run_; }

 private:
  friend class PrivateStep;

  // Throws InternalError unless this is the mechanism's next release, protected by noise.
  void add(SamplingRate sampling_rate, const Released& released);

  std::uint64_t releases_ = 0;
  GaussianRun run_;
};

// The same run with phases that differ in nothing but their steps joined, and empty ones left out.
GaussianRun joined_phases(const GaussianRun& run);

}  // namespace dpvi
