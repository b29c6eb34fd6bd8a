// refused: no matching function for call to .open_records\(const dpvi::PlannedFit&\)
#include <dpvi/dpvi.hpp>

void outsider(const dpvi::PlannedFit& planned) {
#ifndef CONTROL
  dpvi::open_records(planned);
#endif
  static_cast<void>(planned);
}
