// refused: ReleaseLog::add.*is private
// Guarantee: only the private step writes it, and every release of its mechanism is in it.
#include <dpvi/privacy/release_log.hpp>

void outsider(dpvi::ReleaseLog& log, dpvi::SamplingRate rate, const dpvi::Released& released) {
#ifndef CONTROL
  log.add(rate, released);
#endif
}
