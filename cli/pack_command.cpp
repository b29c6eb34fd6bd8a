#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include <dpvi/api/ledger_account.hpp>
#include <dpvi/api/pack_table.hpp>
#include <dpvi/base/error.hpp>
#include <dpvi/report/atomic_folder.hpp>

#include "command.hpp"
#include "console.hpp"
#include "interrupt.hpp"

namespace dpvi::cli {
namespace {

constexpr const char* kNoLedger = "none";

class PackCommand : public Command {
 public:
  void declare(CLI::App& app) override {
    app.description(
        "Packs a private table into a record store, which fits read without parsing and without "
        "holding it in memory. NOT FOR RELEASE.");
    app.add_option("DATA", data_, "records: CSV (also .gz, .zst)")->required();
    app.add_option("--schema", schema_, "public facts about the columns (TOML)");
    app.add_option("--out", out_, "file to write the store to");
    app.add_option("--ledger", ledger_,
                   "ledger for which the store is the same table, or 'none' (default: the one that "
                   "dpvi.toml beside DATA names)");
    declare_common(app);
    app.footer(
        "Example:\n"
        "  dpvi pack records.csv.zst --schema schema.toml --out records.store\n"
        "  dpvi fit model.stan records.store --schema schema.toml --epsilon 1 --out result");
  }

  std::string run() override {
    if (out_.empty()) {
      throw UsageError(kContradiction, "--out is missing.", "Name the file for the store.");
    }
    PackRequest request{.schema = schema_.empty() ? Schema{} : read_schema(schema_),
                        .table_file = data_,
                        .store_file = out_,
                        .ledger_file = ledger_file(),
                        .go_on = [] { return !interrupted(); }};
    watch_for_interrupts();
    check_can_create(out_);
    const PackedTable packed = pack_table(request);
    if (!quiet) show_message(note(request.ledger_file));
    if (!json) return {};
    const nlohmann::ordered_json document = {{"ok", true},
                                             {"out", out_},
                                             {"columns", packed.columns},
                                             {"row_bytes", packed.row_bytes},
                                             {"ledger", request.ledger_file}};
    return document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
  }

 private:
  std::string ledger_file() const {
    if (ledger_.empty()) return ledger_beside(data_).value_or("");
    return ledger_ == kNoLedger ? "" : ledger_;
  }

  std::string note(const std::string& ledger) const {
    return fmt::format(
        "{} holds private records, as {} does: protect both alike.\n{}", out_, data_,
        ledger.empty() ? "" : fmt::format("For the ledger {} it is the same table.\n", ledger));
  }

  std::string data_, schema_, out_, ledger_;
};

}  // namespace

std::unique_ptr<Command> make_pack_command() { return std::make_unique<PackCommand>(); }

}  // namespace dpvi::cli
