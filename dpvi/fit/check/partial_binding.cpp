#include <dpvi/fit/check/partial_binding.hpp>

#include <algorithm>
#include <optional>

namespace dpvi {
namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

class DeclaredDataBinder {
 public:
  explicit DeclaredDataBinder(const BindingRequest& request) : request_(request) {
    // Binds no record variable: an empty list would mean all of them.
    bound_ = {request.record_count};
    for (const auto* given : {&request.schema.public_values, &request.public_data}) {
      for (const auto& [name, value] : *given) known_.push_back(name);
    }
  }

  PartialBinding bind() {
    bind_columns(request_for(bound_));  // reports a wrong size itself, not the columns it implies
    std::vector<std::string> all = bound_;
    for (const DataVariable& variable : request_.variables) {
      if (variable.per_record) all.push_back(variable.name);
    }
    if (!try_with(all)) {
      // The columns of one variable may determine a size that another needs.
      while (bind_one_more()) continue;
    }
    // Sizes derived from columns are declared by now and are checked against the program too.
    PartialBinding made{bind_columns(request_for(bound_)), {}};
    for (const DataVariable& variable : request_.variables) {
      if (!variable.per_record && !contains(known_, variable.name)) {
        made.undeclared.push_back(variable.name);
      }
    }
    return made;
  }

 private:
  BindingRequest request_for(const std::vector<std::string>& only) const {
    BindingRequest part = request_;
    part.only = only;
    std::erase_if(part.variables, [&](const DataVariable& variable) {
      return !variable.per_record && !contains(known_, variable.name);
    });
    return part;
  }

  bool try_with(const std::vector<std::string>& only) {
    const std::optional<Binding> binding = bind_if_declared(request_for(only));
    if (!binding) return false;
    bound_ = only;
    for (const auto& [name, value] : binding->public_data) {
      if (!contains(known_, name)) known_.push_back(name);
    }
    return true;
  }

  bool bind_one_more() {
    for (const DataVariable& variable : request_.variables) {
      if (!variable.per_record || contains(bound_, variable.name)) continue;
      std::vector<std::string> more = bound_;
      more.push_back(variable.name);
      if (try_with(more)) return true;
    }
    return false;
  }

  const BindingRequest& request_;
  std::vector<std::string> bound_;
  std::vector<std::string> known_;  // names of public data with a value
};

}  // namespace

PartialBinding bind_declared_data(const BindingRequest& request) {
  return DeclaredDataBinder(request).bind();
}

}  // namespace dpvi
