#include <dpvi/model/stan_functions.hpp>

#include <dpvi/model/densities/families.hpp>

namespace dpvi {
namespace {

FunctionRegistry all_functions() {
  FunctionRegistry registry;
  add_normal_family(registry);
  add_first_passage_family(registry);
  add_location_scale_family(registry);
  add_positive_family(registry);
  add_lifetime_family(registry);
  add_bounded_family(registry);
  add_binomial_family(registry);
  add_count_family(registry);
  add_categorical_family(registry);
  add_ordinal_family(registry);
  add_tail_family(registry);
  add_count_tail_family(registry);
  add_multivariate_family(registry);
  add_matrix_family(registry);
  add_linear_model_family(registry);  // after the densities it builds on
  return registry;
}

}  // namespace

const FunctionRegistry& stan_functions() {
  static const FunctionRegistry kRegistry = all_functions();
  return kRegistry;
}

}  // namespace dpvi
