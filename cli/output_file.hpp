#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace dpvi::cli {

// Output of a verb: standard output, or a file that does not exist yet.
class OutputFile {
 public:
  void declare(CLI::App& app, const std::string& kind);

  bool named() const { return !name_.empty(); }
  const std::string& name() const { return name_; }

  // Refuses (DP402) a file that cannot be created, before any work is done.
  void check() const;
  // Writes the file and returns an empty string, or returns the text for standard output.
  std::string written(const std::string& text) const;

 private:
  std::string name_;
};

}  // namespace dpvi::cli
