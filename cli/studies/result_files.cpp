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

// A chunk as rows of the table of all points.
class ChunkRows final : public RowRange {
 public:
  ChunkRows(const StudyDescription& study, const Chunk& chunk, const RowFailures& failures)
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
  const RowFailures& failures_;
  const std::size_t varied_;
  mutable std::vector<analysis::Cells> measured_;
};

// A table that is made when its turn to be written comes.
OutputTable lazy_table(const std::function<analysis::RowTable()>& make) {
  OutputTable table = row_table(make());
  table.ranges = [make](const RangeSink& sink) { return row_table(make()).each_range(sink); };
  return table;
}

// All rows of a study, chunk by chunk, and what failed on the way.
class StudyRows {
 public:
  // Rows that failed are listed only for a format that has a place for them.
  StudyRows(const StudyDescription& study, const std::vector<StoredChunk>& chunks, Format format,
            const std::function<void(std::uint64_t rows)>& progress)
      : study_(study), chunks_(chunks), lists_failed_(format->takes == Takes::data), progress_(progress) {}

  Document document() {
    Document document = document_about(study_);
    document.tables = {points(), lazy_table([this] { return failed_rows(); }),
                       lazy_table([this] { return failures_table(failures_.all()); })};
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

  OutputTable points() {
    OutputTable table;
    table.name = "points";
    for (const auto& column : study_.columns)
      table.columns.push_back({column, column.listed ? "parameter" : "output", {}, {}});
    for (const auto& one : study_.measured) table.columns.push_back({one.column, "measured", {}, {}});
    table.has_errors = true;
    table.selection = &study_.selection;
    table.ranges = [this](const RangeSink& sink) { return read(sink); };
    return table;
  }

  // What failed of a point is null there.
  analysis::RowTable failed_rows() const {
    auto table = failed_table();
    for (const auto& [row, kind] : failed_) add_failed_row(table, row, failures_.all()[kind]);
    return table;
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
  const bool lists_failed_;
  const std::function<void(std::uint64_t rows)>& progress_;
  RowFailures failures_;
  WrittenResults written_;
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

void RowFailures::take(const Chunk& chunk) {
  errors_.assign(chunk.range.size(), nullptr);
  for (const auto& one : chunk.failed) {
    if (one.rows.empty()) continue;
    const auto [found, is_new] = known_.try_emplace(error_text(one), all_.size());
    if (is_new) all_.push_back({one, 0, one.rows.front()});
    all_[found->second].count += one.rows.size();
    for (const std::uint64_t point : one.rows) errors_[point - chunk.range.begin] = &*found;
  }
}

Document document_about(const StudyDescription& study) {
  Document document = document_about(study.file, study.model);
  if (!study.arguments.empty()) document.verb = study.arguments.front();
  if (!study.study.empty()) document.add_about("study", study.study);
  document.about.emplace_back("command", data_of(study.arguments));
  DataWriter inputs;
  inputs.begin_array(Layout::lines);
  for (const auto& input : study.inputs)
    inputs.begin_object().key("what").value(input.what).key("is").value(input.value).end_object();
  document.about.emplace_back("inputs", inputs.end_array().take());
  document.add_about("points", study.points);
  return document;
}

analysis::RowTable failures_table(const std::vector<analysis::CountedFailure>& failures) {
  using analysis::count_type, analysis::text_type;
  analysis::RowTable table{"failures",
                           "",
                           {{"code", text_type(), {}},
                            {"title", text_type(), {}},
                            {"words", text_type(), {}},
                            {"message", text_type(), {}},
                            {"first", count_type(), {}},
                            {"points", count_type(), {}}},
                           {}};
  for (const auto& one : failures)
    table.rows.push_back({std::string(code_of(one.kind())), std::string(title_of(one.kind())), one.words, one.message(),
                          static_cast<std::int64_t>(one.first + 1), static_cast<std::int64_t>(one.count)});
  return table;
}

std::string head_of_results(const StudyDescription& study, Format format) {
  if (format.is_for_people()) return "";
  const std::vector<StoredChunk> none;
  const std::function<void(std::uint64_t)> no_progress;
  StudyRows rows(study, none, format, no_progress);
  Document document = rows.document();
  document.tables.front().ranges = [](const RangeSink&) { return false; };
  return written(document, format);
}

WrittenResults write_results(const StudyDescription& study, const std::vector<StoredChunk>& chunks, Format format,
                             const Sink& out, const std::function<void(std::uint64_t rows)>& progress) {
  StudyRows rows(study, chunks, format, progress);
  format->write(rows.document(), out);
  return rows.end();
}

}  // namespace wave::cli
