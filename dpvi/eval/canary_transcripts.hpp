#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include <dpvi/data/record_table.hpp>
#include <dpvi/privacy/adjacency.hpp>
#include <dpvi/privacy/noise_grid.hpp>
#include <dpvi/random/sampling_rate.hpp>
#include <dpvi/random/secure_generator.hpp>
#include <dpvi/tape/lanes/record_tape.hpp>
#include <dpvi/tape/lanes/uniform_function.hpp>

namespace dpvi {

// The run that an audit attacks.
struct CanaryRun {
  Adjacency adjacency = Adjacency::add_remove;
  SamplingRate sampling_rate;
  NoiseGrid grid;
  std::uint64_t record_count = 1;  // including the canary
};

// Transcripts of the real training loop on two neighbouring tables with one coordinate. The canary
// is the last record, and all others have gradient zero. The canary's gradient is twice the clip
// bound. In the neighbouring table the canary is absent (add/remove) or has the opposite gradient
// (substitute).
class CanaryTranscripts {
 public:
  // Returns the generator that a run uses for its sampling (purpose 0) or its noise (purpose 1). It
  // is a fresh one unless a test supplies another.
  using Generators =
      std::function<SecureGenerator(bool with_canary, std::uint64_t run, int purpose)>;

  explicit CanaryTranscripts(const CanaryRun& run, Generators generators = fresh_generators());

  // Implements TranscriptSource.
  void operator()(bool with_canary, std::uint64_t run, std::span<double> transcript) const;

  static Generators fresh_generators();

 private:
  CanaryRun run_;
  Generators generators_;
  RecordTape tape_;
  UniformFunction prior_;
  RecordTable with_canary_, neighbour_;
};

}  // namespace dpvi
