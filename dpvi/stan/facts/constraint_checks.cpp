#include <dpvi/stan/facts/constraint_checks.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace dpvi {
namespace {

constexpr double kTolerance = 1e-8;

bool near(double a, double b) { return std::abs(a - b) <= kTolerance; }

class SpecialRule {
 public:
  SpecialRule(std::span<const double> numbers, SpecialShape shape)
      : numbers_(numbers), rows_(shape.rows), columns_(shape.columns) {}

  std::string_view broken_by(SpecialType special) const {
    switch (special) {
      case SpecialType::none:
        return {};
      case SpecialType::ordered:
        return increases() ? "" : "its entries must increase";
      case SpecialType::positive_ordered:
        return increases() && (numbers_.empty() || numbers_[0] >= 0.0)
                   ? ""
                   : "its entries must not be negative and must increase";
      case SpecialType::simplex:
        return shares(numbers_, 1) ? "" : "its entries must not be negative and must sum to 1";
      case SpecialType::unit_vector:
        return near(squares(0, numbers_.size()), 1.0) ? "" : "its length must be 1";
      case SpecialType::sum_to_zero_vector:
        return near(std::accumulate(numbers_.begin(), numbers_.end(), 0.0), 0.0)
                   ? ""
                   : "its entries must sum to 0";
      case SpecialType::sum_to_zero_matrix:
        return lines_sum_to_zero() ? "" : "its rows and columns must sum to 0";
      case SpecialType::row_stochastic_matrix:
      case SpecialType::column_stochastic_matrix:
        return lines_are_shares(special == SpecialType::row_stochastic_matrix)
                   ? ""
                   : "each row, or each column, must be a simplex";
      default:
        return broken_by_square(special);
    }
  }

 private:
  std::string_view broken_by_square(SpecialType special) const {
    switch (special) {
      case SpecialType::cholesky_factor_cov:
        return is_factor() ? "" : "it must have zeros above a positive diagonal";
      case SpecialType::cholesky_factor_corr:
        return is_factor() && rows_have_length_one()
                   ? ""
                   : "it must have zeros above a positive diagonal and rows of length 1";
      case SpecialType::cov_matrix:
        return is_symmetric() && is_positive_definite()
                   ? ""
                   : "it must be symmetric and positive definite";
      default:
        return is_symmetric() && has_unit_diagonal() && is_positive_definite()
                   ? ""
                   : "it must be symmetric and positive definite with ones on its diagonal";
    }
  }

  double at(std::size_t r, std::size_t c) const { return numbers_[r * columns_ + c]; }

  bool increases() const {
    for (std::size_t i = 1; i < numbers_.size(); ++i) {
      if (!(numbers_[i] > numbers_[i - 1])) return false;
    }
    return true;
  }

  static bool shares(std::span<const double> first, std::size_t stride, std::size_t count) {
    double sum = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
      if (!(first[i * stride] >= 0.0)) return false;
      sum += first[i * stride];
    }
    return near(sum, 1.0);
  }
  static bool shares(std::span<const double> all, std::size_t stride) {
    return shares(all, stride, all.size());
  }

  double squares(std::size_t begin, std::size_t end) const {
    return std::inner_product(numbers_.begin() + static_cast<std::ptrdiff_t>(begin),
                              numbers_.begin() + static_cast<std::ptrdiff_t>(end),
                              numbers_.begin() + static_cast<std::ptrdiff_t>(begin), 0.0);
  }

  bool lines_are_shares(bool rows) const {
    const std::size_t lines = rows ? rows_ : columns_;
    for (std::size_t i = 0; i < lines; ++i) {
      const auto from = numbers_.subspan(rows ? i * columns_ : i);
      if (!shares(from, rows ? 1 : columns_, rows ? columns_ : rows_)) return false;
    }
    return true;
  }

  bool lines_sum_to_zero() const {
    std::vector<double> sums(rows_ + columns_, 0.0);
    for (std::size_t r = 0; r < rows_; ++r) {
      for (std::size_t c = 0; c < columns_; ++c) {
        sums[r] += at(r, c);
        sums[rows_ + c] += at(r, c);
      }
    }
    return std::all_of(sums.begin(), sums.end(), [](double sum) { return near(sum, 0.0); });
  }

  bool is_factor() const {
    for (std::size_t r = 0; r < rows_; ++r) {
      for (std::size_t c = r + 1; c < columns_; ++c) {
        if (at(r, c) != 0.0) return false;
      }
      if (r < columns_ && !(at(r, r) > 0.0)) return false;
    }
    return rows_ >= columns_;
  }

  bool rows_have_length_one() const {
    for (std::size_t r = 0; r < rows_; ++r) {
      if (!near(squares(r * columns_, (r + 1) * columns_), 1.0)) return false;
    }
    return true;
  }

  bool is_symmetric() const {
    for (std::size_t r = 0; r < rows_; ++r) {
      for (std::size_t c = 0; c < r; ++c) {
        if (!near(at(r, c), at(c, r))) return false;
      }
    }
    return true;
  }

  bool has_unit_diagonal() const {
    for (std::size_t r = 0; r < rows_; ++r) {
      if (!near(at(r, r), 1.0)) return false;
    }
    return true;
  }

  // True if all pivots of a Cholesky decomposition are positive.
  bool is_positive_definite() const {
    std::vector<double> factor(numbers_.begin(), numbers_.end());
    for (std::size_t c = 0; c < rows_; ++c) {
      for (std::size_t r = c; r < rows_; ++r) {
        double& entry = factor[r * columns_ + c];
        for (std::size_t k = 0; k < c; ++k) {
          entry -= factor[r * columns_ + k] * factor[c * columns_ + k];
        }
        if (r == c) {
          if (!(entry > 0.0)) return false;
          entry = std::sqrt(entry);
        } else {
          entry /= factor[c * columns_ + c];
        }
      }
    }
    return true;
  }

  std::span<const double> numbers_;
  std::size_t rows_, columns_;
};

}  // namespace

std::string_view broken_rule(SpecialType special, std::span<const double> numbers,
                             SpecialShape shape) {
  return SpecialRule(numbers, shape).broken_by(special);
}

}  // namespace dpvi
