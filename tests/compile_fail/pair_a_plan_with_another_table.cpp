// refused: UnopenedFit.* is private within this context
#include <dpvi/dpvi.hpp>

void outsider(const dpvi::PlannedFit& planned, dpvi::UnopenedRecords other) {
#ifndef CONTROL
  const dpvi::UnopenedFit forged(planned, std::move(other));
#endif
  static_cast<void>(planned);
  static_cast<void>(other);
}
