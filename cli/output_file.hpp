#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace dpvi::cli {

// Where a verb puts the text it makes: standard output, or a file that does not exist yet.
class OutputFile {
 public:
  void declare(CLI::App& app, const std::string& kind);

  bool named() const { return !name_.empty(); }
  const std::string& name() const { return name_; }

  // Refuses (DP402) a file that cannot be made, before any work is done for it.
  void check() const;
  // Writes the file and returns nothing, or returns the text for standard output.
  std::string written(const std::string& text) const;

 private:
  std::string name_;
};

}  // namespace dpvi::cli
