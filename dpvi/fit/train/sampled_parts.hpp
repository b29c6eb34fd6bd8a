#pragma once

#include <vector>

#include <dpvi/fit/prepare/record_model.hpp>
#include <dpvi/fit/train/fit_result.hpp>
#include <dpvi/sample/site_target.hpp>

namespace dpvi {

// Sets the fitted Gaussian, as it would be without privacy noise, and the noise of its location,
// from draws of prior times site.
void set_sampled_parts(FitResult& result, const RecordModel& model, const Site& site,
                       const Site& site_without_noise,
                       const std::vector<std::vector<double>>& draws);

}  // namespace dpvi
