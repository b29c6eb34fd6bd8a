#pragma once

#include <gtest/gtest.h>

#include <limits>
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

// An element's opening tag, and the text that follows it.
struct Element {
  std::string tag;
  std::string text;

  bool says(const std::string& part) const { return tag.find(part) != std::string::npos; }

  double number(const std::string& attribute) const {
    const std::string beginning = " " + attribute + "=\"";
    const std::size_t at = tag.find(beginning);
    return at == std::string::npos ? std::numeric_limits<double>::quiet_NaN()
                                   : std::stod(tag.substr(at + beginning.size()));
  }
};

inline std::vector<Element> elements(const std::string& svg, const std::string& name) {
  std::vector<Element> found;
  const std::string beginning = "<" + name + " ";
  for (std::size_t at = svg.find(beginning); at != std::string::npos;
       at = svg.find(beginning, at + 1)) {
    const std::size_t end = svg.find('>', at) + 1;
    found.push_back({svg.substr(at, end - at), svg.substr(end, svg.find('<', end) - end)});
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
