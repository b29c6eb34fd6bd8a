#pragma once

#include <concepts>
#include <cstdint>
#include <span>

namespace dpvi {

// A stream of independent uniform 64-bit words. fill() gives the words that as many calls of next()
// would give, in the same order.
//
// Only code whose result carries no privacy claim may accept every word source; a private mechanism
// names SecureStream.
template <class Source>
concept WordSource = requires(Source& source, std::span<std::uint64_t> words) {
  { source.next() } -> std::same_as<std::uint64_t>;
  source.fill(words);
};

}  // namespace dpvi
