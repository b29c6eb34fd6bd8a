#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <dpvi/base/open_file.hpp>
#include <dpvi/fit/train/step_store.hpp>
#include <dpvi/privacy/sealed_step.hpp>

namespace dpvi {

// The last step that a checkpoint holds.
struct CheckpointMark {
  std::int64_t attempt = 0;  // that wrote it
  std::int64_t steps = 0;
  std::string tag;  // hexadecimal; empty without steps
};

// The steps of one charged run in a file, so that the run can be resumed after a crash.
//
// What must not happen is that two different releases of the same step reach anybody: the ledger
// has charged one. Releases leave the process only in a bundle and in this file.
//   - The file is encrypted under a key derived from the secret of the ledger. Whoever has the file
//     alone sees nothing; whoever has the ledger too is its trusted operator.
//   - A release that was not saved died with its process. Nobody has seen it, and no one chose by
//     its value to discard it, so the step may be taken again with new noise.
//   - Each attempt has a number in the ledger (a generation). Saving and publishing are refused
//     unless the number is the present one, and resuming raises it. Of several attempts, in copies
//     or at the same time, at most one can therefore publish.
//   - The ledger knows the number of steps and the tag of the last save. A file that holds less is
//     a stale copy and refused. A file may hold one save more: the process died before the ledger
//     could know.
// It contains no key, no record and nothing computed from records without noise.
class Checkpoint : public StepStore {
 public:
  // Key of an attempt, from the text that identifies it.
  using KeyOf = std::function<StepSeal::Key(const std::string& text)>;
  // Records a save in the ledger; called after the bytes are on disk.
  using OnSave = std::function<void(const CheckpointMark& mark)>;

  struct Settings {
    std::string path;
    double seconds = 10.0;  // between two saves, at least
  };

  // The entry that a checkpoint belongs to, or nullopt if there is no such file. Throws InputError
  // DP604 for another file.
  struct Owner {
    std::string ledger;
    std::int64_t entry = 0;
  };
  static std::optional<Owner> owner(const std::string& path);

  // Makes a new file, or throws CannotCreateError.
  Checkpoint(Settings settings, const Owner& owner, KeyOf key_of, OnSave on_save);

  // Opens a file to resume. Reads the steps that `known`, the ledger's last mark, vouches for, and
  // those after them that are whole. Throws InputError DP604 if they are not there, and
  // LedgerBusyError if another process has the file open.
  Checkpoint(Settings settings, const Owner& owner, const CheckpointMark& known, KeyOf key_of,
             OnSave on_save);
  ~Checkpoint() override;

  // The last step read from the file, before start_attempt().
  const CheckpointMark& mark() const { return mark_; }
  // New steps are sealed under the key of this attempt.
  void start_attempt(std::int64_t attempt);

  std::optional<RecordedStep> next() override;
  void record(RecordedStep step) override;
  // Writes all steps so far. A disk that fails ends the saving, not the run.
  void save();
  // Deletes the file, when the result of the run has been released.
  void remove() noexcept;

 private:
  void open_file(int flags);
  void read_steps(const CheckpointMark& known);
  std::string segment_text(std::int64_t attempt, std::string_view salt) const;

  Settings settings_;
  Owner owner_;
  KeyOf key_of_;
  OnSave on_save_;
  OpenFile file_{-1};
  std::vector<RecordedStep> steps_;
  std::size_t next_ = 0;
  std::optional<StepSeal> seal_;
  CheckpointMark mark_;
  std::string previous_;  // tag of the last step
  std::string pending_;   // bytes that are not yet written
  std::int64_t pending_steps_ = 0;
  std::int64_t number_ = 0;  // of the next step in this attempt
  bool failed_ = false;
  std::chrono::steady_clock::time_point saved_at_ = std::chrono::steady_clock::now();
};

}  // namespace dpvi
