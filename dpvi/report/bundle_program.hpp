#pragma once

#include <string>

#include <dpvi/fit/prepare/public_inputs.hpp>
#include <dpvi/report/bundle_texts.hpp>

namespace dpvi {

// The program of a bundle, with everything that it needs besides rows.
struct BundleProgram {
  std::string model_file;
  std::string model_text;
  std::string schema_file;  // empty if there is no schema
  std::string schema_text;
  PublicInputs inputs;
};

// Throws MissingInputError if a file is missing. Throws InputError if a file is damaged or its
// SHA-256 differs from the one in run.json.
BundleProgram read_bundle_program(const BundleTexts& texts);

}  // namespace dpvi
