#pragma once

#include <cctype>
#include <random>
#include <string>
#include <vector>

namespace dpvi {

// Generates nearly valid programs by exchanging whole words, lines and numbers, so that most of
// them still parse and many still run. It also generates heavily damaged texts.
class ProgramMutator {
 public:
  ProgramMutator(std::vector<std::string> programs, std::uint64_t seed)
      : programs_(std::move(programs)), random_(seed) {
    for (const std::string& program : programs_) {
      const std::vector<std::string> words = split(program);
      words_.insert(words_.end(), words.begin(), words.end());
    }
  }

  std::string next() {
    std::vector<std::string> words = split(programs_[below(programs_.size())]);
    const std::size_t edits = 1 + below(5);
    for (std::size_t i = 0; i < edits && !words.empty(); ++i) edit(words);
    std::string text;
    for (const std::string& word : words) text += word;
    if (below(20) == 0 && !text.empty()) text[below(text.size())] = static_cast<char>(random_());
    return text;
  }

  // Changes, deletes and repeats bytes, inserts lines of other programs, and nests pieces deeply.
  std::string damaged() {
    std::string text = programs_[below(programs_.size())];
    const std::size_t edits = 1 + below(12);
    for (std::size_t i = 0; i < edits && !text.empty(); ++i) damage(text);
    return text;
  }

 private:
  void damage(std::string& text) {
    static constexpr const char* kPieces[] = {"(",      "[",      "{",     "<",         "}",
                                              ")",      "]",      "-",     "!",         "'",
                                              "\"",     "/*",     "//",    "#include",  "1e",
                                              "1..2",   "T[,",    "? 1 :", "for (i in", "if (1)",
                                              "array[", "tuple(", "\\",    "\xff\xfe",  "\xc3\xa9"};
    const std::size_t at = below(text.size());
    const std::size_t length = 1 + below(40);
    switch (below(6)) {
      case 0:
        text[at] = static_cast<char>(random_());
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, text.substr(below(text.size()), length));
        break;
      case 3:
        if (below(10) == 0) text.resize(at);
        break;
      case 4: {
        const std::string& other = programs_[below(programs_.size())];
        text.insert(at, other.substr(below(other.size() + 1), 5 * length));
        break;
      }
      default: {
        const std::string piece = kPieces[below(std::size(kPieces))];
        for (std::size_t i = below(12) == 0 ? 3'000 : 1; i > 0; --i) text.insert(at, piece);
      }
    }
  }

  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }

  static bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
  }

  static std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> words;
    for (const char c : text) {
      const bool joins = !words.empty() && is_word(c) && is_word(words.back().back());
      if (joins) {
        words.back() += c;
      } else {
        words.emplace_back(1, c);
      }
    }
    return words;
  }

  std::string number() {
    static constexpr const char* kNumbers[] = {"0",     "1",    "-1",       "2",          "3",
                                               "7",     "1000", "99999999", "2147483648", "1e-300",
                                               "1e300", "0.5",  "N",        "K"};
    return kNumbers[below(std::size(kNumbers))];
  }

  // Returns the range of words from the start to the end of the line around `at`.
  static std::pair<std::size_t, std::size_t> line_at(const std::vector<std::string>& words,
                                                     std::size_t at) {
    std::size_t first = at;
    while (first > 0 && words[first - 1] != "\n") --first;
    std::size_t last = at;
    while (last < words.size() && words[last] != "\n") ++last;
    return {first, last};
  }

  void edit(std::vector<std::string>& words) {
    const std::size_t at = below(words.size());
    const auto place = [&](std::size_t i) {
      return words.begin() + static_cast<std::ptrdiff_t>(i);
    };
    const auto [first, last] = line_at(words, at);
    switch (below(8)) {
      case 0:
        words.erase(place(at));
        break;
      case 1:
        words[at] = words_[below(words_.size())];
        break;
      case 2:
        words.insert(place(at), words_[below(words_.size())]);
        break;
      case 3:
        std::swap(words[at], words[below(words.size())]);
        break;
      case 4:
        words[at] = number();
        break;
      case 5:
        words.erase(place(first), place(last));
        break;
      case 6: {
        const std::vector<std::string> copy(place(first), place(last));
        words.insert(place(line_at(words, below(words.size())).first), copy.begin(), copy.end());
        break;
      }
      default: {
        const std::vector<std::string> other = split(programs_[below(programs_.size())]);
        if (other.empty()) break;
        const auto [from, to] = line_at(other, below(other.size()));
        words.insert(place(first), other.begin() + static_cast<std::ptrdiff_t>(from),
                     other.begin() + static_cast<std::ptrdiff_t>(to));
        break;
      }
    }
  }

  std::vector<std::string> programs_;
  std::vector<std::string> words_;
  std::mt19937_64 random_;
};

}  // namespace dpvi
