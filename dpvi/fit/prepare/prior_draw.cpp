#include <dpvi/fit/prepare/prior_draw.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <dpvi/fit/prepare/slice_sampler_internal.hpp>
#include <dpvi/random/standard_normal.hpp>

namespace dpvi {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

SliceSampler sampler_of(const UniformFunction& prior, std::size_t size, SeededStream& stream) {
  return {[&prior](std::span<const double> theta) { return prior.value(theta); }, stream, size};
}

// True if the prior's slope in entry i does not depend on the other entries, as far as it is
// defined near theta.
bool stands_alone(const UniformFunction& prior, std::vector<double> theta, std::size_t i,
                  SeededStream& stream) {
  constexpr int kPoints = 4;
  constexpr double kTolerance = 1e-9;
  const double here = theta[i] + 0.5;  // not at a point where the slope may vanish by symmetry
  std::vector<double> gradient(theta.size()), slopes;
  for (int point = 0; point < kPoints; ++point) {
    theta[i] = here;
    if (std::isfinite(prior.value_and_gradient(theta, gradient))) slopes.push_back(gradient[i]);
    for (double& entry : theta) entry += 0.3 * standard_normal(stream);
  }
  return slopes.size() > 1 && std::ranges::all_of(slopes, [&](double slope) {
           return std::abs(slope - slopes[0]) <= kTolerance * (1.0 + std::abs(slopes[0]));
         });
}

double median(std::vector<double>& values) {
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

std::optional<std::vector<double>> draw_from_prior(const UniformFunction& prior, std::size_t size,
                                                   SeededStream& stream) {
  return sampler_of(prior, size, stream).draw();
}

std::vector<std::vector<double>> draws_from_prior(const UniformFunction& prior, std::size_t size,
                                                  std::size_t count, SeededStream& stream) {
  SliceSampler sampler = sampler_of(prior, size, stream);
  std::vector<std::vector<double>> draws;
  if (count == 0 || !sampler.draw()) return draws;
  while (draws.size() < count) draws.push_back(sampler.another());
  return draws;
}

std::optional<PriorSpread> prior_spread(const UniformFunction& prior, std::size_t size,
                                        SeededStream& stream) {
  constexpr std::size_t kMostParameters = 200, kEntries = 4000;
  constexpr double kSdsPerDistance = 1.4826;
  if (size > kMostParameters) return std::nullopt;
  SliceSampler sampler = sampler_of(prior, size, stream);
  if (!sampler.begin()) return std::nullopt;
  const std::size_t count = std::clamp<std::size_t>(kEntries / size, 20, 200);
  PriorSpread spread{std::vector<double>(size, 0.0), std::vector<double>(size, kInfinity)};
  const std::vector<double> start = sampler.theta();
  for (std::size_t i = 0; i < size; ++i) {
    if (!sampler.decays(i) || !stands_alone(prior, start, i, stream)) continue;
    std::vector<double> entries;
    while (entries.size() < count) entries.push_back(sampler.redraw(i));
    spread.centre[i] = median(entries);
    for (double& entry : entries) entry = std::abs(entry - spread.centre[i]);
    spread.sd[i] = kSdsPerDistance * median(entries);
  }
  return spread;
}

}  // namespace dpvi
