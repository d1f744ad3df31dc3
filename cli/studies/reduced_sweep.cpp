// See reduced_sweep.h.
#include "cli/studies/reduced_sweep.h"

#include "cli/studies/reduced_results.h"
#include "cli/studies/study_results.h"

#include <fmt/format.h>

#include <utility>

namespace wave::cli {
namespace {

using analysis::Journal;
using analysis::PointSet;
using analysis::ReducedStudy;
using frontend::DiagnosticKind;

std::unique_ptr<ReducedStudy> make_reduced(const ReducedSweep& sweep) {
  auto made = ReducedStudy::make(sweep.study);  // whose reductions were checked
  auto* const reduced = std::get_if<std::unique_ptr<ReducedStudy>>(&made);
  return reduced != nullptr ? std::move(*reduced) : nullptr;
}

// The pass that follows the one over all points in a file. Null, reported, where there is none.
std::unique_ptr<ReducedStudy> after_first_pass(const ReducedSweep& sweep) {
  const auto refuse = [&](const std::string& why) {
    report_without_location(sweep.console, DiagnosticKind::parts_do_not_fit,
                            fmt::format("no pass follows `{}`", sweep.after), why);
    return nullptr;
  };
  const auto opened = Journal::open_part(sweep.after);
  if (const auto* trouble = std::get_if<analysis::JournalTrouble>(&opened)) {
    report(sweep.console, sweep.after, *trouble);
    return nullptr;
  }
  const auto& part = *std::get<std::unique_ptr<Journal>>(opened);
  if (part.id() != id_of(sweep.study)) return refuse("it is of another study");
  auto reduced = make_reduced(sweep);
  if (!reduced || !reduced->decode(part.state().value_or(""))) return refuse("it holds no state of this study");
  if (reduced->done().count() != sweep.study.points)
    return refuse("it is a part of the study: `wave merge` makes one file of all parts");
  if (!reduced->begin_next_pass())
    return refuse("it has all that the reductions need: `wave merge` writes the answers");
  return reduced;
}

// What the journal holds, or nothing yet. Null, reported, where it cannot be read.
std::unique_ptr<ReducedStudy> begin(const ReducedSweep& sweep) {
  auto reduced = sweep.after.empty() ? make_reduced(sweep) : after_first_pass(sweep);
  const auto state = reduced ? sweep.journal.state() : std::nullopt;
  if (!state) return reduced;
  const std::string plan = reduced->plan();
  auto there = make_reduced(sweep);
  if (!there->decode(*state) || (!sweep.after.empty() && there->plan() != plan)) {
    report_without_location(sweep.console, DiagnosticKind::other_study,
                            fmt::format("`{}` holds no state that this study goes on from", sweep.journal.path()),
                            "`--restart` begins again, and forgets it");
    return nullptr;
  }
  there->forget_given_up(sweep.limits);
  return there;
}

// Says what ended a pass before its time. False: nothing did.
bool report_end(const ReducedSweep& sweep, const ReducedStudy& reduced, const analysis::RunEnd& end) {
  if (!end.trouble.empty()) {
    const std::string kept =
        fmt::format("{}; what was found before is in it, `--resume` goes on once there is room", end.trouble);
    report_without_location(sweep.console, DiagnosticKind::cannot_write,
                            fmt::format("`{}` cannot be written", sweep.journal.path()),
                            sweep.keeps_journal ? kept : end.trouble);
    return true;
  }
  if (const std::string trouble = reduced.trouble(); !trouble.empty()) {
    report_reduced(sweep.console, trouble, "ask for fewer columns, or leave out points with `--where`");
    return true;
  }
  const bool is_whole = end.stopped || sweep.shard.count > 1;
  if (const std::string trouble = reduced.inconsistency(); !is_whole && !trouble.empty()) {
    report_reduced(sweep.console, trouble, "points are given up at other times: allow more with `--point-limit`");
    return true;
  }
  return false;
}

}  // namespace

ReducedEnd evaluate_reduced(const ReducedSweep& sweep, std::unique_ptr<ReducedStudy>& reduced) {
  reduced = begin(sweep);
  if (!reduced) return ReducedEnd::failed;
  const PointSet points = points_of(sweep.shard, sweep.study.points);
  const bool is_part = sweep.shard.count > 1;
  const auto keep = [&](std::string_view state) { return sweep.journal.keep_state(state); };
  do {
    const std::string what = reduced->pass() == 1 ? "points" : fmt::format("points of pass {}", reduced->pass());
    ProgressLine line(sweep.console, what, static_cast<double>(points.without(reduced->done()).count()));
    const auto end = reduce_here(sweep.computer, *reduced, points, keep,
                                 [&](std::uint64_t done) { line.advance(static_cast<double>(done)); });
    if (report_end(sweep, *reduced, end)) return ReducedEnd::failed;
    if (end.stopped) return ReducedEnd::stopped;
  } while (!is_part && sweep.after.empty() && reduced->begin_next_pass());
  return ReducedEnd::done;
}

}  // namespace wave::cli
