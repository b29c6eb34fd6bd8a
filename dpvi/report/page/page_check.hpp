#pragma once

#include <cstdint>
#include <filesystem>

#include <dpvi/report/run_json.hpp>

namespace dpvi {

// What report.html of a bundle is, compared with the bundle's other files.
enum class PageCheck : std::uint8_t {
  absent,
  follows,            // it is the page that the other files give
  differs,            // it is another page
  of_another_version  // another version of the program has written it; it cannot be compared
};

// `program` is the version that compares. Throws like read_bundle().
PageCheck check_page(const std::filesystem::path& bundle, const ProgramVersion& program);

}  // namespace dpvi
