#include <dpvi/data/arrow_texts.hpp>

#include <fmt/format.h>

#include <chrono>

namespace dpvi {

std::string date_text(std::int64_t days) {
  constexpr std::int64_t kFirst = -719'162, kLast = 2'932'896;
  if (days < kFirst || days > kLast) return fmt::format("day {}", days);
  const std::chrono::year_month_day date{
      std::chrono::sys_days(std::chrono::days(static_cast<int>(days)))};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

std::int64_t floor_divided(std::int64_t value, std::int64_t by) {
  const std::int64_t quotient = value / by;
  return value % by < 0 ? quotient - 1 : quotient;
}

std::string timestamp_text(std::int64_t ticks, int digits) {
  std::int64_t per_second = 1;
  for (int i = 0; i < digits; ++i) per_second *= 10;
  constexpr std::int64_t kDay = 86'400;
  const std::int64_t seconds = floor_divided(ticks, per_second);
  const std::int64_t days = floor_divided(seconds, kDay);
  const std::int64_t within = seconds - days * kDay;
  std::string text = fmt::format("{} {:02}:{:02}:{:02}", date_text(days), within / 3600,
                                 within / 60 % 60, within % 60);
  const std::int64_t fraction = ticks - seconds * per_second;
  if (fraction == 0) return text;
  text += fmt::format(".{:0{}}", fraction, digits);
  while (text.back() == '0') text.pop_back();
  return text;
}

std::string decimal_text(Decimal digits, int places) {
  using Unsigned = unsigned __int128;
  Unsigned rest = digits < 0 ? -static_cast<Unsigned>(digits) : static_cast<Unsigned>(digits);
  std::string backwards;
  const auto put = [&](char letter) { backwards.push_back(letter); };
  for (int place = places; place > 0; --place) {
    const int digit = static_cast<int>(rest % 10);
    rest /= 10;
    if (digit != 0 || !backwards.empty()) put(static_cast<char>('0' + digit));
  }
  if (!backwards.empty()) put('.');
  if (rest != 0) backwards.insert(0, static_cast<std::size_t>(places < 0 ? -places : 0), '0');
  do {
    put(static_cast<char>('0' + static_cast<int>(rest % 10)));
    rest /= 10;
  } while (rest != 0);
  if (digits < 0) put('-');
  return {backwards.rbegin(), backwards.rend()};
}

}  // namespace dpvi
