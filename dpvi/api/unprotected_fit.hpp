#pragma once

#include <memory>

#include <dpvi/api/bound_model.hpp>
#include <dpvi/api/fit_request.hpp>
#include <dpvi/api/program.hpp>
#include <dpvi/api/table.hpp>
#include <dpvi/fit/train/fit_result.hpp>
#include <dpvi/fit/train/private_records.hpp>

namespace dpvi {

// Records opened for a fit WITHOUT privacy protection. The result is stamped not private.
class OpenedUnprotectedFit {
 private:
  friend OpenedUnprotectedFit open_unprotected_records(const Program& program, Table table,
                                                       const UnprotectedFitRequest& request);
  friend FitResult fit_without_protection(OpenedUnprotectedFit opened,
                                          const FitExecution& execution);

  OpenedUnprotectedFit(BoundTable table, UnprotectedFitRequest request);

  std::string opened_at_;
  std::shared_ptr<const BoundModel> bound_;
  UnprotectedFitRequest request_;
  UnprotectedRecords records_;
};

OpenedUnprotectedFit open_unprotected_records(const Program& program, Table table,
                                              const UnprotectedFitRequest& request);

// The sampling rate and the steps of such a fit, for a table of that many records.
GaussianPhase unprotected_phase(const UnprotectedFitRequest& request, std::uint64_t records);

// Fits without clipping and without noise. The result is not private and repeats with its seed.
// Throws Error DP501 if `execution.progress` stops the fit.
FitResult fit_without_protection(OpenedUnprotectedFit opened, const FitExecution& execution = {});

}  // namespace dpvi
