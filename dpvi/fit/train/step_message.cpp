#include <dpvi/fit/train/step_message.hpp>

#include <array>
#include <cstdint>
#include <cstring>

#include <dpvi/base/rank_error.hpp>

namespace dpvi {
namespace {

enum class Kind : std::uint64_t { step, done, failed };

enum class Factor : std::uint64_t { unchanged, identity, diagonal, triangular };

using Head = std::array<std::uint64_t, 2>;  // kind and number of bytes that follow

struct FixedPart {
  std::int64_t integer_bound;
  double clip_bound;
  std::uint64_t dimension, max_records, sum, histograms, step, rule;
  std::uint64_t has_coordinate;
  double coordinate_size, unshortened_share;
  double rate;
  Factor factor;
  std::uint64_t axes;  // of the coordinates
  std::uint64_t thetas, terms, factors;
};
static_assert(std::is_trivially_copyable_v<FixedPart>);

Factor kind_of_factor(const Coordinates* coordinates) {
  if (coordinates == nullptr) return Factor::unchanged;
  if (!coordinates->scales()) return Factor::identity;
  return coordinates->is_diagonal() ? Factor::diagonal : Factor::triangular;
}

// The entries of a factor that its kind does not imply, row by row.
std::vector<double> entries_of(const Coordinates* coordinates, Factor kind) {
  std::vector<double> entries;
  if (kind != Factor::diagonal && kind != Factor::triangular) return entries;
  for (std::size_t i = 0; i < coordinates->size(); ++i) {
    for (std::size_t j = kind == Factor::diagonal ? i : 0; j <= i; ++j) {
      entries.push_back(coordinates->factor(i, j));
    }
  }
  return entries;
}

// Working coordinates with this factor around zero: a sum of gradients does not depend on the
// centre.
std::optional<Coordinates> coordinates_from(Factor kind, std::size_t size,
                                            std::span<const double> entries) {
  if (kind == Factor::unchanged) return std::nullopt;
  if (kind == Factor::identity) return Coordinates::identity(size);
  std::vector<double> factor(size * size, 0.0);
  auto next = entries.begin();
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = kind == Factor::diagonal ? i : 0; j <= i; ++j) {
      factor[i * size + j] = *next++;
    }
  }
  return Coordinates(std::vector<double>(size, 0.0), std::move(factor));
}

template <class T>
void put(std::vector<std::byte>& bytes, std::span<const T> values) {
  const std::span<const std::byte> more = std::as_bytes(values);
  bytes.insert(bytes.end(), more.begin(), more.end());
}

template <class T>
std::vector<T> take(std::span<const std::byte>& bytes, std::size_t count) {
  if (count > bytes.size() / sizeof(T)) {
    throw rank_failure("the root's message is damaged.", "The link must pass on all bytes.");
  }
  std::vector<T> values(count);
  if (count > 0) std::memcpy(values.data(), bytes.data(), count * sizeof(T));
  bytes = bytes.subspan(count * sizeof(T));
  return values;
}

void send_head(RankLink& ranks, Kind kind, std::size_t bytes) {
  Head head{static_cast<std::uint64_t>(kind), bytes};
  ranks.broadcast(std::as_writable_bytes(std::span(head)));
}

ClipSettings clip_from(const FixedPart& fixed) {
  ClipSettings clip{.grid = NoiseGrid::with_integer_bound(fixed.integer_bound),
                    .clip_bound = fixed.clip_bound,
                    .dimension = fixed.dimension,
                    .max_records = fixed.max_records,
                    .sum = static_cast<ReleasedSum>(fixed.sum),
                    .histograms = fixed.histograms,
                    .step = fixed.step,
                    .rule = static_cast<ClipRule>(fixed.rule)};
  if (fixed.has_coordinate != 0) {
    clip.coordinate = ClipCoordinate{fixed.coordinate_size, fixed.unshortened_share};
  }
  return clip;
}

}  // namespace

void send_step(RankLink& ranks, const StepMessage& step) {
  const ClipSettings& clip = step.clip;
  const Factor kind = kind_of_factor(step.coordinates);
  const std::vector<double> factors = entries_of(step.coordinates, kind);
  const ClipCoordinate coordinate = clip.coordinate.value_or(ClipCoordinate());
  const FixedPart fixed{.integer_bound = clip.grid.integer_bound(),
                        .clip_bound = clip.clip_bound,
                        .dimension = clip.dimension,
                        .max_records = clip.max_records,
                        .sum = static_cast<std::uint64_t>(clip.sum),
                        .histograms = clip.histograms,
                        .step = clip.step,
                        .rule = static_cast<std::uint64_t>(clip.rule),
                        .has_coordinate = clip.coordinate ? 1u : 0u,
                        .coordinate_size = coordinate.size,
                        .unshortened_share = coordinate.unshortened_share,
                        .rate = step.rate.value(),
                        .factor = kind,
                        .axes = step.coordinates != nullptr ? step.coordinates->size() : 0,
                        .thetas = step.theta.size(),
                        .terms = step.joint.size(),
                        .factors = factors.size()};
  std::vector<std::byte> bytes;
  put(bytes, std::span(&fixed, 1));
  put(bytes, step.theta);
  put(bytes, step.joint);
  put(bytes, std::span<const double>(factors));
  send_head(ranks, Kind::step, bytes.size());
  ranks.broadcast(bytes);
}

void send_end(RankLink& ranks, JobEnd end) {
  send_head(ranks, end == JobEnd::done ? Kind::done : Kind::failed, 0);
}

std::optional<ReceivedStep> receive_step(RankLink& ranks) {
  Head head{};
  ranks.broadcast(std::as_writable_bytes(std::span(head)));
  const auto kind = static_cast<Kind>(head[0]);
  if (kind == Kind::done) return std::nullopt;
  if (kind != Kind::step) {
    throw rank_failure("the root of the job ended the fit.", "See its message.");
  }
  std::vector<std::byte> bytes(head[1]);
  ranks.broadcast(bytes);
  std::span<const std::byte> rest = bytes;
  const FixedPart fixed = take<FixedPart>(rest, 1)[0];
  std::vector<double> theta = take<double>(rest, fixed.thetas);
  std::vector<GradientTerm> joint = take<GradientTerm>(rest, fixed.terms);
  const std::vector<double> factors = take<double>(rest, fixed.factors);
  return ReceivedStep{.clip = clip_from(fixed),
                      .rate = SamplingRate::from_double(fixed.rate),
                      .theta = std::move(theta),
                      .joint = std::move(joint),
                      .coordinates = coordinates_from(fixed.factor, fixed.axes, factors)};
}

}  // namespace dpvi
