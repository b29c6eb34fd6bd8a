#include <dpvi/tape/op.hpp>

#include <array>

namespace dpvi {
namespace {

constexpr std::array<std::string_view, kOpCount> kNames = {"constant",
                                                           "theta",
                                                           "record_real",
                                                           "record_int",
                                                           "neg",
                                                           "exp",
                                                           "log",
                                                           "log1p",
                                                           "log1m",
                                                           "expm1",
                                                           "sqrt",
                                                           "square",
                                                           "inv",
                                                           "fabs",
                                                           "sin",
                                                           "cos",
                                                           "tan",
                                                           "asin",
                                                           "acos",
                                                           "atan",
                                                           "sinh",
                                                           "cosh",
                                                           "tanh",
                                                           "inv_logit",
                                                           "logit",
                                                           "log_inv_logit",
                                                           "log1p_exp",
                                                           "log1m_exp",
                                                           "lgamma",
                                                           "digamma",
                                                           "trigamma",
                                                           "phi",
                                                           "log_phi",
                                                           "inv_phi",
                                                           "log_bessel_i0",
                                                           "floor",
                                                           "ceil",
                                                           "round",
                                                           "trunc",
                                                           "is_nan",
                                                           "logical_not",
                                                           "add",
                                                           "sub",
                                                           "mul",
                                                           "div",
                                                           "pow",
                                                           "min",
                                                           "max",
                                                           "atan2",
                                                           "fmod",
                                                           "lt",
                                                           "le",
                                                           "eq",
                                                           "ne",
                                                           "logical_and",
                                                           "logical_or",
                                                           "select",
                                                           "slice",
                                                           "pack",
                                                           "gather",
                                                           "sum",
                                                           "prod",
                                                           "min_of",
                                                           "max_of",
                                                           "log_sum_exp",
                                                           "dot",
                                                           "squared_distance",
                                                           "matmul"};

static_assert(!kNames.back().empty());

}  // namespace

std::string_view op_name(Op op) { return kNames[static_cast<std::size_t>(op)]; }

}  // namespace dpvi
