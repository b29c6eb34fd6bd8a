#include <string>

#include <dpvi/api/checkpoint.hpp>
#include <tests/fuzz/readers/reader_target.hpp>
#include <tests/fuzz/readers/refusal.hpp>
#include <tests/support/temporary_folder.hpp>

namespace dpvi {

// A checkpoint as a resumed run reads it, with a key that only its ledger knows.
bool read_checkpoint(std::string_view content) {
  static const TemporaryFolder kFolder;
  const std::string path = kFolder.write("c", content);
  const auto key_of = [](const std::string&) { return StepSeal::Key{7}; };
  return allow_refusal([&] {
    const auto owner = Checkpoint::owner(path);
    if (!owner) return;
    Checkpoint resumed({path}, *owner, CheckpointMark{}, key_of, [](const CheckpointMark&) {});
    while (resumed.next()) {
    }
    resumed.start_attempt(1);
  });
}

}  // namespace dpvi
