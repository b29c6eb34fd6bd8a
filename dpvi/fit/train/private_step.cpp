#include <dpvi/fit/train/private_step.hpp>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <dpvi/base/error.hpp>
#include <dpvi/fit/train/step_message.hpp>
#include <dpvi/random/standard_normal.hpp>

namespace dpvi {
namespace {

// The total of a plan with all records in every step; nullopt for other plans.
std::optional<MuFilter> filter_of(const LoopPlan& plan) {
  MuFilter filter;
  for (const LoopPhase& phase : plan.phases) {
    if (!phase.sampling_rate.selects_all()) return std::nullopt;
    filter.allow(phase.grid, phase.steps);
  }
  return filter;
}

// The number of entries of what a record adds, before the clip coordinate.
std::size_t dimension_of(const StepPoint& point) {
  if (point.bins != nullptr) return point.bins->size();
  return point.joint.empty() ? point.theta.size() : point.joint.size();
}

bool nearly_equal(double a, double b) {
  constexpr double kRoundOff = 1e-6;
  return std::abs(a - b) <= kRoundOff * (1.0 + std::abs(b));
}

}  // namespace

PrivateStep::PrivateStep(const LoopPlan& plan, RecordGradients& records,
                         const Coordinates& coordinates, LoopRandomness randomness)
    : plan_(plan),
      records_(records),
      coordinates_(coordinates),
      generator_(std::move(randomness.draws)),
      share_(randomness.share.value_or(RankShare(records.record_count()))),
      collective_(share_.link()),
      mechanism_(std::move(randomness.noise)),
      recorded_(randomness.recorded),
      bound_(plan),
      filter_(filter_of(plan)) {}

void PrivateStep::start(const LoopPhase& phase) {
  grid_ = phase.grid;
  sampler_.emplace(phase.sampling_rate, share_.total());
  bound_.start(phase);
}

Released PrivateStep::take(std::size_t draw_size, const PointOfDraw& point_of) {
  if (filter_) filter_->spend(*grid_);
  if (recorded_ != nullptr) {
    if (const auto step = recorded_->next()) return repeat(*step, point_of);
  }
  const std::uint64_t step = releases_.size();
  std::vector<double> draw(draw_size);
  SecureStream stream = generator_.stream({.label = StreamLabel::variational_draw, .step = step});
  fill_standard_normal(stream, draw);
  const StepPoint point = point_of(draw);

  sampling_.start();
  const std::vector<std::uint64_t> batch = share_.batch(*sampler_, generator_, step);
  sampling_.stop();

  const ClipSettings clip{.grid = *grid_,
                          .clip_bound = point.clip_bound.value_or(bound_.value()),
                          .dimension = dimension_of(point),
                          .max_records = RankShare::kMostRecords,
                          .sum = point.sum,
                          .histograms = point.bins != nullptr ? point.bins->histograms() : 0,
                          .step = step,
                          .rule = plan_.clip.rule,
                          .coordinate = plan_.clip.coordinate};
  ClippedSum sum = summed(clip, point, batch);

  noise_.start();
  const Released released = mechanism_.release(std::move(sum));
  noise_.stop();

  releases_.add(sampler_->rate(), released);
  bound_.follow(released);
  if (recorded_ != nullptr) {
    recorded_->record({std::move(draw), {point.theta.begin(), point.theta.end()}, released});
  }
  return released;
}

ClippedSum PrivateStep::summed(const ClipSettings& clip, const StepPoint& point,
                               std::span<const std::uint64_t> batch) {
  const Coordinates& coordinates = point.coordinates ? *point.coordinates : coordinates_;
  try {
    announce(clip, point);
    gradients_.start();
    ClippedSum sum = collective_.reduce(
        records_.clipped_sums(clip, coordinates, point.theta, batch, point.joint));
    gradients_.stop();
    return sum;
  } catch (...) {
    // The other ranks now wait for this sum, so no further message would reach them.
    if (share_.link() != nullptr) share_.link()->abandon();
    throw;
  }
}

// A step's own coordinates are new in each step; those of the run are sent once.
void PrivateStep::announce(const ClipSettings& clip, const StepPoint& point) {
  if (share_.link() == nullptr) return;
  const Coordinates* needed = point.coordinates ? point.coordinates : &coordinates_;
  const bool known = needed == announced_ && needed == &coordinates_;
  announced_ = needed;
  send_step(*share_.link(),
            {clip, sampler_->rate(), point.theta, point.joint, known ? nullptr : needed});
}

// The release must be the one that this run would have made here: with the same noise, at the same
// point and under the same bound up to rounding. Sums in linear algebra depend on where vectors lie
// in memory. Nothing of the guarantee rests on the point.
Released PrivateStep::repeat(const RecordedStep& step, const PointOfDraw& point_of) {
  const StepPoint point = point_of(step.draw);
  const ReleaseOrigin& origin = step.released.origin();
  const double bound = point.clip_bound.value_or(bound_.value());
  const bool same = std::ranges::equal(point.theta, step.theta, nearly_equal) &&
                    origin.noise_multiplier == grid_->noise_multiplier() &&
                    // A sum of products has another scale; its point tells enough.
                    (point.sum != ReleasedSum::gradients || nearly_equal(origin.clip_bound, bound));
  if (!same) {
    throw InputError(kOtherLedger,
                     "the checkpoint does not lead to the same points: it was made with other "
                     "settings, or by another version of the program.",
                     "Give the settings of the first attempt; what was charged stays charged.");
  }
  mechanism_.skip_release();
  releases_.add(sampler_->rate(), step.released);
  bound_.follow(step.released);
  return step.released;
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
