#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <dpvi/base/error.hpp>
#include <dpvi/data/id_columns.hpp>

namespace dpvi {
namespace {

TEST(IdColumns, NamesOfPersons) {
  for (const char* name : {"patient_id",
                           "PatientID",
                           "patientId",
                           "patientid",
                           "PATIENT_ID",
                           "id_patient",
                           "subject",
                           "Subject.No",
                           "subject_number",
                           "subjid",
                           "USUBJID",
                           "person",
                           "pid",
                           "PID",
                           "SSN",
                           "ssn4",
                           "mrn",
                           "Patient MRN",
                           "participant",
                           "respondent",
                           "user_id",
                           "userid",
                           "customer_no",
                           "studentnumber",
                           "student_id",
                           "household_id",
                           "nhs_number",
                           "social_security_number",
                           "IDPatient",
                           "person key"}) {
    EXPECT_EQ(id_name(name), IdName::person) << name;
  }
}

TEST(IdColumns, NamesOfIds) {
  for (const char* name : {"id", "ID", "Id", "id2", "uuid", "record_id", "recordid", "stay_id",
                           "visit id", "encounterID", "id_number", "unique_id"}) {
    EXPECT_EQ(id_name(name), IdName::id) << name;
  }
}

TEST(IdColumns, WordsThatOnlyContainTheLetters) {
  for (const char* name : {"void",       "grid",        "width",
                           "covid",      "covid19",     "humid",
                           "idle",       "solid",       "acid",
                           "fluid",      "lipid",       "thyroid",
                           "steroid",    "android",     "paid",
                           "unpaid",     "said",        "madrid",
                           "bid",        "mid",         "valid",
                           "invalid",    "ideal",       "identity",
                           "idx",        "residence",   "president",
                           "resident",   "patient_age", "patients",
                           "outpatient", "inpatient",   "subjective",
                           "personal",   "student",     "user",
                           "child",      "client",      "number",
                           "code",       "key",         "no",
                           "x.1",        "y",           "age",
                           "",           "hospital_id", "site id",
                           "county_id",  "CountyID",    "item_id",
                           "wave_id",    "id_checked",  "zip_code",
                           "icd_code",   "user_score",  "number_of_children"}) {
    EXPECT_EQ(id_name(name), IdName::none) << name;
  }
}

Schema schema_of(const std::string& text) { return parse_schema(text, "s.toml"); }

TEST(IdColumns, AUnitOrOneRowPerPersonDecides) {
  const std::vector<std::string> names = {"age", "patient_id", "died"};
  EXPECT_EQ(undecided_id_column(names, {}), 1U);
  const Schema unit = schema_of("[table]\nunit = \"patient_id\"\nmax_rows_per_unit = 4\n");
  EXPECT_FALSE(undecided_id_column(names, unit));
  EXPECT_FALSE(undecided_id_column(names, schema_of("[table]\none_row_per_person = true\n")));
  EXPECT_EQ(undecided_id_column(names, schema_of("[table]\none_row_per_person = false\n")), 1U);
  EXPECT_FALSE(undecided_id_column(std::vector<std::string>{"age", "covid"}, {}));
}

TEST(IdColumns, ACategoryWithDeclaredLevelsIsAGroupUnlessItNamesAPerson) {
  const Schema schema = schema_of(
      "[columns.device_uid]\nlevels = [\"a\", \"b\"]\n"
      "[columns.patient_id]\nlevels = [\"1\", \"2\"]\n");
  EXPECT_FALSE(undecided_id_column(std::vector<std::string>{"device_uid"}, schema));
  EXPECT_EQ(undecided_id_column(std::vector<std::string>{"patient_id"}, schema), 0U);
}

TEST(IdColumns, BothDeclarationsContradictEachOther) {
  EXPECT_THROW(schema_of("[table]\nunit = \"p\"\nmax_rows_per_unit = 4\n"
                         "one_row_per_person = true\n"),
               InputError);
}

// The first line of a table without a header is a record.
TEST(IdColumns, TheNameIsQuotedOnlyIfItIsKnownAnyway) {
  const std::vector<std::string> names = {"age", "patient_id"};
  const auto message = [&](const std::vector<std::string>& known) -> std::string {
    try {
      require_decided_unit(names, {}, known, "t.csv");
    } catch (const InputError& error) {
      return error.message() + " " + error.hint();
    }
    return "";
  };
  EXPECT_EQ(message({}).find("patient_id"), std::string::npos);
  EXPECT_NE(message({}).find("column 2 looks like an id"), std::string::npos);
  EXPECT_NE(message({}).find("one_row_per_person = true"), std::string::npos);
  EXPECT_NE(message({"patient_id"}).find("unit = \"patient_id\""), std::string::npos);
}

}  // namespace
}  // namespace dpvi
