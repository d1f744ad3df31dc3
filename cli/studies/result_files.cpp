// See result_files.h.
#include "cli/studies/result_files.h"

#include "cli/cells.h"
#include "cli/csv_field.h"
#include "cli/display.h"
#include "cli/json.h"
#include "cli/quantities.h"
#include "cli/studies/result_cells.h"
#include "cli/tables.h"
#include "frontend/source/diagnostics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

namespace wave::cli {
namespace {

using analysis::CellKind;
using analysis::Chunk;
using analysis::StudyColumn;
using analysis::StudyDescription;

constexpr std::size_t piece = std::size_t{1} << 16;
constexpr const char* error_heading = "error";

std::string_view title_of(std::string_view code) {
  for (const auto kind : frontend::all_kinds()) {
    if (frontend::code_of(kind) == code) return frontend::title_of(kind);
  }
  return {};
}

// What failed in a chunk, row by row, and in all chunks by their kinds.
class Failures {
 public:
  void take(const Chunk& chunk) {
    errors_.assign(chunk.range.size(), nullptr);
    for (const auto& failure : chunk.failures) {
      if (failure.points.empty()) continue;
      const auto [found, is_new] = known_.try_emplace(fmt::format("{}: {}", failure.code, failure.words), all_.size());
      if (is_new) all_.push_back({failure.code, failure.words, failure.message, 0, failure.points.front()});
      all_[found->second].count += failure.points.size();
      for (const std::uint64_t point : failure.points) errors_[point - chunk.range.begin] = &*found;
    }
    missing_.resize(chunk.columns.size());
    for (std::size_t i = 0; i < chunk.columns.size(); ++i) {
      missing_[i].assign(chunk.columns[i].missing.empty() ? 0 : chunk.range.size(), false);
      for (const std::uint64_t point : chunk.columns[i].missing) missing_[i][point - chunk.range.begin] = true;
    }
  }
  // "E0512: requirement not met", with the author's words where there are some; null where nothing of the row failed.
  const std::string* error(std::size_t row) const { return errors_[row] ? &errors_[row]->first : nullptr; }
  const FailedPoints& kind(std::size_t row) const { return all_[errors_[row]->second]; }
  // Of the columns that were found.
  bool is_missing(std::size_t column, std::size_t row) const {
    return !missing_[column].empty() && missing_[column][row];
  }
  const std::vector<FailedPoints>& all() const { return all_; }

 private:
  std::vector<const std::pair<const std::string, std::size_t>*> errors_;
  std::vector<std::vector<bool>> missing_;  // by column; empty: nothing is
  std::map<std::string, std::size_t> known_;
  std::vector<FailedPoints> all_;
};

class StudyWriter {
 public:
  explicit StudyWriter(const StudyDescription& study) : study_(study), varied_(study.varied()) {
    for (const auto& one : study.measured) measured_.emplace_back(study, one);
  }
  virtual ~StudyWriter() = default;
  virtual void begin(std::string& text) = 0;
  virtual void row(std::string& text, const Chunk& chunk, std::size_t row, const Failures& failures) = 0;
  virtual void end(std::string& text, const Failures& failures) = 0;

 protected:
  const analysis::ChunkColumn& found(const Chunk& chunk, std::size_t column) const {
    return chunk.columns[column - varied_];
  }
  // What was found in a column at a row, or `nothing` where it failed.
  void append_found(std::string& text, Notation notation, const Chunk& chunk, std::size_t column, std::size_t row,
                    const Failures& failures, std::string_view nothing) const {
    if (failures.is_missing(column - varied_, row))
      text += nothing;
    else
      append_cell(text, notation, study_.columns[column], found(chunk, column).values, found(chunk, column).labels,
                  row);
  }

  // "0.5" in the unit of the column, or `nothing`.
  void append_measured(std::string& text, std::size_t column, std::uint64_t point, std::string_view nothing) const {
    const double value = measured_[column].at(point);
    if (!std::isfinite(value))
      text += nothing;
    else
      append_cell(text, Notation::json, study_.measured[column].column, std::vector<double>{value}, {}, 0);
  }

  const StudyDescription& study_;
  const std::size_t varied_;
  std::vector<analysis::MeasuredPoints> measured_;
};

class CsvWriter final : public StudyWriter {
 public:
  explicit CsvWriter(const StudyDescription& study) : StudyWriter(study), cells_(study, Notation::csv) {}

  void begin(std::string& text) override {
    for (const auto& column : study_.columns) text += csv_field(heading_of(column)) + ",";
    for (const auto& one : study_.measured) text += csv_field(heading_of(one.column)) + ",";
    text += error_heading;
    text += '\n';
  }
  void row(std::string& text, const Chunk& chunk, std::size_t row, const Failures& failures) override {
    for (std::size_t i = 0; i < varied_; ++i) {
      text += cells_.at(i, chunk.range.begin + row);
      text += ',';
    }
    for (std::size_t i = varied_; i < study_.columns.size(); ++i) {
      append_found(text, Notation::csv, chunk, i, row, failures, "");
      text += ',';
    }
    for (std::size_t i = 0; i < measured_.size(); ++i) {
      append_measured(text, i, chunk.range.begin + row, "");
      text += ',';
    }
    if (const auto* const error = failures.error(row)) text += csv_field(*error);
    text += '\n';
  }
  void end(std::string&, const Failures&) override {}

 private:
  const VariedCells cells_;
};

class JsonLinesWriter final : public StudyWriter {
 public:
  explicit JsonLinesWriter(const StudyDescription& study) : StudyWriter(study), cells_(study, Notation::json) {
    for (const auto& column : study.columns) keys_.push_back(json_string(heading_of(column)) + ": ");
    for (const auto& one : study.measured) keys_.push_back(json_string(heading_of(one.column)) + ": ");
  }

  void begin(std::string&) override {}
  void row(std::string& text, const Chunk& chunk, std::size_t row, const Failures& failures) override {
    text += '{';
    for (std::size_t i = 0; i < study_.columns.size(); ++i) {
      text += keys_[i];
      if (i < varied_)
        text += cells_.at(i, chunk.range.begin + row);
      else
        append_found(text, Notation::json, chunk, i, row, failures, "null");
      text += ", ";
    }
    for (std::size_t i = 0; i < measured_.size(); ++i) {
      text += keys_[study_.columns.size() + i];
      append_measured(text, i, chunk.range.begin + row, "null");
      text += ", ";
    }
    const auto* const error = failures.error(row);
    text += "\"error\": ";
    text += error == nullptr ? std::string("null") : json_string(*error);
    text += "}\n";
  }
  void end(std::string&, const Failures&) override {}

 private:
  const VariedCells cells_;
  std::vector<std::string> keys_;
};

// {"wave", "file", "model", "study", "command", "inputs": [{"what", "is"}], "points", "columns": [{"name", "unit",
// "is", "doc"}], "rows": [[...]], "failed": [{"row", "code", "words"}], "failures": [{"code", "title", "words",
// "message", "first", "rows"}]}. What failed of a row is null; `words` are true for each row, the message for the
// first. Rows count from 1.
class JsonDocument final : public StudyWriter {
 public:
  explicit JsonDocument(const StudyDescription& study) : StudyWriter(study), cells_(study, Notation::json) {}

  void begin(std::string& text) override {
    JsonWriter json;
    json.begin_object(JsonWriter::Layout::lines).key("wave").value(study_.version).key("file").value(study_.file);
    json.key("model").value(study_.model);
    if (!study_.study.empty()) json.key("study").value(study_.study);
    json.key("command").begin_array();
    for (const auto& argument : study_.arguments) json.value(argument);
    json.end_array().key("inputs").begin_array(JsonWriter::Layout::lines);
    for (const auto& input : study_.inputs) {
      json.begin_object().key("what").value(input.what).key("is").value(input.value).end_object();
    }
    json.end_array().key("points").value(static_cast<std::int64_t>(study_.points));
    json.key("columns").begin_array(JsonWriter::Layout::lines);
    for (const auto& column : study_.columns) describe(json, column, column.listed ? "parameter" : "output");
    for (const auto& one : study_.measured) describe(json, one.column, "measured");
    json.end_array();
    text += json.str();
    text += ",\n  \"rows\": [";
  }
  void row(std::string& text, const Chunk& chunk, std::size_t row, const Failures& failures) override {
    text += is_first_ ? "\n    [" : ",\n    [";
    is_first_ = false;
    for (std::size_t i = 0; i < study_.columns.size(); ++i) {
      if (i > 0) text += ", ";
      if (i < varied_)
        text += cells_.at(i, chunk.range.begin + row);
      else
        append_found(text, Notation::json, chunk, i, row, failures, "null");
    }
    for (std::size_t i = 0; i < measured_.size(); ++i) {
      text += ", ";
      append_measured(text, i, chunk.range.begin + row, "null");
    }
    text += ']';
    if (failures.error(row) == nullptr) return;
    const auto& kind = failures.kind(row);
    failed_.push_back(fmt::format(R"({{"row": {}, "code": "{}", "words": {}}})", chunk.range.begin + row + 1, kind.code,
                                  json_string(kind.words)));
  }
  void end(std::string& text, const Failures& failures) override {
    text += is_first_ ? "],\n  \"failed\": [" : "\n  ],\n  \"failed\": [";
    for (std::size_t i = 0; i < failed_.size(); ++i) text += fmt::format("{}\n    {}", i > 0 ? "," : "", failed_[i]);
    text += failed_.empty() ? "],\n  \"failures\": [" : "\n  ],\n  \"failures\": [";
    for (std::size_t i = 0; i < failures.all().size(); ++i) {
      const auto& one = failures.all()[i];
      JsonWriter json;
      json.begin_object()
          .key("code")
          .value(one.code)
          .key("title")
          .value(title_of(one.code))
          .key("words")
          .value(one.words)
          .key("message")
          .value(one.message);
      json.key("first")
          .value(static_cast<std::int64_t>(one.first + 1))
          .key("rows")
          .value(static_cast<std::int64_t>(one.count))
          .end_object();
      text += fmt::format("{}\n    {}", i > 0 ? "," : "", json.str());
    }
    text += failures.all().empty() ? "]\n}\n" : "\n  ]\n}\n";
  }

 private:
  static void describe(JsonWriter& json, const StudyColumn& column, const char* is) {
    json.begin_object().key("name").value(column.name);
    if (!column.unit.empty()) json.key("unit").value(column.unit);
    json.key("is").value(is);
    if (!column.doc.empty()) json.key("doc").value(column.doc);
    json.end_object();
  }

  const VariedCells cells_;
  bool is_first_ = true;
  std::vector<std::string> failed_;
};

// For people: columns in units that are read well, with a few digits.
class TableWriter final : public StudyWriter {
 public:
  explicit TableWriter(const StudyDescription& study)
      : StudyWriter(study),
        cells_(study, Notation::csv),
        points_(study),
        reals_(study.columns.size()),
        texts_(study.columns.size()),
        measurements_(study.measured.size()) {}

  void begin(std::string&) override {}
  void row(std::string&, const Chunk& chunk, std::size_t row, const Failures& failures) override {
    if (rows_++ >= most_table_rows) return;
    const auto* const error = failures.error(row);
    has_errors_ |= error != nullptr;
    errors_.push_back(error == nullptr ? "" : display(*error).text);
    const auto point = points_.at({chunk.range.begin + row, chunk.range.begin + row + 1});
    for (std::size_t i = 0; i < study_.columns.size(); ++i) {
      const auto& column = study_.columns[i];
      if (column.kind == CellKind::real) {
        const auto& values = i < varied_ ? point[i] : found(chunk, i).values;
        const bool has_value = i < varied_ || !failures.is_missing(i - varied_, row);
        reals_[i].push_back(has_value ? std::get<std::vector<double>>(values)[i < varied_ ? 0 : row] : std::nan(""));
      } else {
        std::string text;
        if (i < varied_)
          text = cells_.at(i, chunk.range.begin + row);
        else
          append_found(text, Notation::csv, chunk, i, row, failures, "");
        texts_[i].push_back(std::move(text));
      }
    }
    for (std::size_t i = 0; i < measured_.size(); ++i)
      measurements_[i].push_back(measured_[i].at(chunk.range.begin + row));
  }
  void end(std::string& text, const Failures&) override {
    Table table;
    table.rows.resize(errors_.size());
    for (std::size_t i = 0; i < study_.columns.size(); ++i) {
      const auto& column = study_.columns[i];
      if (column.kind == CellKind::real)
        add_reals(table, column, reals_[i]);
      else
        add_texts(table, column.name, column.kind == CellKind::word ? Align::left : Align::right, texts_[i]);
    }
    for (std::size_t i = 0; i < measured_.size(); ++i) add_reals(table, study_.measured[i].column, measurements_[i]);
    if (has_errors_) add_texts(table, error_heading, Align::left, errors_);
    text += render(table);
    if (rows_ > most_table_rows)
      text += fmt::format("... and {} more; `--out` takes them all\n", rows_ - most_table_rows);
  }

 private:
  static void add_texts(Table& table, const std::string& heading, Align align, const std::vector<std::string>& texts) {
    table.header.push_back(heading);
    table.align.push_back(align);
    for (std::size_t row = 0; row < texts.size(); ++row) table.rows[row].push_back(texts[row]);
  }
  static void add_reals(Table& table, const StudyColumn& column, const std::vector<double>& values) {
    constexpr int digits = 4, plain_digits = 6;
    const bool keeps_unit = column.unit_was_asked || column.dimension.plain();
    const Scale scale =
        keeps_unit ? Scale{column.unit, column.multiplier, column.divisor} : readable_scale(column.dimension, values);
    std::vector<double> shown;
    for (const double value : values) {
      if (std::isfinite(value)) shown.push_back(scale.shown(value));
    }
    const int decimals = common_decimals(shown, column.dimension.plain() ? plain_digits : digits);
    std::vector<std::string> texts;
    for (const double value : values)
      texts.push_back(std::isfinite(value) ? format_decimals(scale.shown(value), decimals) : "");
    add_texts(table, heading(column.name, scale.unit), Align::right, texts);
  }

  const VariedCells cells_;
  const analysis::StudyPoints points_;
  std::uint64_t rows_ = 0;
  bool has_errors_ = false;
  std::vector<std::vector<double>> reals_;
  std::vector<std::vector<std::string>> texts_;
  std::vector<std::vector<double>> measurements_;
  std::vector<std::string> errors_;
};

std::unique_ptr<StudyWriter> make_writer(const StudyDescription& study, Format format) {
  switch (format) {
    case Format::csv: return std::make_unique<CsvWriter>(study);
    case Format::jsonl: return std::make_unique<JsonLinesWriter>(study);
    case Format::json: return std::make_unique<JsonDocument>(study);
    case Format::table: break;
  }
  return std::make_unique<TableWriter>(study);
}

}  // namespace

std::vector<StoredChunk> chunks_of(const std::vector<const analysis::Journal*>& journals) {
  std::vector<StoredChunk> chunks;
  for (const auto* journal : journals) {
    for (const auto& entry : journal->entries()) chunks.push_back({journal, entry});
  }
  std::sort(chunks.begin(), chunks.end(),
            [](const auto& a, const auto& b) { return a.entry.range.begin < b.entry.range.begin; });
  return chunks;
}

std::string head_of_results(const StudyDescription& study, Format format) {
  std::string text;
  make_writer(study, format)->begin(text);
  return text;
}

WrittenResults write_results(const StudyDescription& study, const std::vector<StoredChunk>& chunks, Format format,
                             const std::function<bool(std::string_view)>& out,
                             const std::function<void(std::uint64_t rows)>& progress) {
  WrittenResults written;
  const auto writer = make_writer(study, format);
  Failures failures;
  std::string text;
  writer->begin(text);
  for (const auto& stored : chunks) {
    const auto chunk = stored.journal->read(stored.entry);
    if (!chunk) {
      written.trouble = fmt::format("`{}` has changed meanwhile", stored.journal->path());
      return written;
    }
    failures.take(*chunk);
    for (std::size_t row = 0; row < chunk->range.size(); ++row) {
      writer->row(text, *chunk, row, failures);
      if (text.size() < piece) continue;
      if (!out(text)) return written;
      text.clear();
    }
    written.rows += chunk->range.size();
    if (progress) progress(written.rows);
  }
  writer->end(text, failures);
  out(text);
  written.failures = failures.all();
  for (const auto& one : written.failures) written.failed += one.count;
  return written;
}

}  // namespace wave::cli
