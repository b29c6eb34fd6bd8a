#pragma once

#include <cstddef>
#include <vector>

#include <dpvi/privacy/adjacency.hpp>
#include <dpvi/privacy/event.hpp>

namespace dpvi {

// What an attacker makes of one release, in units of its clip bound.
struct SeenRelease {
  double canary = 0.0;  // component along the canary's own vector
  double first = 0.0;   // first and last entry
  double last = 0.0;
};
using Transcript = std::vector<SeenRelease>;

inline constexpr std::size_t kScores = 7;

// Ways to guess from a transcript whether the canary took part. The first is the logarithm of the
// ratio of the two densities, the most powerful score if the claim is tight. The others look for
// mistakes that this one averages out: batches shared between neighbouring steps or between the two
// halves of a run, noise that repeats, noise of another size, single entries without noise.
// The transcript has at least one release; it may be longer than the run that was claimed.
std::vector<double> transcript_scores(const GaussianRun& run, Adjacency adjacency,
                                      const Transcript& transcript);

}  // namespace dpvi
