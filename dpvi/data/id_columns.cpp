#include <dpvi/data/id_columns.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include <dpvi/base/error.hpp>

namespace dpvi {
namespace {

using NameWords = std::vector<std::string>;

// NameWords that identify by themselves.
constexpr std::array kIdWords = {"id",    "ids",  "uid",  "uuid",  "guid", "identifier",
                                 "ident", "idno", "idnr", "idnum", "rowid"};
constexpr std::array kPersonIdWords = {
    "pid",      "ptid",   "patid",        "patno",  "subjid", "subjno", "usubjid", "mrn",
    "ssn",      "nin",    "cpr",          "cprnr",  "bsn",    "hetu",   "nhsno",   "pnr",
    "passport", "caseno", "personnummer", "respid", "custid", "empid",  "hhid",    "socialsecurity",
    "taxid"};
// Persons: such a word alone is an id, as is one with a word for a number.
constexpr std::array kPersons = {"patient",    "person", "subject", "participant", "respondent",
                                 "individual", "subj",   "pat",     "interviewee", "proband"};
// NameWords that are an id only together with a word for a number.
constexpr std::array kOthers = {"client",    "customer", "user",    "member",     "employee",
                                "student",   "pupil",    "donor",   "child",      "mother",
                                "father",    "citizen",  "account", "case",       "household",
                                "family",    "resident", "worker",  "staff",      "doctor",
                                "physician", "nurse",    "teacher", "beneficiary"};
constexpr std::array kNumbers = {"number", "no", "nr", "num", "code", "key", "ref", "reference"};
// Places and things: their ids are groups.
constexpr std::array kThings = {
    "hospital", "ward",   "site",      "clinic",  "centre",   "center",  "school",
    "county",   "state",  "region",    "country", "district", "city",    "municipality",
    "area",     "zone",   "block",     "store",   "shop",     "branch",  "department",
    "dept",     "team",   "group",     "cluster", "class",    "item",    "product",
    "question", "device", "batch",     "lot",     "plot",     "station", "sensor",
    "machine",  "arm",    "treatment", "drug",    "category", "type",    "level",
    "year",     "month",  "wave",      "round",   "practice", "village"};

// Texts that differ in nearly every row, and words that stand beside them.
constexpr std::array kFreeTexts = {"name",   "names",   "surname",  "firstname", "lastname",
                                   "email",  "mail",    "phone",    "telephone", "address",
                                   "street", "comment", "comments", "note",      "notes",
                                   "remark", "remarks", "freetext", "forename",  "fullname"};
constexpr std::array kBesideFreeTexts = {"first", "last",  "middle", "full", "given", "family",
                                         "e",     "other", "home",   "free", "text"};

template <class List>
bool is_listed(const List& list, const std::string& word) {
  return std::ranges::find(list, word) != list.end();
}

// Splits at other characters than letters, before a capital after a small letter, and before the
// last capital of several (`HTTPServer` is two words). Digits are left out.
NameWords split_name(std::string_view name) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(name[i]); };
  NameWords words(1);
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (!std::isalpha(at(i))) {
      if (!words.back().empty()) words.emplace_back();
      continue;
    }
    const bool after_small = i > 0 && std::islower(at(i - 1)) && std::isupper(at(i));
    const bool before_small = i > 0 && i + 1 < name.size() && std::isupper(at(i - 1)) &&
                              std::isupper(at(i)) && std::islower(at(i + 1));
    if ((after_small || before_small) && !words.back().empty()) words.emplace_back();
    words.back() += static_cast<char>(std::tolower(at(i)));
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

bool is_id_word(const std::string& word) {
  return is_listed(kIdWords, word) || is_listed(kPersonIdWords, word);
}

// `patientid` and `studentno` become two words.
NameWords with_ending_apart(NameWords words) {
  if (words.empty() || is_id_word(words.back())) return words;
  for (const std::string ending : {"id", "no", "nr", "number"}) {
    const std::string& last = words.back();
    if (!last.ends_with(ending)) continue;
    const std::string stem = last.substr(0, last.size() - ending.size());
    const bool record = stem == "record" || stem == "study" || stem == "unique";
    if (!record && !is_listed(kPersons, stem) && !is_listed(kOthers, stem)) continue;
    words.back() = stem;
    words.push_back(ending);
    break;
  }
  return words;
}

}  // namespace

IdName id_name(std::string_view column) {
  const NameWords words = with_ending_apart(split_name(column));
  if (words.empty()) return IdName::none;
  const auto any = [&](const auto& list) {
    return std::ranges::any_of(words,
                               [&](const std::string& word) { return is_listed(list, word); });
  };
  const auto only = [&](auto... lists) {
    return std::ranges::all_of(
        words, [&](const std::string& word) { return (is_listed(lists, word) || ...); });
  };
  if (is_listed(kPersonIdWords, words.back()) || is_listed(kPersonIdWords, words.front())) {
    return IdName::person;
  }
  // "social security number", "nhs number"
  if (words.size() == 3 && words[0] == "social" && words[1] == "security") return IdName::person;
  if (words.size() == 2 && words[0] == "nhs" && is_listed(kNumbers, words[1]))
    return IdName::person;
  const bool person = any(kPersons) || any(kOthers);
  if (is_listed(kIdWords, words.back())) {
    if (person) return IdName::person;
    return words.size() > 1 && any(kThings) ? IdName::none : IdName::id;
  }
  if (is_listed(kIdWords, words.front()) && only(kIdWords, kPersons, kOthers, kNumbers)) {
    return person ? IdName::person : IdName::id;
  }
  const bool numbered = person && is_listed(kNumbers, words.back());
  if (only(kPersons) || (numbered && only(kPersons, kOthers, kNumbers))) return IdName::person;
  return IdName::none;
}

bool is_free_text_name(std::string_view column) {
  const NameWords words = split_name(column);
  const auto is_text = [](const std::string& word) { return is_listed(kFreeTexts, word); };
  return std::ranges::any_of(words, is_text) &&
         std::ranges::all_of(words, [&](const std::string& word) {
           return is_text(word) || is_listed(kBesideFreeTexts, word) || is_listed(kPersons, word);
         });
}

std::optional<std::size_t> undecided_id_column(std::span<const std::string> names,
                                               const Schema& schema) {
  if (schema.unit || schema.one_row_per_person) return std::nullopt;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const IdName kind = id_name(names[i]);
    if (kind == IdName::none) continue;
    const ColumnSchema* declared = schema.find_column(names[i]);
    const bool group = declared != nullptr && !declared->levels.empty();
    if (kind == IdName::person || !group) return i;
  }
  return std::nullopt;
}

void require_decided_unit(std::span<const std::string> names, const Schema& schema,
                          std::span<const std::string> known, const std::string& table) {
  const auto found = undecided_id_column(names, schema);
  if (!found) return;
  const std::string& name = names[*found];
  const bool quoted =
      schema.find_column(name) != nullptr || std::ranges::find(known, name) != known.end();
  throw InputError(
      kUndecidedUnit,
      fmt::format("the name of column {}{} looks like an id, and nothing says whether a person can "
                  "have several rows; what is protected depends on it.",
                  *found + 1, quoted ? fmt::format(", '{}',", name) : ""),
      fmt::format("Write one of these under [table] in the schema: unit = \"{}\" with "
                  "max_rows_per_unit = 4 (all rows of one id are one record), or "
                  "one_row_per_person = true (flag --one-row-per-person).",
                  quoted ? name : "NAME"),
      {table, 0, 0});
}

}  // namespace dpvi
