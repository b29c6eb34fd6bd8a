#include <dpvi/report/page/page_check.hpp>

#include <dpvi/report/bundle_texts.hpp>
#include <dpvi/report/internal/json_file.hpp>
#include <dpvi/report/page/report_page.hpp>

namespace dpvi {

PageCheck check_page(const std::filesystem::path& bundle, const ProgramVersion& program) {
  const std::filesystem::path page = bundle / "report.html";
  if (!std::filesystem::exists(std::filesystem::symlink_status(page))) return PageCheck::absent;
  const BundleTexts texts = read_bundle_texts(bundle);
  const JsonFile run(texts.path("run.json"), texts.text("run.json"));
  const auto is = [&](const char* pointer, const std::string& text) {
    return run.has(pointer) && run.at(pointer) == text;
  };
  if (!is("/versions/dpvi", program.version) || !is("/versions/commit", program.commit)) {
    return PageCheck::of_another_version;
  }
  const bool same = read_bundle_file(page.string()) == report_html(texts);
  return same ? PageCheck::follows : PageCheck::differs;
}

}  // namespace dpvi
