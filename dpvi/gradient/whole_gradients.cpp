#include <dpvi/gradient/whole_gradients.hpp>

namespace dpvi {

template <class T>
WholeGradients<T>::WholeGradients(const ClipTask& task, std::int32_t theta_size)
    : coordinates_(task.coordinates),
      joint_(task.joint),
      entries_(static_cast<std::size_t>(theta_size) * RecordTable::kLanes),
      terms_(joint_.size() * RecordTable::kLanes) {}

template <class T>
void WholeGradients<T>::clip(std::uint32_t lanes, GridClipper& clipper, const BoundShares& shares) {
  coordinates_.pull_back_lanes(std::span<T>(entries_));
  set_terms();
  clipper.add(std::span<const T>(joint_.empty() ? entries_ : terms_), lanes, {}, {&shares, 1});
}

template <class T>
void WholeGradients<T>::set_terms() {
  T* term = terms_.data();
  for (const GradientTerm& joint : joint_) {
    const T* from = &entries_[joint.coordinate * RecordTable::kLanes];
    const T factor = static_cast<T>(joint.factor);
    for (std::size_t lane = 0; lane < RecordTable::kLanes; ++lane) *term++ = from[lane] * factor;
  }
}

template class WholeGradients<float>;
template class WholeGradients<double>;

}  // namespace dpvi
