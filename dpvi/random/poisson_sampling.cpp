#include <dpvi/random/poisson_sampling.hpp>

#include <algorithm>

#include <dpvi/random/internal/record_selection.hpp>

namespace dpvi {
namespace {

std::uint64_t block_size_for(SamplingRate rate) {
  constexpr double kExpectedAtLeast = 64;
  std::uint64_t size = std::uint64_t{1} << 16;
  while (static_cast<double>(size) * rate.value() < kExpectedAtLeast &&
         size < (std::uint64_t{1} << 32)) {
    size *= 2;
  }
  return size;
}

template <class Generator>
void append_block_from(const Generator& generator, const PoissonSampler& sampler,
                       const StreamAddress& address, std::vector<std::uint64_t>& records) {
  const std::uint64_t begin = address.block * sampler.block_size();
  const std::uint64_t end = std::min(begin + sampler.block_size(), sampler.record_count());
  auto stream = generator.stream(address);
  append_selected(stream, sampler.rate(), {begin, end}, records);
}

template <class Generator>
std::vector<std::uint64_t> sample_from(const Generator& generator, const PoissonSampler& sampler,
                                       std::uint64_t step) {
  std::vector<std::uint64_t> records;
  for (std::uint64_t block = 0; block < sampler.block_count(); ++block) {
    append_block_from(generator, sampler, {StreamLabel::sampling, step, block}, records);
  }
  return records;
}

}  // namespace

PoissonSampler::PoissonSampler(SamplingRate rate, std::uint64_t record_count)
    : rate_(rate), record_count_(record_count), block_size_(block_size_for(rate)) {}

std::uint64_t PoissonSampler::block_count() const {
  return record_count_ / block_size_ + (record_count_ % block_size_ != 0 ? 1 : 0);
}

void PoissonSampler::append_block(const SecureGenerator& generator, std::uint64_t step,
                                  std::uint64_t block, std::vector<std::uint64_t>& records) const {
  append_block_from(generator, *this, {StreamLabel::sampling, step, block}, records);
}

std::vector<std::uint64_t> PoissonSampler::sample(const SecureGenerator& generator,
                                                  std::uint64_t step) const {
  return sample_from(generator, *this, step);
}

std::vector<std::uint64_t> PoissonSampler::sample(const BatchGenerator& generator,
                                                  std::uint64_t step, std::uint64_t first,
                                                  std::uint64_t count) const {
  std::vector<std::uint64_t> records;
  const std::uint64_t end = std::min(first + count, record_count_);
  for (std::uint64_t block = first / block_size_; block * block_size_ < end; ++block) {
    append_block_from(generator, *this, {StreamLabel::sampling, step, block}, records);
  }
  records.erase(records.begin(), std::ranges::lower_bound(records, first));
  records.erase(std::ranges::lower_bound(records, end), records.end());
  return records;
}

void PoissonSampler::append_block_not_private(const SeededGenerator& generator, std::uint64_t step,
                                              std::uint64_t block,
                                              std::vector<std::uint64_t>& records) const {
  append_block_from(generator, *this, {StreamLabel::sampling, step, block}, records);
}

std::vector<std::uint64_t> PoissonSampler::sample_not_private(const SeededGenerator& generator,
                                                              std::uint64_t step) const {
  return sample_from(generator, *this, step);
}

}  // namespace dpvi
