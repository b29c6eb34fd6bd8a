#pragma once

#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <dpvi/data/arrow_abi.hpp>

namespace dpvi {

// One Arrow array with its type, which a test can damage before it is read. It must outlive every
// reader.
struct ArrowArrayOwner {
  ArrowSchema schema;
  ArrowArray array;
  std::string name, format;
  std::deque<std::string> bytes;  // the buffers
  std::vector<const void*> buffers;
  std::unique_ptr<ArrowArrayOwner> dictionary;

  // A buffer of these numbers. Buffers are added in Arrow's order.
  template <typename Number>
  ArrowArrayOwner& with(const std::vector<Number>& numbers) {
    std::string& kept = bytes.emplace_back(numbers.size() * sizeof(Number) + 8, '\0');
    if (!numbers.empty()) std::memcpy(kept.data(), numbers.data(), numbers.size() * sizeof(Number));
    buffers.push_back(kept.data());
    return *this;
  }
  ArrowArrayOwner& with_text(std::string_view text) {
    buffers.push_back(bytes.emplace_back(text).data());
    return *this;
  }
  ArrowArrayOwner& without_buffer() {
    buffers.push_back(nullptr);
    return *this;
  }
  // Points the structs to the present buffers.
  ArrowArrayOwner& settle(std::int64_t length) {
    schema.format = format.c_str();
    schema.name = name.c_str();
    array.length = length;
    array.n_buffers = static_cast<std::int64_t>(buffers.size());
    array.buffers = buffers.data();
    array.null_count = buffers.empty() || buffers[0] == nullptr ? 0 : -1;
    if (dictionary) {
      schema.dictionary = &dictionary->schema;
      array.dictionary = &dictionary->array;
    }
    return *this;
  }
};

inline std::unique_ptr<ArrowArrayOwner> arrow_array(const std::string& name,
                                                    const std::string& format) {
  auto owner = std::make_unique<ArrowArrayOwner>();
  owner->name = name;
  owner->format = format;
  return owner;
}

template <typename Number>
std::unique_ptr<ArrowArrayOwner> arrow_numbers(const std::string& name, const std::string& format,
                                               const std::vector<Number>& numbers) {
  auto owner = arrow_array(name, format);
  owner->without_buffer().with(numbers).settle(static_cast<std::int64_t>(numbers.size()));
  return owner;
}

template <typename Offset = std::int32_t>
std::unique_ptr<ArrowArrayOwner> arrow_texts(const std::string& name,
                                             const std::vector<std::string>& texts) {
  auto owner = arrow_array(name, sizeof(Offset) == 4 ? "u" : "U");
  std::vector<Offset> offsets = {0};
  std::string all;
  for (const std::string& text : texts) {
    all += text;
    offsets.push_back(static_cast<Offset>(all.size()));
  }
  owner->without_buffer().with(offsets).with_text(all).settle(
      static_cast<std::int64_t>(texts.size()));
  return owner;
}

// A stream of batches, which the test keeps.
struct ArrowTable {
  std::vector<std::unique_ptr<ArrowArrayOwner>> arrays;  // batch after batch
  std::size_t columns = 0;
  int error_after = -1;  // the batch in whose place the producer fails
  int batches_given = 0;
  int released = 0;  // number of structs that a reader has released
  std::string last_error;
  std::vector<ArrowSchema*> schema_children;
  std::vector<ArrowArray*> children;
  ArrowSchema root;
  ArrowArray batch;
  ArrowArrayStream stream;

  explicit ArrowTable(std::size_t column_count) : columns(column_count) {
    root.format = "+s";
    stream.private_data = this;
    stream.get_schema = [](ArrowArrayStream* from, ArrowSchema* out) {
      return self(from).give_schema(out);
    };
    stream.get_next = [](ArrowArrayStream* from, ArrowArray* out) {
      return self(from).give_batch(out);
    };
    stream.get_last_error = [](ArrowArrayStream* from) { return self(from).last_error.c_str(); };
    stream.release = [](ArrowArrayStream* from) {
      ++self(from).released;
      from->release = nullptr;
    };
  }

  ArrowTable& add(std::unique_ptr<ArrowArrayOwner> array) {
    arrays.push_back(std::move(array));
    return *this;
  }

 private:
  static ArrowTable& self(const ArrowArrayStream* from) {
    return *static_cast<ArrowTable*>(from->private_data);
  }

  int give_schema(ArrowSchema* out) {
    for (std::size_t i = 0; i < columns; ++i) schema_children.push_back(&arrays[i]->schema);
    root.n_children = root.n_children == 0 ? static_cast<std::int64_t>(columns) : root.n_children;
    root.children = schema_children.data();
    root.private_data = this;
    root.release = [](ArrowSchema* schema) {
      ++static_cast<ArrowTable*>(schema->private_data)->released;
      schema->release = nullptr;
    };
    *out = root;
    return 0;
  }

  int give_batch(ArrowArray* out) {
    if (batches_given == error_after) return 5;
    const std::size_t first = static_cast<std::size_t>(batches_given) * columns;
    *out = {};
    if (first >= arrays.size()) return 0;
    ++batches_given;
    children.clear();
    for (std::size_t i = 0; i < columns; ++i) children.push_back(&arrays[first + i]->array);
    *out = batch;
    out->length = batch.length != 0 ? batch.length : columns == 0 ? 0 : children[0]->length;
    if (out->n_children == 0) out->n_children = static_cast<std::int64_t>(columns);
    out->children = children.data();
    out->private_data = this;
    out->release = [](ArrowArray* array) {
      ++static_cast<ArrowTable*>(array->private_data)->released;
      array->release = nullptr;
    };
    return 0;
  }
};

}  // namespace dpvi
