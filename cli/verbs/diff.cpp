// `wave diff`: what changed between two results, and which parameter explains it.
#include "cli/verbs/diff.h"

#include "base/text.h"
#include "cli/option_words.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/studies/result_difference.h"
#include "cli/verb.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace wave::cli {
namespace {

using frontend::DiagnosticKind;

std::vector<std::size_t> columns_that_vary(const ResultDocument& document) {
  std::vector<std::size_t> columns;
  for (std::size_t i = 0; i < document.columns.size(); ++i) {
    if (document.columns[i].is_parameter) columns.push_back(i);
  }
  return columns;
}

// The parameters of a point, as its key.
std::string key_of(const std::vector<DocumentValue>& row, const std::vector<std::size_t>& columns) {
  std::string key;
  for (const std::size_t i : columns) key += text_of(row[i]) + "\n";
  return key;
}

std::string point_text(const ResultDocument& document, const std::vector<DocumentValue>& row) {
  std::string text;
  for (const std::size_t i : columns_that_vary(document)) {
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", document.columns[i].name, text_of(row[i]));
  }
  return text;
}

struct Largest {
  std::size_t before = 0, after = 0;  // rows
  double part = 0;                    // of the value before
};

// The studies' points, matched by their parameters: the tables `inputs` and `outputs`, and the point where the first
// output that differs has changed most. Nothing where no point has changed.
std::optional<Pair> compare_sweeps(Session& session, const ResultDocument& before, const ResultDocument& after,
                                   Results& results) {
  const auto varied_before = columns_that_vary(before), varied_after = columns_that_vary(after);
  const auto names = [](const ResultDocument& document, const std::vector<std::size_t>& columns) {
    std::vector<std::string> all;
    for (const std::size_t i : columns)
      all.push_back(analysis::heading(document.columns[i].name, document.columns[i].unit));
    return all;
  };
  if (names(before, varied_before) != names(after, varied_after)) {
    session.diagnostics()
        .add(DiagnosticKind::other_results, {}, "the two studies do not vary the same")
        .notes.push_back(fmt::format("`{}` against `{}`", join_texts(names(before, varied_before), "`, `"),
                                     join_texts(names(after, varied_after), "`, `")));
    return std::nullopt;
  }
  std::map<std::string, std::size_t> rows;
  for (std::size_t i = 0; i < before.rows.size(); ++i) rows.emplace(key_of(before.rows[i], varied_before), i);
  std::vector<std::pair<std::size_t, std::size_t>> common;
  for (std::size_t i = 0; i < after.rows.size(); ++i) {
    const auto found = rows.find(key_of(after.rows[i], varied_after));
    if (found != rows.end()) common.emplace_back(found->second, i);
  }
  UnitReader units(session.program());
  results.add_table("points",
                    {{"output", text_type(), {}},
                     {"changed", count_type(), {}},
                     {"of", count_type(), {}},
                     {"mean [%]", plain_type(), {}},
                     {"largest [%]", plain_type(), {}},
                     {"at", text_type(), {}}},
                    fmt::format("{} points before, {} after, {} in common", grouped(before.rows.size()),
                                grouped(after.rows.size()), grouped(common.size())));
  std::optional<Largest> first;
  for (std::size_t i = 0; i < after.columns.size(); ++i) {
    const auto& column = after.columns[i];
    if (column.is_parameter) continue;
    const auto same = [&](const DocumentColumn& one) { return one.name == column.name && !one.is_parameter; };
    const auto other = std::find_if(before.columns.begin(), before.columns.end(), same);
    if (other == before.columns.end()) continue;
    const auto at = static_cast<std::size_t>(other - before.columns.begin());
    Largest largest;
    std::size_t changed = 0;
    double sum = 0;
    std::size_t compared = 0;
    for (const auto& [row_before, row_after] : common) {
      const auto& x = before.rows[row_before][at];
      const auto& y = after.rows[row_after][i];
      const auto a = units.base(x), b = units.base(y);
      if (!a || !b) {
        changed += x == y ? 0 : 1;
        continue;
      }
      if (*a == 0 && *b != 0) {  // no part of nothing
        ++changed;
        continue;
      }
      ++compared;
      const double part = *a == *b ? 0 : (*b - *a) / std::fabs(*a);
      if (std::fabs(part) <= 1e-12) continue;
      ++changed;
      sum += part;
      if (std::fabs(part) > std::fabs(largest.part)) largest = {row_before, row_after, part};
    }
    const auto count = [](std::size_t value) { return static_cast<std::int64_t>(value); };
    const bool has_largest = largest.part != 0;
    results.add_row({column.name, count(changed), count(common.size()),
                     compared > 0 ? 100 * sum / static_cast<double>(compared) : 0, 100 * largest.part,
                     has_largest ? point_text(after, after.rows[largest.after]) : ""});
    if (has_largest && !first) first = largest;
  }
  if (!first) return std::nullopt;
  Pair pair = pair_of_runs(before, after);
  const auto add = [](const ResultDocument& document, const std::vector<DocumentValue>& row, Side& side, auto& cells) {
    for (std::size_t i = 0; i < document.columns.size(); ++i) {
      if (document.columns[i].is_parameter)
        side.given.push_back({document.columns[i].name, text_of(row[i])});
      else
        cells.emplace_back(document.columns[i].name, row[i]);
    }
  };
  add(before, before.rows[first->before], pair.before, pair.cells_before);
  add(after, after.rows[first->after], pair.after, pair.cells_after);
  return pair;
}

struct DiffCommand {
  std::string before, after;
  bool api = false;
  std::string file;  // the model; empty: as the results name it
  std::uint64_t seed = 1;
  EngineSettings engine;
  Format format;
};

void declare(CLI::App& verb, DiffCommand& command, CommonOptions& common) {
  add_text(verb, "BEFORE", command.before, "", "A result as JSON; with --api, a project's folder or a module")
      .required();
  add_text(verb, "AFTER", command.after, "", "Another").required();
  const auto api = add_flag(verb, "--api", command.api,
                            "Say what changes for those who import the modules, and whether the version says so");
  add_text(verb, "--file", command.file, "FILE", "The model (default: the file that the results name)").excludes(api);
  add_seed(verb, command.seed, "Of the orders in which more than ten changes are made (default 1)");
  add_format(verb, command.format);
  add_engine(verb, command.engine);
  add_search(verb, common);
}

int refuse_diff(Console& console, const std::string& message, const std::string& help) {
  return report_without_location(console, DiagnosticKind::other_results, message, help);
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

// The model that the user names; or that of the results, if one of them was made from it as it is now.
bool load_model(Session& session, const DiffCommand& command, const ResultDocument& before,
                const ResultDocument& after) {
  if (!command.file.empty()) return session.load(command.file);
  Console& console = session.console();
  if (after.file == standard_input_name) {
    refuse_diff(console, "the model came from standard input", "name its file with `--file`");
    return false;
  }
  bool is_other = false;
  const auto is_recorded = [&](const frontend::Program& program) {
    is_other = !is_of(after, program) && !is_of(before, program);
    return !is_other;
  };
  if (session.load_named(after.file, is_recorded)) return true;
  if (is_other) {
    refuse_diff(console, fmt::format("neither result was made from `{}` as it is now", after.file),
                "name the model that is to explain the change with `--file`");
  } else {
    console.remark(
        fmt::format("the results say that their model is in `{}`; `--file` names another place\n", after.file));
  }
  return false;
}

int execute(const DiffCommand& command, const CommonOptions& options, Console& console) {
  if (command.api) return diff_apis(command.before, command.after, command.format, options, console);
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
  Session session(console, options);
  if (!load_model(session, command, *before, *after)) return failure;
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
  bool is_done = true;
  if (before->is_sweep) {
    const auto* explained_by = varies_parameters(session, *model, *after) ? model : nullptr;
    if (auto pair = compare_sweeps(session, *before, *after, results))
      is_done = explain(session, explained_by, command.engine, command.seed, std::move(*pair), results);
    else
      is_done = !session.diagnostics().has_errors();
  } else {
    is_done = explain(session, model, command.engine, command.seed, pair_of_runs(*before, *after), results);
  }
  const bool clear = session.settle();
  if (is_done) write_document(document_of(results), command.format, "", console);
  return clear && is_done ? success : failure;
}

}  // namespace

Verb diff_verb() {
  return make_verb<DiffCommand>(
      "diff", "Say which parameters explain the change between two results, or what a new version of a library breaks",
      {{"Keep two results",
        "wave run examples/sweep3d/sweep3d.wave --format json > before.json; wave run "
        "examples/sweep3d/sweep3d.wave -D n=8 --format json > after.json"},
       {"Say what explains the change", "wave diff before.json after.json"},
       {"Say what a new version of a library breaks",
        "wave new old/halo && wave new now/halo && wave diff --api old/halo now/halo"}},
      declare, execute);
}

}  // namespace wave::cli
