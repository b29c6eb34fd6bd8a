#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <sstream>
#include <string>

namespace dpvi {

// Checks a property on `cases` random inputs from a fixed seed, so that results are repeatable.
// Returns the counterexample, or an empty string if the property holds.
template <class Property>
std::string counterexample(const Property& property, std::uint64_t seed, int cases) {
  rc::detail::TestParams params;
  params.seed = seed;
  params.maxSuccess = cases;
  params.disableShrinking = true;
  const auto result = rc::detail::checkTestable(property, rc::detail::TestMetadata{}, params);
  if (result.template is<rc::detail::SuccessResult>()) return {};
  std::ostringstream text;
  rc::detail::printResultMessage(result, text);
  return text.str();
}

}  // namespace dpvi
