#pragma once

#include <array>
#include <string>
#include <string_view>

namespace dpvi {

// What a privacy statement says about the study, as its [study] section declares it. An empty text
// is a blank that somebody fills in by hand.
struct Study {
  std::string title;
  std::string data_set;
  std::string period;      // that the records are about
  std::string controller;  // who is responsible for the records
  std::string purpose;
  std::string contact;
  std::string version;    // of the data set or of the analysis
  std::string region;     // where the records are from
  std::string sector;     // health, education, ...
  std::string signatory;  // who signs the statement
};

struct StudyField {
  std::string_view key;      // in [study]
  std::string_view meaning;  // in a phrase
  std::string Study::*value;
};

inline constexpr std::array<StudyField, 10> kStudyFields = {{
    {"title", "title", &Study::title},
    {"data_set", "data set", &Study::data_set},
    {"version", "version of the data set or analysis", &Study::version},
    {"period", "period of the records", &Study::period},
    {"region", "region", &Study::region},
    {"sector", "sector", &Study::sector},
    {"controller", "controller of the data", &Study::controller},
    {"purpose", "purpose", &Study::purpose},
    {"contact", "contact", &Study::contact},
    {"signatory", "signed by", &Study::signatory},
}};

}  // namespace dpvi
