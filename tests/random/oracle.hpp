#pragma once

#include <boost/multiprecision/mpfr.hpp>
#include <cstdint>
#include <span>
#include <vector>

namespace dpvi {

// MPFR with 300 decimal digits, far more than any draw in a test has.
using Oracle = boost::multiprecision::number<boost::multiprecision::mpfr_float_backend<300>,
                                             boost::multiprecision::et_off>;

inline Oracle two_to(int exponent) { return ldexp(Oracle(1), exponent); }

// P(|Z| >= x) for a standard Gaussian Z.
inline Oracle gaussian_two_tails(const Oracle& x) { return erfc(x / sqrt(Oracle(2))); }

// A word source that replays given words and counts how many it gave.
class ScriptedWords {
 public:
  explicit ScriptedWords(std::vector<std::uint64_t> words) : words_(std::move(words)) {}

  std::uint64_t next() { return words_.at(used_++); }
  void fill(std::span<std::uint64_t> words) {
    for (std::uint64_t& word : words) word = next();
  }
  std::size_t used() const { return used_; }

 private:
  std::vector<std::uint64_t> words_;
  std::size_t used_ = 0;
};

}  // namespace dpvi
