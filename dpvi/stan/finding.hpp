#pragma once

#include <string>
#include <vector>

#include <dpvi/base/error_codes.hpp>
#include <dpvi/stan/source_text.hpp>

namespace dpvi {

enum class Severity { error, warning, note };

// One thing to say about a program. `message` names what is wrong and the rule, `hint` is the next
// step (may be empty).
struct Finding {
  Severity severity = Severity::error;
  ErrorCode code;
  Spot spot;
  std::string message;
  std::string hint;
};

// What a reader of a program has found so far. Keeps at most kMaxErrors errors: after so many the
// rest are mostly consequences.
class Findings {
 public:
  static constexpr int kMaxErrors = 20;

  void error(const ErrorCode& code, Spot spot, std::string message, std::string hint = {});
  void warning(const ErrorCode& code, Spot spot, std::string message, std::string hint = {});
  void add(Finding finding);

  bool has_errors() const { return errors_ > 0; }
  bool full() const { return errors_ >= kMaxErrors; }
  const std::vector<Finding>& list() const { return list_; }
  // In the order of the text, errors of one place once.
  void sort_by_place();

 private:
  int errors_ = 0;
  std::vector<Finding> list_;
};

// "error[DP201] file:line:col: message hint", then the source line and a caret under the place.
std::string render(const Finding& finding, const SourceText& source);

// Throws InputError with the first error, if there is one, and a count of the others.
void throw_if_errors(const Findings& findings, const SourceText& source);

}  // namespace dpvi
