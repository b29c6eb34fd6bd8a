#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include <dpvi/privacy/noise_grid.hpp>
#include <dpvi/random/sampling_rate.hpp>
#include <dpvi/random/secure_generator.hpp>

namespace dpvi {

// Transcripts for an audit of the real sampler, clipper and mechanism. The canary's gradient has
// norm twice the clip bound along the one coordinate there is; all other gradients are zero.
class CanaryTranscripts {
 public:
  // Which generator a run uses for its sampling (0) and its noise (1); a fresh one unless a test
  // says otherwise.
  using Generators =
      std::function<SecureGenerator(bool with_canary, std::uint64_t run, int purpose)>;

  // `record_count` counts the canary, which is absent from half of the runs.
  CanaryTranscripts(SamplingRate rate, NoiseGrid grid, std::uint64_t record_count,
                    Generators generators = fresh_generators());

  // A TranscriptSource.
  void operator()(bool with_canary, std::uint64_t run, std::span<double> transcript) const;

  static Generators fresh_generators();

 private:
  SamplingRate rate_;
  NoiseGrid grid_;
  std::uint64_t record_count_;
  Generators generators_;
};

}  // namespace dpvi
