#include "ranks.hpp"

#include <cstdint>
#include <cstring>

#include <dpvi/base/callback_ranks.hpp>

namespace dpvi::python {
namespace {

// Calls a method of the adapter (dpvi/ranks.py) with the bytes; what it returns replaces them. A
// Python error stays in the adapter, which raises it again when the fit has ended.
int replace(void* adapter, const char* method, void* bytes, std::size_t size) {
  nb::gil_scoped_acquire interpreter;
  try {
    const nb::handle object(static_cast<PyObject*>(adapter));
    const nb::object result = object.attr(method)(nb::bytes(bytes, size));
    if (!nb::isinstance<nb::bytes>(result)) return 1;
    const auto found = nb::borrow<nb::bytes>(result);
    if (found.size() != size) return 1;
    std::memcpy(bytes, found.c_str(), size);
    return 0;
  } catch (nb::python_error&) {
    return 1;
  }
}

int sum(void* adapter, std::int64_t* values, std::size_t count) {
  return replace(adapter, "sum", values, count * sizeof *values);
}

int broadcast(void* adapter, void* bytes, std::size_t count) {
  return replace(adapter, "broadcast", bytes, count);
}

}  // namespace

std::unique_ptr<RankLink> ranks_of_python(const nb::object& adapter) {
  if (adapter.is_none()) return nullptr;
  return std::make_unique<CallbackRanks>(dpvi_rank_callbacks{
      .context = adapter.ptr(),
      .rank = nb::cast<int>(adapter.attr("rank")),
      .size = nb::cast<int>(adapter.attr("size")),
      .sum = sum,
      .broadcast = broadcast,
  });
}

}  // namespace dpvi::python
