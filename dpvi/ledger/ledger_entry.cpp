#include <dpvi/ledger/ledger_entry.hpp>

namespace dpvi {

std::string_view name_of(EntryState state) {
  switch (state) {
    case EntryState::reserved:
      return "reserved";
    case EntryState::released:
      return "released";
    case EntryState::voided:
      return "voided";
    case EntryState::forgiven:
      return "forgiven";
  }
  return "";
}

}  // namespace dpvi
