#pragma once

#include <optional>

#include <dpvi/privacy/sealed_step.hpp>

namespace dpvi {

// Steps of earlier attempts at a run, and the place for new ones. A resumed run takes the recorded
// steps first. Everything else (optimiser, averages, clip bounds, measurements) follows from them
// again, so nothing but steps is stored.
class StepStore {
 public:
  StepStore() = default;
  virtual ~StepStore() = default;
  StepStore(const StepStore&) = delete;
  StepStore& operator=(const StepStore&) = delete;

  // The recorded steps in order, then nullopt.
  virtual std::optional<RecordedStep> next() = 0;
  // Called once for each step that was taken after them.
  virtual void record(RecordedStep step) = 0;
};

}  // namespace dpvi
