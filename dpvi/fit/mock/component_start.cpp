#include <dpvi/fit/mock/component_start.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <dpvi/fit/prepare/prior_draw.hpp>
#include <dpvi/random/unit_uniform.hpp>

namespace dpvi {
namespace {

// Mixtures have few components. Longer parameters are groups or columns.
constexpr std::size_t kMaxComponents = 20;
constexpr std::size_t kPriorDraws = 101;
// Free value of an ordered parameter at which neighbouring entries are practically equal.
constexpr double kNoDistance = -12.0;

// Entries of theta that may correspond to the components of a mixture.
struct Alternatives {
  std::vector<std::size_t> entries;
  TransformKind transform = TransformKind::identity;

  bool ordered() const {
    return transform == TransformKind::ordered || transform == TransformKind::positive_ordered;
  }
  bool bounded() const {
    return transform == TransformKind::bounded || transform == TransformKind::positive_ordered;
  }
};

bool is_entry_by_entry(TransformKind kind) {
  return kind == TransformKind::identity || kind == TransformKind::affine ||
         kind == TransformKind::bounded;
}

void add_if_several(std::vector<Alternatives>& list, Alternatives one) {
  if (one.entries.size() > 1 && one.entries.size() <= kMaxComponents)
    list.push_back(std::move(one));
}

// Adds one group for each position within an element of the first index.
void add_by_first_index(std::vector<Alternatives>& list, const ModelParameter& parameter) {
  const std::vector<std::int64_t> offsets =
      offsets_by_rows(parameter.value.type, parameter.value.dims);
  const auto count = static_cast<std::size_t>(parameter.value.dims[0]);
  const std::size_t inner = count > 0 ? offsets.size() / count : 0;
  for (std::size_t j = 0; j < inner; ++j) {
    Alternatives one{{}, parameter.transform};
    for (std::size_t k = 0; k < count; ++k) {
      one.entries.push_back(
          static_cast<std::size_t>(parameter.first_free + offsets[k * inner + j]));
    }
    add_if_several(list, std::move(one));
  }
}

void add_pieces(std::vector<Alternatives>& list, const ModelParameter& parameter) {
  const Dims& dims = parameter.value.dims;
  const auto size = static_cast<std::size_t>(dims[dims.count() - 1]);
  const auto end = static_cast<std::size_t>(parameter.first_free + parameter.free_size);
  for (auto at = static_cast<std::size_t>(parameter.first_free); size > 0 && at + size <= end;
       at += size) {
    Alternatives one{std::vector<std::size_t>(size), parameter.transform};
    std::iota(one.entries.begin(), one.entries.end(), at);
    add_if_several(list, std::move(one));
  }
}

std::vector<Alternatives> alternatives_of(const StanModel& model) {
  std::vector<Alternatives> list;
  Alternatives scalars, bounded_scalars{{}, TransformKind::bounded};
  for (const ModelParameter& parameter : model.parameters) {
    if (parameter.transform == TransformKind::ordered ||
        parameter.transform == TransformKind::positive_ordered) {
      add_pieces(list, parameter);
    } else if (!is_entry_by_entry(parameter.transform)) {
      continue;
    } else if (parameter.value.dims.count() > 0) {
      add_by_first_index(list, parameter);
    } else {
      Alternatives& kin = parameter.transform == TransformKind::bounded ? bounded_scalars : scalars;
      kin.entries.push_back(static_cast<std::size_t>(parameter.first_free));
    }
  }
  add_if_several(list, std::move(scalars));
  add_if_several(list, std::move(bounded_scalars));
  return list;
}

// Returns a theta that does not distinguish components; weights are equal too.
std::vector<double> equal_theta(const StanModel& model, const std::vector<Alternatives>& all,
                                std::span<const double> around) {
  std::vector<double> theta(around.begin(), around.end());
  for (const ModelParameter& parameter : model.parameters) {
    if (parameter.transform != TransformKind::simplex) continue;
    std::fill_n(theta.begin() + parameter.first_free, parameter.free_size, 0.0);
  }
  for (const Alternatives& one : all) {
    double sum = 0.0;
    for (const std::size_t entry : one.entries) sum += around[entry];
    for (const std::size_t entry : one.entries) {
      theta[entry] = one.ordered() ? kNoDistance : sum / static_cast<double>(one.entries.size());
    }
    if (one.ordered()) theta[one.entries[0]] = around[one.entries[0]];
  }
  return theta;
}

// True if the gradients of all records with respect to these entries are parallel.
bool are_alike(const Alternatives& one, std::span<const double> gradients, std::size_t size) {
  constexpr double kParallel = 1.0 - 1e-6;
  const auto product = [&](std::size_t a, std::size_t b) {
    double sum = 0.0;
    for (std::size_t row = 0; row + size <= gradients.size(); row += size) {
      sum += gradients[row + a] * gradients[row + b];
    }
    return sum;
  };
  const std::size_t first = one.entries[0];
  const double square = product(first, first);
  return std::all_of(one.entries.begin() + 1, one.entries.end(), [&](std::size_t entry) {
    const double cross = product(first, entry);
    return cross > 0.0 && cross * cross >= kParallel * square * product(entry, entry);
  });
}

// Quantile of one entry over draws from the prior.
double prior_quantile(const std::vector<std::vector<double>>& draws, std::size_t entry,
                      double level) {
  std::vector<double> values;
  for (const std::vector<double>& draw : draws) values.push_back(draw[entry]);
  const auto place = static_cast<std::size_t>(level * static_cast<double>(values.size()));
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(place),
                   values.end());
  return values[place];
}

// Returns the numbers 0 to `size` - 1 in random order (Fisher-Yates).
std::vector<std::size_t> shuffled(std::size_t size, SeededStream& stream) {
  std::vector<std::size_t> order(size);
  std::iota(order.begin(), order.end(), 0u);
  for (std::size_t i = size; i > 1; --i) {
    const auto other = static_cast<std::size_t>(unit_uniform(stream) * static_cast<double>(i));
    std::swap(order[i - 1], order[std::min(other, i - 1)]);
  }
  return order;
}

class Spreader {
 public:
  Spreader(const RecordModel& model, const EqualStart& around)
      : around_(around),
        stream_(SeededGenerator(1).stream({.label = StreamLabel::initial_value, .step = 1})),
        draws_(draws_from_prior(model.prior(), model.dimension(), kPriorDraws, stream_)) {}

  bool can_spread() const { return !draws_.empty(); }

  void spread(const Alternatives& one, std::span<double> theta) {
    if (one.transform == TransformKind::positive_ordered) {
      for (const std::size_t entry : one.entries) theta[entry] = median(entry);
    } else if (one.ordered()) {
      spread_ordered(one.entries, theta);
    } else {
      spread_free(one.entries, theta);
    }
  }

 private:
  double median(std::size_t entry) const { return prior_quantile(draws_, entry, 0.5); }

  double quartile_range(std::size_t entry) const {
    return prior_quantile(draws_, entry, 0.75) - prior_quantile(draws_, entry, 0.25);
  }

  // True if the prior itself distinguishes the entries.
  bool prior_differs(const std::vector<std::size_t>& entries) const {
    double lowest = median(entries[0]), highest = lowest, ranges = 0.0;
    for (const std::size_t entry : entries) {
      lowest = std::min(lowest, median(entry));
      highest = std::max(highest, median(entry));
      ranges += quartile_range(entry) / static_cast<double>(entries.size());
    }
    return highest - lowest > 0.5 * ranges;
  }

  // Centre of the components: `middle` if the prior supports it, else the centre of the prior,
  // clamped to within reach of `middle`. Prior quantiles are known to about a tenth of its range.
  double prior_middle(double middle, double prior, std::size_t entry) const {
    if (std::abs(prior - middle) <= 0.5 * quartile_range(entry)) return middle;
    const double reach = around_.reach[entry];
    return std::clamp(prior, middle - reach, middle + reach);
  }

  // Places each entry at its own median if the prior distinguishes the entries. Otherwise uses a
  // Latin hypercube: each entry gets a different one of the quantiles that divide the prior
  // equally.
  void spread_free(const std::vector<std::size_t>& entries, std::span<double> theta) {
    const std::vector<std::size_t> order = shuffled(entries.size(), stream_);
    const double count = static_cast<double>(entries.size());
    const bool told_apart = prior_differs(entries);
    double prior = 0.0, shrink = 1.0;
    for (const std::size_t entry : entries) prior += median(entry) / count;
    std::vector<double> moves;
    for (std::size_t k = 0; k < entries.size(); ++k) {
      const double level = told_apart ? 0.5 : (static_cast<double>(order[k]) + 0.5) / count;
      moves.push_back(prior_quantile(draws_, entries[k], level) -
                      (told_apart ? prior : median(entries[k])));
      if (std::abs(moves[k]) > around_.reach[entries[k]]) {
        shrink = std::min(shrink, around_.reach[entries[k]] / std::abs(moves[k]));
      }
    }
    for (std::size_t k = 0; k < entries.size(); ++k) {
      const std::size_t entry = entries[k];
      theta[entry] = prior_middle(theta[entry], prior, entry) + shrink * moves[k];
    }
  }

  // Spaces the entries as the prior does.
  void spread_ordered(const std::vector<std::size_t>& entries, std::span<double> theta) const {
    const std::size_t first = entries[0];
    double width = 0.0, around_width = 0.0;
    for (std::size_t k = 1; k < entries.size(); ++k) {
      width += std::exp(median(entries[k]));
      // Zero means that nothing is known, not a distance of one.
      if (around_.theta[entries[k]] != 0.0) around_width += std::exp(around_.theta[entries[k]]);
    }
    const double reach = around_.reach[first];
    const double shrink = std::min(1.0, 2.0 * reach / width);
    for (std::size_t k = 1; k < entries.size(); ++k) {
      theta[entries[k]] = median(entries[k]) + std::log(shrink);
    }
    const double middle = around_.theta[first] + 0.5 * around_width;
    theta[first] = prior_middle(middle, median(first) + 0.5 * width, first) - 0.5 * shrink * width;
  }

  const EqualStart& around_;
  SeededStream stream_;
  std::vector<std::vector<double>> draws_;
};

}  // namespace

std::optional<SeparatedStart> start_with_components_separated(const RecordModel& model,
                                                              const MockGradients& gradients,
                                                              const EqualStart& around) {
  const std::vector<Alternatives> all = alternatives_of(model.stan());
  if (all.empty()) return std::nullopt;
  std::vector<double> theta = equal_theta(model.stan(), all, around.theta);
  const std::vector<double> slopes = gradients(theta);
  std::vector<Alternatives> alike;
  for (const Alternatives& one : all) {
    if (are_alike(one, slopes, model.dimension())) {
      alike.push_back(one);
    } else {
      for (const std::size_t entry : one.entries) theta[entry] = around.theta[entry];
    }
  }
  const bool locations = std::any_of(alike.begin(), alike.end(),
                                     [](const Alternatives& one) { return !one.bounded(); });
  std::erase_if(alike, [&](const Alternatives& one) { return locations && one.bounded(); });
  if (alike.empty()) return std::nullopt;
  Spreader spreader(model, around);
  if (!spreader.can_spread()) return std::nullopt;
  SeparatedStart start{.theta = std::move(theta), .components = {}};
  for (const Alternatives& one : alike) {
    spreader.spread(one, start.theta);
    start.components.push_back({one.entries, one.ordered()});
  }
  return start;
}

}  // namespace dpvi
