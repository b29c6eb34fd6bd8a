#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <dpvi/api/ledger_account.hpp>
#include <dpvi/api/pack_table.hpp>
#include <dpvi/data/record_store.hpp>
#include <tests/api/door_example.hpp>
#include <tests/support/error_text.hpp>
#include <tests/support/temporary_folder.hpp>

namespace dpvi {
namespace {

constexpr RecordMemory kNoMemory{.most_bytes = 0};

FitRequest cheap(double sampling_rate) {
  return {.privacy = {.epsilon = 1.0, .steps = 30, .sampling_rate = sampling_rate},
          .settings = {.draws = 20}};
}

class Pack : public testing::Test {
 protected:
  std::string packed(const std::string& csv, const std::string& schema,
                     const std::string& ledger = "") const {
    const std::string out = folder_.path_of("store" + std::to_string(++made_));
    pack_table({.schema = parse_schema(schema, "wards.toml"),
                .table_file = csv,
                .store_file = out,
                .ledger_file = ledger});
    return out;
  }

  // Enough rows for several chunks and blocks.
  std::string many_rows() const {
    std::string csv = "ward,y\n";
    const std::string rows = records_.csv.substr(csv.size());
    for (int i = 0; i < 6; ++i) csv += rows;
    return folder_.write("many.csv", csv);
  }

  static FitResult fit_of(const Program& program, const std::string& file,
                          const FitRequest& request, const RecordMemory& memory, int threads) {
    const SameKeys keys;
    return fit(open_records(plan_fit(program, TableFile{file}, request), memory),
               {.threads = threads});
  }

  const TemporaryFolder folder_;
  const WardRecords records_;
  const Program program_ = ward_program();
  mutable int made_ = 0;
};

// Guarantee: what a window holds of a record depends on that record alone, and equals what a table
// in memory would hold.
TEST_F(Pack, AStoreGivesTheReleasesOfItsTable) {
  const std::string csv = many_rows();
  const std::string store = packed(csv, kWardSchema);
  for (const double rate : {1.0, 0.1}) {
    const FitResult expected = fit_of(program_, csv, cheap(rate), {}, 1);
    for (const RecordMemory& memory : {RecordMemory{}, kNoMemory}) {
      for (const int threads : {1, 3}) {
        const FitResult found = fit_of(program_, store, cheap(rate), memory, threads);
        EXPECT_EQ(found.fitted.parameters, expected.fitted.parameters);
        EXPECT_EQ(found.draws, expected.draws);
      }
    }
  }
}

TEST_F(Pack, UnitsOfAStoreAreThoseOfItsTable) {
  std::string csv = "id,ward,y\n";
  for (int i = 0; i < 200; ++i) {
    csv += (i % 17 == 0 ? std::string("NA") : "p" + std::to_string((i * 7) % 40)) + ",medical," +
           std::to_string(0.25 * (i % 13)) + "\n";
  }
  std::string with_unit(kWardSchema);
  with_unit.replace(with_unit.find("rows = 300"), 10,
                    "rows = 300\nunit = \"id\"\nmax_rows_per_unit = 3");
  const Program program = read_program({.model_file = "wards.stan",
                                        .model_text = kWardProgram,
                                        .schema_file = "wards.toml",
                                        .schema_text = with_unit,
                                        .public_data = {{"K", public_number(2, "the test")}}});
  const std::string file = folder_.write("units.csv", csv);
  const FitResult expected = fit_of(program, file, cheap(1), {}, 1);
  const FitResult found = fit_of(program, packed(file, with_unit), cheap(1), kNoMemory, 1);
  EXPECT_EQ(found.fitted.parameters, expected.fitted.parameters);
  const std::string without = packed(file, kWardSchema);
  EXPECT_NE(error_text([&] { fit_of(program, without, cheap(1), {}, 1); }).find("DP381"),
            std::string::npos);
}

TEST_F(Pack, OtherDeclarationsAreRefusedBeforeRowsAreRead) {
  const std::string csv = folder_.write("records.csv", records_.csv);
  std::string other(kWardSchema);
  other.replace(other.find("\"medical\", \"surgical\""), 21, "\"surgical\", \"medical\"");
  const std::string store = packed(csv, other);
  const std::string message =
      error_text([&] { plan_fit(program_, TableFile{store}, cheap(1)); }, store);
  EXPECT_NE(message.find("error[DP381]"), std::string::npos) << message;
  EXPECT_NE(message.find("'ward'"), std::string::npos) << message;
  // Bounds and means of reals are applied by the fit.
  std::string bounds(kWardSchema);
  bounds.replace(bounds.find("mean = 3"), 8, "upper = 99");
  EXPECT_NO_THROW(plan_fit(program_, TableFile{packed(csv, bounds)}, cheap(1)));
}

TEST_F(Pack, ALedgerKnowsTheTableOfAStore) {
  const std::string csv = folder_.write("records.csv", records_.csv);
  const std::string ledger = folder_.path_of("l.db");
  create_ledger(ledger, with_orders({.epsilon = 10, .delta = 1e-5}), csv);
  const auto counted = [&](const std::string& file) {
    UnopenedFit planned = plan_fit(program_, TableFile{file}, cheap(1));
    LedgerAccount account({ledger}, planned.planned(), TableFile{file});
    fit(open_records(std::move(planned), kNoMemory), account, {.threads = 1});
    return account.mark().total->runs;
  };
  EXPECT_EQ(counted(csv), 1);
  const std::string sealed = packed(csv, kWardSchema, ledger);
  EXPECT_EQ(counted(sealed), 2);
  const std::string unsealed = packed(csv, kWardSchema);
  EXPECT_NE(error_text([&] { counted(unsealed); }).find("dpvi pack --ledger"), std::string::npos);

  // A seal belongs to its content.
  const std::string other = folder_.write("other.csv", records_.csv + "medical,1\n");
  const std::string foreign = packed(other, kWardSchema, ledger);
  EXPECT_NE(error_text([&] { counted(foreign); }).find("DP604"), std::string::npos);
  std::string seal = RecordStore(sealed).read_seal();
  std::filesystem::resize_file(
      foreign, std::filesystem::file_size(foreign) - RecordStore(foreign).read_seal().size());
  std::ofstream(foreign, std::ios::binary | std::ios::app) << seal;
  EXPECT_NE(error_text([&] { counted(foreign); }).find("DP380"), std::string::npos);
  EXPECT_EQ(Ledger::read(ledger).entries.size(), 2u);
}

// Guarantee: cell contents never cause an exception or output. tests/cli/pack_test.py compares the
// messages.
TEST_F(Pack, AnyCellsArePacked) {
  for (const std::string cells : {"medical,1", "\xFF,1e999", ",", "\"\",\"\n\"", "x,NaN"}) {
    const std::string csv = folder_.write("cells.csv", "ward,y\n" + cells + "\n");
    const std::string store = packed(csv, kWardSchema);
    EXPECT_EQ(RecordStore(store).rows(), 1u);
    EXPECT_NO_THROW(fit_of(program_, store, cheap(1), kNoMemory, 1));
  }
}

TEST_F(Pack, StoppedOrRefusedPackingLeavesNothing) {
  const std::string csv = many_rows();
  const auto pack = [&](const std::string& file, bool go_on) {
    pack_table({.schema = parse_schema(kWardSchema, "s.toml"),
                .table_file = file,
                .store_file = folder_.path_of("store"),
                .go_on = [go_on] { return go_on; }});
  };
  EXPECT_NE(error_text<Error>([&] { pack(csv, false); }).find("DP501"), std::string::npos);
  const std::string ragged = folder_.write("ragged.csv", "ward,y\nmedical,1\nmedical\n");
  EXPECT_NE(error_text([&] { pack(ragged, true); }).find("DP322"), std::string::npos);
  EXPECT_EQ(folder_.names().size(), 2u);  // the tables
}

}  // namespace
}  // namespace dpvi
