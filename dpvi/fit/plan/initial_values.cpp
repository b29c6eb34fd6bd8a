#include <dpvi/fit/plan/initial_values.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <dpvi/base/error.hpp>
#include <dpvi/base/internal/dense_solvers.hpp>
#include <dpvi/fit/prepare/prior_draw.hpp>

namespace dpvi {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Finds the free numbers at which a parameter has the requested values, by least squares
// (Levenberg-Marquardt). This needs no inverse of any transform, and bounds may depend on
// parameters declared earlier.
class ParameterSolver {
 public:
  ParameterSolver(const StanModel& model, const ModelParameter& parameter, const VectorXd& target,
                  std::vector<double>& theta)
      : values_(*model.graph, std::span(&parameter.value.node, 1), model.free_size),
        free_(std::span(theta).subspan(static_cast<std::size_t>(parameter.first_free),
                                       static_cast<std::size_t>(parameter.free_size))),
        target_(target),
        theta_(theta) {}

  // Returns true if a solution was found; it is then in theta.
  bool solve() {
    constexpr int kRounds = 300;
    constexpr double kMaxDamping = 1e12;
    double damping = 1e-3;
    if (!residuals().allFinite()) leave_zero();
    for (int round = 0; round < kRounds && damping < kMaxDamping; ++round) {
      if (is_met()) return true;
      const std::vector<double> start(free_.begin(), free_.end());
      const double before = residuals().squaredNorm();
      step(damping);
      const double after = residuals().squaredNorm();
      if (after < before) {
        damping *= 0.2;
      } else {
        std::copy(start.begin(), start.end(), free_.begin());
        damping *= 5.0;
      }
    }
    return is_met();
  }

 private:
  VectorXd residuals() const {
    const std::vector<double> found = values_.evaluate(theta_);
    return VectorXd::Map(found.data(), std::ssize(found)) - target_;
  }

  // A unit vector is undefined if all its free numbers are zero.
  void leave_zero() {
    for (std::size_t j = 0; j < free_.size(); ++j) free_[j] += 0.1 * static_cast<double>(j + 1);
  }

  bool is_met() const {
    constexpr double kTolerance = 1e-7;
    return (residuals().array().abs() <= kTolerance * (1e-3 + target_.array().abs())).all();
  }

  void step(double damping) {
    const VectorXd at = residuals();
    MatrixXd slopes(at.size(), std::ssize(free_));
    for (std::size_t j = 0; j < free_.size(); ++j) {
      const double kept = free_[j], width = 1e-6 * (1.0 + std::abs(kept));
      free_[j] = kept + width;
      const VectorXd above = residuals();
      free_[j] = kept - width;
      slopes.col(static_cast<Eigen::Index>(j)) = (above - residuals()) / (2.0 * width);
      free_[j] = kept;
    }
    MatrixXd normal = slopes.transpose() * slopes;
    const double floor = 1e-12 * (1.0 + normal.diagonal().maxCoeff());
    normal.diagonal().array() += damping * normal.diagonal().array() + floor;
    const VectorXd change = solve_positive(normal, slopes.transpose() * at);
    for (std::size_t j = 0; j < free_.size(); ++j) free_[j] -= change[static_cast<Eigen::Index>(j)];
  }

  UniformValues values_;
  std::span<double> free_;
  VectorXd target_;
  std::vector<double>& theta_;
};

// Returns the values in the order of the parameter's node.
VectorXd target_of(const NamedValue& parameter, const PublicValue& value) {
  std::vector<std::size_t> declared;
  for (std::size_t i = 0; i < parameter.dims.count(); ++i) {
    declared.push_back(static_cast<std::size_t>(parameter.dims[i]));
  }
  if (value.dimensions != declared) {
    throw InputError(
        kBadShape,
        fmt::format("the initial value of '{}' has sizes [{}]; the program declares "
                    "[{}].",
                    parameter.name, fmt::join(value.dimensions, ", "), fmt::join(declared, ", ")),
        "Write it as Stan's JSON does: lists within lists, rows of a matrix first.", value.place);
  }
  VectorXd target(std::ssize(value.numbers));
  std::size_t next = 0;
  for (const std::int64_t offset : offsets_by_rows(parameter.type, parameter.dims)) {
    target[offset] = value.numbers[next++];
  }
  return target;
}

void refuse_unknown(const StanModel& model, const PublicData& values) {
  std::vector<std::string> names;
  for (const ModelParameter& parameter : model.parameters) names.push_back(parameter.value.name);
  for (const auto& [name, value] : values) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    throw InputError(kModelName, "this name is not a parameter of the program.",
                     fmt::format("Its parameters are {}.", fmt::join(names, ", ")), value.place);
  }
}

}  // namespace

std::vector<double> theta_of_values(const RecordModel& model, const PublicData& values,
                                    std::span<const double> otherwise) {
  const StanModel& stan = model.stan();
  refuse_unknown(stan, values);
  std::vector<double> theta(otherwise.begin(), otherwise.end());
  for (const ModelParameter& parameter : stan.parameters) {
    const auto found = values.find(parameter.value.name);
    if (found == values.end()) continue;
    const VectorXd target = target_of(parameter.value, found->second);
    if (ParameterSolver(stan, parameter, target, theta).solve()) continue;
    throw InputError(kBadPublicValue,
                     fmt::format("the initial value of '{}' is outside its declaration, {}.",
                                 parameter.value.name, parameter.value.type_description),
                     "Give a value inside its bounds, not on them.", found->second.place);
  }
  return theta;
}

std::vector<double> theta_from_prior(const RecordModel& model) {
  SeededStream stream = SeededGenerator(1).stream({.label = StreamLabel::initial_value});
  auto drawn = draw_from_prior(model.prior(), model.dimension(), stream);
  if (drawn) return *drawn;
  throw InputError(kModelFails, "the prior has no value at any random point.",
                   "Start from --init zero or from a file.", {});
}

}  // namespace dpvi
