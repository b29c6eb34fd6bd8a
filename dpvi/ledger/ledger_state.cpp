#include <dpvi/ledger/ledger_state.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include <dpvi/base/error.hpp>
#include <dpvi/ledger/internal/ledger_json.hpp>

namespace dpvi {
namespace {

constexpr int kFormat = 1;

[[noreturn]] void refuse_ledger(const std::string& path, const std::string& what) {
  throw InputError(kDamagedLedger, what,
                   "Restore it from a backup, and compare with the bundles of its runs.",
                   {path, 0, 0});
}

// Applies lines to a state. Throws InputError without a place, or an exception of the JSON reader.
class Replay {
 public:
  void apply(const LedgerLine& line) {
    const LedgerJson body = parse_body(line.body);
    if (line.position == 1) return begin(line, body);
    if (line.kind == "data") return add_data(body);
    if (line.kind == "reserve") return reserve(line, body);
    LedgerEntry& entry = entry_of(body);
    require(entry.state == EntryState::reserved);
    if (line.kind == "void") {
      require(!entry.started);
      entry.state = EntryState::voided;
    } else if (line.kind == "start") {
      require(!std::exchange(entry.started, true));
    } else if (line.kind == "save" || line.kind == "resume") {
      save(entry, line.kind == "resume", body);
    } else if (line.kind == "publish") {
      require(entry.started && std::exchange(entry.may_publish, false));
      if (std::exchange(entry.published, true)) {
        entry.earlier_manifests.push_back(entry.manifest_sha256);
      }
      entry.manifest_sha256 = body.at("manifest_sha256").get<std::string>();
    } else if (line.kind == "release") {
      require(entry.published);
      entry.state = EntryState::released;
    } else {
      if (line.kind != "forgive") refuse_kind();
      require(!entry.published);
      entry.state = EntryState::forgiven;
      entry.forgiven_by = body.at("who").get<std::string>();
      entry.forgiven_because = body.at("why").get<std::string>();
    }
  }

  LedgerState state;

 private:
  static void require(bool holds) {
    if (!holds) throw InputError(kDamagedLedger, "a line does not fit the lines before it.", "");
  }

  [[noreturn]] static void refuse_kind() {
    throw InputError(kDamagedLedger,
                     "its kind is unknown: a newer version has written it, or nobody.", "");
  }

  // A checkpoint grows, and a resumed run is a new attempt at it.
  static void save(LedgerEntry& entry, bool resumed, const LedgerJson& body) {
    const auto attempt = body.at("attempt").get<std::int64_t>();
    const auto steps = body.at("steps").get<std::int64_t>();
    require(entry.started && steps >= entry.saved_steps &&
            attempt == entry.attempt + (resumed ? 1 : 0));
    entry.attempt = attempt;
    entry.saved_steps = steps;
    entry.saved_tag = body.at("tag").get<std::string>();
    entry.may_publish = entry.may_publish || resumed;
  }

  void begin(const LedgerLine& line, const LedgerJson& body) {
    require(line.kind == "init");
    if (body.at("format") != kFormat) {
      throw InputError(kDamagedLedger, "the ledger has a format that this version does not know.",
                       "");
    }
    state.id = body.at("ledger").get<std::string>();
    state.key_sha256 = body.at("key_sha256").get<std::string>();
    state.terms = terms_from(body);
  }

  void add_data(const LedgerJson& body) {
    DataVersion version{body.at("version").get<std::string>(),
                        body.at("fingerprint").get<std::string>()};
    for (const DataVersion& other : state.data) {
      require(other.name != version.name && other.fingerprint != version.fingerprint);
    }
    state.data.push_back(std::move(version));
  }

  void reserve(const LedgerLine& line, const LedgerJson& body) {
    LedgerEntry entry;
    entry.id = body.at("id").get<std::int64_t>();
    require(entry.id == static_cast<std::int64_t>(state.entries.size()) + 1);
    entry.time = line.time;
    entry.run = run_from(body);
    require(entry.run.unit == state.terms.unit);
    entry.data_version = body.at("data_version").get<std::string>();
    state.entries.push_back(std::move(entry));
  }

  LedgerEntry& entry_of(const LedgerJson& body) {
    const auto id = body.at("id").get<std::int64_t>();
    require(id >= 1 && id <= static_cast<std::int64_t>(state.entries.size()));
    return state.entries[static_cast<std::size_t>(id - 1)];
  }
};

void apply_line(Replay& replay, const LedgerLine& line, const std::string& path) {
  try {
    replay.apply(line);
  } catch (const nlohmann::json::exception&) {
    refuse_ledger(path, fmt::format("line {} cannot be read.", line.position));
  } catch (const Error& error) {
    refuse_ledger(path, fmt::format("line {}: {}", line.position, error.message()));
  }
}

}  // namespace

LedgerHead LedgerState::head() const { return {id, lines.back().position, lines.back().hash}; }

bool LedgerState::had(const LedgerHead& head) const {
  return head.ledger == id && head.position >= 1 &&
         head.position <= static_cast<std::int64_t>(lines.size()) &&
         lines[static_cast<std::size_t>(head.position - 1)].hash == head.hash;
}

const LedgerEntry* LedgerState::entry(std::int64_t number) const {
  if (number < 1 || number > static_cast<std::int64_t>(entries.size())) return nullptr;
  return &entries[static_cast<std::size_t>(number - 1)];
}

FilterAmount charged_amount(const LedgerState& state, const PrivacyFilter& filter) {
  return filter.amount_of(charged_run(state));
}

GaussianRun charged_run(const LedgerState& state) {
  GaussianRun all;
  for (const LedgerEntry& entry : state.entries) {
    if (!entry.is_charged()) continue;
    for (const GaussianPhase& phase : equivalent_run(entry.run.mechanisms, state.terms.adjacency)) {
      // Equal phases are joined: each kind of phase is then priced once.
      const auto equal = std::ranges::find_if(all, [&](const GaussianPhase& other) {
        return other.sampling_rate == phase.sampling_rate &&
               other.noise_multiplier == phase.noise_multiplier;
      });
      if (equal == all.end()) {
        all.push_back(phase);
      } else {
        equal->steps += phase.steps;
      }
    }
  }
  return all;
}

LedgerState replay(std::vector<LedgerLine> lines, const std::string& path) {
  if (lines.empty()) refuse_ledger(path, "the ledger has no lines.");
  if (const auto damage = chain_damage(lines); !damage.empty()) refuse_ledger(path, damage.front());
  Replay replay;
  for (const LedgerLine& line : lines) apply_line(replay, line, path);
  replay.state.lines = std::move(lines);
  return std::move(replay.state);
}

}  // namespace dpvi
