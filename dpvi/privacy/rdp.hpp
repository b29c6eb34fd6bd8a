#pragma once

#include <span>

#include <dpvi/privacy/adjacency.hpp>
#include <dpvi/privacy/event.hpp>

namespace dpvi {

// Rényi divergence of order `order` > 1 between the worst neighbouring outputs of the whole run
// (Mironov 2017). It is rounded up: accurate to about 1e-12 and never below the true value.
double rdp(std::span<const GaussianPhase> run, Adjacency adjacency, double order);

struct RdpEpsilon {
  double epsilon = 0.0;
  double order = 0.0;          // the order that gives this epsilon
  bool order_at_edge = false;  // warning: the best order is the first or last allowed
};

struct RdpDelta {
  double delta = 0.0;
  double order = 0.0;
  bool order_at_edge = false;
};

// Converts a Rényi divergence to epsilon (Canonne, Kamath, Steinke 2020, Prop. 12): rdp +
// log(1 - 1/order) - (log delta + log order) / (order - 1), at least 0.
double epsilon_from_rdp(double rdp, double order, double delta);

// Overloads without `orders` search for the best order on a continuum.
RdpEpsilon rdp_epsilon(std::span<const GaussianPhase> run, Adjacency adjacency, double delta);
RdpEpsilon rdp_epsilon(std::span<const GaussianPhase> run, Adjacency adjacency, double delta,
                       std::span<const double> orders);
RdpDelta rdp_delta(std::span<const GaussianPhase> run, Adjacency adjacency, double epsilon);

}  // namespace dpvi
