// `wave batch`: a model for every row of a table of parameter values, at once and in memory: the short form of `wave
// sweep --columns`.
#include "analysis/study/study_model.h"
#include "backend/limits.h"
#include "cli/embedded.h"
#include "cli/evaluation.h"
#include "cli/formats/readable.h"
#include "cli/limits.h"
#include "cli/option_words.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/results.h"
#include "cli/studies/evaluated_points.h"
#include "cli/studies/study_session.h"
#include "cli/verb.h"

#include <fmt/format.h>

#include <algorithm>

namespace wave::cli {
namespace {

using analysis::ResultTable;
using analysis::ValueTable;
using frontend::DiagnosticKind;
namespace types = frontend::types;

struct BatchCommand {
  StudyChoice of;
  Format format = Format(Takes::rows);
  std::string output;  // empty: standard output
  bool verbose = false;
  std::optional<Dump> dump;  // Dump::llvm
};

const std::map<std::string, Dump> batch_dumps{{"llvm", Dump::llvm}};

void declare(CLI::App& verb, BatchCommand& command, CommonOptions& common) {
  add_study_choice(verb, command.of, Points::otherwise, common);
  add_columns(verb, command.of.columns).required();
  add_format(verb, command.format);
  add_output(verb, command.output, command.format);
  add_flag(verb, "--verbose", command.verbose, "Say how the rows were evaluated");
  add_choice(verb, "--dump", command.dump, batch_dumps, "Print the code of the batch instead of evaluating");
  add_search(verb, common);
}

// --- what failed ---

// As in a single run: an output by its name is shown where the model declares it, not where `--show` names it.
void show_output_of_model(Session& session, const frontend::Item& model, frontend::Diagnostic& diagnostic) {
  auto& label = diagnostic.labels.front();
  const std::string name(session.sources().text(label.location));
  for (const auto& member : std::get<frontend::item::Model>(model.node).members) {
    if (member->name.text != name || !std::holds_alternative<frontend::item::Output>(member->node)) continue;
    label.location = member->name.location;
    diagnostic.message = fmt::format("output `{}` is no finite number", name);
  }
}

void report_failed_rows(Session& session, const OpenStudy& study, const ResultTable& results) {
  const ValueTable& table = *study.rows;
  for (const auto& one : results.failed) {
    auto diagnostic = one.diagnostic;
    const auto first = static_cast<std::size_t>(one.rows.front());
    if (one.kind() == DiagnosticKind::output_not_finite) show_output_of_model(session, *study.model, diagnostic);
    // A value outside its range is shown where the table has it.
    for (auto& label : diagnostic.labels) {
      for (const auto& column : table.columns()) {
        if (label.location == column.heading) label.location = table.location(first, column.cell);
      }
    }
    const auto row = table.rows()[first];
    diagnostic.labels.push_back(
        {frontend::Location{table.file(), row.begin, row.end},
         fmt::format("in row {}{}", grouped(first + 1), analysis::and_others(one.rows.size()))});
    session.diagnostics().add(diagnostic.kind, {}, "") = std::move(diagnostic);
  }
}

// --- the results ---

std::string_view row_text(const Session& session, const ValueTable& table, analysis::RowText row) {
  return session.sources().text(frontend::Location{table.file(), row.begin, row.end});
}

// Whether its lines are those of CSV, each with a cell for every column and nothing more.
bool is_plain_csv(std::string_view text) {
  if (frontend::format_of(text) != frontend::TableFormat::csv || frontend::separator_of(text) != ',') return false;
  const std::size_t width = frontend::TextTable(text).header().size();
  frontend::CsvReader reader(text);
  std::vector<frontend::CsvCell> cells;
  while (reader.next(cells)) {
    if (cells.size() != width) return false;
  }
  return true;
}

// The rows that failed, rising, each with the place of why in `failed`.
std::vector<std::pair<std::uint64_t, std::size_t>> rows_that_failed(const ResultTable& results) {
  std::vector<std::pair<std::uint64_t, std::size_t>> rows;
  for (std::size_t way = 0; way < results.failed.size(); ++way) {
    for (const std::uint64_t row : results.failed[way].rows) rows.emplace_back(row, way);
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

// All rows as one range. The cells of the table are read again where a format wants them, in the unit of their heading:
// as they were written.
class BatchRows final : public RowRange {
 public:
  BatchRows(const Session& session, const ValueTable& table, const ResultTable& results)
      : session_(session), table_(table), results_(results), failed_(rows_that_failed(results)) {
    for (const auto& one : results.failed) errors_.push_back(error_text(one));
  }

  std::uint64_t begin() const override { return 0; }
  std::size_t size() const override { return table_.rows().size(); }
  const analysis::Cells& cells(std::size_t column) const override {
    const analysis::Cells& cells = results_.columns[column];
    if (column >= table_.columns().size() || !std::holds_alternative<Reals>(cells.values)) return cells;
    if (given_.empty()) read_given();
    return given_[column];
  }
  const std::string* error(std::size_t row) const override {
    const auto found = std::lower_bound(failed_.begin(), failed_.end(), std::pair<std::uint64_t, std::size_t>(row, 0));
    return found != failed_.end() && found->first == row ? &errors_[found->second] : nullptr;
  }

 private:
  using Reals = std::vector<double>;

  void read_given() const {
    const auto& columns = table_.columns();
    given_.resize(columns.size());
    const analysis::QuantityReader as_written(std::nullopt);
    frontend::TextTable texts(session_.sources().text(table_.file()));
    for (std::size_t row = 0; row < size(); ++row) {
      texts.again(table_.rows()[row].begin, table_.rows()[row].end);
      for (std::size_t i = 0; i < columns.size(); ++i) {
        const auto* const values = std::get_if<Reals>(&results_.columns[i].values);
        if (values == nullptr) continue;
        // A cell with a unit of its own is shown in that of the column.
        const auto written = as_written.read(texts.cells()[columns[i].cell].text);
        const double value = (*values)[row];
        const double shown = columns[i].unit ? frontend::scale_of(*columns[i].unit).shown(value) : value;
        std::get<Reals>(given_[i].values).push_back(written.value_or(shown));
      }
    }
  }

  const Session& session_;
  const ValueTable& table_;
  const ResultTable& results_;
  std::vector<std::pair<std::uint64_t, std::size_t>> failed_;
  std::vector<std::string> errors_;             // by the way in which rows failed
  mutable std::vector<analysis::Cells> given_;  // of reals, in the units of their headings
};

analysis::RowTable failed_rows_of(const ResultTable& results) {
  auto table = failed_table();
  for (const auto& [row, way] : rows_that_failed(results)) add_failed_row(table, row, results.failed[way]);
  return table;
}

// What the table gave, then the outputs in full precision, and what failed first. CSV repeats the lines of the table as
// they were.
Document document_of(const Session& session, const OpenStudy& study, const ResultTable& results) {
  const ValueTable& rows = *study.rows;
  Document document = document_about(session.name(), study.model->name.text);
  document.add_about("engine", std::string(study.points->engine()->name()));
  OutputTable table;
  table.name = "rows";
  for (const auto& one : results.columns) {
    auto column = analysis::make_column(one.name, "", one.type, one.unit, one.labels);
    if (one.varied) {
      column.multiplier = column.divisor = 1;
      column.unit_was_asked = true;
    }
    table.columns.push_back({std::move(column), one.varied ? "parameter" : "output", {}, {}});
  }
  table.rows = results.rows;
  table.has_errors = true;
  table.ranges = [&session, &rows, &results](const RangeSink& sink) { return sink(BatchRows(session, rows, results)); };
  if (is_plain_csv(session.sources().text(rows.file())))
    table.lines = {rows.columns().size(), row_text(session, rows, rows.header()),
                   [&](std::size_t row) { return row_text(session, rows, rows.rows()[row]); }};
  document.tables = {std::move(table), row_table(failed_rows_of(results))};
  document.page = [](const std::vector<OutputTable>& tables) {
    return Passages{{"", readable(tables.front(), table_digits)}};
  };
  return document;
}

// --- the verb ---

// Nothing, reported, where there is no result at all.
std::optional<ResultTable> evaluate(Session& session, const OpenStudy& study, bool verbose) {
  const auto rows = static_cast<std::size_t>(analysis::Product(*study.points).size());
  const auto begin = std::chrono::steady_clock::now();
  std::size_t done = 0;
  auto outcome = [&] {
    ProgressLine line(session.console(), "rows", static_cast<double>(rows));
    return study.points->evaluate(study.points->take_points(), engine_limits(session.options()), [&](std::size_t now) {
      done = now;
      line.advance(static_cast<double>(now));
    });
  }();
  const double seconds = seconds_since(begin);
  if (auto* const failure = std::get_if<ir::Failure>(&outcome)) {
    failure->detail +=
        fmt::format("{}{} of {} rows were done", failure->detail.empty() ? "" : "; ", grouped(done), grouped(rows));
    const double all_of_it = done > 0 ? seconds * static_cast<double>(rows) / static_cast<double>(done) : 0;
    if (all_of_it > 0) failure->detail += fmt::format(", all would take about {}", backend::duration_text(all_of_it));
    report_failure(session, *study.points, *failure);
    return std::nullopt;
  }
  auto& results = std::get<ResultTable>(outcome);
  if (verbose) {
    const std::string code = code_text(*study.points->engine());
    session.console().remark(fmt::format(
        "engine: {}\n{}batch: {}\n{} rows in {:.3g} s, {:.3g} a second; {} in vector lanes\n",
        study.points->engine()->name(), code.empty() ? "" : "code: " + code + "\n", study.points->schedule(),
        grouped(rows), seconds, static_cast<double>(rows) / seconds, grouped(results.in_lanes)));
  }
  return std::move(results);
}

// Nothing, reported, where there is none.
std::optional<std::string> dump_code(Session& session, const BatchCommand& command, const OpenStudy& study) {
  const auto& lowered = *study.points->system({});
  std::vector<ir::DefinitionId> parameters;
  for (const auto& one : lowered.variables) parameters.push_back(one.definition);
  std::vector<const frontend::OutputInfo*> outputs;
  for (const auto& one : lowered.model.outputs) outputs.push_back(&one);
  return dump_batch_llvm(session, command.of.engine, lowered.model.system, parameters, outputs);
}

int execute(const BatchCommand& command, const CommonOptions& options, Console& console) {
  if (const auto misused = refuse_shared_input(command.of, console)) return *misused;
  Session session(console, options);
  if (!session.load(command.of.file)) return failure;
  const auto study = open_study(session, command.of);
  if (!session.settle() || !study) return failure;
  if (command.dump) {
    console.print(dump_code(session, command, *study).value_or(""));
    return session.settle() ? success : failure;
  }
  const auto results = evaluate(session, *study, command.verbose);
  if (results) report_failed_rows(session, *study, *results);
  const bool is_clear = session.settle();
  if (!results) return failure;
  if (!results->failed.empty()) {
    console.remark(fmt::format("{} of {} rows failed\n", grouped(count_rows(results->failed)), grouped(results->rows)));
  }
  const int done = write_document(document_of(session, *study, *results), command.format, command.output, console);
  return is_clear ? done : failure;
}

}  // namespace

Verb batch_verb() {
  return make_verb<BatchCommand>(
      "batch", "Evaluate a model for every row of a table of parameter values",
      {{"Evaluate a model for each row of a table",
        "printf 'n,m\\n4,4\\n8,16\\n' > grids.csv; wave batch examples/sweep3d/sweep3d.wave --columns grids.csv"},
       {"Show one output, and write JSON",
        "wave batch examples/sweep3d/sweep3d.wave --columns grids.csv --show total -o grids.json"}},
      declare, execute);
}

}  // namespace wave::cli
