#include <dpvi/fit/train/private_step.hpp>

#include <utility>
#include <vector>

#include <dpvi/random/standard_normal.hpp>

namespace dpvi {
namespace {

// Public upper bound on the size of any batch: no table in memory has more records.
constexpr std::uint64_t kMaxRecords = std::uint64_t{1} << 32;

}  // namespace

PrivateStep::PrivateStep(const LoopPlan& plan, RecordGradients& records,
                         const Coordinates& coordinates, LoopRandomness randomness)
    : plan_(plan),
      records_(records),
      coordinates_(coordinates),
      generator_(std::move(randomness.draws)),
      mechanism_(std::move(randomness.noise)),
      bound_(plan) {}

void PrivateStep::start(const LoopPhase& phase) {
  grid_ = phase.grid;
  sampler_.emplace(phase.sampling_rate, records_.record_count());
  bound_.start(phase);
}

Released PrivateStep::take(std::size_t draw_size, const PointOfDraw& point_of) {
  const std::uint64_t step = releases_.size();
  std::vector<double> draw(draw_size);
  SecureStream stream = generator_.stream({.label = StreamLabel::variational_draw, .step = step});
  fill_standard_normal(stream, draw);
  const StepPoint point = point_of(draw);

  sampling_.start();
  const std::vector<std::uint64_t> batch = sampler_->sample(generator_, step);
  sampling_.stop();

  const ClipSettings clip{
      .grid = *grid_,
      .clip_bound = point.clip_bound.value_or(bound_.value()),
      .dimension = point.joint.empty() ? point.theta.size() : point.joint.size(),
      .max_records = kMaxRecords,
      .sum = point.sum,
      .rule = plan_.clip.rule,
      .coordinate = plan_.clip.coordinate};
  const Coordinates& coordinates = point.coordinates ? *point.coordinates : coordinates_;
  gradients_.start();
  ClippedSum sum =
      collective_.reduce(records_.clipped_sums(clip, coordinates, point.theta, batch, point.joint));
  gradients_.stop();

  noise_.start();
  const Released released = mechanism_.release(std::move(sum));
  noise_.stop();

  releases_.add(sampler_->rate(), released);
  bound_.follow(released);
  return released;
}

double PrivateStep::gradient_noise_variance() const {
  const double sd = clip_bound() * grid_->noise_multiplier() / sampler_->rate().value();
  return sd * sd;
}

LoopTimes PrivateStep::times(double all) const {
  const double clipping = records_.clip_seconds();
  LoopTimes times{.sampling = sampling_.seconds(),
                  .gradients = gradients_.seconds() - clipping,
                  .clipping = clipping,
                  .noise = noise_.seconds()};
  times.update = all - times.all();
  return times;
}

}  // namespace dpvi
