#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <dpvi/data/stan_json.hpp>
#include <dpvi/stan/run/program_run.hpp>
#include <dpvi/stan/run/stan_model.hpp>
#include <dpvi/tape/reference/reference_evaluator.hpp>

namespace dpvi {

// Records that their owner declares public, exactly as Stan would read them: without clamping,
// dropping or standardising.
struct PublicRecords {
  std::size_t real_columns = 0;
  std::size_t integer_columns = 0;
  // Record after record, in the program's columns; zeros for a record with a problem.
  std::vector<double> reals;
  std::vector<std::int32_t> integers;
  // The unit of each row, if the rows of a unit are one record; else empty.
  std::vector<std::uint32_t> unit_of = {};
  std::vector<std::string> problems;  // per row: violation of its declaration, or empty

  std::size_t size() const { return problems.size(); }
  RecordValues record(std::size_t index) const;
};

// Takes the values of the program's public data from a file that is entirely public.
void take_public_values(const JsonData& file, const DataBlock& block, PublicData& known);

// Mean, sd, minimum and maximum of every record column in such a file. Columns that are missing or
// not numeric have no facts.
RecordFacts observed_facts(const JsonData& file, const DataBlock& block);

// Returns the records of such a file as input for running the program. Returns an empty list if
// some are missing or counts disagree.
std::vector<ProgramRecord> observed_records(const JsonData& file, const DataBlock& block);

// Refuses a record variable that is missing (DP332), has another shape than the program declares
// (DP331) or has non-numeric cells (DP333).
PublicRecords read_public_records(const JsonData& file, const StanModel& model,
                                  const DataBlock& block, const std::string& record_count,
                                  const std::string& path);

}  // namespace dpvi
