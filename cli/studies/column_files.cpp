// See column_files.h. Numbers are those of CSV. Reals that are missing are NaN; of other columns with missing values
// `NAME.missing.npy` says where. `error.npy` has the number of the code of why a point failed, 512 for E0512, or 0.
#include "cli/studies/column_files.h"

#include "cli/progress.h"
#include "cli/studies/study_results.h"
#include "cli/whole_folder.h"
#include "frontend/source/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <set>

namespace wave::cli {
namespace {

using analysis::CellKind;
using analysis::Cells;
using analysis::Chunk;
using analysis::Column;
using analysis::StudyDescription;
using frontend::DiagnosticKind;

constexpr const char* table_of_columns = "columns.json";

// The code points of a text, and `?` where there is none.
std::u32string code_points(std::string_view text) {
  std::u32string points;
  for (std::size_t at = 0; at < text.size();) {
    const auto first = static_cast<unsigned char>(text[at++]);
    const int more = first < 0x80 ? 0 : first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
    char32_t point = more == 0 ? first : first & (0x3f >> more);
    for (int i = 0; i < more && at < text.size(); ++i)
      point = point << 6 | (static_cast<unsigned char>(text[at++]) & 0x3f);
    points.push_back(first >= 0x80 && first < 0xc0 ? U'?' : point);
  }
  return points;
}

template <class Value>
void append_bytes(std::string& bytes, Value value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// Format 1.0 of numpy: the data begin at a multiple of 64 bytes.
std::string head_of_array(const std::string& type, std::uint64_t rows) {
  std::string head = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({},), }}", type, rows);
  constexpr std::size_t before = 10, unit = 64;
  head.append((unit - (before + head.size() + 1) % unit) % unit, ' ');
  head += '\n';
  std::string all("\x93NUMPY\x01\x00", 8);
  append_bytes(all, static_cast<std::uint16_t>(head.size()));
  return all + head;
}

// A column on its way into its file.
struct ColumnFile {
  const Column* column = nullptr;
  std::string is, file, missing_file;  // the latter once a value is missing
  std::size_t width = 0;               // of words
  std::uint64_t masked = 0;            // rows of the latter that are written

  std::string type() const {
    switch (column->kind) {
      case CellKind::real: return "<f8";
      case CellKind::integer: return "<i8";
      case CellKind::truth: return "|b1";
      case CellKind::word: return fmt::format("<U{}", width);
    }
    return "";
  }
};

class ColumnFolder {
 public:
  ColumnFolder(const StudyDescription& study, const std::vector<StoredChunk>& chunks) : study_(study), chunks_(chunks) {
    for (const Column& one : study.columns) add(one, one.listed ? "parameter" : "output");
    for (const auto& one : study.measured) add(one.column, "measured");
  }

  // What went wrong, or nothing.
  std::string write(const FolderSink& sink, ProgressLine& line) {
    if (!find_widths()) return trouble_;
    for (const ColumnFile& one : files_) sink(one.file, head_of_array(one.type(), study_.points));
    sink("error.npy", head_of_array("<u2", study_.points));
    const analysis::StudyPoints points(study_);
    for (const StoredChunk& stored : chunks_) {
      const auto chunk = read(stored);
      if (!chunk) return trouble_;
      if (!write(*chunk, points.at(chunk->range), sink)) return "";  // which the folder says
      rows_ += chunk->range.size();
      line.advance(static_cast<double>(rows_));
    }
    for (ColumnFile& one : files_) fill_mask(one, {}, {study_.points, study_.points}, sink);
    sink(table_of_columns, table());
    return "";
  }

  const RowFailures& failures() const { return failures_; }

 private:
  // Names of files have no signs that some file system does not take.
  void add(const Column& column, const char* is) {
    std::string name = column.name;
    for (char& c : name) {
      if (std::isalnum(static_cast<unsigned char>(c)) == 0 && std::string_view("_. -").find(c) == std::string::npos)
        c = '_';
    }
    if (name.starts_with('.')) name.insert(0, "_");
    while (!names_.insert(name).second || name == "error") name += '_';
    files_.push_back({&column, is, name + ".npy", "", 1, 0});
  }

  std::optional<Chunk> read(const StoredChunk& stored) {
    auto chunk = stored.journal->read(stored.entry);
    if (!chunk) trouble_ = fmt::format("`{}` has changed meanwhile", stored.journal->path());
    return chunk;
  }

  // Of words that vary or that a type has; what else there is stands in the chunks.
  bool find_widths() {
    bool is_found = false;
    for (ColumnFile& one : files_) {
      for (const std::string& word : one.column->words) one.width = std::max(one.width, code_points(word).size());
      is_found |= one.column->kind == CellKind::word && one.column->words.empty();
    }
    for (std::size_t i = 0; is_found && i < chunks_.size(); ++i) {
      const auto chunk = read(chunks_[i]);
      if (!chunk) return false;
      for (std::size_t k = 0; k < chunk->columns.size(); ++k) {
        auto& width = files_[study_.varied() + k].width;
        for (const auto& word : chunk->columns[k].labels) width = std::max(width, code_points(word).size());
      }
    }
    return true;
  }

  bool write(const Chunk& chunk, const std::vector<analysis::ColumnValues>& varied, const FolderSink& sink) {
    failures_.take(chunk);
    for (std::size_t i = 0; i < files_.size(); ++i) {
      ColumnFile& one = files_[i];
      const std::size_t found = i - varied.size();
      Cells made;
      if (i < varied.size()) made.values = varied[i];
      if (i >= study_.columns.size()) made.values = measured(study_.measured[i - study_.columns.size()], chunk.range);
      const bool is_found = i >= varied.size() && i < study_.columns.size();
      const Cells& cells = is_found ? chunk.columns[found] : made;
      if (!sink(one.file, bytes_of(one, cells, chunk.range.begin))) return false;
      if (!cells.missing.empty() && one.column->kind != CellKind::real)
        fill_mask(one, cells.missing, chunk.range, sink);
    }
    std::string codes;
    for (std::size_t row = 0; row < chunk.range.size(); ++row) {
      const std::string* const error = failures_.error(row);
      append_bytes(codes, static_cast<std::uint16_t>(error ? std::atoi(error->c_str() + 1) : 0));
    }
    return sink("error.npy", codes);
  }

  std::vector<double> measured(const analysis::MeasuredColumn& column, PointRange range) const {
    const analysis::MeasuredPoints points(study_, column);
    std::vector<double> values;
    for (std::uint64_t point = range.begin; point < range.end; ++point) values.push_back(points.at(point));
    return values;
  }

  static std::string bytes_of(const ColumnFile& file, const Cells& cells, std::uint64_t begin) {
    std::string bytes;
    const Column& column = *file.column;
    if (const auto* reals = std::get_if<std::vector<double>>(&cells.values)) {
      for (const double value : *reals) append_bytes(bytes, column.shown(value));
      for (const std::uint64_t row : cells.missing) {
        const double none = std::nan("");
        bytes.replace((row - begin) * sizeof none, sizeof none, reinterpret_cast<const char*>(&none), sizeof none);
      }
      return bytes;
    }
    for (const std::int64_t value : std::get<std::vector<std::int64_t>>(cells.values)) {
      if (column.kind == CellKind::integer) append_bytes(bytes, value);
      if (column.kind == CellKind::truth) bytes += static_cast<char>(value != 0);
      if (column.kind != CellKind::word) continue;
      std::u32string word = code_points(word_of(column, cells.labels, value));
      word.resize(file.width, U'\0');
      for (const char32_t point : word) append_bytes(bytes, point);
    }
    return bytes;
  }

  // Up to the end of the range, if anything is missing; else, once there is such a file, to its end.
  void fill_mask(ColumnFile& one, const std::vector<std::uint64_t>& missing, PointRange range, const FolderSink& sink) {
    if (missing.empty() && one.missing_file.empty()) return;
    if (one.missing_file.empty()) {
      one.missing_file = one.file.substr(0, one.file.size() - 4) + ".missing.npy";
      sink(one.missing_file, head_of_array("|b1", study_.points));
    }
    const std::string zeros(std::size_t{1} << 16, '\0');
    while (one.masked < range.begin) {
      const std::uint64_t count = std::min<std::uint64_t>(zeros.size(), range.begin - one.masked);
      sink(one.missing_file, std::string_view(zeros).substr(0, count));
      one.masked += count;
    }
    std::string mask(range.size(), '\0');
    for (const std::uint64_t row : missing) mask[row - range.begin] = 1;
    sink(one.missing_file, mask);
    one.masked += range.size();
  }

  // {"wave", "file", "model", "study", "id", "made_by", "points", "columns": [{"name", "unit", "is", "doc", "file",
  // "missing"}], "error", "failures"}.
  std::string table() const {
    DataWriter data;
    data.begin_object(Layout::lines).key("wave").value(study_.version).key("file").value(study_.file);
    data.key("model").value(study_.model);
    if (!study_.study.empty()) data.key("study").value(study_.study);
    data.key("id").value(hexadecimal(id_of(study_))).texts("made_by", study_.arguments);
    data.key("points").value(study_.points).key("columns").begin_array(Layout::lines);
    for (const ColumnFile& one : files_) {
      data.begin_object().key("name").value(one.column->name);
      if (!one.column->unit.empty()) data.key("unit").value(one.column->unit);
      data.key("is").value(one.is);
      if (!one.column->doc.empty()) data.key("doc").value(one.column->doc);
      data.key("file").value(one.file);
      if (!one.missing_file.empty()) data.key("missing").value(one.missing_file);
      data.end_object();
    }
    data.end_array().key("error").value("error.npy");
    data.key("failures").begin_array(Layout::lines);
    for (const analysis::CountedFailure& one : failures_.all()) {
      data.begin_object().key("code").value(code_of(one.kind())).key("words").value(one.words);
      data.key("first").value(one.first + 1).key("points").value(one.count).end_object();
    }
    data.end_array();
    return written(data.end_object().take());
  }

  const StudyDescription& study_;
  const std::vector<StoredChunk>& chunks_;
  std::vector<ColumnFile> files_;
  std::set<std::string> names_;
  RowFailures failures_;
  std::uint64_t rows_ = 0;
  std::string trouble_;
};

}  // namespace

std::optional<std::uint64_t> deliver_columns(Console& console, const StudyDescription& study,
                                             const std::vector<StoredChunk>& chunks, const std::string& folder) {
  ColumnFolder columns(study, chunks);
  std::string trouble;
  {
    ProgressLine line(console, "rows written", static_cast<double>(study.points));
    trouble = fill_folder(folder, [&](const FolderSink& sink) { return columns.write(sink, line); });
  }
  if (!trouble.empty()) {
    report_without_location(console, DiagnosticKind::cannot_write, fmt::format("`{}` cannot be written", folder),
                            trouble);
    return std::nullopt;
  }
  const auto& failures = columns.failures().all();
  std::uint64_t failed = 0;
  for (const auto& one : failures) failed += one.count;
  report_failures(console, study, failures, failed, study.points);
  return failed;
}

bool holds_columns(const StudyDescription& study, const std::string& folder) {
  constexpr std::size_t most_bytes = std::size_t{16} << 20;
  const auto table = frontend::read_plain_file((std::filesystem::path(folder) / table_of_columns).string(), most_bytes);
  return table.ok && table.text.find(hexadecimal(id_of(study))) != std::string::npos;
}

}  // namespace wave::cli
