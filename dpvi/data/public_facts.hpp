#pragma once

#include <vector>

#include <dpvi/data/binding.hpp>

namespace dpvi {

// Every declaration that a fit with this binding rests on, for the privacy statement.
std::vector<PublicFact> list_public_facts(const BindingRequest& request, const Binding& binding);

}  // namespace dpvi
