// Writes example bundles for tests in other languages:  write_example_bundles FOLDER
#include <filesystem>
#include <limits>

#include <dpvi/report/bundle_writer.hpp>

#include "example_result.hpp"

int main(int argc, char** argv) {
  using namespace dpvi;
  if (argc != 2) return 64;
  const std::filesystem::path folder = argv[1];
  const ProgramVersion program{"1.2.3", "abc"};
  write_bundle(example_result(FamilyKind::mean_field), program, folder / "mean_field");
  write_bundle(example_result(FamilyKind::full_rank), program, folder / "full_rank");
  write_bundle(unprotected_example(), program, folder / "not_private");
  write_bundle(sampled_example(), program, folder / "sampled");
  write_bundle(example_result(FamilyKind::mean_field, 1), program, folder / "one_draw");
  FitResult diverged = example_result();
  diverged.draws[3][0] = std::numeric_limits<double>::quiet_NaN();
  diverged.draws[3][1] = std::numeric_limits<double>::infinity();
  diverged.fitted.parameters[0] = std::numeric_limits<double>::quiet_NaN();
  diverged.total = with_noise(diverged.fitted, diverged.location_noise);
  diverged.privacy = executed(example_plan(), diverged.fitted.parameters);
  write_bundle(diverged, program, folder / "diverged");
  return 0;
}
