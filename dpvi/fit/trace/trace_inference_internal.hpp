#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include <Eigen/Core>

#include <dpvi/fit/trace/curvature_correction_internal.hpp>
#include <dpvi/fit/trace/dense_gaussian_internal.hpp>
#include <dpvi/fit/trace/mock_clipping_internal.hpp>

namespace dpvi {

// A gradient release, read as a measurement: the clipped sum over all records at a public point,
// with known noise. Vectors and matrices cover the parameters that records use.
struct GradientMeasurement {
  Eigen::VectorXd theta;    // the point
  Eigen::MatrixXd factor;   // of the working coordinates: theta = centre + factor * z
  double bound = 1.0;       // clip bound
  Eigen::VectorXd release;  // in working coordinates
  double noise_sd = 1.0;    // of each entry
};

// A release of information: the sum of v v' over all records, with v the gradient in working
// coordinates, clipped around zero, and a constant.
struct InformationMeasurement {
  Eigen::VectorXd theta;
  Eigen::MatrixXd factor;
  double bound = 1.0;        // of the gradient alone
  Eigen::MatrixXd products;  // of the gradient
  double noise_sd = 1.0;     // of a diagonal entry
  double records = 1.0;      // usable ones, as measured
  double records_sd = 0.0;
};

// What all measurements together say about the parameters that records use, without the prior.
struct TraceSite {
  Eigen::VectorXd mean;
  Eigen::MatrixXd
      noise_covariance;  // due to privacy noise and what the model of a release leaves out
  Eigen::MatrixXd data_covariance;  // due to the sampling of the data itself
  Eigen::VectorXd remaining_bias;   // shift due to clipping that may remain
};

// Public numbers of the trace.
struct TraceFacts {
  double records = 1.0;         // in the table: declared, guessed or measured
  double records_spread = 0.7;  // sd of its logarithm
  ClipCentre centre = ClipCentre::zero;
  std::vector<double> start;      // theta; entries that no record uses keep their value
  std::vector<std::size_t> used;  // places of the parameters that records use
  // For each of these: true if it has no constraint. Only such parameters are taken for
  // coefficients of columns that may be correlated.
  std::vector<bool> unconstrained;
  DenseGaussian prior;  // roughly, of these parameters
  // True if records consist of outcomes alone. Mock records at the true parameters are then like
  // real ones.
  bool outcomes_alone = false;
  // What else is known of them before the first measurement, as counts tell it.
  std::optional<DenseGaussian> known = std::nullopt;
};

// Infers parameters from gradient releases. Mock records whose outcomes are drawn from the program
// at the present estimate say what a release should be at each point: with E the mean over them,
//   release / records = E[psi(point)] + E[psi(point) g(estimate)'] (theta - estimate) + noise,
// where psi is a clipped gradient and g the score. The second term is the derivative of the first
// in the parameters that generate the records. All of it is post-processing of releases.
class TraceInference {
 public:
  // The populations must outlive this object. They have the same records; two of them serve to draw
  // outcomes on either side of the estimate.
  TraceInference(MockPopulation& population, std::array<MockPopulation*, 2> around,
                 TraceFacts facts);

  void add(GradientMeasurement measurement);
  void set_information(InformationMeasurement measurement);
  // Moves the estimate to what all measurements and the prior say, but not far.
  void update();

  // In theta, all parameters.
  std::vector<double> point() const { return whole(estimate_); }
  const Eigen::VectorXd& estimate() const { return estimate_; }
  // The last move of the estimate.
  const Eigen::VectorXd& last_step() const { return previous_move_; }
  // Factor of working coordinates in which a typical gradient of a record is round.
  const Eigen::MatrixXd& factor() const { return factor_; }
  // The clip bound with the smallest forecast error, if all further releases together have this
  // noise multiplier.
  double best_bound(double noise_multiplier);
  // The norm of the gradient that this share of mock records does not exceed.
  double gradient_norm(double share) const;

  TraceSite site() const;
  // Residuals of the measurements in units of their standard deviation: mean square. If larger, the
  // square of the one by which information differs most from that of mock records.
  double residual_square() const;
  double residuals() const;  // their number, less the location

 private:
  struct Reading {
    Eigen::MatrixXd slope;   // of the release / records in theta
    Eigen::VectorXd offset;  // release / records at the estimate
    double distance = 0.0;   // norm of the part of the offset that is due to the point
    double variance = 1.0;   // of each entry of the release
  };

  struct Quadratic {
    Eigen::MatrixXd precision;
    Eigen::VectorXd slope;
  };

  Quadratic quadratic(const Eigen::MatrixXd& stretch) const;
  std::vector<double> whole(const Eigen::VectorXd& theta) const;
  Eigen::MatrixXd used_columns(const Eigen::MatrixXd& all) const;
  MockScores scores_at(const Eigen::VectorXd& theta, const MockPopulation& population) const;
  void add_what_is_known();
  void limit_prior();
  void redraw_around();
  Eigen::VectorXd bend_at(const GradientMeasurement& measurement) const;
  void read_all();
  Reading reading_of(const GradientMeasurement& measurement) const;
  double forecast_loss(const MockClipping& here, double bound, double noise_multiplier) const;
  void read_some();
  Eigen::MatrixXd slope_along(const GradientMeasurement& measurement);
  std::vector<double> mock_point(const Eigen::VectorXd& theta) const;
  bool simulates() const { return facts_.centre == ClipCentre::law && scores_.own.empty(); }
  std::vector<bool> commonly_touched() const;
  void correct_curvature();
  void compare_information(const Eigen::MatrixXd& mock);
  void damp(Eigen::VectorXd& move);
  void set_variances();
  void set_factor();
  void set_data_covariance();

  MockPopulation& population_;
  std::array<MockPopulation*, 2> around_;
  TraceFacts facts_;
  DenseGaussian before_;  // the prior, with what else is known
  std::vector<GradientMeasurement> measurements_;
  std::optional<InformationMeasurement> information_release_;
  CurvatureCorrection curvature_;
  double information_residual_ = 0.0;  // the largest for a parameter
  // How mock records differ from real ones. Columns: if those of mock records were multiplied by
  // this matrix, they would be correlated as the real ones. Sizes: by how much more, or less,
  // records touch a coordinate, as a factor for its gradient and for distances from the estimate.
  Eigen::MatrixXd columns_;
  Eigen::VectorXd sizes_;
  std::vector<Reading> readings_;
  std::size_t rounds_ = 0;             // of readings
  std::optional<int> best_candidate_;  // for the clip bound
  Eigen::VectorXd estimate_;
  Eigen::MatrixXd factor_;
  MockScores scores_;            // at the estimate
  Eigen::MatrixXd score_;        // of the used parameters, own outcomes
  Eigen::MatrixXd information_;  // of one record
  Eigen::MatrixXd data_covariance_;
  Eigen::VectorXd clip_bias_;
  Eigen::MatrixXd spread_;      // factor of the covariance of the parameters around the estimate
  Eigen::VectorXd bend_;        // what that uncertainty adds to a gradient; empty if unknown
  Eigen::VectorXd bend_shift_;  // by how much that uncertainty moves the last measurement
  Eigen::VectorXd previous_move_;
  Eigen::VectorXd damping_;
  std::size_t counted_ = 0;  // measurements that are not left out
};

}  // namespace dpvi
