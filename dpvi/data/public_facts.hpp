#pragma once

#include <vector>

#include <dpvi/data/binding.hpp>

namespace dpvi {

// Lists every declaration that a fit with this binding relies on, for the privacy statement.
std::vector<PublicFact> list_public_facts(const BindingRequest& request, const Binding& binding);

}  // namespace dpvi
