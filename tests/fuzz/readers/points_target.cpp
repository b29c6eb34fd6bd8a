#include <cli/points_file.hpp>
#include <tests/fuzz/readers/reader_target.hpp>
#include <tests/fuzz/readers/refusal.hpp>
#include <tests/support/temporary_folder.hpp>

namespace dpvi {

bool read_points_text(std::string_view content) {
  static const TemporaryFolder kFolder;
  const std::string path = kFolder.write("points.json", content);
  return allow_refusal([&] { cli::read_points(path, 2); });
}

}  // namespace dpvi
