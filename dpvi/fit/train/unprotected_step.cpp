#include <dpvi/fit/train/unprotected_step.hpp>

#include <utility>
#include <vector>

#include <dpvi/random/standard_normal.hpp>

namespace dpvi {

void UnprotectedStep::start(const LoopPhase& phase) {
  sampler_.emplace(phase.sampling_rate, records_.record_count());
}

Released UnprotectedStep::take(std::size_t draw_size, const PointOfDraw& point_of) {
  const std::uint64_t step = steps_++;
  std::vector<double> draw(draw_size);
  SeededStream stream = generator_.stream({.label = StreamLabel::variational_draw, .step = step});
  fill_standard_normal(stream, draw);
  const StepPoint point = point_of(draw);
  sampling_.start();
  const std::vector<std::uint64_t> batch = sampler_->sample_not_private(generator_, step);
  sampling_.stop();
  gradients_.start();
  UnclippedSum sum = records_.plain_sum(point.theta, batch);
  gradients_.stop();
  coordinates_.pull_back(sum.values);
  return mechanism_.release(std::move(sum));
}

LoopTimes UnprotectedStep::times(double all) const {
  LoopTimes times{.sampling = sampling_.seconds(), .gradients = gradients_.seconds()};
  times.update = all - times.all();
  return times;
}

}  // namespace dpvi
