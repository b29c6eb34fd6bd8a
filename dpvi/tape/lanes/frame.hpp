#pragma once

#include <cstddef>
#include <cstdint>

#include <dpvi/tape/compile/lane_program.hpp>

namespace dpvi {

// Everything that an instruction may touch while one block of records is evaluated.
template <class T>
struct Frame {
  const T* values[3];         // indexed by Source
  const std::int32_t* index;  // index columns, one lane vector each
  T* lane;                    // lane values, writable
  T* adjoints[2];             // indexed by AdjointStore
  // For short steps, indexed by StepPlace. A null pointer in `written` means read-only.
  const ShortStep* steps;
  const T* read[kStepPlaces];
  T* written[kStepPlaces];
  std::ptrdiff_t strides[kStepPlaces];  // from one block to the next
};

}  // namespace dpvi
