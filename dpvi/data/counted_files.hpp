#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <dpvi/data/column_stream.hpp>
#include <dpvi/data/csv_reader.hpp>

namespace dpvi {

// A CSV file with the rows of one record count.
struct CountedFile {
  std::string count;
  std::string path;
};

// The rows of several files, one file after the other, as one table. Its columns are those of all
// files, and one more with the count of a row's file. A cell of a column that a row's file lacks is
// missing.
class CountedFiles : public ColumnStream {
 public:
  // Reads the header line of each file and no more.
  CountedFiles(const std::vector<CountedFile>& files, const std::string& number_column);

  std::vector<std::string> header() const override { return header_; }
  // Refuses (DP321) a file without a column that the program reads for its rows.
  void refuse_types(const Binding& binding) const override;
  bool next_piece() override;
  std::size_t rows() const override { return rows_; }
  MemoryColumn column(std::size_t position) override;

 private:
  struct File {
    std::string count;
    CsvReader reader;
    std::vector<std::size_t> positions;  // of each cell in the common header
  };

  void require_in(const File& file, const std::string& column) const;
  bool read_piece(File& file);

  std::vector<File> files_;
  std::vector<std::string> header_;
  std::size_t at_ = 0;                           // the file that is being read
  std::size_t rows_ = 0;                         // of the present piece
  std::vector<std::vector<std::string>> texts_;  // by column and row
  std::vector<std::vector<std::string_view>> views_;
};

}  // namespace dpvi
