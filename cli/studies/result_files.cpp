// See result_files.h.
#include "cli/studies/result_files.h"

#include "cli/formats/readable.h"
#include "cli/results.h"
#include "cli/studies/evaluated_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

namespace wave::cli {
namespace {

using analysis::Chunk;
using analysis::length;
using analysis::StudyDescription;

// What failed in a chunk, row by row, and in all chunks by their kinds.
class Failures {
 public:
  void take(const Chunk& chunk) {
    errors_.assign(chunk.range.size(), nullptr);
    for (const auto& one : chunk.failed) {
      if (one.rows.empty()) continue;
      const auto [found, is_new] = known_.try_emplace(error_text(one), all_.size());
      if (is_new) all_.push_back({one, 0, one.rows.front()});
      all_[found->second].count += one.rows.size();
      for (const std::uint64_t point : one.rows) errors_[point - chunk.range.begin] = &*found;
    }
  }
  // "E0512: requirement not met", with the author's words where there are some; null where nothing of the row failed.
  const std::string* error(std::size_t row) const { return errors_[row] ? &errors_[row]->first : nullptr; }
  std::size_t kind(std::size_t row) const { return errors_[row]->second; }
  const std::vector<analysis::CountedFailure>& all() const { return all_; }

 private:
  std::vector<const std::pair<const std::string, std::size_t>*> errors_;
  std::map<std::string, std::size_t> known_;
  std::vector<analysis::CountedFailure> all_;
};

// A chunk as rows of the table of all points.
class ChunkRows final : public RowRange {
 public:
  ChunkRows(const StudyDescription& study, const Chunk& chunk, const Failures& failures)
      : study_(study), chunk_(chunk), failures_(failures), varied_(study.varied()), measured_(study.measured.size()) {}

  std::uint64_t begin() const override { return chunk_.range.begin; }
  std::size_t size() const override { return chunk_.range.size(); }
  const analysis::Cells& cells(std::size_t column) const override {
    if (column < study_.columns.size()) return chunk_.columns[column - varied_];
    analysis::Cells& cells = measured_[column - study_.columns.size()];
    if (length(cells.values) == 0) read_measured(cells, study_.measured[column - study_.columns.size()]);
    return cells;
  }
  const std::string* error(std::size_t row) const override { return failures_.error(row); }

 private:
  void read_measured(analysis::Cells& cells, const analysis::MeasuredColumn& column) const {
    const analysis::MeasuredPoints points(study_, column);
    std::vector<double> values;
    for (std::uint64_t point = chunk_.range.begin; point < chunk_.range.end; ++point) {
      values.push_back(points.at(point));
      if (!std::isfinite(values.back())) cells.missing.push_back(point);
    }
    cells.values = std::move(values);
  }

  const StudyDescription& study_;
  const Chunk& chunk_;
  const Failures& failures_;
  const std::size_t varied_;
  mutable std::vector<analysis::Cells> measured_;
};

// All rows of a study, chunk by chunk, and what failed on the way.
class StudyRows {
 public:
  StudyRows(const StudyDescription& study, const std::vector<StoredChunk>& chunks,
            const std::function<void(std::uint64_t rows)>& progress)
      : study_(study), chunks_(chunks), progress_(progress) {}

  Document document() {
    Document document;
    OutputTable& table = document.tables.emplace_back();
    for (const auto& column : study_.columns)
      table.columns.push_back({column, column.listed ? "parameter" : "output", {}, {}});
    for (const auto& one : study_.measured) table.columns.push_back({one.column, "measured", {}, {}});
    table.has_errors = true;
    table.selection = &study_.selection;
    table.ranges = [this](const RangeSink& sink) { return read(sink); };
    document.data = [this](const std::vector<OutputTable>& tables) { return data(tables.front()); };
    document.page = [this](const std::vector<OutputTable>& tables) { return page(tables.front()); };
    return document;
  }

  WrittenResults end() {
    written_.failures = failures_.all();
    for (const auto& one : written_.failures) written_.failed += one.count;
    return std::move(written_);
  }

 private:
  bool read(const RangeSink& sink) {
    for (const auto& stored : chunks_) {
      const auto chunk = stored.journal->read(stored.entry);
      if (!chunk) {
        written_.trouble = fmt::format("`{}` has changed meanwhile", stored.journal->path());
        return false;
      }
      failures_.take(*chunk);
      if (lists_failed_) list_failed(*chunk);
      if (!sink(ChunkRows(study_, *chunk, failures_))) return false;
      written_.rows += chunk->range.size();
      if (progress_) progress_(written_.rows);
    }
    return true;
  }

  void list_failed(const Chunk& chunk) {
    for (std::size_t row = 0; row < chunk.range.size(); ++row) {
      if (failures_.error(row) != nullptr) failed_.emplace_back(chunk.range.begin + row, failures_.kind(row));
    }
  }

  // {"wave", "file", "model", "study", "command", "inputs": [{"what", "is"}], "points", "columns": [{"name", "unit",
  // "is", "doc"}], "rows": [[...]], "failed": [{"row", "code", "words"}], "failures": [{"code", "title", "words",
  // "message", "first", "rows"}]}. What failed of a row is null; `words` are true for each row, the message for the
  // first. Rows count from 1.
  Data data(const OutputTable& table) {
    lists_failed_ = true;
    DataWriter data;
    data.begin_object(Layout::lines).key("wave").value(study_.version).key("file").value(study_.file);
    data.key("model").value(study_.model);
    if (!study_.study.empty()) data.key("study").value(study_.study);
    data.texts("command", study_.arguments).key("inputs").begin_array(Layout::lines);
    for (const auto& input : study_.inputs)
      data.begin_object().key("what").value(input.what).key("is").value(input.value).end_object();
    data.end_array().key("points").value(study_.points);
    add_columns(data, table, true);
    data.key("rows").rows(0, false);
    data.key("failed").later([this] { return failed_rows(); });
    data.key("failures").later([this] { return kinds_of_failures(); });
    return data.end_object().take();
  }

  Data failed_rows() const {
    DataWriter data;
    data.begin_array(Layout::lines);
    for (const auto& [row, kind] : failed_) add_failed_row(data, row, failures_.all()[kind]);
    return data.end_array().take();
  }

  Data kinds_of_failures() const {
    DataWriter data;
    data.begin_array(Layout::lines);
    for (const auto& one : failures_.all()) {
      data.begin_object().key("code").value(code_of(one.kind())).key("title").value(title_of(one.kind()));
      data.key("words").value(one.words).key("message").value(one.message());
      data.key("first").value(one.first + 1).key("rows").value(one.count).end_object();
    }
    return data.end_array().take();
  }

  Passages page(const OutputTable& table) {
    Passages page{{"", readable(table, table_digits, most_table_rows)}};
    if (written_.rows > most_table_rows) {
      page.push_back({fmt::format("... and {} more; `--out` takes them all\n", written_.rows - most_table_rows)});
    }
    return page;
  }

  const StudyDescription& study_;
  const std::vector<StoredChunk>& chunks_;
  const std::function<void(std::uint64_t rows)>& progress_;
  Failures failures_;
  WrittenResults written_;
  bool lists_failed_ = false;                                  // only where a format has a place for them
  std::vector<std::pair<std::uint64_t, std::size_t>> failed_;  // rows and the kinds of what failed there
};

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
  if (format.is_for_people()) return "";
  const std::vector<StoredChunk> none;
  const std::function<void(std::uint64_t)> no_progress;
  StudyRows rows(study, none, no_progress);
  Document document = rows.document();
  document.tables.front().ranges = [](const RangeSink&) { return false; };
  return written(document, format);
}

WrittenResults write_results(const StudyDescription& study, const std::vector<StoredChunk>& chunks, Format format,
                             const Sink& out, const std::function<void(std::uint64_t rows)>& progress) {
  StudyRows rows(study, chunks, progress);
  format->write(rows.document(), out);
  return rows.end();
}

}  // namespace wave::cli
