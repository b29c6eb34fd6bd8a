#pragma once

#include <span>
#include <string_view>

namespace dpvi {

// Distribution functions that are not written into graphs but can be computed where all their
// arguments are known, as in the normalisation of a half-t prior (student_t_lccdf(0 | 3, 0, 10)).
using KnownTail = double (*)(std::span<const double> arguments);

// By full name, e.g. "student_t_lccdf"; null if there is none. Arguments outside the distribution's
// support give NaN.
KnownTail find_known_tail(std::string_view name);

}  // namespace dpvi
