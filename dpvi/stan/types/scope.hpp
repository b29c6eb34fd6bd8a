#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <dpvi/stan/syntax/syntax_tree.hpp>

namespace dpvi {

// The block or construct that declares a variable; determines where it may be assigned to.
enum class VariableOrigin {
  data,
  transformed_data,
  parameters,
  transformed_parameters,
  generated_quantities,
  local,
  loop,
  argument
};

struct VariableEntry {
  StanType type;
  int slot = -1;
  VariableOrigin origin = VariableOrigin::local;
};

// The variables visible at one point, and slots for new ones.
class Scopes {
 public:
  void push() { levels_.emplace_back(); }
  void pop() { levels_.pop_back(); }

  const VariableEntry* find(std::string_view name) const {
    for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {
      const auto found = level->find(name);
      if (found != level->end()) return &found->second;
    }
    return nullptr;
  }

  // Declares the name even if it is taken, so that its later uses can be resolved.
  int declare(const std::string& name, StanType type, VariableOrigin origin) {
    levels_.back().insert_or_assign(name, VariableEntry{type, slots_, origin});
    return slots_++;
  }

  std::vector<std::string_view> names() const {
    std::vector<std::string_view> list;
    for (const auto& level : levels_) {
      for (const auto& [name, entry] : level) list.push_back(name);
    }
    return list;
  }

  int slots() const { return slots_; }

 private:
  std::vector<std::map<std::string, VariableEntry, std::less<>>> levels_;
  int slots_ = 0;
};

}  // namespace dpvi
