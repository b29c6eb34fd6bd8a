#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include <dpvi/api/program.hpp>

namespace dpvi::cli {

// Flags that name a model and its public facts.
struct ModelFlags {
  std::string model;
  std::string schema;
  std::string public_file;
  std::string records;
  std::vector<std::string> defines;  // NAME=NUMBER
  std::vector<std::string> tables;   // COUNT=FILE

  void declare(CLI::App& app);  // MODEL and the two below
  void declare_schema(CLI::App& app);
  void declare_public(CLI::App& app);

  ProgramSource source() const;
};

}  // namespace dpvi::cli
