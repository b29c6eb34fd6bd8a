#pragma once

namespace dpvi {

// A uniform number strictly between 0 and 1, from a stream's next word. Privacy must not depend on
// it: it is neither for sampling records nor for noise.
template <class Stream>
double unit_uniform(Stream& stream) {
  return (static_cast<double>(stream.next() >> 12) + 0.5) * 0x1p-52;
}

}  // namespace dpvi
