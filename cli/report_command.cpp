#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>

#include <dpvi/report/atomic_folder.hpp>
#include <dpvi/report/bundle_verification.hpp>
#include <dpvi/report/page/report_page.hpp>

#include "command.hpp"
#include "json.hpp"

namespace dpvi::cli {
namespace {

class ReportCommand : public Command {
 public:
  void declare(CLI::App& app) override {
    app.description(
        "Writes a bundle as one web page with pictures, numbers and the privacy statement. It\n"
        "needs no network. 'dpvi fit' puts the same page into its bundle.");
    app.add_option("BUNDLE", bundle_, "folder that 'dpvi fit' wrote")->required();
    app.add_option("--out", out_, "file to write (default: report.html in the bundle)");
    declare_common(app);
    app.footer(
        "Example:\n"
        "  dpvi report results/logistic --out logistic.html");
  }

  std::string run() override {
    const std::filesystem::path target =
        out_.empty() ? std::filesystem::path(bundle_) / "report.html" : std::filesystem::path(out_);
    require_verified(bundle_, verify_bundle(bundle_));
    const std::string page = report_html(read_bundle_texts(bundle_));
    write_new_file(target, page);
    if (!json) return fmt::format("Report: {}\n", target.string());
    const Json document = {{"ok", true}, {"out", target.string()}, {"bytes", page.size()}};
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  }

 private:
  std::string bundle_, out_;
};

}  // namespace

std::unique_ptr<Command> make_report_command() { return std::make_unique<ReportCommand>(); }

}  // namespace dpvi::cli
