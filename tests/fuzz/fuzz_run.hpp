#pragma once

#include <cmath>
#include <string>
#include <vector>

#include <dpvi/stan/run/generated_draws.hpp>
#include <dpvi/tape/lanes/record_tape.hpp>
#include <tests/stan/model_reading.hpp>

namespace dpvi {

// Takes a program's text through every stage: reads, checks and executes it on mock values, tests
// factorisation, compiles and evaluates the tape, and draws generated quantities. InputError is the
// only exception that a text may cause; any other leaves the constructor.
class FuzzRun {
 public:
  explicit FuzzRun(const std::string& text) {
    StanModelOptions options;
    options.mock_missing = true;
    options.limits = {60'000, 20'000, 20'000, 600};
    try {
      ReadModel read(text, options);
      for (const Finding& finding : read.checked.findings.list()) {
        render(finding, read.checked.source);
      }
      const StanModel model = read.build();
      read.factorises();
      evaluate(model);
      draw(read, model);
      built = true;
    } catch (const InputError&) {
    }
  }

  bool built = false;  // the text is a program that runs

 private:
  static double number(std::size_t i) { return 0.37 * std::sin(1.7 * static_cast<double>(i + 1)); }

  void evaluate(const StanModel& model) {
    const RecordTape tape(*model.graph, model.record, model.free_size);
    TapeWorkspace workspace(tape);
    RecordPreparer preparer(tape);
    std::vector<double> theta(static_cast<std::size_t>(model.free_size));
    for (std::size_t i = 0; i < theta.size(); ++i) theta[i] = number(i);
    MockRecordGenerator mock_generator(model.record_variables, facts_, 17);
    std::vector<double> reals(static_cast<std::size_t>(tape.real_columns()) * kLanes);
    std::vector<std::int32_t> ints(static_cast<std::size_t>(tape.int_columns()) * kLanes);
    std::vector<double> own_reals(static_cast<std::size_t>(tape.real_columns()));
    std::vector<std::int32_t> own_ints(static_cast<std::size_t>(tape.int_columns()));
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const ProgramRecord record = mock_generator.next();
      const std::vector<std::int32_t> integers(record.integers.begin(), record.integers.end());
      preparer.prepare({record.reals, integers}, own_reals.data(), own_ints.data());
      for (std::size_t c = 0; c < own_reals.size(); ++c) reals[c * kLanes + lane] = own_reals[c];
      for (std::size_t c = 0; c < own_ints.size(); ++c) ints[c * kLanes + lane] = own_ints[c];
    }
    std::vector<double> lp(kLanes);
    std::vector<double> gradient(theta.size() * kLanes);
    tape.begin_draw(workspace, theta);
    tape.evaluate_block(workspace, {reals.data(), ints.data()}, lp.data(), gradient.data());
  }

  void draw(const ReadModel& read, const StanModel& model) {
    const GeneratedDraws generated(read.checked, read.data, stan_functions(), read.options);
    std::vector<double> theta(static_cast<std::size_t>(model.free_size), 0.1);
    std::size_t drawn = 0;
    const UniformSource uniform = [&drawn] { return 0.5 + number(drawn++); };
    generated.without_records(theta, uniform);
  }

  const RecordFacts facts_;
};

}  // namespace dpvi
