#pragma once

#include <filesystem>
#include <string>

#include <dpvi/fit/public_inputs.hpp>

namespace dpvi {

// The program of a bundle and all that it needs beside rows.
struct BundleProgram {
  std::string model_file;
  std::string model_text;
  std::string schema_file;  // empty without a schema
  std::string schema_text;
  PublicInputs inputs;
};

// Throws MissingInputError if a file is not there, InputError if one is damaged or is not the one
// that the fit wrote, by its SHA-256 in run.json.
BundleProgram read_bundle_program(const std::filesystem::path& folder);

}  // namespace dpvi
