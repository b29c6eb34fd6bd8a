#pragma once

#include <dpvi/stan/syntax_tree.hpp>

namespace dpvi {

// Writes a call that only older versions of Stan know the way today's Stan spells it:
// normal_log(y, m, s) is normal_lpdf(y | m, s), normal_cdf_log is normal_lcdf, if_else(c, a, b) is
// c ? a : b, get_lp() is target(), cov_exp_quad is gp_exp_quad_cov. Leaves every other call alone.
// `call` must not mean a function of the program itself.
void spell_as_today(StanExpression& call);

}  // namespace dpvi
