// `wave batch`: a model for every row of a table of parameter values.
#include "analysis/batch.h"

#include "analysis/value_table.h"
#include "backend/limits.h"
#include "cli/batch_results.h"
#include "cli/evaluation.h"
#include "cli/limits.h"
#include "cli/option_words.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/verb.h"

#include <fmt/format.h>

#include <algorithm>

namespace wave::cli {
namespace {

using analysis::BatchValues;
using analysis::gives_columns;
using analysis::ValueTable;
using frontend::DiagnosticKind;
using frontend::OutputInfo;

struct Command {
  ModelChoice of;
  std::string columns;            // a CSV file, or "-"
  std::vector<std::string> show;  // names of outputs; empty: all that are single values
  Format format = Format("csv");
  std::string output;  // empty: standard output
  EngineSettings engine;
  bool verbose = false;
  std::optional<Dump> dump;  // Dump::llvm
};

const std::map<std::string, Dump> dumps{{"llvm", Dump::llvm}};

void declare(CLI::App& verb, Command& command, CommonOptions& common) {
  add_model_file(verb, command.of.file);
  add_text(verb, "--columns", command.columns, "CSV",
           "A CSV file whose first line names parameters, with units: \"n,Wg [us]\"; - reads standard input")
      .required();
  add_model_name(verb, command.of.model);
  add_list(verb, "--show", command.show, "NAME,...",
           "Only these outputs: total,parts (default: all that are single values or records)")
      .delimiter(',');
  add_overrides(verb, command.of.overrides);
  add_format(verb, command.format);
  add_output(verb, command.output, command.format);
  add_engine(verb, command.engine);
  add_flag(verb, "--verbose", command.verbose, "Say how the rows were evaluated");
  add_choice(verb, "--dump", command.dump, dumps, "Print the code of the batch instead of evaluating");
  add_search(verb, common);
  add_limits(verb, common);
}

// The table as one of the program's sources.
std::optional<std::uint32_t> load_table(Session& session, const std::string& file) {
  const std::size_t most = std::min(most_bytes_of_table, session.options().memory_limit / 2);
  auto text = read_text(file, session.diagnostics(), most);
  if (!text) return std::nullopt;
  if (text->size() > most) {
    auto& d = session.diagnostics().add(DiagnosticKind::bad_value_table, {},
                                        fmt::format("the table of values is larger than {}", format_bytes(most)));
    d.help.push_back("evaluate it in parts, or allow more with `--memory-limit`");
    return std::nullopt;
  }
  return session.program().sources.add(file == "-" ? standard_input_name : file, std::move(*text));
}

// `-D` and a column cannot both say what a parameter is.
void check_given_once(Session& session, const ValueTable& table, const std::vector<frontend::Override>& overrides) {
  for (const auto& one : overrides) {
    for (const auto& column : table.columns()) {
      if (column.path != one.path) continue;
      session.diagnostics()
          .add(DiagnosticKind::repeated_override, column.heading, fmt::format("`{}` is given twice", one.path),
               "a column")
          .labels.push_back({one.place, "given here already"});
    }
  }
}

std::string why_no_column(const OutputInfo& output) {
  if (output.failed) return "it has an error";
  if (output.is_breakdown) return "a breakdown is a table of its own";
  return "it has as many rows as the model says";
}

void report_unknown_output(Session& session, const frontend::Lowered& lowered, const std::string& name) {
  std::vector<std::string> names;
  for (const auto& output : lowered.outputs) names.push_back(output.name);
  auto& d = session.diagnostics().add(DiagnosticKind::no_column, {}, fmt::format("there is no output `{}`", name));
  const std::string near = frontend::nearest(name, names);
  d.help.push_back(near.empty() ? fmt::format("the outputs are `{}`", fmt::join(names, "`, `"))
                                : fmt::format("did you mean `{}`?", near));
}

// Those that were asked for, or all that can be columns; what is left out is said.
std::vector<const OutputInfo*> choose_outputs(Session& session, const frontend::Lowered& lowered,
                                              const std::vector<std::string>& show) {
  std::vector<const OutputInfo*> chosen;
  std::vector<std::string> left_out;
  for (const auto& output : lowered.outputs) {
    if (!show.empty()) break;
    if (gives_columns(lowered.system, output))
      chosen.push_back(&output);
    else
      left_out.push_back(output.name);
  }
  for (const auto& name : show) {
    const auto found =
        std::find_if(lowered.outputs.begin(), lowered.outputs.end(), [&](const auto& one) { return one.name == name; });
    if (found == lowered.outputs.end()) {
      report_unknown_output(session, lowered, name);
    } else if (!gives_columns(lowered.system, *found)) {
      session.diagnostics()
          .add(DiagnosticKind::no_column, found->place, fmt::format("`{}` is no column of a batch", name),
               "this output")
          .notes.push_back(why_no_column(*found));
    } else if (std::find(chosen.begin(), chosen.end(), &*found) == chosen.end()) {
      chosen.push_back(&*found);
    }
  }
  if (!left_out.empty() && !chosen.empty()) {
    session.console().remark(fmt::format("left out, being no single values: {}\n", fmt::join(left_out, ", ")));
  }
  if (chosen.empty() && !session.diagnostics().has_errors()) {
    session.diagnostics().add(DiagnosticKind::no_column, {},
                              "the model has no output that is a single value or a record");
  }
  return chosen;
}

// One for each column.
std::vector<ir::DefinitionId> definitions_of(Session& session, const ValueTable& table,
                                             const frontend::Lowered& lowered) {
  std::vector<ir::DefinitionId> definitions;
  for (const auto& column : table.columns()) {
    const auto same = [&](const frontend::ParameterInfo& one) {
      return one.path == column.path && one.definition.valid();
    };
    const auto found = std::find_if(lowered.parameters.begin(), lowered.parameters.end(), same);
    if (found != lowered.parameters.end()) {
      definitions.push_back(found->definition);
    } else {
      session.diagnostics().add(DiagnosticKind::fixed_parameter, column.heading,
                                fmt::format("`{}` cannot vary from row to row", column.path), "it shapes the model");
    }
  }
  return definitions;
}

// The failure of a row as that of a single run. A value outside its range is shown where the table has it.
frontend::Diagnostic failure_of_row(const frontend::Lowered& lowered, const ValueTable& table,
                                    const analysis::FailedKind& kind) {
  frontend::Diagnostics single;
  if (kind.output != nullptr) {
    return single.add(kind.kind, kind.output->place, fmt::format("output `{}` is no finite number", kind.output->name),
                      "this output");
  }
  frontend::SiteNotes notes = lowered.notes;
  const auto note = kind.failure.site.valid() ? notes.find(kind.failure.site.index) : notes.end();
  if (note != notes.end()) {
    note->second.constants.clear();  // of the stand-ins, not of this row
    for (std::size_t i = 0; i < table.columns().size(); ++i) {
      if (note->second.value == table.columns()[i].heading) note->second.value = table.place(kind.first_row, i);
    }
  }
  report(lowered.system, lowered.words, notes, kind.failure, single);
  return single.all().front();
}

void report_failed_rows(Session& session, const frontend::Lowered& lowered, const ValueTable& table,
                        const BatchValues& values) {
  for (const auto& kind : values.kinds) {
    auto diagnostic = failure_of_row(lowered, table, kind);
    const auto row = table.rows()[kind.first_row];
    const std::string others = kind.count == 1   ? ""
                               : kind.count == 2 ? ", and in another one"
                                                 : fmt::format(", and in {} others", grouped(kind.count - 1));
    diagnostic.labels.push_back({frontend::Place{table.file(), row.begin, row.end},
                                 fmt::format("in row {}{}", grouped(kind.first_row + 1), others)});
    session.diagnostics().add(diagnostic.kind, {}, "") = std::move(diagnostic);
  }
}

std::vector<backend::InputColumn> inputs_of(const ValueTable& table) {
  std::vector<backend::InputColumn> inputs;
  for (const auto& column : table.columns()) {
    inputs.push_back(
        std::visit([](const auto& values) { return backend::InputColumn(std::span(values)); }, column.values));
  }
  return inputs;
}

// Nothing, reported, where there is no result at all.
std::optional<BatchValues> evaluate(Session& session, const Command& command, const frontend::Lowered& lowered,
                                    const ValueTable& table, analysis::ModelBatch& batch, backend::Engine& engine) {
  const std::size_t rows = table.rows().size();
  const auto begin = std::chrono::steady_clock::now();
  std::size_t done = 0;
  auto outcome = [&] {
    ProgressLine line(session.console(), "rows", static_cast<double>(rows));
    return batch.evaluate(inputs_of(table), engine_limits(session.options()), [&](std::size_t now) {
      done = now;
      line.advance(static_cast<double>(now));
    });
  }();
  if (auto* const failure = std::get_if<ir::Failure>(&outcome)) {
    failure->detail +=
        fmt::format("{}{} of {} rows were done", failure->detail.empty() ? "" : "; ", grouped(done), grouped(rows));
    const double all_of_it =
        done > 0 ? seconds_since(begin) * static_cast<double>(rows) / static_cast<double>(done) : 0;
    if (all_of_it > 0) failure->detail += fmt::format(", all would take about {}", backend::duration_text(all_of_it));
    report(lowered.system, lowered.words, lowered.notes, *failure, session.diagnostics());
    return std::nullopt;
  }
  auto& values = std::get<BatchValues>(outcome);
  if (command.verbose) {
    const double seconds = seconds_since(begin);
    const std::string code = code_text(engine);
    session.console().remark(
        fmt::format("engine: {}\n{}batch: {}\n{} rows in {:.3g} s, {:.3g} a second; {} in vector lanes\n",
                    engine.name(), code.empty() ? "" : "code: " + code + "\n", batch.schedule(), grouped(rows), seconds,
                    static_cast<double>(rows) / seconds, grouped(values.in_lanes)));
  }
  return std::move(values);
}

int execute(const Command& command, const CommonOptions& options, Console& console) {
  if (command.of.file == "-" && command.columns == "-") {
    return report_misuse(console, "the model and the table cannot both come from standard input",
                         "name a file for one of them");
  }
  Session session(console, options);
  const auto fail = [&] {
    session.settle();
    return failure;
  };
  if (!session.load(command.of.file)) return failure;
  const auto* model = choose_model(session, command.of.model);
  if (model == nullptr) return fail();
  auto overrides = check_overrides(session, *model, command.of.overrides);
  const auto file = load_table(session, command.columns);
  if (!file) return fail();
  ValueTable table(session.program(), *model, *file, session.diagnostics());
  check_given_once(session, table, overrides);
  if (!session.settle()) return failure;
  for (auto& one : table.stand_ins()) overrides.push_back(std::move(one));
  auto lowered = lower_model(session.program(), *model, overrides, session.diagnostics());
  const auto outputs = choose_outputs(session, lowered, command.show);
  const auto parameters = definitions_of(session, table, lowered);
  if (!session.settle()) return failure;
  if (command.dump) {
    console.print(dump_batch_llvm(session, command.engine, lowered.system, parameters, outputs).value_or(""));
    return session.settle() ? success : failure;
  }
  table.read_rows(lowered.words);
  if (!session.settle()) return failure;
  const auto engine = open_engine(session, command.engine, lowered.system);
  if (engine == nullptr) return fail();
  analysis::ModelBatch batch(lowered, *engine, parameters, outputs, command.engine.threads);
  const auto values = evaluate(session, command, lowered, table, batch, *engine);
  if (!values) return fail();
  report_failed_rows(session, lowered, table, *values);
  const bool clear = session.settle();
  if (!values->failed.empty()) {
    console.remark(fmt::format("{} of {} rows failed\n", grouped(values->failed.size()), grouped(table.rows().size())));
  }
  const BatchResults results{session.name(), model->name.text, engine->name(), &session.sources(),
                             &table,         outputs,          lowered.words,  &*values};
  const int done = write_result(command.output, written(document_of(results), command.format), console);
  return clear ? done : failure;
}

}  // namespace

Verb batch_verb() {
  return make_verb<Command>(
      "batch", "Evaluate a model for every row of a table of parameter values",
      {{"Evaluate a model for each row of a table",
        "printf 'n,m\\n4,4\\n8,16\\n' > grids.csv; wave batch examples/sweep3d/sweep3d.wave --columns grids.csv"},
       {"Show one output, and write JSON",
        "wave batch examples/sweep3d/sweep3d.wave --columns grids.csv --show total -o grids.json"}},
      declare, execute);
}

}  // namespace wave::cli
