#include <dpvi/base/checked_rank_sum.hpp>

#include <algorithm>
#include <vector>

#include <dpvi/base/rank_error.hpp>

namespace dpvi {
namespace {

using Wide = __int128;

// A prime below 2^50, so that the check numbers of 2^13 ranks add up without overflow.
constexpr std::int64_t kPrime = (std::int64_t{1} << 50) - 27;

// SplitMix64 (Steele, Lea & Flood 2014), at one address.
std::int64_t weight(std::uint64_t address) {
  std::uint64_t z = (address + 1) * 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return static_cast<std::int64_t>((z ^ (z >> 31)) % static_cast<std::uint64_t>(kPrime));
}

// A linear function of the values, modulo the prime.
std::int64_t check_number(std::span<const std::int64_t> values, std::int64_t number) {
  constexpr std::size_t kTermsWithoutOverflow = 4096;  // each is below 2^113
  const std::uint64_t first = static_cast<std::uint64_t>(number) << 32;
  Wide total = 0;
  for (std::size_t j = 0; j < values.size(); ++j) {
    total += Wide{values[j]} * weight(first + j);
    if (j % kTermsWithoutOverflow == 0) total %= kPrime;
  }
  const auto rest = static_cast<std::int64_t>(total % kPrime);
  return rest < 0 ? rest + kPrime : rest;
}

[[noreturn]] void refuse() {
  throw rank_failure("the sum over the ranks is not the sum of what they gave.",
                     "The link between the ranks must add all vectors once, as 64-bit integers. No "
                     "result was written; what was charged stays charged.");
}

}  // namespace

void CheckedRankSum::sum(std::span<std::int64_t> values) {
  ++number_;
  const std::size_t size = values.size();
  const auto ranks = static_cast<std::size_t>(link_.size());
  std::vector<std::int64_t> message(size + 1 + ranks, 0);
  std::ranges::copy(values, message.begin());
  message[size] = check_number(values, number_);
  message[size + 1 + static_cast<std::size_t>(link_.rank())] = number_;
  link_.sum(message);
  if (!link_.is_root()) return;
  const std::span<const std::int64_t> sums = std::span(message).first(size);
  const bool all_once = std::ranges::all_of(std::span(message).last(ranks),
                                            [&](std::int64_t count) { return count == number_; });
  if (!all_once || message[size] % kPrime != check_number(sums, number_)) refuse();
  std::ranges::copy(sums, values.begin());
}

}  // namespace dpvi
