#pragma once

#include <string>
#include <vector>

#include <dpvi/base/error_codes.hpp>
#include <dpvi/stan/syntax/source_text.hpp>

namespace dpvi {

enum class Severity { error, warning, note };

// One diagnostic about a program. `message` states the problem and the rule; `hint` is the next
// step and may be empty.
struct Finding {
  Severity severity = Severity::error;
  ErrorCode code;
  Spot spot;
  std::string message;
  std::string hint;
};

// Collects diagnostics about a program. Keeps at most kMaxErrors errors, because further errors are
// mostly consequences of earlier ones.
class Findings {
 public:
  static constexpr int kMaxErrors = 20;

  void error(const ErrorCode& code, Spot spot, std::string message, std::string hint = {});
  void warning(const ErrorCode& code, Spot spot, std::string message, std::string hint = {});
  void add(Finding finding);

  bool has_errors() const { return errors_ > 0; }
  bool full() const { return errors_ >= kMaxErrors; }
  const std::vector<Finding>& list() const { return list_; }
  // Stable sort by source position.
  void sort_by_place();

 private:
  int errors_ = 0;
  std::vector<Finding> list_;
};

// Formats "error[DP201] file:line:col: message hint", then the source line with a caret.
std::string render(const Finding& finding, const SourceText& source);

// Throws InputError with the first error and the number of further ones; does nothing without
// errors.
void throw_if_errors(const Findings& findings, const SourceText& source);

}  // namespace dpvi
