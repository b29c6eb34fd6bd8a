#include <gtest/gtest.h>

#include <cmath>
#include <span>
#include <vector>

#include <dpvi/family/make_family.hpp>

namespace dpvi {
namespace {

const std::vector<double> kLocation = {0.3, -1.2, 2.0};
const std::vector<double> kFactor = {1.5, 0, 0, -0.4, 0.8, 0, 0.2, 0.6, 0.5};
const std::vector<double> kEta = {0.7, -1.1, 0.4, 0.2, -1.3};  // the most that a family takes

// Any smooth function will do.
double log_p(const std::vector<double>& theta) {
  return std::sin(theta[0]) + 2.0 * std::sin(theta[1]) - theta[0] * theta[2];
}
std::vector<double> log_p_gradient(const std::vector<double>& theta) {
  return {std::cos(theta[0]) - theta[2], 2.0 * std::cos(theta[1]), -theta[0]};
}

constexpr std::size_t kRank = 2;
const std::vector<double> kDiagonal = {0.9, 0.5, 1.1};
const std::vector<double> kColumns = {0.3, -0.8, 0.6, 0.1, -0.2, 0.4};

std::vector<double> example_part(PartShape shape) {
  switch (shape) {
    case PartShape::scales:
      return kDiagonal;
    case PartShape::triangle:
      return kFactor;
    case PartShape::columns:
      break;
  }
  return kColumns;
}

struct ChosenGaussian {
  explicit ChosenGaussian(FamilyKind kind) : family(make_family(kind, 3, kRank)) {
    std::vector<std::vector<double>> parts;
    for (const FactorPart& part : family->description().parts) {
      parts.push_back(example_part(part.shape));
    }
    parameters = family->parameters(kLocation, parts);
  }

  std::span<const double> eta() const { return std::span(kEta).first(family->draw_size()); }

  SharedFamily family;
  std::vector<double> parameters;
};

// Entropy up to a constant: half the log determinant of the covariance.
double entropy(const Family& family, const std::vector<double>& parameters) {
  // At the location only the determinant is left of the density.
  const std::vector<double> at_location(family.draw_size(), 0.0);
  return -family.log_density(parameters, at_location);
}

double objective(const ChosenGaussian& chosen, const std::vector<double>& parameters) {
  std::vector<double> theta(3);
  chosen.family->transform(parameters, chosen.eta(), theta);
  return log_p(theta) + entropy(*chosen.family, parameters);
}

class Families : public testing::TestWithParam<FamilyKind> {};

TEST_P(Families, TermsAndEntropyGiveTheGradientOfTheDrawnObjective) {
  const ChosenGaussian chosen(GetParam());
  std::vector<double> theta(3), gradient(chosen.family->parameter_count(), 0.0);
  chosen.family->transform(chosen.parameters, chosen.eta(), theta);
  add_terms(chosen.family->gradient_terms(chosen.parameters, chosen.eta()), log_p_gradient(theta),
            gradient);
  chosen.family->add_entropy_gradient(chosen.parameters, gradient);
  constexpr double kStep = 1e-6;
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    std::vector<double> above = chosen.parameters, below = chosen.parameters;
    above[i] += kStep;
    below[i] -= kStep;
    const double slope = (objective(chosen, above) - objective(chosen, below)) / (2 * kStep);
    EXPECT_NEAR(gradient[i], slope, 1e-8) << i;
  }
}

TEST_P(Families, ScalesBecomeTheStandardDeviations) {
  const ChosenGaussian chosen(GetParam());
  const auto parameters = chosen.family->parameters_of_scales(kLocation, kDiagonal);
  const auto sds = chosen.family->standard_deviations(parameters);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(sds[i], kDiagonal[i], 1e-14);
}

TEST_P(Families, KeepTheParts) {
  const ChosenGaussian chosen(GetParam());
  const auto parts = chosen.family->parts(chosen.parameters);
  const auto& described = chosen.family->description().parts;
  ASSERT_EQ(parts.size(), described.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::vector<double> expected = example_part(described[i].shape);
    ASSERT_EQ(parts[i].size(), expected.size());
    for (std::size_t j = 0; j < expected.size(); ++j) {
      EXPECT_NEAR(parts[i][j], expected[j], 1e-15);
    }
  }
}

TEST_P(Families, MappedByADiagonalAreScaled) {
  const ChosenGaussian chosen(GetParam());
  const TriangularMatrix map{.size = 3, .entries = {2.0, 0.5, 3.0}};
  const auto mapped = chosen.family->mapped(chosen.parameters, kLocation, map);
  const auto before = chosen.family->standard_deviations(chosen.parameters);
  const auto after = chosen.family->standard_deviations(mapped);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(after[i], map(i, i) * before[i], 1e-14);
}

INSTANTIATE_TEST_SUITE_P(Kinds, Families, testing::ValuesIn(kFamilies));

TEST(Family, FullRankStandardDeviationsAreThoseOfTheFactor) {
  const ChosenGaussian chosen(FamilyKind::full_rank);
  const auto sds = chosen.family->standard_deviations(chosen.parameters);
  EXPECT_NEAR(sds[1], std::hypot(0.4, 0.8), 1e-14);
  EXPECT_NEAR(sds[2], std::sqrt(0.04 + 0.36 + 0.25), 1e-14);
}

// The covariance diag(s)^2 + B B' for two coordinates and one column, computed by hand.
TEST(Family, LowRankLogDensityIsThatOfTheGaussian) {
  const SharedFamily family = make_family(FamilyKind::low_rank, 2, 1);
  const std::vector<double> location = {1.0, 2.0}, diagonal = {0.5, 2.0}, columns = {0.6, -1.5};
  const auto parameters = family->parameters(location, {diagonal, columns});
  const std::vector<double> eta = {0.3, -0.4, 1.2};
  const double x = 0.5 * 0.3 + 0.6 * 1.2, y = 2.0 * -0.4 - 1.5 * 1.2;
  const double a = 0.25 + 0.36, b = -0.9, c = 4.0 + 2.25;
  const double determinant = a * c - b * b;
  const double square = (c * x * x - 2 * b * x * y + a * y * y) / determinant;
  EXPECT_NEAR(family->log_density(parameters, eta),
              -std::log(2 * M_PI) - 0.5 * std::log(determinant) - 0.5 * square, 1e-13);
  EXPECT_NEAR(family->standard_deviations(parameters)[1], std::sqrt(c), 1e-14);
}

TEST(Family, LogDensityIsThatOfTheGaussian) {
  const SharedFamily family = make_family(FamilyKind::full_rank, 3);
  const auto parameters = family->parameters(kLocation, {kFactor});
  const double half_squares = 0.5 * (0.49 + 1.21 + 0.16);
  const double expected = -1.5 * std::log(2 * M_PI) - std::log(1.5 * 0.8 * 0.5) - half_squares;
  EXPECT_NEAR(family->log_density(parameters, std::span(kEta).first(3)), expected, 1e-13);
}

}  // namespace
}  // namespace dpvi
