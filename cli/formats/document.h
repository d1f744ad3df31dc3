// What a verb hands over to be written: tables, a document for programs that may refer to them, and a page of prose and
// readable tables for people. Which of these a format takes is its own affair.
#pragma once

#include "analysis/study/points.h"
#include "analysis/tables/table.h"
#include "cli/formats/data.h"
#include "cli/formats/format.h"
#include "frontend/lower/lower.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wave::cli {

// --- tables ---

struct TableColumn {
  analysis::Column column;
  std::string is;                               // "parameter", "output"; empty where that goes without saying
  analysis::Cells cells;                        // of all rows; none where the rows come in blocks
  std::vector<std::vector<std::string>> lists;  // in the place of cells: some words for each row
};

// Rows of a table that follow each other.
class RowBlock {
 public:
  virtual ~RowBlock() = default;
  virtual std::uint64_t begin() const = 0;  // the number of the first, from 0
  virtual std::size_t size() const = 0;
  // Of the block's rows alone; not asked for where the column lists its values.
  virtual const analysis::Cells& cells(std::size_t column) const = 0;
  // What failed first in a row of the block, "E0512: no machine has 13 nodes", or null.
  virtual const std::string* error(std::size_t row) const = 0;
};
// Says whether to go on.
using BlockSink = std::function<bool(const RowBlock& block)>;

struct OutputTable {
  std::string name, doc;
  frontend::RowsShape shape = frontend::RowsShape::records;
  std::vector<TableColumn> columns;
  std::size_t rows = 0;     // where they are all in `columns`
  bool has_errors = false;  // rows say what failed, behind their cells
  std::string failed;       // the code of why there are no rows

  // Rows that are not kept in memory. False: it was stopped.
  std::function<bool(const BlockSink& sink)> blocks;
  // What varies is listed in the first columns. The rows go through their product, or beside each other through their
  // values; or they are these points of it.
  const analysis::Selection* selection = nullptr;
  // The text that the first columns were read from; CSV repeats its lines as they are.
  struct Lines {
    std::size_t columns = 0;
    std::string_view header;
    std::function<std::string_view(std::size_t row)> row;
  };
  std::optional<Lines> lines;

  bool is_whole() const { return failed.empty(); }
  bool each_block(const BlockSink& sink) const;
};

TableColumn table_column(const analysis::ResultColumn& column, std::string is);
// Some words for each row.
TableColumn list_column(const std::string& name, std::vector<std::vector<std::string>> lists);
TableColumn integer_column(const std::string& name, std::vector<std::int64_t> values);
TableColumn word_column(const std::string& name, const std::vector<std::string>& words);
// Numbers that are in this unit already. What is no finite number is missing.
TableColumn number_column(const std::string& name, const std::string& unit, std::vector<double> values);

// One cell of a document, null where it is missing.
Data data_of(const TableColumn& column, std::size_t row);
// The member `columns`: what each column is.
void add_columns(DataWriter& data, const OutputTable& table, bool with_docs = false);

// --- pages ---

enum class Align { left, right };

// Cells as texts that a person reads.
struct ReadableTable {
  std::vector<std::string> header;  // empty: none
  std::vector<Align> align;         // one per column
  std::vector<std::vector<std::string>> rows;
};

// Prose, and a table below it that may be empty.
struct Block {
  std::string text;  // whole lines
  ReadableTable table = {};
  std::string_view indent = "";
};
using Blocks = std::vector<Block>;

// --- all of it ---

struct Document {
  // `rows`: one table, all columns of which are headings. `outputs`: several tables, each with its name.
  enum class Shape { rows, outputs };
  Shape shape = Shape::rows;
  std::vector<OutputTable> tables;
  std::function<Data(const std::vector<OutputTable>& tables)> data;
  std::function<Blocks(const std::vector<OutputTable>& tables)> page;
  std::vector<std::string> remarks = {};  // a line each, for formats that have nothing but rows
};

std::string written(const Document& document, Format format);

}  // namespace wave::cli
