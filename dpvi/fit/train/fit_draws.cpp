#include <dpvi/fit/train/fit_draws.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <dpvi/base/error.hpp>
#include <dpvi/family/moment_gaussian.hpp>
#include <dpvi/fit/numerics/running_moments.hpp>
#include <dpvi/random/secure_generator.hpp>
#include <dpvi/random/seeded_generator.hpp>
#include <dpvi/random/standard_normal.hpp>
#include <dpvi/random/unit_uniform.hpp>
#include <dpvi/stan/value/value.hpp>

namespace dpvi {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

OutputVariable output_of(const DrawnQuantity& quantity) {
  OutputVariable output;
  output.name = quantity.name;
  for (std::size_t i = 0; i < quantity.dims.count(); ++i) {
    output.dimensions.push_back(quantity.dims[i]);
  }
  return output;
}

// Appends the numbers with the first index varying fastest.
void append(const DrawnQuantity& quantity, std::vector<double>& values) {
  for (const std::int64_t offset : offsets_by_columns(quantity.type, quantity.dims)) {
    values.push_back(quantity.numbers[static_cast<std::size_t>(offset)]);
  }
}

// Draws the quantities of _rng functions at a given theta.
class RandomQuantities {
 public:
  RandomQuantities(const GeneratedDraws& program, const std::vector<std::string>& names,
                   UniformSource uniform)
      : program_(program), names_(names), uniform_(std::move(uniform)) {}

  // Returns nullopt if an argument of an _rng function is out of range at this theta.
  std::optional<std::vector<DrawnQuantity>> draw(std::span<const double> theta) const {
    try {
      std::vector<DrawnQuantity> found = program_.without_records(theta, uniform_);
      std::erase_if(found, [&](const DrawnQuantity& quantity) {
        return std::find(names_.begin(), names_.end(), quantity.name) == names_.end();
      });
      return found;
    } catch (const InputError&) {
      return std::nullopt;
    }
  }

 private:
  const GeneratedDraws& program_;
  const std::vector<std::string>& names_;
  UniformSource uniform_;
};

// `points` are the thetas of the result's draws.
void add_random_quantities(FitResult& result, const RandomQuantities& quantities,
                           std::span<const double> location,
                           const std::vector<std::vector<double>>& points) {
  const auto first = quantities.draw(location);
  if (!first) {
    result.dropped_quantities.emplace_back(
        "quantities with _rng functions: they cannot be drawn at the fitted parameters");
    return;
  }
  for (const DrawnQuantity& quantity : *first) {
    result.outputs.push_back(output_of(quantity));
    append(quantity, result.at_location);
  }
  const std::size_t size = result.at_location.size();
  result.sd_model.resize(size, kNaN);
  result.sd_privacy.resize(size, kNaN);
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (const auto drawn = quantities.draw(points[i])) {
      for (const DrawnQuantity& quantity : *drawn) append(quantity, result.draws[i]);
    }
    result.draws[i].resize(size, kNaN);
  }
}

template <class Stream>
void add_random_draws(FitResult& result, const RecordModel& model, const GeneratedDraws* program,
                      const std::vector<std::vector<double>>& points, Stream& stream) {
  if (program == nullptr) return;
  const RandomQuantities quantities(*program, model.stan().drawn,
                                    [&stream] { return unit_uniform(stream); });
  add_random_quantities(result, quantities, result.total.family->location(result.total.parameters),
                        points);
}

template <class Stream>
void add_draws_of(FitResult& result, const RecordModel& model, const GeneratedDraws* program,
                  std::int64_t draws, Stream stream) {
  const auto& [total, parameters] = result.total;
  std::vector<double> eta(total->draw_size()), theta(total->dimension());
  std::vector<std::vector<double>> points;
  for (std::int64_t i = 0; i < draws; ++i) {
    fill_standard_normal(stream, eta);
    total->transform(parameters, eta, theta);
    result.draws.push_back(model.output_values(theta));
    result.log_density.push_back(total->log_density(parameters, eta));
    points.push_back(theta);
  }
  add_random_draws(result, model, program, points, stream);
}

// Standard deviations of the outputs over as many draws as the result has, but at least 200.
// `point(eta)` converts `size` standard normal draws to theta.
template <class Stream, class Point>
std::vector<double> output_sds(const RecordModel& model, std::int64_t draws, std::size_t size,
                               Stream stream, const Point& point) {
  constexpr std::int64_t kFewest = 200;
  RunningMoments moments;
  std::vector<double> eta(size);
  for (std::int64_t i = 0; i < std::max(draws, kFewest); ++i) {
    fill_standard_normal(stream, eta);
    moments.add(model.output_values(point(eta)));
  }
  return moments.standard_deviations();
}

template <class Generator>
void add_parts(FitResult& result, const RecordModel& model, std::int64_t draws,
               const Generator& generator) {
  const auto stream_of = [&](std::uint64_t part) {
    return generator.stream({.label = StreamLabel::predictive_draw, .step = part});
  };
  const auto& [fitted, parameters] = result.fitted;
  std::vector<double> theta(fitted->dimension());
  result.sd_model = output_sds(model, draws, fitted->draw_size(), stream_of(1),
                               [&](std::span<const double> eta) -> std::span<const double> {
                                 fitted->transform(parameters, eta, theta);
                                 return theta;
                               });
  const auto location = fitted->location(parameters);
  result.sd_privacy = output_sds(model, draws, result.location_noise.draw_size(), stream_of(2),
                                 [&](std::span<const double> eta) -> std::span<const double> {
                                   std::copy(location.begin(), location.end(), theta.begin());
                                   result.location_noise.add_draw(eta, theta);
                                   return theta;
                                 });
}

template <class Generator>
void add_all(FitResult& result, const RecordModel& model, const GeneratedDraws* program,
             std::int64_t draws, const Generator& generator) {
  add_parts(result, model, draws, generator);
  add_draws_of(result, model, program, draws,
               generator.stream({.label = StreamLabel::predictive_draw}));
}

// The model's part of the standard deviations of sampled draws is that of the fitted Gaussian; the
// rest is the noise's. Where both parts of the Gaussian exceed the draws together, they share what
// the draws have. Without a fitted Gaussian the parts are NaN.
void split_sds(FitResult& result, const RecordModel& model) {
  if (result.fitted.family == nullptr) {
    result.sd_model.assign(result.at_location.size(), kNaN);
    result.sd_privacy = result.sd_model;
    return;
  }
  const auto draws = static_cast<std::int64_t>(result.draws.size());
  add_parts(result, model, draws, SeededGenerator(1));
  RunningMoments moments;
  for (const std::vector<double>& draw : result.draws) moments.add(draw);
  const std::vector<double> total = moments.standard_deviations();
  for (std::size_t i = 0; i < total.size(); ++i) {
    const double both = std::hypot(result.sd_model[i], result.sd_privacy[i]);
    if (both > total[i]) result.sd_model[i] *= total[i] / both;
    result.sd_privacy[i] =
        std::sqrt(std::max(0.0, total[i] * total[i] - result.sd_model[i] * result.sd_model[i]));
  }
}

void describe_outputs(FitResult& result, const RecordModel& model) {
  result.outputs = model.outputs();
  result.unconstrained_names = model.unconstrained_names();
  result.at_location = model.output_values(result.total.family->location(result.total.parameters));
}

}  // namespace

void add_draws(FitResult& result, const RecordModel& model, const GeneratedDraws* program,
               std::int64_t draws, std::optional<std::uint64_t> seed) {
  describe_outputs(result, model);
  if (seed) {
    add_all(result, model, program, draws, SeededGenerator(*seed));
  } else {
    add_all(result, model, program, draws, SecureGenerator());
  }
}

void add_chains(FitResult& result, const RecordModel& model, const GeneratedDraws* program,
                SampledPosterior posterior, std::optional<std::uint64_t> seed) {
  result.total = moment_gaussian(posterior.theta);
  describe_outputs(result, model);
  for (std::size_t i = 0; i < posterior.theta.size(); ++i) {
    result.draws.push_back(model.output_values(posterior.theta[i]));
    result.log_density.push_back(posterior.chains.statistics[i].log_density);
  }
  result.sampled = std::move(posterior.chains);
  split_sds(result, model);
  constexpr StreamAddress kStream{.label = StreamLabel::predictive_draw};
  if (seed) {
    SeededStream stream = SeededGenerator(*seed).stream(kStream);
    add_random_draws(result, model, program, posterior.theta, stream);
  } else {
    const SecureGenerator generator;
    SecureStream stream = generator.stream(kStream);
    add_random_draws(result, model, program, posterior.theta, stream);
  }
}

}  // namespace dpvi
