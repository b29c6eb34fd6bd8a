#pragma once

#include <functional>
#include <optional>

#include <dpvi/privacy/bracket.hpp>
#include <dpvi/privacy/pld.hpp>

namespace dpvi {

// Finds the largest x whose epsilon meets a target, where epsilon rises with x. Whatever the search
// does, what it returns was itself evaluated with the full effort and met the target.
class LargestSafe {
 public:
  using EpsilonAt = std::function<Bracket(double x, const PldEffort& effort)>;
  struct Range {
    double least = 0, most = 0;
    bool integer = false;
  };
  struct Point {
    double x = 0;
    Bracket epsilon;
  };

  LargestSafe(EpsilonAt epsilon_at, double target, const Range& range);

  // Empty where not even the least x meets the target; the most x where everything does. An integer
  // answer is the largest; any other comes within 1e-6 of the target, relative to it.
  std::optional<Point> solve(double guess, const PldEffort& effort);

 private:
  struct Evaluated {
    Point point;
    double excess = 0;  // ln(epsilon / target), within bounds
  };

  void search(double guess, const PldEffort& effort, double tolerance);
  Evaluated evaluate(double x, const PldEffort& effort) const;
  void update_slope(const Evaluated& found);
  bool narrow(double tolerance) const;
  double propose(const Evaluated& from, double tolerance) const;
  double middle() const;
  double inside(double x) const;

  EpsilonAt epsilon_at_;
  double target_;
  Range range_;
  double slope_ = 1;  // of ln(epsilon) in ln(x)
  std::optional<Evaluated> safe_, unsafe_, latest_;
};

}  // namespace dpvi
