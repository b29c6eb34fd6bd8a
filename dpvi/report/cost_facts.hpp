#pragma once

#include <span>
#include <vector>

#include <dpvi/privacy/adjacency.hpp>
#include <dpvi/privacy/event.hpp>

namespace dpvi {

// Facts of a statement that follow from the cost of a run alone.

// Epsilon for several records together.
struct GroupEpsilon {
  int records = 1;
  double epsilon = 0.0;
};

// How far a result can move somebody's belief in a fact about one record.
struct BeliefRange {
  double before = 0.5;
  double at_least = 0.5;
  double at_most = 0.5;
};

// For 2, 5 and 10 records.
std::vector<GroupEpsilon> group_costs(std::span<const GaussianPhase> run, Adjacency adjacency,
                                      double delta);

// For beliefs of 1 %, 10 % and 50 %.
std::vector<BeliefRange> belief_ranges(double epsilon);

// The best test of one of two neighbouring tables against the other is right, on average, with this
// probability at most; delta is included.
double right_guesses(double epsilon, double delta);

}  // namespace dpvi
