#pragma once

#include <functional>
#include <optional>

#include <dpvi/privacy/bracket.hpp>
#include <dpvi/privacy/pld.hpp>

namespace dpvi {

// Finds the largest x whose epsilon meets a target, where epsilon increases with x. Whatever path
// the search takes, the returned x was itself evaluated with full effort and met the target.
class LargestPrivateSolution {
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

  LargestPrivateSolution(EpsilonAt epsilon_at, double target, const Range& range);

  // Returns nullopt if not even the least x meets the target, and the most x if every x does. An
  // integer answer is the largest; any other has an epsilon within 1e-6 of the target, relative to
  // it. Wide brackets end the search earlier.
  std::optional<Point> solve(double guess, const PldEffort& effort);

 private:
  struct Evaluated {
    Point point;
    double excess = 0;  // ln(epsilon / target), clamped
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
  double slope_ = 1;  // of ln(epsilon) as a function of ln(x)
  std::optional<Evaluated> safe_, unsafe_, latest_;
};

}  // namespace dpvi
