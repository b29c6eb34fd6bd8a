#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <dpvi/data/stan_json.hpp>
#include <dpvi/stan/program_run.hpp>
#include <dpvi/stan/stan_model.hpp>
#include <dpvi/tape/reference_evaluator.hpp>

namespace dpvi {

// Records that their owner calls public, exactly as Stan would read them: nothing is clamped,
// dropped or standardised.
struct PublicRecords {
  std::size_t real_columns = 0;
  std::size_t integer_columns = 0;
  // Record behind record, in the program's columns; zeros where there is a problem.
  std::vector<double> reals;
  std::vector<std::int32_t> integers;
  std::vector<std::string> problems;  // one per record: what the declaration forbids, or empty

  std::size_t size() const { return problems.size(); }
  RecordValues record(std::size_t index) const;
};

// Takes the values of the program's public data out of a file all of which is public.
void take_public_values(const JsonData& file, const DataBlock& block, PublicData& known);

// Mean, sd, least and greatest value of every record column in such a file. Columns that are
// missing or hold no numbers have none.
RecordFacts observed_facts(const JsonData& file, const DataBlock& block);

// The records of such a file as a program's run takes them; none where some are missing or counts
// disagree.
std::vector<MadeUpRecord> observed_records(const JsonData& file, const DataBlock& block);

// Refuses a record variable that is missing (DP332) or has another shape (DP331) than the program
// declares, and cells that are no numbers (DP333).
PublicRecords read_public_records(const JsonData& file, const StanModel& model,
                                  const std::string& record_count, const std::string& path);

}  // namespace dpvi
