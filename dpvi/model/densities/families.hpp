#pragma once

#include <dpvi/model/function_registry.hpp>

namespace dpvi {

// Each function adds the densities of one file to a registry, under their Stan names.
void add_normal_family(FunctionRegistry& registry);
void add_first_passage_family(FunctionRegistry& registry);
void add_location_scale_family(FunctionRegistry& registry);
void add_positive_family(FunctionRegistry& registry);
void add_lifetime_family(FunctionRegistry& registry);
void add_bounded_family(FunctionRegistry& registry);
void add_binomial_family(FunctionRegistry& registry);
void add_count_family(FunctionRegistry& registry);
void add_categorical_family(FunctionRegistry& registry);
void add_ordinal_family(FunctionRegistry& registry);
void add_tail_family(FunctionRegistry& registry);
void add_count_tail_family(FunctionRegistry& registry);
void add_linear_model_family(FunctionRegistry& registry);
void add_multivariate_family(FunctionRegistry& registry);
void add_matrix_family(FunctionRegistry& registry);

// The side of a distribution function: lower for _lcdf, upper for _lccdf.
enum class Tail { lower, upper };

}  // namespace dpvi
