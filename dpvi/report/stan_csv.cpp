#include <dpvi/report/stan_csv.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cctype>
#include <iterator>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <dpvi/report/column_names.hpp>
#include <dpvi/report/number_text.hpp>
#include <dpvi/report/statement.hpp>

namespace dpvi {
namespace {

using Out = std::back_insert_iterator<std::string>;

constexpr int kDigits = 8;

// The model name that Stan's compiler derives from a file name. It also keeps `=` and line ends out
// of comments.
std::string identifier(std::string_view name) {
  std::string result(name);
  for (char& letter : result) {
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '_';
  }
  return result;
}

// A fit without protection has no plan, but readers require a positive number.
std::int64_t step_count(const FitResult& result) {
  const std::int64_t steps = result.privacy ? total_steps(result.privacy->plan().run) : 1;
  return std::max<std::int64_t>(steps, 1);
}

void write_program(Out out, const FitResult& result) {
  fmt::format_to(out,
                 "# stan_version_major = 2\n"
                 "# stan_version_minor = 36\n"
                 "# stan_version_patch = 0\n"
                 "# model = {}_model\n"
                 "# start_datetime = {} UTC\n",
                 identifier(result.model_name), result.started_at);
}

// Settings of Stan's own variational method, which the format requires. Our settings are in
// run.json.
void write_variational(Out out, const FitResult& result) {
  const bool mean_field =
      result.total.family->description().covariances == CovarianceClass::diagonal;
  fmt::format_to(out,
                 "# method = variational\n"
                 "#   variational\n"
                 "#     algorithm = {}\n"
                 "#       {}\n"
                 "#     iter = {}\n"
                 "#     grad_samples = 1 (Default)\n"
                 "#     elbo_samples = 100 (Default)\n"
                 "#     eta = 1 (Default)\n"
                 "#     adapt\n"
                 "#       engaged = true (Default)\n"
                 "#       iter = 50 (Default)\n"
                 "#     tol_rel_obj = 0.01 (Default)\n"
                 "#     eval_elbo = 100 (Default)\n"
                 "#     output_samples = {}\n",
                 mean_field ? "meanfield (Default)" : "fullrank",
                 mean_field ? "meanfield" : "fullrank", step_count(result), result.draws.size());
}

// Readers compare num_samples with the number of rows.
void write_sampler(Out out, const SampledChains& sampled) {
  fmt::format_to(out,
                 "# method = sample (Default)\n"
                 "#   sample\n"
                 "#     num_samples = {}\n"
                 "#     num_warmup = {}\n"
                 "#     save_warmup = 0 (Default)\n"
                 "#     thin = {}\n"
                 "#     adapt\n"
                 "#       engaged = true (Default)\n"
                 "#       gamma = 0.05 (Default)\n"
                 "#       delta = {}\n"
                 "#       kappa = 0.75 (Default)\n"
                 "#       t0 = 10 (Default)\n"
                 "#       init_buffer = 75 (Default)\n"
                 "#       term_buffer = 50 (Default)\n"
                 "#       window = 25 (Default)\n"
                 "#     algorithm = hmc (Default)\n"
                 "#       hmc\n"
                 "#         engine = nuts (Default)\n"
                 "#           nuts\n"
                 "#             max_depth = {}\n"
                 "#         metric = diag_e (Default)\n"
                 "#         metric_file =  (Default)\n"
                 "#         stepsize = 1 (Default)\n"
                 "#         stepsize_jitter = 0 (Default)\n"
                 "#     num_chains = 1 (Default)\n",
                 sampled.statistics.size() * static_cast<std::size_t>(sampled.thin), sampled.warmup,
                 sampled.thin, number_text(sampled.target_acceptance, kDigits),
                 sampled.max_tree_depth);
}

void write_output(Out out) {
  fmt::format_to(out,
                 "# id = 1 (Default)\n"
                 "# data\n"
                 "#   file =  (Default)\n"
                 "# init = 0\n"
                 "# random\n"
                 "#   seed = 0\n"
                 "# output\n"
                 "#   file = draws.csv\n"
                 "#   diagnostic_file =  (Default)\n"
                 "#   refresh = 100 (Default)\n"
                 "#   sig_figs = {}\n"
                 "# num_threads = 1 (Default)\n",
                 kDigits);
}

void write_privacy(Out out, const FitResult& result) {
  if (!result.privacy) {
    fmt::format_to(out, "# dp_private = false\n# dp_notice = {}\n", kNotPrivateNotice);
    return;
  }
  const PrivacyPlan& plan = result.privacy->plan();
  fmt::format_to(out,
                 "# dp_private = true\n"
                 "# dp_epsilon = {}\n"
                 "# dp_delta = {}\n"
                 "# dp_adjacency = {}\n"
                 "# dp_accountant = {}\n"
                 "# dp_statement = statement.md\n",
                 exact_text(plan.epsilon), exact_text(plan.delta), adjacency_name(plan.adjacency),
                 name_of(plan.solver));
}

std::string number_list(std::span<const double> values) {
  std::string list;
  for (const double value : values) {
    if (!list.empty()) list += ',';
    list += number_text(value, 4);
  }
  return list;
}

// The parts of the uncertainty are in the order of the outputs.
void write_uncertainty(Out out, const FitResult& result) {
  if (result.sampled) fmt::format_to(out, "# dp_chains = {}\n", result.sampled->chains);
  fmt::format_to(out,
                 "# dp_draws = {}\n"
                 "# dp_status = {}\n"
                 "# dp_sd_model = {}\n"
                 "# dp_sd_privacy = {}\n",
                 result.sampled ? kChainsNotice : kDrawsNotice, name_of(result.verdict.status),
                 number_list(result.sd_model), number_list(result.sd_privacy));
}

void write_values(Out out, std::span<const double> values) {
  for (const double value : values) fmt::format_to(out, ",{}", number_text(value, kDigits));
  fmt::format_to(out, "\n");
}

void write_row(Out out, double log_density, std::span<const double> values) {
  fmt::format_to(out, "0,NaN,{}", number_text(log_density, kDigits));
  write_values(out, values);
}

void write_variational_rows(Out out, const FitResult& result) {
  assert(result.draws.size() == result.log_density.size());
  // Stan has these two lines here. Readers take a step size from them and accept no others.
  fmt::format_to(out, "# Stepsize adaptation complete.\n# eta = 1\n");
  const auto& [total, parameters] = result.total;
  const std::vector<double> at_centre(total->draw_size(), 0.0);
  write_row(out, total->log_density(parameters, at_centre), result.at_location);
  for (std::size_t i = 0; i < result.draws.size(); ++i) {
    write_row(out, result.log_density[i], result.draws[i]);
  }
}

// Readers require a step size and a metric, for which the variances of the draws stand, and times.
// Times would differ between two runs with the same key, so they are always 0.
void write_chain_rows(Out out, const FitResult& result) {
  const std::vector<DrawStatistics>& statistics = result.sampled->statistics;
  assert(result.draws.size() == statistics.size());
  fmt::format_to(out, "# Adaptation terminated\n# Step size = {}\n",
                 number_text(statistics.front().step_size, kDigits));
  fmt::format_to(out, "# Diagonal elements of inverse mass matrix:\n#");
  const char* separator = " ";
  for (const double sd : result.total.family->standard_deviations(result.total.parameters)) {
    fmt::format_to(out, "{}{}", std::exchange(separator, ", "), number_text(sd * sd, kDigits));
  }
  fmt::format_to(out, "\n");
  for (std::size_t i = 0; i < result.draws.size(); ++i) {
    const DrawStatistics& draw = statistics[i];
    fmt::format_to(out, "{},{},{},{},{},{},{}", number_text(draw.log_density, kDigits),
                   number_text(draw.acceptance, kDigits), number_text(draw.step_size, kDigits),
                   draw.tree_depth, draw.leapfrog_steps, draw.divergent ? 1 : 0,
                   number_text(draw.energy, kDigits));
    write_values(out, result.draws[i]);
  }
  fmt::format_to(out,
                 "# \n"
                 "#  Elapsed Time: 0 seconds (Warm-up)\n"
                 "#                0 seconds (Sampling)\n"
                 "#                0 seconds (Total)\n"
                 "# \n");
}

}  // namespace

std::string stan_csv(const FitResult& result) {
  const std::vector<std::string> names = column_names(result.outputs);
  assert(!result.draws.empty() && result.draws.front().size() == names.size());
  std::string text;
  const Out out(text);
  write_program(out, result);
  if (result.sampled) {
    write_sampler(out, *result.sampled);
  } else {
    write_variational(out, result);
  }
  write_output(out);
  write_privacy(out, result);
  write_uncertainty(out, result);
  text += result.sampled
              ? "lp__,accept_stat__,stepsize__,treedepth__,n_leapfrog__,divergent__,energy__"
              : "lp__,log_p__,log_g__";
  for (const std::string& name : names) fmt::format_to(out, ",{}", name);
  text += '\n';
  if (result.sampled) {
    write_chain_rows(out, result);
  } else {
    write_variational_rows(out, result);
  }
  return text;
}

}  // namespace dpvi
