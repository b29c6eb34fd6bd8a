#pragma once

#include <cmath>

#include <dpvi/tape/lanes/record_tape.hpp>

#include "model_reading.hpp"

namespace dpvi {

// Evaluates all records with the compiled tape, in one block of lanes of type T.
template <class T>
std::vector<ReferenceGradient> lane_results(const StanModel& model, const nlohmann::json& records,
                                            std::size_t count, const std::vector<double>& theta) {
  const RecordTape tape(*model.graph, model.record, model.free_size);
  TapeWorkspace<T> workspace(tape);
  RecordPreparer preparer(tape);
  std::vector<T> reals(static_cast<std::size_t>(tape.real_columns()) * kLanes, T{0});
  std::vector<std::int32_t> ints(static_cast<std::size_t>(tape.int_columns()) * kLanes, 0);
  std::vector<double> own_reals(static_cast<std::size_t>(tape.real_columns()));
  std::vector<std::int32_t> own_ints(static_cast<std::size_t>(tape.int_columns()));
  for (std::size_t lane = 0; lane < count; ++lane) {
    preparer.prepare(record_from(model, records, lane).values(), own_reals.data(), own_ints.data());
    for (std::size_t c = 0; c < own_reals.size(); ++c) {
      reals[c * kLanes + lane] = static_cast<T>(own_reals[c]);
    }
    for (std::size_t c = 0; c < own_ints.size(); ++c) ints[c * kLanes + lane] = own_ints[c];
  }
  std::vector<T> lp(kLanes);
  std::vector<T> gradient(theta.size() * kLanes);
  tape.begin_draw(workspace, theta);
  tape.evaluate_block(workspace, {reals.data(), ints.data()}, lp.data(), gradient.data());
  std::vector<ReferenceGradient> results;
  for (std::size_t lane = 0; lane < count; ++lane) {
    results.push_back({static_cast<double>(lp[lane]), {}});
    for (std::size_t k = 0; k < theta.size(); ++k) {
      results.back().gradient.push_back(static_cast<double>(gradient[k * kLanes + lane]));
    }
  }
  return results;
}

inline double length(const std::vector<double>& numbers) {
  double squares = 0.0;
  for (const double number : numbers) squares += number * number;
  return std::sqrt(squares);
}

// Compares single with double precision for each record, relative to the length of the gradient.
// Far in a tail, rounding the argument to float alone causes a relative error of a thousandth.
inline void expect_close_in_single(const std::vector<ReferenceGradient>& in_single,
                                   const std::vector<ReferenceGradient>& in_double,
                                   const std::string& where) {
  constexpr double kTolerance = 2e-3;
  for (std::size_t i = 0; i < in_double.size(); ++i) {
    if (!std::isfinite(in_double[i].value)) {
      EXPECT_FALSE(std::isfinite(in_single[i].value)) << where << " record " << i;
      continue;
    }
    EXPECT_NEAR(in_single[i].value, in_double[i].value,
                kTolerance * (1 + std::abs(in_double[i].value)))
        << where << " record " << i;
    std::vector<double> difference = in_double[i].gradient;
    for (std::size_t k = 0; k < difference.size(); ++k) difference[k] -= in_single[i].gradient[k];
    EXPECT_LE(length(difference), kTolerance * (1 + length(in_double[i].gradient)))
        << where << " record " << i;
  }
}

}  // namespace dpvi
