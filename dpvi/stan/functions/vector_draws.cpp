#include <dpvi/stan/functions/vector_draws.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace dpvi {
namespace {

using Numbers = std::vector<double>;

// A square matrix in column-major order.
struct Square {
  explicit Square(std::size_t n) : size(n), numbers(n * n, 0.0) {}
  explicit Square(const KnownNumbers& matrix) : size(matrix.rows), numbers(matrix.numbers) {}
  double& operator()(std::size_t r, std::size_t c) { return numbers[c * size + r]; }
  double operator()(std::size_t r, std::size_t c) const { return numbers[c * size + r]; }
  std::size_t size;
  Numbers numbers;
};

// Contains NaN if the matrix is not positive definite.
Square cholesky(const Square& matrix) {
  Square lower(matrix.size);
  for (std::size_t c = 0; c < matrix.size; ++c) {
    for (std::size_t r = c; r < matrix.size; ++r) {
      double rest = matrix(r, c);
      for (std::size_t k = 0; k < c; ++k) rest -= lower(r, k) * lower(c, k);
      lower(r, c) = r == c ? std::sqrt(rest) : rest / lower(c, c);
    }
  }
  return lower;
}

Numbers times(const Square& lower, const Numbers& z) {
  Numbers product(z.size(), 0.0);
  for (std::size_t r = 0; r < z.size(); ++r) {
    for (std::size_t c = 0; c <= r; ++c) product[r] += lower(r, c) * z[c];
  }
  return product;
}

// Solves L' x = z.
Numbers solve_transposed(const Square& lower, Numbers z) {
  for (std::size_t r = z.size(); r-- > 0;) {
    for (std::size_t k = r + 1; k < z.size(); ++k) z[r] -= lower(k, r) * z[k];
    z[r] /= lower(r, r);
  }
  return z;
}

Square times_own_transpose(const Square& factor) {
  Square product(factor.size);
  for (std::size_t r = 0; r < factor.size; ++r) {
    for (std::size_t c = 0; c < factor.size; ++c) {
      for (std::size_t k = 0; k < factor.size; ++k) product(r, c) += factor(r, k) * factor(c, k);
    }
  }
  return product;
}

// Solves L x = A, column by column.
Square divided(const Square& lower, const Square& matrix) {
  Square x = matrix;
  for (std::size_t c = 0; c < x.size; ++c) {
    for (std::size_t r = 0; r < x.size; ++r) {
      for (std::size_t k = 0; k < r; ++k) x(r, c) -= lower(r, k) * x(k, c);
      x(r, c) /= lower(r, r);
    }
  }
  return x;
}

Square transposed(const Square& matrix) {
  Square other(matrix.size);
  for (std::size_t r = 0; r < matrix.size; ++r) {
    for (std::size_t c = 0; c < matrix.size; ++c) other(c, r) = matrix(r, c);
  }
  return other;
}

Numbers softmax(const Numbers& logits) {
  Numbers shares;
  const double largest = *std::max_element(logits.begin(), logits.end());
  for (const double logit : logits) shares.push_back(std::exp(logit - largest));
  const double total = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share /= total;
  return shares;
}

// Draws of variates that are not scalars.
class VectorDraws {
 public:
  explicit VectorDraws(const UniformSource& uniform) : uniform_(uniform) {}

  Numbers category(const Numbers& shares) const {
    double rest = uniform_();
    for (std::size_t k = 0; k + 1 < shares.size(); ++k) {
      rest -= shares[k];
      if (rest < 0.0) return {static_cast<double>(k + 1)};
    }
    return {static_cast<double>(shares.size())};
  }

  // The category whose cut points enclose the latent variable.
  Numbers ordered(double latent, const Numbers& cuts) const {
    const auto below =
        std::count_if(cuts.begin(), cuts.end(), [&](double c) { return c < latent; });
    return {static_cast<double>(below + 1)};
  }

  Numbers multinomial(const Numbers& shares, double trials) const {
    Numbers counts;
    double rest = 1.0;
    for (const double share : shares) {
      const double p = rest > 0.0 ? std::clamp(share / rest, 0.0, 1.0) : 1.0;
      const bool last = counts.size() + 1 == shares.size();
      counts.push_back(last ? trials : draw_binomial(uniform_, trials, p));
      trials -= counts.back();
      rest -= share;
    }
    return counts;
  }

  Numbers dirichlet(const Numbers& alpha) const {
    Numbers shares;
    for (const double shape : alpha) shares.push_back(draw_gamma(uniform_, shape));
    const double total = std::accumulate(shares.begin(), shares.end(), 0.0);
    for (double& share : shares) share /= total;
    return shares;
  }

  Numbers standard_normals(std::size_t count) const {
    Numbers z(count);
    for (double& number : z) number = draw_standard_normal(uniform_);
    return z;
  }

  Numbers shifted(const Numbers& location, Numbers deviation, double scale) const {
    for (std::size_t i = 0; i < location.size(); ++i) {
      deviation[i] = location[i] + scale * deviation[i];
    }
    return deviation;
  }

  // The factor that turns a normal deviate into one of Student's t.
  double student_scale(double nu) const {
    return std::sqrt(nu / (2.0 * draw_gamma(uniform_, 0.5 * nu)));
  }

  // Lewandowski, Kurowicka and Joe (2009): partial correlations have beta distributions on (-1, 1).
  Square lkj_cholesky(std::size_t size, double eta) const {
    Square lower(size);
    for (std::size_t r = 0; r < size; ++r) {
      double rest = 1.0;
      for (std::size_t c = 0; c < r; ++c) {
        const double shape = eta + 0.5 * static_cast<double>(size - 2 - c);
        const double x = draw_gamma(uniform_, shape);
        const double partial = 2.0 * x / (x + draw_gamma(uniform_, shape)) - 1.0;
        lower(r, c) = partial * std::sqrt(rest);
        rest *= 1.0 - partial * partial;
      }
      lower(r, r) = std::sqrt(rest);
    }
    return lower;
  }

  // Bartlett's decomposition: the Cholesky factor of a standard Wishart matrix.
  Square bartlett(std::size_t size, double nu) const {
    Square lower(size);
    for (std::size_t c = 0; c < size; ++c) {
      const double freedom = nu - static_cast<double>(c);
      lower(c, c) = std::sqrt(2.0 * draw_gamma(uniform_, 0.5 * freedom));
      for (std::size_t r = c + 1; r < size; ++r) lower(r, c) = draw_standard_normal(uniform_);
    }
    return lower;
  }

 private:
  const UniformSource& uniform_;
};

Square wishart(const VectorDraws& draws, double nu, const Square& scale) {
  const Square lower = cholesky(scale);
  const Square core = draws.bartlett(scale.size, nu);
  Square factor(scale.size);
  for (std::size_t r = 0; r < scale.size; ++r) {
    for (std::size_t c = 0; c <= r; ++c) {
      for (std::size_t k = c; k <= r; ++k) factor(r, c) += lower(r, k) * core(k, c);
    }
  }
  return times_own_transpose(factor);
}

// L (A A')^-1 L' with S = L L' and a standard Wishart matrix A A'.
Square inverse_wishart(const VectorDraws& draws, double nu, const Square& scale) {
  const Square core = draws.bartlett(scale.size, nu);
  // X = A^-1 L' solves A X = L'; the result is X' X.
  return times_own_transpose(transposed(divided(core, transposed(cholesky(scale)))));
}

using Given = const std::vector<KnownNumbers>&;
using VectorDraw = Numbers (*)(const VectorDraws&, const UniformSource&, Given);

template <bool kProbit>
Numbers draw_ordered(const VectorDraws& draws, const UniformSource& uniform, Given g) {
  const double u = uniform();
  const double noise = kProbit ? draw_standard_normal(uniform) : std::log(u) - std::log1p(-u);
  return draws.ordered(g[0].number() + noise, g[1].numbers);
}

Numbers normal_deviation(const VectorDraws& draws, const KnownNumbers& covariance) {
  return times(cholesky(Square(covariance)), draws.standard_normals(covariance.rows));
}

const std::map<std::string_view, VectorDraw>& vector_draws() {
  using U = const UniformSource&;
  using D = const VectorDraws&;
  static const std::map<std::string_view, VectorDraw> kDraws = {
      {"categorical", [](D d, U, Given g) { return d.category(g[0].numbers); }},
      {"categorical_logit", [](D d, U, Given g) { return d.category(softmax(g[0].numbers)); }},
      {"ordered_logistic", draw_ordered<false>},
      {"ordered_probit", draw_ordered<true>},
      {"dirichlet", [](D d, U, Given g) { return d.dirichlet(g[0].numbers); }},
      {"multinomial", [](D d, U, Given g) { return d.multinomial(g[0].numbers, g[1].number()); }},
      {"multinomial_logit",
       [](D d, U, Given g) { return d.multinomial(softmax(g[0].numbers), g[1].number()); }},
      {"dirichlet_multinomial",
       [](D d, U, Given g) { return d.multinomial(d.dirichlet(g[0].numbers), g[1].number()); }},
      {"multi_normal",
       [](D d, U, Given g) { return d.shifted(g[0].numbers, normal_deviation(d, g[1]), 1.0); }},
      {"multi_normal_cholesky",
       [](D d, U, Given g) {
         return d.shifted(g[0].numbers, times(Square(g[1]), d.standard_normals(g[1].rows)), 1.0);
       }},
      {"multi_normal_prec",
       [](D d, U, Given g) {
         const Square lower = cholesky(Square(g[1]));
         return d.shifted(g[0].numbers, solve_transposed(lower, d.standard_normals(g[1].rows)),
                          1.0);
       }},
      {"multi_student_t",
       [](D d, U, Given g) {
         return d.shifted(g[1].numbers, normal_deviation(d, g[2]), d.student_scale(g[0].number()));
       }},
      {"multi_student_t_cholesky",
       [](D d, U, Given g) {
         return d.shifted(g[1].numbers, times(Square(g[2]), d.standard_normals(g[2].rows)),
                          d.student_scale(g[0].number()));
       }},
      {"lkj_corr_cholesky",
       [](D d, U, Given g) {
         return d.lkj_cholesky(static_cast<std::size_t>(g[0].number()), g[1].number()).numbers;
       }},
      {"lkj_corr",
       [](D d, U, Given g) {
         const auto size = static_cast<std::size_t>(g[0].number());
         return times_own_transpose(d.lkj_cholesky(size, g[1].number())).numbers;
       }},
      {"wishart", [](D d, U, Given g) { return wishart(d, g[0].number(), Square(g[1])).numbers; }},
      {"inv_wishart",
       [](D d, U, Given g) { return inverse_wishart(d, g[0].number(), Square(g[1])).numbers; }},
      {"wishart_cholesky",
       [](D d, U, Given g) {
         const Square scale = times_own_transpose(Square(g[1]));
         return cholesky(wishart(d, g[0].number(), scale)).numbers;
       }},
      {"inv_wishart_cholesky",
       [](D d, U, Given g) {
         const Square scale = times_own_transpose(Square(g[1]));
         return cholesky(inverse_wishart(d, g[0].number(), scale)).numbers;
       }},
  };
  return kDraws;
}

bool is_wishart(std::string_view distribution) {
  return distribution.find("wishart") != std::string_view::npos;
}

// True if each matrix is square and matches the vector beside it, and if there is at least one
// category.
bool sizes_fit(std::string_view distribution, const std::vector<KnownNumbers>& parameters) {
  constexpr double kLargestMatrix = 500;
  if (distribution.starts_with("lkj_corr")) {
    return parameters[0].number() >= 1.0 && parameters[0].number() <= kLargestMatrix;
  }
  const KnownNumbers& last = parameters.back();
  const bool multivariate = distribution.starts_with("multi_");
  if (is_wishart(distribution) || multivariate) {
    const std::size_t size =
        multivariate ? parameters[parameters.size() - 2].numbers.size() : last.rows;
    return last.rows == last.columns && last.rows == size;
  }
  return !parameters[0].numbers.empty();
}

}  // namespace

bool has_vector_draw(std::string_view distribution) {
  return vector_draws().contains(distribution);
}

bool has_valid_shapes(std::string_view distribution, const std::vector<KnownNumbers>& parameters) {
  if (!sizes_fit(distribution, parameters)) return false;
  const bool lkj = distribution.starts_with("lkj_corr");
  const bool matrix = is_wishart(distribution);
  const bool shapes = distribution.starts_with("dirichlet") ||
                      distribution.starts_with("multi_student_t") || matrix || lkj;
  if (!shapes) return true;
  const double least = matrix ? static_cast<double>(parameters[1].rows) - 1.0 : 0.0;
  const Numbers& checked = parameters[lkj ? 1 : 0].numbers;
  return std::all_of(checked.begin(), checked.end(),
                     [&](double x) { return x > least && std::isfinite(x); });
}

std::vector<double> draw_vector(const UniformSource& uniform, std::string_view distribution,
                                const std::vector<KnownNumbers>& parameters) {
  return vector_draws().find(distribution)->second(VectorDraws(uniform), uniform, parameters);
}

}  // namespace dpvi
