#pragma once

#include <dpvi/stan/syntax/syntax_tree.hpp>

namespace dpvi {

// Rewrites a call in the syntax of older Stan versions into current syntax: normal_log(y, m, s) to
// normal_lpdf(y | m, s), normal_cdf_log to normal_lcdf, if_else(c, a, b) to c ? a : b, get_lp() to
// target(), cov_exp_quad to gp_exp_quad_cov. Leaves every other call unchanged. `call` must not
// resolve to a function of the program itself.
void spell_as_today(StanExpression& call);

}  // namespace dpvi
