#include <dpvi/eval/canary_transcripts.hpp>

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include <dpvi/gradient/grid_clipper.hpp>
#include <dpvi/privacy/gaussian_mechanism.hpp>
#include <dpvi/random/poisson_sampling.hpp>

namespace dpvi {
namespace {

constexpr double kClipBound = 1.0;

// The canary is the last record of the table.
ClippedSum clip_batch(GridClipper& clipper, const std::vector<std::uint64_t>& batch,
                      std::uint64_t canary) {
  std::array<float, GridClipper::kLanes> block{};
  for (std::size_t first = 0; first < batch.size(); first += block.size()) {
    std::uint32_t active = 0;
    for (std::size_t k = 0; k < block.size() && first + k < batch.size(); ++k) {
      block[k] = batch[first + k] == canary ? 2.0f * static_cast<float>(kClipBound) : 0.0f;
      active |= 1u << k;
    }
    clipper.add(std::span<const float>(block), active);
  }
  return clipper.take_sum();
}

}  // namespace

CanaryTranscripts::CanaryTranscripts(SamplingRate rate, NoiseGrid grid, std::uint64_t record_count,
                                     Generators generators)
    : rate_(rate), grid_(grid), record_count_(record_count), generators_(std::move(generators)) {}

CanaryTranscripts::Generators CanaryTranscripts::fresh_generators() {
  return [](bool, std::uint64_t, int) { return SecureGenerator(); };
}

void CanaryTranscripts::operator()(bool with_canary, std::uint64_t run,
                                   std::span<double> transcript) const {
  const SecureGenerator sampling = generators_(with_canary, run, 0);
  GaussianMechanism mechanism(generators_(with_canary, run, 1));
  const PoissonSampler sampler(rate_, with_canary ? record_count_ : record_count_ - 1);
  GridClipper clipper(
      {.grid = grid_, .clip_bound = kClipBound, .dimension = 1, .max_records = record_count_});
  for (std::size_t step = 0; step < transcript.size(); ++step) {
    const std::vector<std::uint64_t> batch = sampler.sample(sampling, step);
    const Released released = mechanism.release(clip_batch(clipper, batch, record_count_ - 1));
    transcript[step] = released.values()[0] / kClipBound;
  }
}

}  // namespace dpvi
