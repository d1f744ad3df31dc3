// `wave infer RUN… -o model.wave`: a model from recordings of a program.
#include "analysis/inferred/infer.h"

#include "analysis/inferred/grid.h"
#include "analysis/recorded/words.h"
#include "base/text.h"
#include "cli/files.h"
#include "cli/option_words.h"
#include "cli/progress.h"
#include "cli/recordings.h"
#include "cli/results.h"
#include "cli/text.h"
#include "cli/verb.h"
#include "frontend/format/formatter.h"
#include "frontend/parse/tokens.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>

namespace wave::cli {
namespace {

namespace inferred = analysis::inferred;
using frontend::DiagnosticKind;

struct InferCommand {
  std::vector<std::string> runs;
  std::string output, name = "Inferred";
  std::vector<std::string> grids;
  bool leaves_none_out = false;
  Format format;
};

void declare(CLI::App& verb, InferCommand& command, CommonOptions&) {
  add_rest(verb, "runs", command.runs,
           "Folders with a file for each rank, each with the parameters of its run: run8:n=64,steps=10");
  add_text(verb, "-o,--out,--output", command.output, "FILE", "Write the model into this file (default: print it)");
  add_text(verb, "--name", command.name, "NAME", "The name of the model (default: Inferred)");
  add_list(verb, "--grid", command.grids, "AxB",
           "The grid of the runs with as many ranks, along whose last axis ranks run first: 3x4");
  add_flag(verb, "--no-leave-out", command.leaves_none_out, "Do not hold each run against a model of the others");
  add_format(verb, command.format);
}

// Larger ones are no parameters: their products would not fit.
std::optional<std::int64_t> whole_number(const std::string& text) {
  constexpr std::int64_t most = std::int64_t{1} << 53;
  const auto value = analysis::recorded::whole_number_of(text);
  return value && *value >= -most && *value <= most ? value : std::nullopt;
}

bool is_name(const std::string& text) {
  const auto is_of_a_name = [](char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; };
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
         std::all_of(text.begin(), text.end(), is_of_a_name);
}

std::vector<std::string> pieces_of(const std::string& text, char between) {
  std::vector<std::string> pieces;
  for (const std::string_view piece : analysis::recorded::parts_of(text, between)) pieces.emplace_back(piece);
  return pieces;
}

// How many ranks a grid has; nothing: more than a recording may have.
std::optional<std::int64_t> ranks_of(const std::vector<std::int64_t>& extents) {
  constexpr std::int64_t most = 1 << 24;
  std::int64_t ranks = 1;
  for (const std::int64_t extent : extents) {
    if (extent < 1 || extent > most / ranks) return std::nullopt;
    ranks *= extent;
  }
  return ranks;
}

struct NamedRun {
  std::string folder;
  inferred::Parameters parameters;
};

// `run8:n=64,steps=10`. Nothing, reported, where the parameters cannot be read.
std::optional<NamedRun> named_run(const std::string& text, Console& console) {
  const auto refuse = [&](const std::string& what) {
    report_misuse(console, what, "a run is its folder and its parameters, whole numbers: run8:n=64,steps=10");
    return std::nullopt;
  };
  const auto colon = text.rfind(':');
  std::error_code trouble;
  if (colon == std::string::npos || std::filesystem::exists(text, trouble)) return NamedRun{text, {}};
  NamedRun run{text.substr(0, colon), {}};
  for (const std::string& piece : pieces_of(text.substr(colon + 1), ',')) {
    const auto at = piece.find('=');
    const std::string name = piece.substr(0, at);
    if (at == std::string::npos) return refuse(fmt::format("`{}` has no value", sanitize(piece)));
    const auto value = whole_number(piece.substr(at + 1));
    if (!value || !is_name(name)) return refuse(fmt::format("`{}` is no parameter of a run", sanitize(piece)));
    if (!run.parameters.emplace(name, *value).second)
      return refuse(fmt::format("`{}` is given twice for one run", name));
  }
  return run;
}

std::optional<std::vector<std::vector<std::int64_t>>> read_grids(const InferCommand& command, Console& console) {
  std::vector<std::vector<std::int64_t>> grids;
  for (const std::string& text : command.grids) {
    grids.emplace_back();
    for (const std::string& piece : pieces_of(text, 'x')) grids.back().push_back(whole_number(piece).value_or(0));
    if (grids.back().size() <= inferred::most_axes && ranks_of(grids.back())) continue;
    report_misuse(console, fmt::format("`--grid` does not take `{}`", sanitize(text)),
                  fmt::format("a grid is its extents, of up to {} axes, as in `--grid 3x4`", inferred::most_axes));
    return std::nullopt;
  }
  return grids;
}

// What the recording says of the run, unless the command line does. Parameters that are no whole numbers are left out.
void add_recorded(const analysis::recorded::RankRecording& rank, inferred::Run& run) {
  for (const auto& [name, text] : rank.parameters) {
    const auto value = whole_number(text);
    if (value && is_name(name)) run.parameters.emplace(name, *value);
  }
  const auto has_all = [&](const analysis::recorded::CartesianGrid& grid) {
    return grid.extents.size() <= inferred::most_axes && ranks_of(grid.extents) == rank.ranks;
  };
  const auto grid = std::find_if(rank.grids.rbegin(), rank.grids.rend(), has_all);
  if (grid != rank.grids.rend()) run.hint = grid->extents;
}

// Rank by rank, so that no more than one is in memory with all that its calls say. False, with a diagnostic: it cannot
// be read.
bool read_texts(Session& session, const std::vector<std::uint32_t>& files, inferred::Names& names, inferred::Run& run) {
  std::map<std::string, std::size_t> passed_over;
  const auto use = [&](const analysis::recorded::RankRecording& rank) {
    if (run.ranks.empty()) {
      run.ranks.resize(static_cast<std::size_t>(rank.ranks));
      add_recorded(rank, run);
    }
    for (const auto& [call, count] : rank.passed_over) passed_over[call] += count;
    inferred::Calls& calls = run.ranks[static_cast<std::size_t>(rank.rank)];
    calls = inferred::calls_of(rank.steps, rank.times, names);
    return calls.calls.size() * sizeof(inferred::Call) + calls.ended.size() * sizeof(std::uint32_t);
  };
  const bool is_whole = analysis::recorded::read_ranks(session.sources(), files, session.diagnostics(),
                                                       session.options().memory_limit / 4, use);
  if (is_whole) say_passed_over(session.console(), "in the model", passed_over);
  return is_whole;
}

// The same of a trace, which need not say whom a receive from anybody got its message from.
bool read_trace(Session& session, const analysis::recorded::Recording& trace, inferred::Names& names,
                inferred::Run& run) {
  using analysis::recorded::Step;
  for (std::size_t rank = 0; rank < trace.ranks.size(); ++rank) {
    const auto& steps = trace.ranks[rank];
    const auto unknown =
        std::find_if(steps.begin(), steps.end(), [](const Step& step) { return step.peer == Step::anybody; });
    if (unknown != steps.end()) {
      session.diagnostics()
          .add(DiagnosticKind::not_inferred, unknown->location,
               fmt::format("whom rank {} received from is not in the recording", rank), "from anybody")
          .help.emplace_back("record the program with `wave record`, which keeps it");
      return false;
    }
    run.ranks.push_back(inferred::calls_of(steps, trace.times[rank], names));
  }
  return true;
}

// Nothing, reported: it cannot be read.
std::optional<inferred::Run> read_run(const NamedRun& named, const std::vector<std::vector<std::int64_t>>& grids,
                                      inferred::Names& names, const CommonOptions& options, Console& console) {
  Session session(console, options);
  if (!session.load("recordings", "wave 1\n")) return std::nullopt;
  inferred::Run run{named.folder, named.parameters, {}, {}, {}};
  const auto opened = open_recording(session, named.folder);
  const bool is_whole = opened && (opened->trace ? read_trace(session, *opened->trace, names, run)
                                                 : read_texts(session, opened->files, names, run));
  if (!session.settle() || !is_whole) return std::nullopt;
  for (const auto& extents : grids) {
    if (ranks_of(extents) == static_cast<std::int64_t>(run.ranks.size())) run.extents = extents;
  }
  return run;
}

// --- the report ---

std::string verdict(const inferred::RunCheck& check) {
  if (check.model.empty()) return "in none";
  return check.is_compared ? check.model : check.model + ", by its structure alone";
}

std::string verdict_left_out(const inferred::RunCheck& check) {
  return !check.was_left_out ? "" : check.difference.empty() ? "the same" : check.difference;
}

Results tables_of(const std::vector<inferred::Run>& runs, const inferred::Inferred& inferred, const std::string& name) {
  Results results;
  results.model = name;
  results.engine = "calls";
  results.add_table("runs",
                    {{"recording", analysis::text_type(), {}},
                     {"ranks", count_type(), {}},
                     {"calls", count_type(), {}},
                     {"parameters", analysis::text_type(), {}},
                     {"model", analysis::text_type(), {}},
                     {"model_of_the_others", analysis::text_type(), {}}},
                    "each held against the model, and against one of the other runs");
  for (std::size_t run = 0; run < runs.size(); ++run) {
    const auto& check = inferred.runs[run];
    results.add_row({sanitize(runs[run].name), static_cast<std::int64_t>(runs[run].ranks.size()),
                     static_cast<std::int64_t>(inferred::calls_in(runs[run])), join_texts(check.given, ", "),
                     verdict(check), verdict_left_out(check)});
  }
  return results;
}

// Lines of the formatter's.
std::string formatted(const std::string& text) {
  frontend::Sources sources;
  frontend::Diagnostics ignored;
  const auto file = sources.add("inferred.wave", text);
  const auto result = frontend::format(sources, file, ignored);
  return result ? *result : text;
}

void say_doubts(const inferred::Inferred& inferred, Console& console) {
  std::set<std::string> troubles;
  for (const inferred::RunCheck& check : inferred.runs) {
    if (check.model.empty()) troubles.insert(check.trouble);
  }
  for (const std::string& trouble : troubles) console.remark(fmt::format("in no model: {}\n", trouble));
  if (inferred.models.size() > 1)
    console.remark(
        fmt::format("the runs are of {} programs, so there is a model for each: {}; what decides between them "
                    "is not known\n",
                    inferred.models.size(), frontend::quoted_list(inferred.models)));
  constexpr std::size_t most = 12;
  for (std::size_t k = 0; k < std::min(inferred.doubts.size(), most); ++k)
    console.remark("not settled: " + inferred.doubts[k] + "\n");
  if (inferred.doubts.size() > most)
    console.remark(fmt::format("not settled: {} things more\n", inferred.doubts.size() - most));
  if (inferred.tables > 0)
    console.remark(
        fmt::format("{} of what is sent or done {} no formula: the model has {} of the recorded runs, by rank\n",
                    plural(inferred.tables, "part"), inferred.tables == 1 ? "follows" : "follow",
                    inferred.tables == 1 ? "a table" : "tables"));
}

int refuse_program(const inferred::Inferred& inferred, const CommonOptions& options, Console& console) {
  Session session(console, options);
  session.diagnostics()
      .add(DiagnosticKind::not_inferred, frontend::Location{}, inferred.refusal)
      .help.push_back(
          "a model has the same calls whenever it runs with the same parameters; `wave check` compares one "
          "that was written by hand");
  session.settle();
  return failure;
}

int execute(const InferCommand& command, const CommonOptions& options, Console& console) {
  if (command.runs.empty())
    return report_misuse(console, "`wave infer` needs recordings",
                         "as in `wave infer run8:n=64 run27:n=64 -o model.wave`");
  static const std::set<std::string> imported{"Machine", "Counting", "LogGOPSim"};
  if (!is_name(command.name) || frontend::is_keyword(command.name) || imported.count(command.name) > 0)
    return report_misuse(console, fmt::format("`{}` is no name of a model", sanitize(command.name)),
                         "letters and digits, as in `--name Solver`");
  const auto grids = read_grids(command, console);
  if (!grids) return misuse;
  inferred::Names names;
  std::vector<inferred::Run> runs;
  for (const std::string& text : command.runs) {
    const auto named = named_run(text, console);
    if (!named) return misuse;
    auto run = read_run(*named, *grids, names, options, console);
    if (!run) return failure;
    runs.push_back(std::move(*run));
  }
  for (const auto& extents : *grids) {
    const bool is_of_a_run =
        std::any_of(runs.begin(), runs.end(), [&](const inferred::Run& run) { return run.extents == extents; });
    if (!is_of_a_run)
      return report_misuse(console, fmt::format("no run has the ranks of the grid {}", join_texts(extents, "x")),
                           "a run has as many ranks as the product of its grid's extents");
  }
  std::optional<ProgressLine> line;
  const auto progress = [&](std::size_t part, std::size_t parts) {
    if (!line) line.emplace(console, "parts", static_cast<double>(parts));
    line->advance(static_cast<double>(part));
  };
  const inferred::Inferred result = inferred::infer(command.name, runs, names, !command.leaves_none_out, progress);
  line.reset();
  if (!result.refusal.empty()) return refuse_program(result, options, console);
  const bool is_written = write_result(command.output, formatted(result.text), console) == success;
  if (!is_written) return failure;
  if (!command.output.empty())
    write_document(document_of(tables_of(runs, result, command.name)), command.format, "", console);
  say_doubts(result, console);
  const bool all_in_models = std::all_of(result.runs.begin(), result.runs.end(),
                                         [](const inferred::RunCheck& check) { return !check.model.empty(); });
  return all_in_models ? success : failure;
}

}  // namespace

Verb infer_verb() {
  return make_verb<InferCommand>(
      "infer", "Make a model of recordings of a program: wave infer run8:n=64 run27:n=64 -o model.wave",
      {{"Make a model of a recorded run, and see what it does not settle",
        "wave infer examples/recorded/chain3:n=100,steps=4 -o chain.wave"},
       {"and of two, whose sizes and counts differ",
        "wave infer examples/recorded/chain3:n=100,steps=4 examples/recorded/chain4:n=250,steps=3 -o chain.wave --name "
        "Chain"}},
      declare, execute);
}

}  // namespace wave::cli
