#include <dpvi/fit/prepare/stored_rows.hpp>

#include <utility>
#include <vector>

#include <dpvi/data/record_reader.hpp>
#include <dpvi/data/store_columns.hpp>

namespace dpvi {
namespace {

// Records at most this many bytes apart are read with one call. Reading the bytes between them
// costs less than another call.
constexpr std::uint64_t kGap = std::uint64_t{1} << 13;
constexpr std::uint64_t kLongestRun = std::uint64_t{1} << 20;
// What the system reads in advance while all records are walked in order.
constexpr std::uint64_t kAhead = std::uint64_t{1} << 22;

class StoreWindow : public RecordWindow {
 public:
  StoreWindow(const RecordStore& store, const Binding& binding, PreparedRecords empty)
      : store_(store),
        cells_(store, column_request(binding)),
        reader_(binding),
        block_(block_for(column_request(binding))),
        records_(std::move(empty)) {}

  const RecordTable& table() const override { return records_.table(); }

  void load(std::span<const std::uint64_t> records) override {
    records_.clear();
    block_.rows = 0;
    while (!records.empty()) {
      const std::size_t run = run_length(records);
      read(records.first(run));
      records = records.subspan(run);
    }
    append_block();
  }

 private:
  // How many of the records are read with one call.
  std::size_t run_length(std::span<const std::uint64_t> records) const {
    const std::uint64_t bytes = store_.row_bytes();
    std::size_t length = 1;
    while (length < records.size() && records[length] > records[length - 1] &&
           (records[length] - records[length - 1] - 1) * bytes <= kGap &&
           (records[length] - records.front() + 1) * bytes <= kLongestRun) {
      ++length;
    }
    return length;
  }

  void read(std::span<const std::uint64_t> run) {
    const std::uint64_t first = run.front(), count = run.back() - first + 1;
    const std::size_t row_bytes = store_.row_bytes();
    bytes_.resize(count * row_bytes);
    store_.read_rows(first, count, bytes_.data());
    const bool dense = run.size() == count && run.size() > 1;
    const std::uint64_t next = first + count;
    if (dense && first * row_bytes / kAhead != next * row_bytes / kAhead) {
      store_.read_ahead(next, 2 * kAhead);
    }
    for (const std::uint64_t record : run) {
      cells_.decode(bytes_.data() + (record - first) * row_bytes, block_, block_.rows);
      if (++block_.rows == block_.capacity) append_block();
    }
  }

  void append_block() {
    reader_.append(block_, records_);
    block_.rows = 0;
  }

  const RecordStore& store_;
  StoreCells cells_;
  RecordReader reader_;
  TypedBlock block_;
  PreparedRecords records_;
  std::vector<char> bytes_;
};

}  // namespace

StoredRows::StoredRows(std::shared_ptr<const RecordStore> store, Binding binding, MakeRecords empty)
    : store_(std::move(store)),
      binding_(std::move(binding)),
      empty_(std::move(empty)),
      precision_(empty_().table().precision()) {}

std::unique_ptr<RecordWindow> StoredRows::window() const {
  return std::make_unique<StoreWindow>(*store_, binding_, empty_());
}

}  // namespace dpvi
