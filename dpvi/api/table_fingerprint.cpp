#include <dpvi/api/table_fingerprint.hpp>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string_view>
#include <variant>
#include <vector>

#include <dpvi/data/byte_source.hpp>

namespace dpvi {
namespace {

std::string fingerprint_of_file(const std::string& path, DataFingerprint fingerprint) {
  const std::unique_ptr<ByteSource> source = open_bytes(path);
  std::array<char, 1 << 16> chunk;
  for (std::size_t got; (got = source->read(chunk.data(), chunk.size())) > 0;) {
    fingerprint.add({chunk.data(), got});
  }
  return fingerprint.finish();
}

// Eight bytes, lowest first, after a letter for their meaning.
void add_tagged(std::string& bytes, char tag, std::uint64_t value) {
  bytes.push_back(tag);
  for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<char>(value >> (8 * i)));
}

void add_text(std::string& bytes, std::string_view text) {
  add_tagged(bytes, 't', text.size());
  bytes += text;
}

void add_cell(std::string& bytes, const MemoryColumn& column, std::size_t row) {
  if (!column.missing.empty() && column.missing[row] != 0) return bytes.push_back('m');
  if (const auto* numbers = std::get_if<Numbers>(&column.cells)) {
    const double number = (*numbers)[row];
    return std::isnan(number) ? bytes.push_back('m')
                              : add_tagged(bytes, 'r', std::bit_cast<std::uint64_t>(number));
  }
  if (const auto* whole = std::get_if<WholeNumbers>(&column.cells)) {
    return add_tagged(bytes, 'w', static_cast<std::uint64_t>((*whole)[row]));
  }
  if (const auto* texts = std::get_if<Texts>(&column.cells)) {
    const std::string_view text = (*texts)[row];
    return text.data() == nullptr ? bytes.push_back('m') : add_text(bytes, text);
  }
  const CodedTexts& coded = std::get<CodedTexts>(column.cells);
  const std::int32_t code = coded.codes[row];
  const bool known = code >= 0 && static_cast<std::size_t>(code) < coded.texts.size();
  return known ? add_text(bytes, coded.texts[static_cast<std::size_t>(code)])
               : bytes.push_back('m');
}

std::string fingerprint_of_columns(ColumnStream& stream,
                                   const std::function<DataFingerprint()>& make) {
  const std::vector<std::string> names = stream.header();
  std::vector<DataFingerprint> columns;
  for (std::size_t i = 0; i < names.size(); ++i) columns.push_back(make());
  std::string bytes;
  while (stream.next_piece()) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (!stream.can_read(i)) continue;
      const MemoryColumn column = stream.column(i);
      refuse_other_length(column, stream.rows());
      bytes.clear();
      for (std::size_t row = 0; row < stream.rows(); ++row) add_cell(bytes, column, row);
      columns[i].add(bytes);
    }
  }
  DataFingerprint all = make();
  for (std::size_t i = 0; i < names.size(); ++i) {
    bytes.clear();
    add_text(bytes, names[i]);
    add_text(bytes, columns[i].finish());
    all.add(bytes);
  }
  return all.finish();
}

}  // namespace

std::string fingerprint_of(const Table& table, const std::function<DataFingerprint()>& make) {
  if (const auto* file = std::get_if<TableFile>(&table)) {
    return fingerprint_of_file(file->path, make());
  }
  if (const auto* streamed = std::get_if<StreamedTable>(&table)) {
    return fingerprint_of_columns(*streamed->open(), make);
  }
  OnePiece piece(std::get<MemoryTable>(table));
  return fingerprint_of_columns(piece, make);
}

}  // namespace dpvi
