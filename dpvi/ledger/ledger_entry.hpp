#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <dpvi/ledger/mechanism.hpp>
#include <dpvi/privacy/adjacency.hpp>

namespace dpvi {

// What a run tells the ledger before it starts. It holds mechanisms, never an epsilon.
struct LedgerRun {
  std::vector<Mechanism> mechanisms;
  double clip_bound = 0.0;                      // the first one if it changes during the run
  Adjacency adjacency = Adjacency::substitute;  // of the run's own statement
  std::string unit;                             // kRowUnit or the column of the ids
  std::string model_sha256;
  std::string plan_sha256;

  bool operator==(const LedgerRun&) const = default;
};

enum class EntryState {
  reserved,  // charged; the run has not published a result, or its end is not recorded
  released,  // charged; the bundle has its final name
  voided,    // not charged: no step ran, and none can run any more
  forgiven   // not charged: a person has declared that no result left
};

std::string_view name_of(EntryState state);

// One run in a ledger.
struct LedgerEntry {
  std::int64_t id = 0;
  std::string time;  // UTC, of the reservation
  LedgerRun run;
  std::string data_version;
  EntryState state = EntryState::reserved;
  bool started = false;         // a step may have run
  bool published = false;       // a bundle may have its final name
  std::string manifest_sha256;  // of that bundle, the last one if a resumed run wrote several
  std::vector<std::string> earlier_manifests = {};
  std::int64_t attempt = 0;      // number of times that the run was resumed
  std::int64_t saved_steps = 0;  // of its checkpoint
  std::string saved_tag;         // of the last of them
  bool may_publish = true;       // this attempt has published nothing
  std::string forgiven_by, forgiven_because;

  bool is_charged() const { return state == EntryState::reserved || state == EntryState::released; }
};

}  // namespace dpvi
