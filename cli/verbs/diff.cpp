// `wave diff`: what changed between two results, and which parameter explains it.
#include "cli/options.h"
#include "cli/option_words.h"
#include "cli/studies/result_difference.h"
#include "cli/verb.h"

#include <fmt/format.h>

namespace wave::cli {
namespace {

using frontend::DiagnosticKind;

struct Command {
  std::string before, after;
  std::string file;  // the model; empty: as the results name it
  std::uint64_t seed = 1;
  EngineSettings engine;
  Format format;
};

void declare(CLI::App& verb, Command& command, CommonOptions& common) {
  add_text(verb, "BEFORE", command.before, "", "A result as JSON")->required();
  add_text(verb, "AFTER", command.after, "", "Another")->required();
  add_text(verb, "--file", command.file, "FILE", "The model (default: the file that the results name)");
  add_seed(verb, command.seed, "Of the orders in which more than ten changes are made (default 1)");
  add_format(verb, command.format);
  add_engine(verb, command.engine);
  add_search(verb, common);
  add_limits(verb, common);
}

int refuse_diff(Console& console, const std::string& message, const std::string& help) {
  return report_without_place(console, DiagnosticKind::other_results, message, help);
}

// What has no `given` was written before results said it: numbers can be given again, machines cannot.
void warn_of_unknown(Session& session, ResultDocument& document) {
  if (document.knows_given || document.is_sweep) return;
  for (const auto& [path, parameter] : document.parameters) {
    if (!parameter.given) continue;
    if (parameter.value.number || !parameter.value.text.empty()) {
      document.given.emplace_back(path, text_of(parameter.value));
      continue;
    }
    session.diagnostics()
        .add(DiagnosticKind::other_results, {},
             fmt::format("`{}` does not say what `{}` was given", document.path, path), "", frontend::Severity::warning)
        .help.push_back("make the result again with this version of the program");
  }
}

// A study's `set`s make the parameters from other names: a point of it cannot be given again by -D.
bool varies_parameters(Session& session, const frontend::Item& model, const ResultDocument& study) {
  for (const auto& column : study.columns) {
    frontend::Diagnostics quiet;
    if (!column.is_parameter || parameter_type(session.program(), model, column.name, {}, quiet) != nullptr) continue;
    session.console().remark(fmt::format(
        "what explains the change is not looked for: `{}` is a name of the study, no parameter of the model\n",
        column.name));
    return false;
  }
  return true;
}

int execute(const Command& command, const CommonOptions& options, Console& console) {
  if (command.before == "-" && command.after == "-")
    return report_misuse(console, "the two results cannot both come from standard input",
                         "name a file for one of them");
  auto before = read_result(console, command.before, options.memory_limit);
  if (!before) return failure;
  auto after = read_result(console, command.after, options.memory_limit);
  if (!after) return failure;
  if (before->is_sweep != after->is_sweep) {
    return refuse_diff(
        console, fmt::format("`{}` is a study, the other is a run", before->is_sweep ? command.before : command.after),
        "compare two of one kind");
  }
  if (before->model != after->model) {
    return refuse_diff(console,
                       fmt::format("the results are of two models, `{}` and `{}`", before->model, after->model),
                       "two models can be compared by `wave run` on each");
  }
  const std::string file = command.file.empty() ? after->file : command.file;
  Session session(console, options);
  if (file == standard_input_name)
    return refuse_diff(console, "the model came from standard input", "name its file with `--file`");
  if (!session.load(file)) {
    if (command.file.empty())
      console.remark(fmt::format("the results say that their model is in `{}`; `--file` names another place\n", file));
    return failure;
  }
  const auto fail = [&] {
    session.settle();
    return failure;
  };
  const auto* model = choose_model(session, after->model);
  if (model == nullptr) return fail();
  warn_of_unknown(session, *before);
  warn_of_unknown(session, *after);
  Results results;
  results.file = session.name();
  results.model = model->name.text;
  ResultTables tables(results);
  bool is_done = true;
  if (before->is_sweep) {
    const auto* explained_by = varies_parameters(session, *model, *after) ? model : nullptr;
    if (auto pair = compare_sweeps(session, *before, *after, tables))
      is_done = explain(session, explained_by, command.engine, command.seed, std::move(*pair), tables);
    else
      is_done = !session.diagnostics().has_errors();
  } else {
    is_done = explain(session, model, command.engine, command.seed, pair_of_runs(*before, *after), tables);
  }
  const bool clear = session.settle();
  if (is_done) console.print(written(document_of(results), command.format));
  return clear && is_done ? success : failure;
}

}  // namespace

Verb diff_verb() {
  return make_verb<Command>("diff", "Say which parameters explain the change between two results",
                            {{"Keep two results",
                              "wave run examples/sweep3d/sweep3d.wave --format json > before.json; wave run "
                              "examples/sweep3d/sweep3d.wave -D n=8 --format json > after.json"},
                             {"Say what explains the change", "wave diff before.json after.json"}},
                            declare, execute);
}

}  // namespace wave::cli
