#include <dpvi/gradient/coordinates.hpp>

#include <algorithm>
#include <cassert>

namespace dpvi {
namespace {

constexpr std::size_t kLaneCount = 16;

}  // namespace

Coordinates Coordinates::identity(std::size_t size) {
  Coordinates result(size);
  for (std::size_t i = 0; i < size; ++i) result.columns_[i] = {{i, 1.0}};
  return result;
}

Coordinates::Coordinates(std::vector<double> centre, std::vector<double> factor)
    : centre_(std::move(centre)), columns_(centre_.size()) {
  const std::size_t size = centre_.size();
  assert(factor.size() == size * size);
  for (std::size_t j = 0; j < size; ++j) {
    assert(factor[j * size + j] > 0.0);
    for (std::size_t i = j; i < size; ++i) {
      const double value = factor[i * size + j];
      if (value != 0.0) columns_[j].push_back({i, value});
    }
    scales_ = scales_ || columns_[j].size() > 1 || columns_[j][0].value != 1.0;
  }
}

double Coordinates::factor(std::size_t row, std::size_t column) const {
  const std::vector<Entry>& entries = columns_[column];
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [row](const Entry& entry) { return entry.row == row; });
  return found == entries.end() ? 0.0 : found->value;
}

// A loop over all coordinates: not for use inside another one.
bool Coordinates::is_diagonal() const {
  return !scales_ ||
         std::all_of(columns_.begin(), columns_.end(),
                     [](const std::vector<Entry>& entries) { return entries.size() == 1; });
}

std::vector<bool> Coordinates::used(const std::vector<bool>& used_theta) const {
  if (!scales_) return used_theta;
  std::vector<bool> used;
  for (const std::vector<Entry>& column : columns_) {
    used.push_back(std::any_of(column.begin(), column.end(),
                               [&](const Entry& entry) { return used_theta[entry.row]; }));
  }
  return used;
}

void Coordinates::to_theta(std::span<const double> z, std::span<double> theta) const {
  if (!scales_) {
    for (std::size_t j = 0; j < size(); ++j) theta[j] = centre_[j] + z[j];
    return;
  }
  std::copy(centre_.begin(), centre_.end(), theta.begin());
  for (std::size_t j = 0; j < size(); ++j) {
    for (const Entry& entry : columns_[j]) theta[entry.row] += entry.value * z[j];
  }
}

void Coordinates::from_theta(std::span<const double> theta, std::span<double> z) const {
  for (std::size_t i = 0; i < size(); ++i) z[i] = theta[i] - centre_[i];
  for (std::size_t j = 0; j < size(); ++j) {
    z[j] /= columns_[j][0].value;
    for (const Entry& entry : std::span(columns_[j]).subspan(1)) z[entry.row] -= entry.value * z[j];
  }
}

// Entry j of the result reads only entries j and later of the input, so it may overwrite entry j.
void Coordinates::pull_back(std::span<double> gradient) const {
  if (!scales_) return;
  for (std::size_t j = 0; j < size(); ++j) {
    double sum = 0.0;
    for (const Entry& entry : columns_[j]) sum += entry.value * gradient[entry.row];
    gradient[j] = sum;
  }
}

template <class T>
void Coordinates::pull_back_lanes(std::span<T> block) const {
  if (!scales_) return;
  assert(block.size() == size() * kLaneCount);
  for (std::size_t j = 0; j < size(); ++j) {
    T sums[kLaneCount] = {};
    for (const Entry& entry : columns_[j]) {
      const T* row = &block[entry.row * kLaneCount];
      const T value = static_cast<T>(entry.value);
      for (std::size_t k = 0; k < kLaneCount; ++k) sums[k] += value * row[k];
    }
    std::copy_n(sums, kLaneCount, &block[j * kLaneCount]);
  }
}

template <class T>
void Coordinates::pull_back_rows(const GradientRows& rows, std::span<T> block,
                                 std::span<const std::int32_t> own,
                                 std::span<const ProductRows> products) const {
  if (!scales_) return;
  assert(is_diagonal());
  const auto scale = [&](std::int32_t coordinate) {
    return static_cast<T>(columns_[static_cast<std::size_t>(coordinate)][0].value);
  };
  T* row = block.data();
  std::int32_t number = 0;
  for (const std::int32_t coordinate : rows.coordinates) {
    if (!products.empty() && number == products[0].first + products[0].count) {
      products = products.subspan(1);
    }
    const bool in_product = !products.empty() && number >= products[0].first;
    ++number;
    if (in_product) {
      row += kLaneCount;
      continue;
    }
    if (coordinate != GradientRows::kOwn) {
      const T value = scale(coordinate);
      for (std::size_t k = 0; k < kLaneCount; ++k) row[k] *= value;
    } else {
      for (std::size_t k = 0; k < kLaneCount; ++k) {
        if (own[k] != kNoCoordinate) row[k] *= scale(own[k]);
      }
      own = own.subspan(kLaneCount);
    }
    row += kLaneCount;
  }
}

template void Coordinates::pull_back_lanes(std::span<float>) const;
template void Coordinates::pull_back_lanes(std::span<double>) const;
template void Coordinates::pull_back_rows(const GradientRows&, std::span<float>,
                                          std::span<const std::int32_t>,
                                          std::span<const ProductRows>) const;
template void Coordinates::pull_back_rows(const GradientRows&, std::span<double>,
                                          std::span<const std::int32_t>,
                                          std::span<const ProductRows>) const;

}  // namespace dpvi
