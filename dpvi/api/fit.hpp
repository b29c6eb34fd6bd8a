#pragma once

#include <utility>

#include <dpvi/api/fit_request.hpp>
#include <dpvi/api/planned_fit.hpp>
#include <dpvi/api/program.hpp>
#include <dpvi/api/table.hpp>
#include <dpvi/fit/train/fit_result.hpp>
#include <dpvi/fit/train/private_records.hpp>

namespace dpvi {

// A private fit takes these steps, and each takes the output of the step before it:
//
//   Program program = read_program({.model_file = "model.stan"});
//   FitRequest request{.privacy = {.epsilon = 1.0}};
//   UnopenedFit planned = plan_fit(program, TableFile{"records.csv"}, request);
//   FitResult result = fit(open_records(std::move(planned)));
//   write_bundle(result, "result");

// A planned fit and the table that it is for. No row has been read.
class UnopenedFit {
 public:
  const PlannedFit& planned() const { return planned_; }

 private:
  friend UnopenedFit plan_fit(const Program& program, Table table, const FitRequest& request);
  friend class OpenedFit;

  UnopenedFit(PlannedFit planned, UnopenedRecords records)
      : planned_(std::move(planned)), records_(std::move(records)) {}

  PlannedFit planned_;
  UnopenedRecords records_;
};

// A planned fit and its private records, which serve this one fit.
class OpenedFit {
 public:
  const PlannedFit& planned() const { return planned_; }

 private:
  friend OpenedFit open_records(UnopenedFit unopened, const RecordMemory& memory);
  friend FitResult fit(OpenedFit opened, const FitExecution& execution);
  friend class RankJob;

  OpenedFit(UnopenedFit unopened, const RecordMemory& memory);

  PlannedFit planned_;
  PrivateRecords records_;
};

// Plans a fit without a table (a dry run), from the program, the schema and public facts.
PlannedFit plan_fit(const Program& program, const FitRequest& request);

// Plans a fit of a table, of which only the names are read: the header line of a CSV file, or the
// names and public values of Stan JSON.
UnopenedFit plan_fit(const Program& program, Table table, const FitRequest& request);

// Reads the rows, or checks those of a record store. A malformed file throws InputError, and no
// budget is spent.
OpenedFit open_records(UnopenedFit unopened, const RecordMemory& memory = {});

// Carries out the plan, which spends its privacy budget, and draws from the fitted posterior. All
// of the result may be published. Throws Error DP501 if `execution.progress` stops the fit.
FitResult fit(OpenedFit opened, const FitExecution& execution = {});

}  // namespace dpvi
