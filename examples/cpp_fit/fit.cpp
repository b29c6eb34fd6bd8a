// Fits a Stan program privately and writes the bundle: fit MODEL SCHEMA RECORDS RESULT
#include <cstdio>
#include <dpvi/dpvi.hpp>

int main(int argc, char** argv) {
  if (argc != 5) return 64;
  const dpvi::Program program = dpvi::read_program({.model_file = argv[1], .schema_file = argv[2]});
  dpvi::check_can_write_bundle(argv[4]);
  dpvi::UnopenedFit planned =
      dpvi::plan_fit(program, dpvi::TableFile{argv[3]}, {.privacy = {.epsilon = 1.0}});
  const dpvi::FitResult result = dpvi::fit(dpvi::open_records(std::move(planned)));
  dpvi::write_bundle(result, argv[4]);
  std::printf("epsilon %.3f\n", result.privacy->plan().epsilon);
}
