#pragma once

#include <string>

namespace dpvi {

// A number with `digits` significant figures. Non-finite numbers become NaN, Inf and -Inf, which
// Stan, R and numpy all read.
std::string number_text(double value, int digits);

// The number that this text stands for, so that JSON of it is short. A finite number stays finite.
double rounded_number(double value, int digits);

// The same as number_text with all the digits that are needed to read the same double back.
std::string exact_text(double value);

// A bound with four significant figures that is still a bound: the printed number, read back, is
// not below `value`.
std::string rounded_up(double value);

// The same for a lower bound: the printed number is not above `value`.
std::string rounded_down(double value);

}  // namespace dpvi
