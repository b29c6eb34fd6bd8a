#pragma once

#include <map>
#include <string>
#include <vector>

#include <dpvi/model/stan_functions.hpp>
#include <dpvi/model/transform.hpp>
#include <dpvi/tape/reference/reference_evaluator.hpp>
#include <tests/model/golden_cases.hpp>

namespace dpvi {

// Sources of the numbers in a call.
enum class Places {
  data_constant,  // data known while the graph is built
  data_recorded,  // data read from the record
  all_lane        // parameters, too, vary between records
};

// One call of a density, built as a graph over theta and one record.
class DensityCall {
 public:
  DensityCall(const nlohmann::json& golden, Places places) : places_(places) {
    std::vector<ShapedNode> arguments;
    for (const auto& argument : golden.at("arguments")) arguments.push_back(read(argument));
    const std::string name = golden.at("function");
    const GraphFunction* function = stan_functions().find(name);
    if (function == nullptr) throw std::runtime_error(name + " is not registered");
    root_ = (*function)(builder_, arguments);
  }

  const std::vector<double>& theta() const { return theta_; }
  ReferenceGradient at(const std::vector<double>& theta) const {
    return reference_gradient(graph(), root_, theta, record());
  }
  const Graph& graph() const { return builder_.graph(); }
  NodeId root() const { return root_; }
  RecordValues record() const { return {reals_, ints_}; }

 private:
  ShapedNode read(const nlohmann::json& argument) {
    const std::int32_t rows = argument.at("rows");
    const std::int32_t columns = argument.at("columns");
    const std::vector<double> values = golden_numbers(argument.at("values"));
    if (argument.at("kind") != "theta") return {data(argument.at("kind"), values), rows, columns};
    const NodeId free = parameters(values);
    if (!argument.contains("constraint")) return {free, rows, columns};
    const Transform transform{kind_of(argument.at("constraint")), rows, columns, {}, {}, {}, {}};
    return {constrain(builder_, transform, free).value, rows, columns};
  }

  NodeId parameters(const std::vector<double>& values) {
    const auto count = static_cast<std::int32_t>(values.size());
    const NodeId theta = builder_.theta(static_cast<std::int32_t>(theta_.size()), count);
    theta_.insert(theta_.end(), values.begin(), values.end());
    if (places_ != Places::all_lane) return theta;
    return builder_.add(theta, real_columns(std::vector<double>(values.size(), 0.0)));
  }

  NodeId data(const std::string& kind, const std::vector<double>& values) {
    if (places_ == Places::data_constant) return builder_.constant(values);
    if (kind == "real") return real_columns(values);
    const auto first = static_cast<std::int32_t>(ints_.size());
    for (const double value : values) ints_.push_back(static_cast<std::int32_t>(value));
    return builder_.record_int(first, static_cast<std::int32_t>(values.size()));
  }

  NodeId real_columns(const std::vector<double>& values) {
    const auto first = static_cast<std::int32_t>(reals_.size());
    reals_.insert(reals_.end(), values.begin(), values.end());
    return builder_.record_real(first, static_cast<std::int32_t>(values.size()));
  }

  static TransformKind kind_of(const std::string& name) {
    static const std::map<std::string, TransformKind> kKinds = {
        {"simplex", TransformKind::simplex},
        {"cov_matrix", TransformKind::cov_matrix},
        {"corr_matrix", TransformKind::corr_matrix},
        {"cholesky_factor_cov", TransformKind::cholesky_factor_cov},
        {"cholesky_factor_corr", TransformKind::cholesky_factor_corr}};
    return kKinds.at(name);
  }

  Places places_;
  GraphBuilder builder_;
  std::vector<double> theta_;
  std::vector<double> reals_;
  std::vector<std::int32_t> ints_;
  NodeId root_;
};

}  // namespace dpvi
