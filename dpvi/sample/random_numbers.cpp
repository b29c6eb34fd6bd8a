#include <dpvi/sample/random_numbers.hpp>

#include <dpvi/random/standard_normal.hpp>
#include <dpvi/random/unit_uniform.hpp>

namespace dpvi {
namespace {

template <class Stream>
class StreamNumbers final : public RandomNumbers {
 public:
  template <class Generator>
  StreamNumbers(const Generator& generator, std::uint64_t chain)
      : stream_(generator.stream({.label = StreamLabel::posterior_chain, .step = chain})) {}

  void fill_normal(std::span<double> draws) override { fill_standard_normal(stream_, draws); }
  double uniform() override { return unit_uniform(stream_); }

 private:
  Stream stream_;
};

template <class Stream, class Generator>
ChainRandomness randomness_of(const Generator& generator) {
  return [&generator](std::uint64_t chain) -> std::unique_ptr<RandomNumbers> {
    return std::make_unique<StreamNumbers<Stream>>(generator, chain);
  };
}

}  // namespace

ChainRandomness chain_randomness(const SeededGenerator& generator) {
  return randomness_of<SeededStream>(generator);
}

ChainRandomness chain_randomness(const SecureGenerator& generator) {
  return randomness_of<SecureStream>(generator);
}

}  // namespace dpvi
