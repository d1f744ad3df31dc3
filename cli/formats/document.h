// The answer of a verb: named tables, what they are of, what is said beside them, and a page of prose and readable
// tables for people. Formats, and programs that ask through the library, take of it what they have a place for.
#pragma once

#include "analysis/study/points.h"
#include "analysis/tables/table.h"
#include "cli/console.h"
#include "frontend/lower/lower.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace wave::cli {

// --- data ---

// What programs read: members and lists of values, as JSON has them.

// Whether members stand on a line each.
enum class Layout { compact, lines };

struct Data {
  struct List {
    Layout layout = Layout::compact;
    std::vector<Data> items;
  };
  struct Object {
    Layout layout = Layout::compact;
    std::vector<std::pair<std::string, Data>> members;
  };
  // The rows of a table of the document, each a list.
  struct Rows {
    std::size_t table = 0;
  };
  // A list, one member a line, which is never in memory as a whole: `make` hands over one after the other.
  struct Stream {
    std::function<void(const std::function<void(Data)>& add)> make;
  };

  std::variant<std::nullptr_t, bool, std::int64_t, double, std::string, List, Object, Rows, Stream> is = nullptr;
};

// Makes one from its beginning to its end.
class DataWriter {
 public:
  DataWriter& begin_object(Layout layout = Layout::compact) { return open({Data::Object{layout, {}}}); }
  DataWriter& end_object() { return close(); }
  DataWriter& begin_array(Layout layout = Layout::compact) { return open({Data::List{layout, {}}}); }
  DataWriter& end_array() { return close(); }
  DataWriter& key(std::string_view name);
  DataWriter& value(std::string_view text) { return put({std::string(text)}); }
  DataWriter& value(const std::string& text) { return put({text}); }
  DataWriter& value(const char* text) { return put({std::string(text)}); }
  DataWriter& value(double number) { return put({number}); }
  DataWriter& value(std::int64_t number) { return put({number}); }
  DataWriter& value(std::uint64_t number) { return put({static_cast<std::int64_t>(number)}); }
  DataWriter& value(std::uint32_t number) { return put({static_cast<std::int64_t>(number)}); }
  DataWriter& value(int number) { return put({static_cast<std::int64_t>(number)}); }
  DataWriter& value(bool truth) { return put({truth}); }
  DataWriter& value(Data data) { return put(std::move(data)); }
  DataWriter& null() { return put({nullptr}); }
  DataWriter& rows(std::size_t table) { return put({Data::Rows{table}}); }
  DataWriter& stream(std::function<void(const std::function<void(Data)>& add)> make) {
    return put({Data::Stream{std::move(make)}});
  }
  // A member that is a list of texts.
  DataWriter& texts(std::string_view name, const std::vector<std::string>& texts, Layout layout = Layout::compact);
  // What was made, once all of it is closed.
  Data take() { return std::move(top_); }

 private:
  DataWriter& put(Data data);
  DataWriter& open(Data data);
  DataWriter& close();
  Data& add(Data data);

  Data top_;
  std::vector<Data*> open_;  // none of them moves while it is open
  std::string key_;
};

// --- tables ---

struct TableColumn {
  analysis::Column column;
  std::string is;                               // "parameter", "output"; empty where that goes without saying
  analysis::Cells cells;                        // of all rows; none where the rows come in ranges
  std::vector<std::vector<std::string>> lists;  // instead of cells: some words for each row
};

// Rows of a table that follow each other.
class RowRange {
 public:
  virtual ~RowRange() = default;
  virtual std::uint64_t begin() const = 0;  // the number of the first, from 0
  virtual std::size_t size() const = 0;
  // Of the range's rows alone; not asked for where the column lists its values.
  virtual const analysis::Cells& cells(std::size_t column) const = 0;
  // What failed first in a row of the range, "E0512: no machine has 13 nodes", or null.
  virtual const std::string* error(std::size_t row) const = 0;
};
// Says whether to go on.
using RangeSink = std::function<bool(const RowRange& range)>;

struct OutputTable {
  std::string name, doc;
  frontend::RowsShape shape = frontend::RowsShape::records;
  std::vector<TableColumn> columns;
  std::size_t rows = 0;                  // where they are all in `columns`
  bool is_beside = false;                // only formats that take everything have a place for it
  bool has_errors = false;               // rows say what failed, behind their cells
  std::vector<std::string> errors = {};  // what, row by row, where they are all in `columns`; empty: nothing
  std::string failed;                    // the code of why there are no rows
  // Of results of a model: the types of the columns, and the units that were asked for.
  std::vector<frontend::ColumnInfo> declared = {};

  // Rows that are not kept in memory. False: it was stopped.
  std::function<bool(const RangeSink& sink)> ranges;
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
  bool each_range(const RangeSink& sink) const;
};

// What is no finite number is missing.
void mark_missing(analysis::Cells& cells);
TableColumn table_column(const analysis::ResultColumn& column, std::string is);
// Of the columns that vary and of those that were found.
OutputTable named_table(const std::string& name, const analysis::ResultTable& table);
// Has rows say what failed in them, if anything did.
void set_errors(OutputTable& table, const std::vector<analysis::FailedRows>& failed);
// Some words for each row.
TableColumn list_column(const std::string& name, std::vector<std::vector<std::string>> lists);
TableColumn integer_column(const std::string& name, std::vector<std::int64_t> values);
TableColumn word_column(const std::string& name, const std::vector<std::string>& words);
// Numbers that are in this unit already. What is no finite number is missing.
TableColumn number_column(const std::string& name, const std::string& unit, std::vector<double> values);

// One cell of a document, null where it is missing.
Data data_of(const TableColumn& column, std::size_t row);

// --- pages ---

enum class Align { left, right };

// Cells as texts that a person reads.
struct ReadableTable {
  std::vector<std::string> header;  // empty: none
  std::vector<Align> align;         // one per column
  std::vector<std::vector<std::string>> rows;
};

// Prose, and a table below it that may be empty.
struct Passage {
  std::string text;  // whole lines
  ReadableTable table = {};
  std::string_view indent = "";
};
using Passages = std::vector<Passage>;

// --- all of it ---

struct Document {
  // What formats of rows take. `rows`: the first table, all columns of which are headings. `outputs`: all of them.
  enum class Shape { rows, outputs };
  Shape shape = Shape::rows;
  std::string verb;                      // whose answer it is; empty: of the verb that writes it
  std::vector<OutputTable> tables = {};  // each with a name
  // The file, what was asked (docs/json.md).
  std::vector<std::pair<std::string, Data>> about = {};
  std::function<Passages(const std::vector<OutputTable>& tables)> page = {};
  std::vector<std::string> says = {};  // sentences, a line each

  template <class Value>
  void add_about(const std::string& name, const Value& value) {
    about.emplace_back(name, DataWriter().value(value).take());
  }
};

Data data_of(const std::vector<std::string>& texts);

// An answer about a file and its model, either of which may be empty.
Document document_about(const std::string& file, const std::string& model);

// --- formats ---

// Takes piece after piece and says whether to go on.
using Sink = std::function<bool(std::string_view)>;

// What a format takes of a document.
enum class Takes {
  page,  // prose and tables, as people read them
  rows,  // the rows of its tables, in full precision; prose goes to standard error
  data,  // everything, in full precision
};

// A format is a file in this folder and a line of formats.def. No other file knows which there are.
struct FormatInfo {
  std::string_view word;    // --format csv
  std::string_view ending;  // results.csv
  Takes takes{};
  void (*write)(const Document& document, const Sink& out) = nullptr;
  // Where each row stands on lines of its own.
  struct Lines {
    unsigned heads = 0;      // lines before the first row
    bool in_quotes = false;  // a row may have several, within quotes
  };
  std::optional<Lines> lines = {};
};

// One of those that formats.def lists.
class Format {
 public:
  // The first in the list that takes this.
  explicit Format(Takes what = Takes::page);
  explicit Format(std::string_view word);
  const FormatInfo* operator->() const { return info_; }
  bool is_for_people() const { return info_->takes == Takes::page; }
  friend bool operator==(Format, Format) = default;

  static const std::vector<const FormatInfo*>& all();
  // By the end of a file's name.
  static std::optional<Format> of_file(std::string_view path);

 private:
  const FormatInfo* info_;
};

// How the points of a study are written: in a format, else as the name of the file says, or as a folder of columns.
struct PointForm {
  std::optional<Format> format;
  bool as_columns = false;
  PointForm& operator=(const std::optional<Format>& chosen) {
    format = chosen;
    as_columns = !chosen;
    return *this;
  }
};

// The whole document as one text.
std::string written(const Document& document, Format format);
// These data alone, in the format that takes all data.
std::string written(const Data& data);
void write_data(const Data& data, const Sink& out);

// To the file, or to standard output where none is named; what a format of rows has no place for to standard error. A
// client is given the document first, and its text where it wants one.
// What the verb returns.
int write_document(Document document, Format format, const std::string& file, Console& console);

}  // namespace wave::cli
