#pragma once

#include <memory>

#include <dpvi/base/rank_link.hpp>

#include "bindings.hpp"

namespace dpvi::python {

// The link between ranks that Python code provides, or nullptr for None. The adapter must outlive
// it.
std::unique_ptr<RankLink> ranks_of_python(const nb::object& adapter);

}  // namespace dpvi::python
