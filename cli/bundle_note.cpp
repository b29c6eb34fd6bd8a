#include "bundle_note.hpp"

#include "console.hpp"

namespace dpvi::cli {

void note_missing_manifest(const Bundle& bundle) {
  if (bundle.has_manifest) return;
  show_message(
      "note: this bundle has no manifest (version 0.2 or earlier wrote it), so its files cannot be "
      "verified.\n");
}

}  // namespace dpvi::cli
