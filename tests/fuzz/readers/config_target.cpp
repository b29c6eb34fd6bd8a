#include <cli/config_file.hpp>
#include <dpvi/api/ledger_account.hpp>
#include <string>
#include <vector>

#include <tests/fuzz/readers/reader_target.hpp>
#include <tests/fuzz/readers/refusal.hpp>
#include <tests/support/temporary_folder.hpp>

namespace dpvi {

// A configuration file of a command, and the file beside a table that names its ledger.
bool read_config(std::string_view content) {
  static const TemporaryFolder kFolder;
  const std::string path = kFolder.write("dpvi.toml", content);
  const bool names_ledger = allow_refusal([&] { ledger_beside(kFolder.path_of("d.csv")); });
  const bool sets_flags = allow_refusal([&] {
    CLI::App app;
    double epsilon = 0;
    bool quiet = false;
    std::string schema;
    std::vector<std::string> phases;
    app.add_option("--epsilon", epsilon);
    app.add_flag("--quiet", quiet);
    app.add_option("--schema", schema);
    app.add_option("--phase", phases);
    try {
      cli::apply_config_file(app, path);
    } catch (const CLI::Error&) {
      // The command line reports it as a wrong value of a flag.
    }
  });
  return names_ledger || sets_flags;
}

}  // namespace dpvi
