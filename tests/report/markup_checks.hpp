#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace dpvi {

inline std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

// Every opened element is closed, in order.
inline void expect_balanced(const std::string& svg) {
  std::vector<std::string> open;
  for (std::size_t at = svg.find('<'); at != std::string::npos; at = svg.find('<', at + 1)) {
    const std::size_t end = svg.find('>', at);
    ASSERT_NE(end, std::string::npos);
    if (svg[end - 1] == '/') continue;
    const bool closes = svg[at + 1] == '/';
    const std::size_t name = at + (closes ? 2 : 1);
    const std::string element = svg.substr(name, svg.find_first_of(" >", name) - name);
    if (closes) {
      ASSERT_FALSE(open.empty());
      EXPECT_EQ(open.back(), element);
      open.pop_back();
    } else {
      open.push_back(element);
    }
  }
  EXPECT_TRUE(open.empty());
}

}  // namespace dpvi
