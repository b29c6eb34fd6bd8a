#include <dpvi/eval/row_evaluator.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <dpvi/base/error.hpp>
#include <dpvi/random/unit_uniform.hpp>
#include <dpvi/stan/functions/vector_draws.hpp>
#include <dpvi/tape/graph/reachable.hpp>

namespace dpvi {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kBlock = kLanes;

// True if the node reads a real of the record beyond the table's columns.
bool reads_beyond(const Node& node, std::int32_t table_columns) {
  return node.op == Op::record_real && node.attributes[0] + node.length > table_columns;
}

}  // namespace

RowEvaluator::RowEvaluator(const RowProgram& program, std::span<const NodeId> outputs)
    : program_(program) {
  const std::vector<bool> needed = needed_sites(outputs);
  for (std::size_t i = 0; i < program.sites.size(); ++i) {
    if (!needed[i]) continue;
    Site site{&program.sites[i], {}};
    for (const DrawArgument& argument : program.sites[i].arguments) {
      Argument sources{{}, argument.rows, argument.columns};
      for (const NodeId entry : argument.entries) sources.entries.push_back(source_of(entry));
      site.arguments.push_back(std::move(sources));
    }
    sites_.push_back(std::move(site));
  }
  for (const NodeId output : outputs) {
    outputs_.push_back(source_of(output));
    runs_program_ = runs_program_ || reads_by_program(output);
  }
}

// Only outputs read such entries.
bool RowEvaluator::reads_by_program(NodeId node) const {
  const Node& content = (*program_.graph)[node];
  return content.op == Op::record_real && program_.by_program.count > 0 &&
         content.attributes[0] >= program_.by_program.first_column;
}

void RowEvaluator::mark_sites_read_by(NodeId node, std::vector<bool>& needed) const {
  const Graph& graph = *program_.graph;
  for (const NodeId id : reachable_from(graph, std::span(&node, 1))) {
    if (!reads_beyond(graph[id], program_.real_columns)) continue;
    const std::int32_t first = graph[id].attributes[0];
    for (std::size_t i = 0; i < program_.sites.size(); ++i) {
      const DrawSite& site = program_.sites[i];
      if (site.first_column < first + graph[id].length && first < site.first_column + site.count) {
        needed[i] = true;
      }
    }
  }
}

// A site reads only the draws of earlier sites.
std::vector<bool> RowEvaluator::needed_sites(std::span<const NodeId> outputs) const {
  std::vector<bool> needed(program_.sites.size(), false);
  for (const NodeId output : outputs) mark_sites_read_by(output, needed);
  for (std::size_t i = needed.size(); i-- > 0;) {
    if (!needed[i]) continue;
    for (const DrawArgument& argument : program_.sites[i].arguments) {
      for (const NodeId entry : argument.entries) mark_sites_read_by(entry, needed);
    }
  }
  return needed;
}

RowEvaluator::Source RowEvaluator::source_of(NodeId node) {
  const Graph& graph = *program_.graph;
  const Node& content = graph[node];
  if (content.op == Op::constant) return {Source::Kind::known, content.values[0], 0};
  if (reads_beyond(content, program_.real_columns)) {
    return {Source::Kind::drawn, 0.0,
            static_cast<std::size_t>(content.attributes[0] - program_.real_columns)};
  }
  const auto [found, added] = tape_of_.try_emplace(node, tapes_.size());
  if (added) {
    const std::vector<NodeId> nodes = reachable_from(graph, std::span(&node, 1));
    const bool reads_draws = std::any_of(nodes.begin(), nodes.end(), [&](NodeId id) {
      return reads_beyond(graph[id], program_.real_columns);
    });
    tapes_.push_back({RecordTape(graph, node, program_.free_size), reads_draws});
  }
  return {Source::Kind::computed, 0.0, found->second};
}

RowEvaluator::Workspace::Workspace(const RowEvaluator& evaluator)
    : evaluator_(evaluator),
      drawn_(static_cast<std::size_t>(evaluator.program_.drawn_columns) * kBlock),
      row_(static_cast<std::size_t>(evaluator.program_.real_columns +
                                    evaluator.program_.drawn_columns)) {
  for (const Tape& tape : evaluator.tapes_) {
    columns_.push_back(std::make_unique<Columns>(tape.tape));
  }
}

void RowEvaluator::Workspace::begin_task(const RowTable& rows) {
  rows_ = &rows;
  const std::size_t blocks = (rows.count() + kBlock - 1) / kBlock;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const Tape& tape = evaluator_.tapes_[i];
    const std::size_t held = tape.reads_draws ? 1 : blocks;
    const auto width = [&](std::int32_t columns) {
      return static_cast<std::size_t>(columns) * kBlock * held;
    };
    columns_[i]->reals = LaneBuffer<double>(width(tape.tape.real_columns()));
    columns_[i]->integers.assign(width(tape.tape.int_columns()), 0);
    if (tape.reads_draws) continue;
    for (std::size_t block = 0; block < blocks; ++block) prepare(i, block * kBlock, block);
  }
}

void RowEvaluator::Workspace::prepare(std::size_t tape, std::size_t first_row, std::size_t block) {
  const RecordTape& program = evaluator_.tapes_[tape].tape;
  Columns& columns = *columns_[tape];
  const auto real_count = static_cast<std::size_t>(program.real_columns());
  const auto integer_count = static_cast<std::size_t>(program.int_columns());
  std::vector<double> reals(real_count);
  std::vector<std::int32_t> integers(integer_count);
  double* out = columns.reals.data() + block * real_count * kBlock;
  std::int32_t* out_integers = columns.integers.data() + block * integer_count * kBlock;
  const std::size_t end = std::min(kBlock, rows_->count() - first_row);
  for (std::size_t lane = 0; lane < end; ++lane) {
    std::ranges::copy(rows_->reals_of(first_row + lane), row_.begin());
    for (std::size_t i = 0; i < drawn_.size() / kBlock; ++i) {
      row_[rows_->real_columns + i] = drawn_[i * kBlock + lane];
    }
    columns.preparer.prepare({row_, rows_->integers_of(first_row + lane)}, reals.data(),
                             integers.data());
    for (std::size_t i = 0; i < real_count; ++i) out[i * kBlock + lane] = reals[i];
    for (std::size_t i = 0; i < integer_count; ++i) out_integers[i * kBlock + lane] = integers[i];
  }
}

void RowEvaluator::Workspace::begin_theta(std::span<const double> theta) {
  theta_ = theta;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    evaluator_.tapes_[i].tape.begin_draw(columns_[i]->tape, theta);
  }
}

void RowEvaluator::Workspace::begin_block(std::size_t first_row) {
  first_row_ = first_row;
  lanes_ = std::min(kBlock, rows_->count() - first_row);
  for (const auto& columns : columns_) columns->computed = false;
}

void RowEvaluator::Workspace::compute(const Source& source) {
  if (source.kind != Source::Kind::computed) return;
  Columns& columns = *columns_[source.place];
  if (columns.computed) return;
  const Tape& tape = evaluator_.tapes_[source.place];
  const std::size_t block = tape.reads_draws ? 0 : first_row_ / kBlock;
  if (tape.reads_draws) prepare(source.place, first_row_, 0);
  const auto offset = [&](std::int32_t count) {
    return block * static_cast<std::size_t>(count) * kBlock;
  };
  tape.tape.evaluate_block_value(columns.tape,
                                 {columns.reals.data() + offset(tape.tape.real_columns()),
                                  columns.integers.data() + offset(tape.tape.int_columns())},
                                 columns.result);
  columns.computed = true;
}

double RowEvaluator::Workspace::value(const Source& source, std::size_t lane) const {
  switch (source.kind) {
    case Source::Kind::known:
      return source.value;
    case Source::Kind::drawn:
      return drawn_[source.place * kBlock + lane];
    case Source::Kind::computed:
      break;
  }
  return columns_[source.place]->result[lane];
}

std::vector<double> RowEvaluator::Workspace::draw_together(const Site& site,
                                                           const UniformSource& uniform,
                                                           std::size_t lane) const {
  std::vector<KnownNumbers> given;
  for (const Argument& argument : site.arguments) {
    KnownNumbers numbers{{}, argument.rows, argument.columns};
    for (const Source& entry : argument.entries) numbers.numbers.push_back(value(entry, lane));
    given.push_back(std::move(numbers));
  }
  const auto count = static_cast<std::size_t>(site.site->count);
  if (!has_valid_shapes(site.site->distribution, given)) return std::vector<double>(count, kNan);
  std::vector<double> drawn = draw_vector(uniform, site.site->distribution, given);
  drawn.resize(count, kNan);
  return drawn;
}

void RowEvaluator::Workspace::draw(const Site& site, const UniformSource& uniform) {
  for (const Argument& argument : site.arguments) {
    for (const Source& entry : argument.entries) compute(entry);
  }
  const auto first = static_cast<std::size_t>(site.site->first_column) - rows_->real_columns;
  for (std::size_t lane = 0; lane < lanes_; ++lane) {
    if (site.site->draws_together) {
      const std::vector<double> drawn = draw_together(site, uniform, lane);
      for (std::size_t i = 0; i < drawn.size(); ++i) drawn_[(first + i) * kBlock + lane] = drawn[i];
      continue;
    }
    arguments_.clear();
    for (const Argument& argument : site.arguments) {
      arguments_.push_back(value(argument.entries[0], lane));
    }
    drawn_[first * kBlock + lane] = draw_scalar(uniform, site.site->distribution, arguments_);
  }
}

void RowEvaluator::Workspace::run_program(const UniformSource& uniform) {
  const ProgramSite& site = evaluator_.program_.by_program;
  const auto first = static_cast<std::size_t>(site.first_column) - rows_->real_columns;
  std::fill(drawn_.begin() + static_cast<std::ptrdiff_t>(first * kBlock), drawn_.end(), kNan);
  for (std::size_t lane = 0; lane < lanes_; ++lane) {
    const auto reals = rows_->reals_of(first_row_ + lane);
    const auto integers = rows_->integers_of(first_row_ + lane);
    std::vector<DrawnQuantity> found;
    try {
      found = site.program->on_record(
          theta_, {{reals.begin(), reals.end()}, {integers.begin(), integers.end()}}, uniform);
    } catch (const InputError&) {
      continue;  // the program fails on this row
    }
    std::size_t column = first;
    for (std::size_t i = 0; i < site.quantities.size(); ++i) {
      const auto drawn = std::find_if(found.begin(), found.end(), [&](const DrawnQuantity& one) {
        return one.name == site.quantities[i] && one.numbers.size() == site.offsets[i].size();
      });
      for (const std::int64_t offset : site.offsets[i]) {
        double& number = drawn_[column++ * kBlock + lane];
        if (drawn != found.end()) number = drawn->numbers[static_cast<std::size_t>(offset)];
      }
    }
  }
}

void RowEvaluator::evaluate(Workspace& workspace, const Task& task, std::span<double> out) const {
  const std::size_t rows = task.rows.count();
  const std::size_t thetas = task.thetas.size();
  workspace.begin_task(task.rows);
  for (std::size_t t = 0; t < thetas; ++t) {
    workspace.begin_theta(task.thetas[t]);
    for (std::size_t first = 0; first < rows; first += kBlock) {
      workspace.begin_block(first);
      SeededStream stream = task.generator.stream({.label = StreamLabel::predictive_draw,
                                                   .step = task.first_step + t + 1,
                                                   .block = (task.first_row + first) / kBlock});
      const UniformSource uniform = [&stream] { return unit_uniform(stream); };
      for (const Site& site : sites_) workspace.draw(site, uniform);
      if (runs_program_) workspace.run_program(uniform);
      for (std::size_t output = 0; output < outputs_.size(); ++output) {
        workspace.compute(outputs_[output]);
        for (std::size_t lane = 0; lane < workspace.lanes_; ++lane) {
          out[(output * rows + first + lane) * thetas + t] =
              workspace.value(outputs_[output], lane);
        }
      }
    }
  }
}

}  // namespace dpvi
