#include <nanobind/ndarray.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include <dpvi/base/error.hpp>
#include <dpvi/data/arrow_stream.hpp>

#include "bindings.hpp"

namespace dpvi::python {
namespace {

constexpr const char* kArrowMethod = "__arrow_c_stream__";

// What is known from earlier readings of a data frame.
struct FrameReads {
  std::optional<std::uint64_t> rows;
};

[[noreturn]] void stop_reading() {
  throw Error(kInterrupted, "the run was stopped while rows were read.", "Nothing was spent.");
}

// An Arrow stream whose producer is Python code: it needs the interpreter, and a person may press
// Ctrl-C while rows are read.
class PythonStream : public ColumnStream {
 public:
  PythonStream(std::unique_ptr<ArrowStream> stream, std::shared_ptr<FrameReads> reads)
      : stream_(std::move(stream)), reads_(std::move(reads)) {}
  ~PythonStream() override {
    nb::gil_scoped_acquire interpreter;
    stream_.reset();
  }

  std::vector<std::string> header() const override { return stream_->header(); }
  void refuse_types(const Binding& binding) const override { stream_->refuse_types(binding); }
  bool can_read(std::size_t position) const override { return stream_->can_read(position); }
  bool next_piece() override {
    nb::gil_scoped_acquire interpreter;
    if (PyErr_CheckSignals() != 0) {
      nb::python_error error;
      if (error.matches(PyExc_KeyboardInterrupt)) stop_reading();
      throw error;  // of a signal handler, such as a time limit
    }
    if (stream_->next_piece()) {
      count_ += stream_->rows();
      return true;
    }
    if (reads_->rows && *reads_->rows != count_) {
      throw InputError(kOtherLedger, "the data frame had other rows when it was read again.",
                       "Give a data frame that can be read twice, not a reader.");
    }
    reads_->rows = count_;
    return false;
  }
  std::size_t rows() const override { return stream_->rows(); }
  MemoryColumn column(std::size_t position) override { return stream_->column(position); }
  std::vector<ArrowKind> kinds() const { return stream_->kinds(); }

 private:
  std::unique_ptr<ArrowStream> stream_;
  std::shared_ptr<FrameReads> reads_;
  std::uint64_t count_ = 0;  // of rows
};

// What a library says about its failure may quote a cell, so only the class of the error is told.
[[noreturn]] void refuse_failure(const nb::python_error& failure) {
  if (failure.matches(PyExc_KeyboardInterrupt)) stop_reading();
  const auto name = nb::cast<std::string>(failure.type().attr("__name__"));
  throw InputError(kBadArrow,
                   "the data frame cannot be handed over: its library raised " + name + ".",
                   "A column may mix types. Convert each column to one type, for example with "
                   "astype().");
}

std::shared_ptr<PythonStream> open_frame(PyObject* frame,
                                         const std::shared_ptr<FrameReads>& reads) {
  nb::gil_scoped_acquire interpreter;
  try {
    const nb::object capsule = nb::handle(frame).attr(kArrowMethod)();
    auto* stream =
        static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream"));
    if (stream == nullptr) nb::raise_python_error();
    return std::make_shared<PythonStream>(std::make_unique<ArrowStream>(stream), reads);
  } catch (const nb::python_error& failure) {
    refuse_failure(failure);
  }
}

template <typename Number>
std::span<const Number> cells_of(const nb::object& array) {
  const auto cells = nb::cast<nb::ndarray<const Number, nb::ndim<1>, nb::c_contig>>(array);
  return {cells.data(), cells.shape(0)};
}

ColumnType type_of(ArrowKind kind) {
  switch (kind) {
    case ArrowKind::text:
    case ArrowKind::date:
      return ColumnType::category;
    case ArrowKind::boolean:
    case ArrowKind::whole:
      return ColumnType::integer;
    default:
      return ColumnType::real;
  }
}

ColumnType type_of(const MemoryColumn& column) {
  if (std::holds_alternative<Texts>(column.cells)) return ColumnType::category;
  if (std::holds_alternative<WholeNumbers>(column.cells)) return ColumnType::integer;
  return ColumnType::real;
}

}  // namespace

std::vector<TypedName> TableOfPython::typed_names() const {
  std::vector<TypedName> columns;
  if (const auto* table = std::get_if<MemoryTable>(&table_)) {
    for (const MemoryColumn& column : table->columns()) {
      columns.push_back({.name = column.name, .type = type_of(column)});
    }
  } else if (std::holds_alternative<StreamedTable>(table_)) {
    const std::shared_ptr<PythonStream> stream =
        open_frame(kept_.front().ptr(), std::make_shared<FrameReads>());
    const std::vector<std::string> names = stream->header();
    const std::vector<ArrowKind> kinds = stream->kinds();
    for (std::size_t i = 0; i < names.size(); ++i) {
      columns.push_back({.name = names[i],
                         .type = type_of(kinds[i]),
                         .is_logical = kinds[i] == ArrowKind::boolean});
    }
  }
  return columns;
}

TableOfPython::TableOfPython(const nb::object& rows) {
  if (nb::isinstance<nb::str>(rows)) {
    table_ = TableFile{nb::cast<std::string>(rows)};
    return;
  }
  if (nb::hasattr(rows, kArrowMethod)) {
    kept_.push_back(rows);
    table_ = StreamedTable{[frame = rows.ptr(), reads = std::make_shared<FrameReads>()] {
      return open_frame(frame, reads);
    }};
    return;
  }
  // Columns as dpvi.tables prepares them: (name, kind, cells).
  std::vector<MemoryColumn> columns;
  for (const nb::handle item : rows) {
    const auto kind = nb::cast<std::string>(item[1]);
    const nb::object cells = item[2];
    MemoryColumn column{nb::cast<std::string>(item[0]), Numbers{}};
    kept_.push_back(cells);
    if (kind == "real") {
      column.cells = cells_of<double>(cells);
    } else if (kind == "whole") {
      column.cells = cells_of<std::int64_t>(cells);
    } else {
      std::vector<std::string> texts;
      std::vector<std::uint8_t> missing;
      for (const nb::handle cell : cells) {
        missing.push_back(cell.is_none() ? 1 : 0);
        texts.push_back(cell.is_none() ? std::string() : nb::cast<std::string>(cell));
      }
      texts_.push_back(std::move(texts));
      views_.emplace_back(texts_.back().begin(), texts_.back().end());
      missing_.push_back(std::move(missing));
      column.cells = Texts(views_.back());
      column.missing = missing_.back();
    }
    columns.push_back(std::move(column));
  }
  table_ = MemoryTable(std::move(columns));
}

}  // namespace dpvi::python
