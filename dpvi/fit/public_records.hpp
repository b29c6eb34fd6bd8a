#pragma once

#include <string>
#include <vector>

#include <dpvi/data/record_table.hpp>
#include <dpvi/data/stan_json.hpp>
#include <dpvi/stan/stan_model.hpp>

namespace dpvi {

// Records that their owner calls public, exactly as Stan would read them: nothing is clamped,
// dropped or standardised.
struct PublicRecords {
  RecordTable table;                  // in the program's columns; unusable where there is a problem
  std::vector<std::string> problems;  // one per record: what the declaration forbids, or empty
};

// Takes the values of the program's public data out of a file all of which is public.
void take_public_values(const JsonData& file, const DataBlock& block, PublicData& known);

// Refuses a record variable that is missing (DP332) or has another shape (DP331) than the program
// declares, and cells that are no numbers (DP333).
PublicRecords read_public_records(const JsonData& file, const StanModel& model,
                                  const std::string& record_count, const std::string& path);

}  // namespace dpvi
