#include <dpvi/fit/trace/mock_clipping_internal.hpp>

#include <algorithm>

#include <dpvi/gradient/unbiased_centre.hpp>

namespace dpvi {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

}  // namespace

MockClipping::MockClipping(const MockScores& scores, const MatrixXd& factor, ClipCentre centre)
    : centre_(scores.gradients.size() > 1 ? centre : ClipCentre::zero),
      own_(scores.own_gradients() * factor),
      norms_(own_.rowwise().norm()) {
  if (centre_ == ClipCentre::zero) return;
  for (const MatrixXd& gradients : scores.gradients) {
    all_.emplace_back(gradients * factor);
    const VectorXd norms = all_.back().rowwise().norm();
    norms_ = norms_.cwiseMax(norms.replicate(norms_.size() / norms.size(), 1));
  }
  log_densities_ = scores.log_densities;
  own_place_ = scores.own;
}

MatrixXd MockClipping::clipped(double bound) const {
  if (!all_.empty() && own_place_.empty()) return clipped_in_turn(bound);
  if (all_.size() > 2) return clipped_around_centre(bound);
  const VectorXd kept = (bound / norms_.array().max(bound)).matrix();
  return kept.asDiagonal() * own_;
}

MatrixXd MockClipping::clipped_around_centre(double bound) const {
  const Index size = own_.cols();
  const auto entries = static_cast<std::size_t>(size) * kClipLanes;
  UnbiasedCentre centre(all_.size(), bound);
  std::vector<std::vector<double>> blocks(all_.size(), std::vector<double>(entries));
  std::vector<const double*> pointers;
  for (const std::vector<double>& block : blocks) pointers.push_back(block.data());
  std::vector<LaneNumbers> densities(all_.size());
  std::vector<double> psi(entries);
  MatrixXd result(own_.rows(), size);
  for (Index first = 0; first < own_.rows(); first += static_cast<Index>(kClipLanes)) {
    const Index lanes = std::min<Index>(static_cast<Index>(kClipLanes), own_.rows() - first);
    for (Index lane = 0; lane < static_cast<Index>(kClipLanes); ++lane) {
      const Index record = first + std::min(lane, lanes - 1);
      const std::size_t own = own_place_[static_cast<std::size_t>(record)];
      for (std::size_t k = 0; k < all_.size(); ++k) {
        // The record's own outcome comes first.
        const std::size_t outcome = k == 0 ? own : k <= own ? k - 1 : k;
        densities[k].lane[lane] = log_densities_[outcome][record];
        for (Index j = 0; j < size; ++j) {
          blocks[k][static_cast<std::size_t>(j) * kClipLanes + static_cast<std::size_t>(lane)] =
              all_[outcome](record, j);
        }
      }
    }
    centre.clip<double>(pointers, densities, psi);
    for (Index lane = 0; lane < lanes; ++lane) {
      for (Index j = 0; j < size; ++j) {
        result(first + lane, j) =
            psi[static_cast<std::size_t>(j) * kClipLanes + static_cast<std::size_t>(lane)];
      }
    }
  }
  return result;
}

// Every outcome counts as the record's own once.
MatrixXd MockClipping::clipped_in_turn(double bound) const {
  const Index size = own_.cols(), records = all_.front().rows();
  constexpr auto block_lanes = static_cast<Index>(kClipLanes);
  const auto entries = static_cast<std::size_t>(size) * kClipLanes;
  UnbiasedCentre centre(all_.size(), bound);
  std::vector<std::vector<double>> blocks(all_.size(), std::vector<double>(entries));
  std::vector<std::vector<double>> psi = blocks;
  std::vector<const double*> pointers;
  for (const std::vector<double>& block : blocks) pointers.push_back(block.data());
  std::vector<LaneNumbers> densities(all_.size());
  MatrixXd result(own_.rows(), size);
  for (Index first = 0; first < records; first += block_lanes) {
    const Index lanes = std::min(block_lanes, records - first);
    for (std::size_t k = 0; k < all_.size(); ++k) {
      Eigen::Map<MatrixXd> block(blocks[k].data(), block_lanes, size);
      for (Index lane = 0; lane < block_lanes; ++lane) {
        const Index record = first + std::min(lane, lanes - 1);
        densities[k].lane[lane] = log_densities_[k][record];
        block.row(lane) = all_[k].row(record);
      }
    }
    centre.clip_each<double>(pointers, densities, psi);
    for (std::size_t k = 0; k < all_.size(); ++k) {
      const Eigen::Map<const MatrixXd> block(psi[k].data(), block_lanes, size);
      result.middleRows(static_cast<Index>(k) * records + first, lanes) = block.topRows(lanes);
    }
  }
  return result;
}

}  // namespace dpvi
