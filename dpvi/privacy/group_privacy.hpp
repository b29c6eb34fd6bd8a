#pragma once

#include <span>
#include <vector>

#include <dpvi/privacy/adjacency.hpp>
#include <dpvi/privacy/event.hpp>

namespace dpvi {

// Epsilon for each number of records together, at this delta: what a run reveals about a person who
// has that many records, or about a household of that many persons.
//
// Guarantee: the epsilon of a group is an upper bound, computed for the mechanism that ran. It is
// the smaller of two bounds.
//
// More sensitivity. In one step, some record of the group is sampled with probability
// 1 - (1 - q)^k; given that, the group moves the sum by at most k clip bounds. The pair of output
// distributions is a mixture, over the sampled subsets, of pairs that a step with sampling rate
// 1 - (1 - q)^k and noise multiplier s / k dominates. Hockey-stick divergences are jointly convex,
// so that step dominates the mixture. Without sampling this bound is exact.
//
// A chain. Between the two tables lie k - 1 tables, each a neighbour of the next, so
// P0 <= e^(e1) P1 + d(e1) <= e^(e1 + e2) P2 + d(e1) + e^(e1) d(e2) <= ..., where d is the delta of
// the run for one record. Any e1, ..., ek give a valid bound; the best ones on a grid are used.
std::vector<double> group_epsilons(std::span<const GaussianPhase> run, Adjacency adjacency,
                                   double delta, std::span<const int> sizes);

}  // namespace dpvi
