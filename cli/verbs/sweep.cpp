// `wave sweep`: a model at many points, which may take long, be interrupted and go on, or be divided.
#include "analysis/study/run.h"
#include "backend/limits.h"
#include "cli/files.h"
#include "cli/influence.h"
#include "cli/limits.h"
#include "cli/option_words.h"
#include "cli/options.h"
#include "cli/plot_files.h"
#include "cli/progress.h"
#include "cli/samples.h"
#include "cli/studies/column_files.h"
#include "cli/studies/launched_part.h"
#include "cli/studies/recorded_study.h"
#include "cli/studies/reduced_results.h"
#include "cli/studies/reduced_sweep.h"
#include "cli/studies/slurm_job.h"
#include "cli/studies/study_measurements.h"
#include "cli/studies/study_plots.h"
#include "cli/studies/study_results.h"
#include "cli/studies/study_session.h"
#include "cli/verb.h"
#include "cli/whole_folder.h"
#include "frontend/source/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <unistd.h>

namespace wave::cli {
namespace {

constexpr const char* verb_name = "sweep";

using analysis::ChunkComputer;
using analysis::Journal;
using analysis::PointSet;
using analysis::StudyDescription;
using frontend::DiagnosticKind;

struct SweepCommand {
  StudyChoice of;
  std::string output;  // empty: standard output
  PointForm form;
  bool resume = false, restart = false;
  bool yes = false;                      // also where it is very many points
  std::optional<analysis::Shard> shard;  // none: all, or as a launcher divides it
  std::string after;                     // a file with the first pass of a divided study that is reduced
  double point_limit_seconds = default_time_limit_seconds;
  bool verbose = false;
  Drawing drawing;
  int slurm_parts = 0;             // of an array job that is written; 0: the study is evaluated here
  std::vector<std::string> words;  // that each of its parts is asked for with
};

void declare(CLI::App& verb, SweepCommand& command, CommonOptions& common) {
  add_study_choice(verb, command.of, Points::varied, common);
  add_columns(verb, command.of.columns);
  add_sampling(verb, command.of.sampling);
  add_list(verb, "--reduce", command.of.reduce, "WHAT",
           "Keep no points, but what this makes of them: \"best 10 of total\", \"mean and extremes of total by n\"");
  auto endings = endings_of_results();
  endings.emplace_back(".part");
  add_file(verb, "-o,--out,--output", command.output, endings,
           "Into this file: results.csv, .jsonl, .json, or the folder results/ (default: standard output)",
           HeldBy::format);
  add_format_of_points(verb, command.form);
  add_flag(verb, "--resume", command.resume, "Go on where an interrupted run of the same study ended");
  add_flag(verb, "--restart", command.restart, "Begin again, and forget what an interrupted run has found");
  add_shard(verb, command.shard);
  add_text(verb, "--after", command.after, "PART",
           "The second pass of a divided study that is reduced, after the first, which `wave merge` has put together");
  add_flag(verb, "--yes", command.yes, "Begin even a study of very many points");
  add_point_limit(verb, command.point_limit_seconds);
  add_drawing(verb, command.drawing);
  add_flag(verb, "--verbose", command.verbose, "Say how many points were evaluated, and how fast");
  add_slurm(verb, command.slurm_parts);
  keep_words(verb, command.words, {"--out", "--format", "--slurm"});
  add_search(verb, common);
  add_limits(verb, common, TimeLimit::none);
}

// Begun without being asked twice.
constexpr std::uint64_t most_points_swept = 100'000'000;

// What cannot be asked for with a job that others compute, later.
std::optional<int> find_misuse_of_slurm(const SweepCommand& command, Console& console) {
  const auto misused = [&](const std::string& message, const std::string& help) {
    return report_misuse(console, message, help);
  };
  if (command.output.empty() || is_part_name(command.output) || is_written_through(command.output))
    return misused("`--slurm` needs a file for the results", "for example `--out results.csv`");
  if (command.shard)
    return misused("`--slurm` divides the study, `--shard` computes one part of it", "give one of them");
  if (command.resume || command.restart) {
    return misused("parts always go on where they ended",
                   fmt::format("to begin again, remove the folder `{}`", parts_folder_of(command.output)));
  }
  if (command.drawing.any()) return misused("a part of a study is not drawn", "draw the results when they are there");
  if (command.of.file == "-" || command.of.columns == "-")
    return misused("tasks of a job cannot read what this program is given as standard input", "name a file");
  return std::nullopt;
}

// What cannot be asked for with a folder of columns.
std::optional<int> find_misuse_of_columns(const SweepCommand& command, Console& console) {
  if (command.output.empty()) {
    return report_misuse(console, "columns are files in a folder", "name it: `-o results/`");
  }
  if ((command.shard && command.shard->count > 1) || is_part_name(command.output))
    return report_misuse(console, "a part has a format of its own", "give `--format npy` to `wave merge`");
  if (command.slurm_parts > 0)
    return report_misuse(console, "`--slurm` merges parts into a file", "merge them once more, with `--format npy`");
  if (!command.of.reduce.empty())
    return report_misuse(console, "what a study is reduced to is no folder of columns", "`-o best.csv`, say");
  if (is_recorded(command.of)) {
    return report_misuse(console, "results that are made again are a file", "give the command that made them");
  }
  return std::nullopt;
}

// What cannot be asked for where no points are kept.
std::optional<int> find_misuse_of_reduce(const SweepCommand& command, Console& console) {
  if (command.of.reduce.empty()) {
    if (command.after.empty()) return std::nullopt;
    return report_misuse(console, "`--after` is of a study that is reduced", "say to what, as it was: `--reduce`");
  }
  if (command.drawing.any())
    return report_misuse(console, "what is reduced has no points to draw", "leave out `--reduce`, or the picture");
  if (!command.after.empty() && !is_part_name(command.output)) {
    return report_misuse(console, "`--after` computes a part of the second pass, for `wave merge`",
                         "give `--out` a name that ends with `.part`");
  }
  return std::nullopt;
}

std::optional<int> find_misuse(const SweepCommand& command, Console& console) {
  if (const auto misused = refuse_shared_input(command.of, console)) return *misused;
  if (command.slurm_parts > 0) {
    if (const auto misused = find_misuse_of_slurm(command, console)) return *misused;
  }
  if (command.resume && command.restart)
    return report_misuse(console, "`--resume` goes on, `--restart` begins again", "give one of them");
  if ((command.resume || command.restart) && command.output.empty()) {
    return report_misuse(console, "only what goes into a file can be interrupted and go on",
                         "give `--out results.csv` as well");
  }
  if (const auto misused = find_misuse_of_drawing(command.drawing, console)) return *misused;
  if (command.form.as_columns) {
    if (const auto misused = find_misuse_of_columns(command, console)) return *misused;
  }
  if (const auto misused = find_misuse_of_reduce(command, console)) return *misused;
  const bool is_part = is_part_name(command.output);
  if (command.shard && command.shard->count > 1 && !is_part) {
    return report_misuse(console, "one part of a study is a file for `wave merge`, whose name ends with `.part`",
                         fmt::format("`--out {}.part`, say", command.shard->index));
  }
  if (is_part && command.form.format)
    return report_misuse(console, "a part has a format of its own", "give `--format` to `wave merge`");
  if (is_part && command.drawing.any()) {
    return report_misuse(console, "a part of a study is not drawn", "draw the whole: `wave sweep` without `--shard`");
  }
  return std::nullopt;
}

class Sweep {
 public:
  Sweep(const SweepCommand& command, Session& session, OpenStudy& study, StudyDescription description,
        const RecordedStudy* recorded, std::string recorded_file)
      : command_(command),
        session_(session),
        study_(study),
        console_(session.console()),
        description_(std::move(description)),
        shard_(command.shard.value_or(analysis::Shard())),
        interrupt_(console_,
                   fmt::format("\nstopped{}\n", keeps_journal()
                                                    ? fmt::format(": what was found is in `{}`, `--resume` goes on",
                                                                  journal_of(command.output))
                                                    : "")),
        recorded_(recorded),
        recorded_file_(std::move(recorded_file)),
        limits_{command.point_limit_seconds, session.options().memory_limit},
        computer_(*study.points, id_of(description_), limits_, interrupt_.flag()) {}

  int run();
  // Writes the job that does it, in place of it.
  int write_job();

 private:
  bool is_part() const { return is_part_name(command_.output); }
  bool keeps_journal() const {
    return !command_.output.empty() && (command_.form.as_columns || !is_written_through(command_.output));
  }
  int cannot_write(const std::string& file, const std::string& why) {
    return report_without_location(console_, DiagnosticKind::cannot_write, fmt::format("`{}` cannot be written", file),
                                   why);
  }
  bool is_too_large();
  bool open();
  analysis::RunEnd evaluate(const PointSet& open_points);
  int reduce();
  int finish_reduced(const analysis::ReducedStudy& reduced);
  std::optional<int> done_already();
  void say_how_fast(std::uint64_t computed) const {
    console_.remark(fmt::format("{} points evaluated in {:.3g} s, {:.3g} a second; {} were in the journal\n",
                                grouped(computed), seconds_, static_cast<double>(computed) / seconds_, grouped(kept_)));
  }
  int stopped();
  int finish();
  int finish_part();

  const SweepCommand& command_;
  Session& session_;
  OpenStudy& study_;
  Console& console_;
  const StudyDescription description_;
  const analysis::Shard shard_;
  Interrupt interrupt_;
  const RecordedStudy* const recorded_;  // results that are made again; or null
  const std::string recorded_file_;
  const analysis::PointLimits limits_;
  ChunkComputer computer_;
  std::unique_ptr<Journal> journal_;
  bool compares_ = false;   // results that are reduced, with a file of them that is there
  std::uint64_t kept_ = 0;  // points that were in the journal
  double seconds_ = 0;
};

// Nobody begins by mistake what takes years: the first points tell how long.
bool Sweep::is_too_large() {
  const int parts = std::max<int>(static_cast<int>(shard_.count), command_.slurm_parts);
  const auto points = static_cast<double>(description_.points) / parts;
  const bool is_countless = description_.points == ~std::uint64_t{0};
  if (!is_countless && (points <= static_cast<double>(most_points_swept) || command_.yes)) return false;
  const auto first = analysis::try_points(computer_, [&] { return interrupt_.pressed(); });
  frontend::Diagnostics diagnostics;
  auto& d = diagnostics.add(DiagnosticKind::study_too_large, {},
                            is_countless ? std::string("the study has more than 10^19 points")
                                         : fmt::format("the study has {} points", backend::count_text(points)));
  if (first.points > 0 && !is_countless) {
    d.notes.push_back(fmt::format("going by the first {}, they would take about {}", grouped(first.points),
                                  backend::duration_text(first.seconds_each * points)));
  }
  d.help.push_back(is_countless ? "vary fewer values"
                                : "vary fewer values, divide it with `--shard`, or begin all the same with `--yes`");
  console_.report({}, diagnostics);
  return true;
}

bool Sweep::open() {
  const auto opening = command_.restart  ? Journal::Opening::restart
                       : command_.resume ? Journal::Opening::resume
                                         : Journal::Opening::fresh;
  auto opened = keeps_journal() ? Journal::open(journal_of(command_.output), description_, shard_, opening, limits_)
                                : Journal::open_nameless(description_, shard_);
  if (const auto* trouble = std::get_if<analysis::JournalTrouble>(&opened)) {
    report(console_, keeps_journal() ? journal_of(command_.output) : std::string("a file for what is found"), *trouble);
    return false;
  }
  journal_ = std::move(std::get<std::unique_ptr<Journal>>(opened));
  kept_ = journal_->done().count();
  if (journal_->damaged_bytes() > 0) {
    console_.remark(fmt::format("{} bytes of `{}` are damaged or cut short; their points are evaluated again\n",
                                grouped(journal_->damaged_bytes()), journal_->path()));
  }
  return true;
}

// What is whole needs no second evaluation: then there are results, but nothing to go on with. The exit code, if so.
std::optional<int> Sweep::done_already() {
  if (!command_.resume || !keeps_journal() || access(journal_of(command_.output).c_str(), F_OK) == 0 ||
      access(command_.output.c_str(), F_OK) != 0) {
    return std::nullopt;
  }
  if (!description_.reductions.empty() && !is_part()) {
    compares_ = true;
    return std::nullopt;
  }
  bool is_same = false;
  std::string trouble;  // why that cannot be said
  if (is_part()) {
    const auto part = Journal::open_part(command_.output);
    const auto* there = std::get_if<std::unique_ptr<Journal>>(&part);
    const auto* none = std::get_if<analysis::JournalTrouble>(&part);
    if (none != nullptr && none->kind == analysis::JournalTrouble::Kind::cannot_read) trouble = none->text;
    is_same = there != nullptr && (*there)->id() == id_of(description_) && (*there)->shard() == shard_ &&
              (*there)->is_finished() && (*there)->open_points().empty();
  } else if (command_.form.as_columns) {
    is_same = holds_columns(description_, command_.output);
  } else {
    is_same = holds_results(description_, shard_, computer_, command_.output,
                            format_for(command_.output, command_.form.format), trouble);
  }
  if (is_same) {
    console_.remark(fmt::format("`{}` is whole already; `--restart` makes it again\n", command_.output));
    return success;
  }
  if (interrupt_.pressed()) return interrupt_.report_end(console_, "the study", "the same command once more goes on");
  if (!trouble.empty()) {
    return report_without_location(
        console_, DiagnosticKind::cannot_read,
        fmt::format("`{}` is there, but cannot be compared with this study: {}", command_.output, trouble),
        "the same command once more, or `--restart`, which makes it again");
  }
  report_without_location(console_, DiagnosticKind::other_study,
                          fmt::format("`{}` is there, but holds other results", command_.output),
                          "`--restart` replaces it; or write to another file");
  return failure;
}

int Sweep::stopped() {
  const std::uint64_t all = points_of(shard_, description_.points).count(), done = journal_->done().count();
  const std::string kept = keeps_journal()
                               ? fmt::format("{} of {} points are in `{}`; the same command with `--resume` goes on",
                                             grouped(done), grouped(all), journal_->path())
                               : fmt::format("{} of {} points were done, and are lost: only `--out FILE` keeps them",
                                             grouped(done), grouped(all));
  if (keeps_journal()) journal_->sync();
  if (!interrupt_.is_out_of_time()) console_.remark(fmt::format("stopped: {}\n", kept));
  return interrupt_.report_end(console_, "the study", kept);
}

int Sweep::finish_part() {
  if (const std::string trouble = journal_->finish(); !trouble.empty()) return cannot_write(command_.output, trouble);
  if (const int error = put_in_place(journal_->path(), command_.output); error != 0)
    return cannot_write(command_.output, std::strerror(error));
  return success;
}

// The results of a study that is reduced are compared with a file that is there once all of them are known.
int Sweep::finish_reduced(const analysis::ReducedStudy& reduced) {
  const Format format = format_for(command_.output, command_.form.format);
  if (recorded_ != nullptr) {
    if (!compare_results(*recorded_, recorded_file_, written(document_of(reduced), Format(Takes::data)), console_))
      return failure;
    if (command_.output.empty()) return success;
  }
  if (compares_) {
    const bool is_same = holds_text(command_.output, written(document_of(reduced), format));
    unlink(journal_->path().c_str());
    if (is_same) {
      console_.remark(fmt::format("`{}` is whole already; `--restart` makes it again\n", command_.output));
      return success;
    }
    return report_without_location(console_, DiagnosticKind::other_study,
                                   fmt::format("`{}` is there, but holds other results", command_.output),
                                   "`--restart` replaces it; or write to another file");
  }
  const int code = deliver_reduced(console_, reduced, command_.output, format);
  const bool is_written = code == success || reduced.failed() > 0;
  if (is_written && keeps_journal() && unlink(journal_->path().c_str()) != 0 && errno != ENOENT)
    return cannot_write(journal_->path(), fmt::format("it cannot be removed: {}", std::strerror(errno)));
  return code;
}

int Sweep::reduce() {
  const auto begin = std::chrono::steady_clock::now();
  std::unique_ptr<analysis::ReducedStudy> reduced;
  const auto end = evaluate_reduced(
      {console_, description_, shard_, limits_, command_.after, keeps_journal(), computer_, *journal_}, reduced);
  seconds_ = seconds_since(begin);
  if (command_.verbose) say_how_fast(computer_.computed());
  if (end == ReducedEnd::failed) {
    if (keeps_journal() && journal_->done().empty()) unlink(journal_->path().c_str());  // nothing goes on from it
    return failure;
  }
  if (end == ReducedEnd::stopped) return stopped();
  return is_part() ? finish_part() : finish_reduced(*reduced);
}

int Sweep::finish() {
  if (is_part()) return finish_part();
  const auto chunks = chunks_of({journal_.get()});
  if (recorded_ != nullptr) {
    std::string text;
    write_results(description_, chunks, Format(Takes::data), [&](std::string_view more) { return text += more, true; });
    if (!compare_results(*recorded_, recorded_file_, text, console_)) return failure;
    if (command_.output.empty()) return success;
  }
  const auto failed = command_.form.as_columns
                          ? deliver_columns(console_, description_, chunks, command_.output)
                          : deliver(console_, description_, chunks, command_.output,
                                    format_for(command_.output, command_.form.format), keeps_journal());
  if (!failed) return failure;
  // What was found can still be read: a file is gone when nobody has it open any more.
  if (keeps_journal() && unlink(journal_->path().c_str()) != 0 && errno != ENOENT) {
    const std::string why = std::strerror(errno);
    return report_without_location(
        console_, DiagnosticKind::cannot_write,
        fmt::format("the results are in `{}`, but `{}` cannot be removed: {}", command_.output, journal_->path(), why),
        "remove it, or have the same command with `--resume` do it");
  }
  const bool is_drawn = draw_results(session_, command_.drawing, study_, chunks, !command_.output.empty());
  return *failed == 0 && is_drawn ? success : failure;
}

analysis::RunEnd Sweep::evaluate(const PointSet& open_points) {
  ProgressLine line(console_, "points", static_cast<double>(open_points.count()));
  const auto sink = [&](PointRange range, std::string_view record) { return journal_->append(range, record); };
  const auto progress = [&](std::uint64_t points) { line.advance(static_cast<double>(points)); };
  return run_here(computer_, open_points, sink, progress);
}

int Sweep::run() {
  if (is_too_large()) return interrupt_.pressed() ? interrupt_.exit_code() : failure;
  if (const auto code = done_already()) return *code;
  if (!command_.output.empty()) {
    const std::string trouble =
        command_.form.as_columns ? trouble_of_folder(command_.output) : trouble_of_output(command_.output);
    if (!trouble.empty()) return cannot_write(command_.output, trouble);
  }
  if (!open()) return failure;
  if (!description_.reductions.empty()) return reduce();
  const auto begin = std::chrono::steady_clock::now();
  const PointSet open_points = journal_->open_points();
  const auto end = evaluate(open_points);
  seconds_ = seconds_since(begin);
  if (command_.verbose) {
    say_how_fast(computer_.computed());
  }
  if (!end.trouble.empty()) {
    const std::string kept = fmt::format("{}; {} points are in it, `--resume` goes on once there is room", end.trouble,
                                         grouped(journal_->done().count()));
    return cannot_write(journal_->path(), keeps_journal() ? kept : end.trouble);
  }
  if (end.stopped || (interrupt_.pressed() && !journal_->open_points().empty())) return stopped();
  return finish();
}

int Sweep::write_job() {
  if (is_too_large()) return interrupt_.pressed() ? interrupt_.exit_code() : failure;
  return write_job_script({command_.slurm_parts, command_.words, command_.output, command_.form.format},
                          description_.points, console_);
}

// What an earlier command line of this verb asked for.
std::optional<RecordedChoice> read_choice(std::vector<std::string> words) {
  if (words.empty() || words.front() != verb_name) return std::nullopt;
  words.erase(words.begin());
  SweepCommand command;
  CommonOptions common;
  const bool is_read = read_again(std::move(words), [&](CLI::App& app) {
    declare(app, command, common);
    add_common(app, common);
  });
  if (!is_read) return std::nullopt;
  return RecordedChoice{std::move(command.of), std::move(common.search)};
}

int sweep(const SweepCommand& command, const CommonOptions& options, Console& console,
          const RecordedStudy* recorded = nullptr, const std::string& recorded_file = {}) {
  if (const auto misused = find_misuse(command, console)) return *misused;
  if (is_recorded(command.of)) {
    if (command.slurm_parts > 0)
      return report_misuse(console, "`--slurm` does not divide what results record", "give the command that made them");
    const auto results = read_recorded(command.of, options, read_choice, console);
    if (!results) return failure;
    SweepCommand again = command;
    again.of = results->of;
    return sweep(again, results->options, console, &*results, command.of.file);
  }
  Session session(console, options);
  if (recorded != nullptr ? !load_recorded(session, *recorded) : !session.load(command.of.file)) return failure;
  auto study = open_study(session, command.of);
  if (!session.settle() || !study) return failure;
  check_listed(session, *study);
  if (!session.settle()) return failure;
  remark_on_unused(console, *study->points);
  if (command.of.sampling.samples > 0 && study->points->drawn() == 0) warn_of_no_spread(session);
  auto description = describe(session, verb_name, command.of, *study);
  if (command.of.reduce.empty()) add_measured(session, *study, description);
  check_reductions(session, description);
  // Before anything is shown of the measurements, which may be others.
  if (recorded != nullptr && !check_inputs(*recorded, description, console)) return failure;
  check_names(session, description);
  check_drawn(session, command.drawing, *study);
  if (!session.settle()) return failure;
  Sweep one(command, session, *study, std::move(description), recorded, recorded_file);
  return command.slurm_parts > 0 ? one.write_job() : one.run();
}

// Nothing: another file of this command has the name of what is written beside its output. That is reported.
bool claims_what_is_beside(const SweepCommand& command, Console& console) {
  if (command.output.empty()) return true;
  const bool is_job = command.slurm_parts > 0;
  const std::string beside = is_job ? job_script_of(command.output) : journal_of(command.output);
  const std::string name = fmt::format("the {} of `-o {}`", is_job ? "job" : "journal", command.output);
  const std::string other = frontend::written_files().add(beside, name);
  if (!other.empty())
    report_misuse(console, fmt::format("{} and {} are one file", other, name), "name a file for each");
  return other.empty();
}

// This program is one of several: it computes its part, whatever becomes of the others.
int sweep_part(const analysis::Launch& launch, const SweepCommand& command, const CommonOptions& options,
               Console& console) {
  if (command.slurm_parts > 0) return refuse_shared_job(launch, console);
  if (const auto misused = refuse_shared_output(launch, command.output, console)) return *misused;
  if (const auto misused = refuse_standard_input(launch, command.of, console)) return *misused;
  SweepCommand part = command;
  part.shard = shard_of(launch);
  part.form = PointForm();                                      // of the merged results
  if (part.of.engine.threads == 0) part.of.engine.threads = 1;  // there are as many as are to compute at once
  std::string trouble;
  part.output = part_of_launch(launch, command.output, trouble);
  if (!trouble.empty()) {
    return report_without_location(console, DiagnosticKind::cannot_write,
                                   fmt::format("`{}` cannot be written", part.output), trouble);
  }
  if (!claims_what_is_beside(part, console)) return misuse;
  const int code = sweep(part, options, console);
  if (code == success) remark_on_merging(launch, command.output, command.form.format, console);
  return code;
}

int execute(const SweepCommand& given, const CommonOptions& options, Console& console) {
  SweepCommand command = given;
  choose_folder(command.output, command.form);
  const auto launch = command.shard ? std::nullopt : launch_of_several();
  if (launch) return sweep_part(*launch, command, options, console);
  return claims_what_is_beside(command, console) ? sweep(command, options, console) : misuse;
}

}  // namespace

Verb sweep_verb() {
  return make_verb<SweepCommand>(
      verb_name, "Evaluate a model at many points",
      {{"Vary two parameters",
        "wave sweep examples/halo/halo.wave --vary \"n=1..16 by *2\" --vary \"m=1..16 by *2\" --where \"n >= m\""},
       {"Relate points to each other, and write a file",
        "wave sweep examples/halo/halo.wave --vary \"n=1..16 by *2\" --show \"total, speedup = total[n = 1] / total\" "
        "-o halo.csv"},
       {"Keep the ten best of many points, and a mean of each group",
        "wave sweep examples/halo/halo.wave --vary \"n=1..16\" --vary \"m=1..16\" --reduce \"best 10 of total\" "
        "--reduce \"mean and extremes of total by n\""}},
      declare, execute);
}

}  // namespace wave::cli
