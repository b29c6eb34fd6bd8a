#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include <dpvi/api/settings.hpp>
#include <tests/support/source_folder.hpp>

namespace dpvi {
namespace {

// The rows of the guide's tables of settings.
std::vector<std::string> rows_of_the_guide() {
  std::ifstream guide(tests_folder().parent_path() / "docs/guide.md");
  std::vector<std::string> rows;
  for (std::string line; std::getline(guide, line);) {
    if (line.starts_with("| `--") && line.ends_with(" |")) rows.push_back(line);
  }
  return rows;
}

TEST(Settings, GuideListsEverySettingWithItsDefaultAndMeaning) {
  std::vector<std::string> expected;
  for (const Setting& one : all_settings()) {
    expected.push_back("| `--" + one.name + "` | " + one.default_text +
                       (one.default_text.empty() ? "| " : " | ") + one.meaning + " |");
  }
  EXPECT_EQ(rows_of_the_guide(), expected);
}

TEST(Settings, HelpStatesTheDefault) {
  EXPECT_EQ(help_of(setting("draws")), "number of draws from the posterior (default 1000)");
  EXPECT_EQ(help_of(setting("dry-run")), "plan and noise forecast; opens no private file");
  EXPECT_NE(help_of(setting("delta")).find("(default 1e-6)"), std::string::npos);
}

}  // namespace
}  // namespace dpvi
