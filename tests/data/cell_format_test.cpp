#include <gtest/gtest.h>

#include <optional>
#include <string>

#include <dpvi/data/cell_format.hpp>
#include <dpvi/data/variable_name.hpp>

namespace dpvi {
namespace {

TEST(CellFormat, MarksStandBetweenGroupsOfThreeDigits) {
  const CellFormat english{.thousands_mark = ","};
  EXPECT_EQ(parse_formatted("171,387", english), 171387.0);
  EXPECT_EQ(parse_formatted(" -1,234,567.25 ", english), -1234567.25);
  EXPECT_EQ(parse_formatted("1234567", english), 1234567.0);
  for (const char* text :
       {"17,1387", "1234,567", ",123", "1,,234", "1,23", "1,234,56", "1.234,567"}) {
    EXPECT_EQ(parse_formatted(text, english), std::nullopt) << text;
  }
  const CellFormat german{.decimal_mark = ',', .thousands_mark = "."};
  EXPECT_EQ(parse_formatted("1.063,5", german), 1063.5);
  EXPECT_EQ(parse_formatted("63,5", german), 63.5);
  EXPECT_EQ(parse_formatted("1,5e3", german), 1500.0);
  EXPECT_EQ(parse_formatted("63.5", german), std::nullopt);
  const CellFormat comma{.decimal_mark = ','};
  EXPECT_EQ(parse_formatted("63.5", comma), std::nullopt);
  const CellFormat french{.decimal_mark = ',', .thousands_mark = "\u202f"};
  EXPECT_EQ(parse_formatted("171\u202f387,5", french), 171387.5);
}

TEST(CellFormat, DatesAreDaysSinceTheirOrigin) {
  EXPECT_EQ(parse_date("1970-01-02", kIsoDatePattern), 1.0);
  EXPECT_EQ(parse_date("31/01/2020", "DD/MM/YYYY"), 18292.0);
  EXPECT_EQ(parse_date("1970-01-01T18:00", kIsoDatePattern), 0.75);
  EXPECT_EQ(parse_date("1970-01-01 00:00:43.2", kIsoDatePattern), 0.0005);
  for (const char* text : {"2020-02-30", "2020-1-1", "20200101", "2020-01-01x", "2020-01-01 25:00",
                           "2020-01-01 1:00", "", "2020-01-01 00:00:nan"}) {
    EXPECT_EQ(parse_date(text, kIsoDatePattern), std::nullopt) << text;
  }
  const CellFormat format{.date = DateFormat{"DD.MM.YYYY", 18262}};
  EXPECT_EQ(parse_formatted("11.01.2020", format), 10.0);
  EXPECT_EQ(parse_formatted("2020-01-11", format), 10.0);
  EXPECT_EQ(formatted_number("10.7", format), "11.01.2020");
  EXPECT_EQ(parse_formatted(formatted_number("-4000", format), format), -4000.0);
}

TEST(CellFormat, PatternsHaveEachPartOnce) {
  EXPECT_TRUE(is_date_pattern("DD.MM.YYYY"));
  EXPECT_TRUE(is_date_pattern("YYYYMMDD"));
  for (const char* pattern : {"DD.MM.YY", "YYYY-MM", "DD.MM.YYYY DD", "Y-MM-DD", ""}) {
    EXPECT_FALSE(is_date_pattern(pattern)) << pattern;
  }
}

TEST(VariableName, NamesAreWordsOfLettersDigitsAndUnderscores) {
  EXPECT_EQ(variable_name("ward no."), "ward_no");
  EXPECT_EQ(variable_name("größe (cm)"), "grose__cm");
  EXPECT_EQ(variable_name("2nd"), "x2nd");
  EXPECT_EQ(variable_name("年"), "u5e74");
  EXPECT_TRUE(names_variable("exp2", "exp2_column"));
  EXPECT_TRUE(names_variable("b_age", "x_b_age"));
  EXPECT_FALSE(names_variable("age", "ages"));
}

}  // namespace
}  // namespace dpvi
