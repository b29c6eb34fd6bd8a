#include <dpvi/stan/syntax/reserved_words.hpp>

#include <algorithm>
#include <array>

namespace dpvi {

bool is_reserved_word(std::string_view word) {
  static constexpr std::array<std::string_view, 50> kWords = {"functions",
                                                              "data",
                                                              "parameters",
                                                              "model",
                                                              "generated",
                                                              "quantities",
                                                              "transformed",
                                                              "for",
                                                              "in",
                                                              "while",
                                                              "repeat",
                                                              "until",
                                                              "if",
                                                              "then",
                                                              "else",
                                                              "true",
                                                              "false",
                                                              "target",
                                                              "int",
                                                              "real",
                                                              "complex",
                                                              "vector",
                                                              "row_vector",
                                                              "matrix",
                                                              "complex_vector",
                                                              "complex_row_vector",
                                                              "complex_matrix",
                                                              "simplex",
                                                              "unit_vector",
                                                              "ordered",
                                                              "positive_ordered",
                                                              "cholesky_factor_corr",
                                                              "cholesky_factor_cov",
                                                              "corr_matrix",
                                                              "cov_matrix",
                                                              "sum_to_zero_vector",
                                                              "sum_to_zero_matrix",
                                                              "column_stochastic_matrix",
                                                              "row_stochastic_matrix",
                                                              "tuple",
                                                              "void",
                                                              "break",
                                                              "continue",
                                                              "return",
                                                              "print",
                                                              "reject",
                                                              "fatal_error",
                                                              "profile",
                                                              "jacobian",
                                                              "struct"};
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

}  // namespace dpvi
