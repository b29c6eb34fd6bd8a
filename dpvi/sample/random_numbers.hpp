#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include <dpvi/random/secure_generator.hpp>
#include <dpvi/random/seeded_generator.hpp>

namespace dpvi {

// The random numbers of one chain, whatever stream they come from. Serves one thread.
class RandomNumbers {
 public:
  virtual ~RandomNumbers() = default;
  virtual void fill_normal(std::span<double> draws) = 0;
  virtual double uniform() = 0;  // strictly between 0 and 1
};

// The random numbers of each chain, which do not depend on the other chains. The generator must
// outlive what is made from it.
using ChainRandomness = std::function<std::unique_ptr<RandomNumbers>(std::uint64_t chain)>;
ChainRandomness chain_randomness(const SeededGenerator& generator);
ChainRandomness chain_randomness(const SecureGenerator& generator);

}  // namespace dpvi
