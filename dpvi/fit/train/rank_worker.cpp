#include <dpvi/fit/train/rank_worker.hpp>

#include <optional>
#include <utility>
#include <vector>

#include <dpvi/fit/train/step_message.hpp>
#include <dpvi/privacy/collective.hpp>

namespace dpvi {

void serve_steps(const RankShare& share, const BatchGenerator& generator,
                 RecordGradients& records) {
  Collective collective(share.link());
  std::optional<Coordinates> coordinates;
  while (std::optional<ReceivedStep> step = receive_step(*share.link())) {
    if (step->coordinates) coordinates = std::move(step->coordinates);
    const PoissonSampler sampler(step->rate, share.total());
    const std::vector<std::uint64_t> batch = share.batch(sampler, generator, step->clip.step);
    collective.contribute(
        records.clipped_sums(step->clip, coordinates.value(), step->theta, batch, step->joint));
  }
}

}  // namespace dpvi
