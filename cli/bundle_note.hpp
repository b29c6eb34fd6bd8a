#pragma once

#include <dpvi/report/bundle_reader.hpp>

namespace dpvi::cli {

// Tells on stderr that a bundle of an earlier version has no manifest to verify it by.
void note_missing_manifest(const Bundle& bundle);

}  // namespace dpvi::cli
