#include <dpvi/api/write_bundle.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <exception>
#include <string>

#include <dpvi/api/version.hpp>
#include <dpvi/base/error.hpp>
#include <dpvi/fit/train/release_regression.hpp>
#include <dpvi/random/kernel_bytes.hpp>
#include <dpvi/report/atomic_folder.hpp>
#include <dpvi/report/bundle_writer.hpp>

namespace dpvi {

void check_can_write_bundle(const std::filesystem::path& folder) { check_can_create(folder); }

std::string save_elsewhere(const BundleFiles& bundle) {
  constexpr const char* kSpent = "The privacy budget is spent.";
  try {
    std::array<std::uint8_t, 8> random{};
    fill_from_kernel(random);
    const std::filesystem::path place = std::filesystem::temp_directory_path() /
                                        fmt::format("dpvi-result-{:02x}", fmt::join(random, ""));
    write_folder(place, bundle.files);
    return fmt::format("{} The result was saved: move the folder {} to where it belongs.", kSpent,
                       place.string());
  } catch (const std::exception&) {
    return fmt::format("{} The result could not be saved elsewhere either.", kSpent);
  }
}

std::uint64_t bundle_size(const PlannedFit& planned) {
  constexpr std::uint64_t kDigits = 26, kBinary = 8, kTexts = std::uint64_t{1} << 20;
  std::uint64_t columns = 3;
  for (const OutputVariable& output : planned.model().outputs()) {
    columns += static_cast<std::uint64_t>(output.size());
  }
  const auto draws = static_cast<std::uint64_t>(planned.settings().draws) + 1;
  const std::uint64_t dimension = planned.model().dimension();
  // Numbers of posterior.json: three square matrices if a posterior has correlations, and a few
  // lists; names and reasons stand in several files.
  constexpr std::uint64_t kMatrices = 3, kLists = 40;
  const bool correlated = planned.settings().family == FamilyKind::full_rank ||
                          dimension <= ReleaseRegression::kMaxCoordinates;
  const std::uint64_t width =
      correlated ? kMatrices * dimension : static_cast<std::uint64_t>(planned.settings().rank);
  return draws * columns * (kDigits + kBinary) + (width + kLists) * dimension * kDigits + kTexts +
         planned.bound().program.inputs().text.size();
}

void write_paid_files(const BundleFiles& bundle, const std::filesystem::path& folder) {
  try {
    write_folder(folder, bundle.files);
  } catch (const CannotCreateError& error) {
    throw CannotCreateError(error.code(), error.message(), save_elsewhere(bundle), error.place());
  } catch (const WriteError& error) {
    throw WriteError(error.code(), error.message(), save_elsewhere(bundle), error.place());
  }
}

void write_bundle(const FitResult& result, const std::filesystem::path& folder) {
  const BundleFiles bundle = bundle_files(result, library_version());
  if (result.privacy) {
    write_paid_files(bundle, folder);
  } else {
    write_folder(folder, bundle.files);
  }
}

}  // namespace dpvi
