#include "output_file.hpp"

#include <dpvi/report/atomic_folder.hpp>

namespace dpvi::cli {

void OutputFile::declare(CLI::App& app, const std::string& kind) {
  app.add_option("--out", name_, kind + " file to write (default: standard output)");
}

void OutputFile::check() const {
  if (named()) check_can_create(name_);
}

std::string OutputFile::written(const std::string& text) const {
  if (!named()) return text;
  write_new_file(name_, text);
  return {};
}

}  // namespace dpvi::cli
