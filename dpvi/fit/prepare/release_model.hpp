#pragma once

#include <memory>
#include <string>
#include <vector>

#include <dpvi/fit/prepare/record_model.hpp>
#include <dpvi/stan/run/stan_model.hpp>
#include <dpvi/tape/lanes/uniform_function.hpp>

namespace dpvi {

// A program in release coordinates: the fewest numbers through which records depend on the
// parameters (parameter_cut.hpp). Releases are about these. A centred and a non-centred program of
// one hierarchy have the same release coordinates, the group effects.
class ReleaseModel {
 public:
  // `model` must have been built with keep_gathered_vectors.
  explicit ReleaseModel(const StanModel& model);

  // Density and outcome law of a record as functions of the release coordinates. Its prior is flat,
  // and it has no outputs.
  const RecordModel& records() const { return *records_; }
  std::size_t dimension() const { return map_->size(); }
  // Release coordinates as functions of theta.
  const std::shared_ptr<const UniformMap>& map() const { return map_; }
  // True for a coordinate that is an unconstrained parameter or linear in one.
  const std::vector<bool>& unbounded() const { return unbounded_; }

 private:
  std::unique_ptr<const RecordModel> records_;
  std::shared_ptr<const UniformMap> map_;
  std::vector<bool> unbounded_;
};

}  // namespace dpvi
