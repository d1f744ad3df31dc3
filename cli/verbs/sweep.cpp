// `wave sweep`: a model at many points, which may take long, be interrupted and go on, or be divided.
#include "analysis/study/run.h"
#include "backend/limits.h"
#include "cli/files.h"
#include "cli/influence.h"
#include "cli/limits.h"
#include "cli/option_words.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/samples.h"
#include "cli/studies/mpi_job.h"
#include "cli/studies/recorded_study.h"
#include "cli/studies/slurm_job.h"
#include "cli/studies/study_measurements.h"
#include "cli/studies/study_plots.h"
#include "cli/studies/study_results.h"
#include "cli/studies/study_session.h"
#include "cli/verb.h"
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
  std::string output;            // empty: standard output
  std::optional<Format> format;  // none: as the name of the output says
  bool resume = false, restart = false;
  bool yes = false;  // also where it is very many points
  analysis::Shard shard;
  MpiChoice mpi = MpiChoice::automatic;  // where this program is one of several
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
  auto endings = endings_of_results();
  endings.emplace_back(".part");
  add_file(verb, "-o,--out,--output", command.output, endings,
           "Into this file: results.csv, .jsonl, .json (default: standard output)", HeldBy::format);
  add_format(verb, command.format);
  add_flag(verb, "--resume", command.resume, "Go on where an interrupted run of the same study ended");
  add_flag(verb, "--restart", command.restart, "Begin again, and forget what an interrupted run has found");
  add_shard(verb, command.shard);
  const auto mpi = add_flag(
      verb, "--mpi", [&command] { command.mpi = MpiChoice::always; },
      "Divide the points between the ranks of MPI (default: where mpirun or srun started several)");
  add_flag(
      verb, "--no-mpi", [&command] { command.mpi = MpiChoice::never; }, "Run alone, whatever started this program")
      .excludes(mpi);
  add_flag(verb, "--yes", command.yes, "Begin even a study of very many points");
  add_point_limit(verb, command.point_limit_seconds);
  add_drawing(verb, command.drawing);
  add_flag(verb, "--verbose", command.verbose, "Say how many points were evaluated, and how fast");
  add_slurm(verb, command.slurm_parts);
  keep_words(verb, command.words, {"--out", "--format", "--no-mpi", "--slurm"});
  add_search(verb, common);
  add_limits(verb, common, TimeLimit::none);
}

// Begun without being asked twice.
constexpr std::uint64_t most_points_swept = 100'000'000;

// What cannot be asked for with a job that others compute, later.
std::optional<int> find_misuse_of_slurm(const SweepCommand& command, bool is_one_of_several, Console& console) {
  const auto misused = [&](const std::string& message, const std::string& help) {
    return report_misuse(console, message, help);
  };
  if (command.output.empty() || is_part_name(command.output) || is_written_through(command.output))
    return misused("`--slurm` needs a file for the results", "for example `--out results.csv`");
  if (command.shard.count > 1)
    return misused("`--slurm` divides the study, `--shard` computes one part of it", "give one of them");
  if (is_one_of_several || command.mpi == MpiChoice::always)
    return misused("a job of Slurm has tasks that know nothing of each other, and no ranks of MPI", "give one of them");
  if (command.resume || command.restart) {
    return misused("parts always go on where they ended",
                   fmt::format("to begin again, remove the folder `{}`", parts_folder_of(command.output)));
  }
  if (command.drawing.any()) return misused("a part of a study is not drawn", "draw the results when they are there");
  if (command.of.file == "-" || command.of.columns == "-")
    return misused("tasks of a job cannot read what this program is given as standard input", "name a file");
  return std::nullopt;
}

std::optional<int> find_misuse(const SweepCommand& command, bool is_one_of_several, Console& console) {
  if (const auto misused = refuse_shared_input(command.of, is_one_of_several, console)) return *misused;
  if (command.slurm_parts > 0) {
    if (const auto misused = find_misuse_of_slurm(command, is_one_of_several, console)) return *misused;
  }
  if (command.resume && command.restart)
    return report_misuse(console, "`--resume` goes on, `--restart` begins again", "give one of them");
  if ((command.resume || command.restart) && command.output.empty()) {
    return report_misuse(console, "only what goes into a file can be interrupted and go on",
                         "give `--out results.csv` as well");
  }
  const bool is_part = is_part_name(command.output);
  if (command.shard.count > 1 && !is_part) {
    return report_misuse(console, "one part of a study is a file for `wave merge`, whose name ends with `.part`",
                         fmt::format("`--out {}.part`, say", command.shard.index));
  }
  if (is_part && command.format)
    return report_misuse(console, "a part has a format of its own", "give `--format` to `wave merge`");
  if (is_part && command.drawing.any()) {
    return report_misuse(console, "a part of a study is not drawn", "draw the whole: `wave sweep` without `--shard`");
  }
  return std::nullopt;
}

class Sweep {
 public:
  // `job`: of this program where it is one of several; else null.
  Sweep(const SweepCommand& command, Session& session, OpenStudy& study, StudyDescription description, MpiJob* job,
        const RecordedStudy* recorded, std::string recorded_file)
      : command_(command),
        session_(session),
        study_(study),
        console_(session.console()),
        description_(std::move(description)),
        shard_(command.shard),
        interrupt_(std::in_place,
                   fmt::format("\nstopped{}\n", keeps_journal()
                                                    ? fmt::format(": what was found is in `{}`, `--resume` goes on",
                                                                  journal_of(command.output))
                                                    : "")),
        job_(job),
        recorded_(recorded),
        recorded_file_(std::move(recorded_file)),
        limits_{command.point_limit_seconds, session.options().memory_limit},
        computer_(*study.points, id_of(description_), limits_, job != nullptr ? job->stop() : interrupt_->flag()),
        claim_(claim_of(description_, command.point_limit_seconds, session.options())) {}

  int run();
  // Writes the job that does it, in place of it.
  int write_job();

 private:
  bool is_part() const { return is_part_name(command_.output); }
  bool keeps_journal() const { return !command_.output.empty() && !is_written_through(command_.output); }
  int cannot_write(const std::string& file, const std::string& why) {
    return report_without_location(console_, DiagnosticKind::cannot_write, fmt::format("`{}` cannot be written", file),
                                   why);
  }
  bool is_too_large();
  bool open();
  std::optional<analysis::RunEnd> evaluate(const PointSet& open_points);
  std::optional<int> done_already();
  int stopped();
  int finish();
  int finish_part();

  const SweepCommand& command_;
  Session& session_;
  OpenStudy& study_;
  Console& console_;
  const StudyDescription description_;
  const analysis::Shard shard_;
  std::optional<Interrupt> interrupt_;  // none of ranks other than 0, which end when that says so, or at once
  MpiJob* const job_;
  const RecordedStudy* const recorded_;  // results that are made again; or null
  const std::string recorded_file_;
  const analysis::PointLimits limits_;
  ChunkComputer computer_;
  const std::string claim_;  // what all ranks must have in common
  std::unique_ptr<Journal> journal_;
  std::uint64_t kept_ = 0;  // points that were in the journal
  double seconds_ = 0;
};

// Nobody begins by mistake what takes years: the first points tell how long.
bool Sweep::is_too_large() {
  const int parts = std::max<int>(static_cast<int>(shard_.count), command_.slurm_parts);
  const auto points = static_cast<double>(description_.points) / parts;
  const bool is_countless = description_.points == ~std::uint64_t{0};
  if (!is_countless && (points <= static_cast<double>(most_points_swept) || command_.yes)) return false;
  const auto first = analysis::try_points(computer_, [&] { return interrupt_->pressed(); });
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
  bool is_same = false;
  std::string trouble;  // why that cannot be said
  if (is_part()) {
    const auto part = Journal::open_part(command_.output);
    const auto* there = std::get_if<std::unique_ptr<Journal>>(&part);
    const auto* none = std::get_if<analysis::JournalTrouble>(&part);
    if (none != nullptr && none->kind == analysis::JournalTrouble::Kind::cannot_read) trouble = none->text;
    is_same = there != nullptr && (*there)->id() == id_of(description_) && (*there)->shard() == shard_ &&
              (*there)->is_finished() && (*there)->open_points().empty();
  } else {
    is_same = holds_results(description_, shard_, computer_, command_.output,
                            format_for(command_.output, command_.format), trouble);
  }
  if (is_same) {
    console_.remark(fmt::format("`{}` is whole already; `--restart` makes it again\n", command_.output));
    return success;
  }
  if (interrupt_->pressed()) return interrupt_->report_end(console_, "the study", "the same command once more goes on");
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
  if (!interrupt_->is_out_of_time()) console_.remark(fmt::format("stopped: {}\n", kept));
  return interrupt_->report_end(console_, "the study", kept);
}

int Sweep::finish_part() {
  if (const std::string trouble = journal_->finish(); !trouble.empty()) return cannot_write(command_.output, trouble);
  if (const int error = put_in_place(journal_->path(), command_.output); error != 0)
    return cannot_write(command_.output, std::strerror(error));
  return success;
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
  const auto failed = deliver(console_, description_, chunks, command_.output,
                              format_for(command_.output, command_.format), keeps_journal());
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

// Nothing where ranks cannot go on, which is reported.
std::optional<analysis::RunEnd> Sweep::evaluate(const PointSet& open_points) {
  ProgressLine line(console_, "points", static_cast<double>(open_points.count()));
  const auto sink = [&](PointRange range, std::string_view record) { return journal_->append(range, record); };
  const auto progress = [&](std::uint64_t points) { line.advance(static_cast<double>(points)); };
  if (job_ == nullptr) return run_here(computer_, open_points, sink, progress);
  const std::string kept =
      keeps_journal()
          ? fmt::format("what was found is in `{}`; the same command with `--resume` goes on", journal_->path())
          : "";
  return job_->run(computer_, open_points, sink, progress, [&] { return interrupt_->pressed(); }, kept);
}

int Sweep::run() {
  if (job_ != nullptr && !job_->leads()) {
    interrupt_.reset();
    stop_watching();
    return job_->serve(computer_, claim_);
  }
  if (is_too_large()) return interrupt_->pressed() ? interrupt_->exit_code() : failure;
  if (const auto code = done_already()) return *code;
  if (!command_.output.empty()) {
    if (const std::string trouble = trouble_of_output(command_.output); !trouble.empty())
      return cannot_write(command_.output, trouble);
  }
  if (job_ != nullptr && !job_->agree(claim_)) return failure;
  if (!open()) return failure;
  const auto begin = std::chrono::steady_clock::now();
  const PointSet open_points = journal_->open_points();
  const auto end = evaluate(open_points);
  if (!end) return failure;
  seconds_ = seconds_since(begin);
  if (command_.verbose) {
    const std::uint64_t computed = job_ != nullptr ? job_->computed() : computer_.computed();
    console_.remark(fmt::format("{} points evaluated in {:.3g} s, {:.3g} a second; {} were in the journal\n",
                                grouped(computed), seconds_, static_cast<double>(computed) / seconds_, grouped(kept_)));
    if (job_ != nullptr) console_.remark(job_->account());
  }
  if (!end->trouble.empty()) {
    const std::string kept = fmt::format("{}; {} points are in it, `--resume` goes on once there is room", end->trouble,
                                         grouped(journal_->done().count()));
    return cannot_write(journal_->path(), keeps_journal() ? kept : end->trouble);
  }
  if (end->stopped || (interrupt_->pressed() && !journal_->open_points().empty())) return stopped();
  return finish();
}

int Sweep::write_job() {
  if (is_too_large()) return interrupt_->pressed() ? interrupt_->exit_code() : failure;
  return write_job_script({command_.slurm_parts, command_.words, command_.output, command_.format}, description_.points,
                          console_);
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

int sweep(const SweepCommand& command, const CommonOptions& options, Console& console, MpiJob* job,
          const RecordedStudy* recorded = nullptr, const std::string& recorded_file = {}) {
  if (const auto misused = find_misuse(command, job != nullptr, console)) return *misused;
  if (is_recorded(command.of)) {
    if (command.slurm_parts > 0)
      return report_misuse(console, "`--slurm` does not divide what results record", "give the command that made them");
    const auto results = read_recorded(command.of, options, read_choice, console);
    if (!results) return failure;
    SweepCommand again = command;
    again.of = results->of;
    return sweep(again, results->options, console, job, &*results, command.of.file);
  }
  Session session(console, options);
  if (recorded != nullptr ? !load_recorded(session, *recorded) : !session.load(command.of.file)) return failure;
  auto study = open_study(session, command.of);
  if (!session.settle() || !study) return failure;
  check_listed(session, *study);
  if (!session.settle()) return failure;
  remark_on_unused(console, *study->points);
  if (command.of.sampling.samples && study->points->drawn() == 0) warn_of_no_spread(session);
  auto description = describe(session, verb_name, command.of, *study);
  add_measured(session, *study, description);
  // Before anything is shown of the measurements, which may be others.
  if (recorded != nullptr && !check_inputs(*recorded, description, console)) return failure;
  check_names(session, description);
  if (!session.settle()) return failure;
  Sweep one(command, session, *study, std::move(description), job, recorded, recorded_file);
  const int code = command.slurm_parts > 0 ? one.write_job() : one.run();
  return job != nullptr ? job->end(code) : code;  // while there is what a rank may still be computing with
}

int execute(const SweepCommand& command, const CommonOptions& options, Console& console) {
  if (!command.output.empty()) {
    const bool is_job = command.slurm_parts > 0;
    const std::string beside = is_job ? job_script_of(command.output) : journal_of(command.output);
    const std::string name = fmt::format("the {} of `-o {}`", is_job ? "job" : "journal", command.output);
    const std::string other = frontend::written_files().add(beside, name);
    if (!other.empty())
      return report_misuse(console, fmt::format("{} and {} are one file", other, name), "name a file for each");
  }
  const auto joined = join_mpi(command.mpi, command.shard.count > 1, console);
  if (joined.exit_code) return *joined.exit_code;
  if (!joined.job) return sweep(command, options, console, nullptr);
  SweepCommand of_a_rank = command;
  if (command.of.engine.threads == 0)
    of_a_rank.of.engine.threads = 1;  // there are as many ranks as are to compute at once
  const int code = sweep(of_a_rank, options, console, joined.job.get());
  return joined.job->end(code);
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
       {"Write a job for Slurm that computes eight parts and merges them",
        "wave sweep examples/halo/halo.wave --vary \"n=1..8\" -o halo.csv --slurm 8"}},
      declare, execute);
}

}  // namespace wave::cli
