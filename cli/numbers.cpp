#include "numbers.hpp"

#include <dpvi/api/setting_texts.hpp>

namespace dpvi::cli {

int parse_threads(const std::optional<std::string>& text) {
  SettingTexts given;
  if (text) given.values["threads"] = *text;
  return thread_count(given);
}

std::uint64_t parse_seed(const std::optional<std::string>& text) {
  SettingTexts given;
  if (text) given.values["seed"] = *text;
  return random_seed(given);
}

}  // namespace dpvi::cli
