// Sweeps of which no points are kept. See studies.h.
#include "analysis/study/reduce/reduced_run.h"
#include "api/c/studies.h"

namespace wave::api {

using analysis::ReducedStudy;
using frontend::DiagnosticKind;

void Study::refuse_reduced(const std::string& message, const std::string& help) {
  fail(WAVE_FAILED, DiagnosticKind::wrong_study, message, help);
}

std::unique_ptr<ReducedStudy> Study::make_reduced() {
  const auto& study = description();
  auto made = ReducedStudy::make(study);
  if (auto* const reduced = std::get_if<std::unique_ptr<ReducedStudy>>(&made)) return std::move(*reduced);
  frontend::Sources sources;
  frontend::Diagnostics diagnostics;
  report(std::get<analysis::StudyReductionTrouble>(made), study, sources, diagnostics);
  fail(sources, diagnostics);
}

// What was found so far: nothing, or what the journal holds.
ReducedStudy& Study::reduced() {
  Opened& of = opened();
  if (of.reduced) return *of.reduced;
  auto made = make_reduced();
  if (!journal_.empty()) {
    const auto state = journal().state();
    if (state && !made->decode(*state))
      fail(WAVE_FAILED, DiagnosticKind::cannot_read, "`" + journal_ + "` holds no state of this study");
    if (state) made->forget_given_up(point_limits());
  }
  return *(of.reduced = std::move(made));
}

void Study::keep_state() {
  if (journal_.empty()) return;
  if (const std::string why = journal().keep_state(reduced().encode()); !why.empty()) cannot_write(why);
}

// What all points of a pass ask for: whether there is another.
bool Study::begin_next_pass() {
  auto& all = reduced();
  if (all.done().count() != point_count()) return false;
  if (const auto trouble = all.inconsistency(); !trouble.empty())
    refuse_reduced(trouble, "points are given up at other times: allow more time");
  if (!all.begin_next_pass()) return false;
  keep_state();
  return true;
}

void Study::pass_over(ReducedStudy& reduced, PointRange points, bool is_kept) {
  const std::uint64_t kept = reduced.done().count();
  analysis::StateKeeper keep;
  if (is_kept) keep = [&](std::string_view state) { return journal().keep_state(state); };
  auto& computer = this->computer();
  const auto lock = reading_while_it_runs();
  const auto end = reduce_here(computer, reduced, analysis::PointSet(points), keep,
                               [&](std::uint64_t done) { control_.tell(kept + done); });
  if (!end.trouble.empty()) cannot_write(end.trouble);
  if (end.stopped || control_.is_stopped()) stop();
  check_size(reduced);
}

// More was found than can be kept.
void Study::check_size(const ReducedStudy& reduced) {
  const auto trouble = reduced.trouble();
  if (trouble.empty()) return;
  Opened& of = opened();
  if (of.reduced.get() == &reduced) of.reduced.reset();
  refuse_reduced(trouble, "ask for fewer columns, or leave out points");
}

std::shared_ptr<Result> Study::run_reduced() {
  Opened& of = opened();
  const std::uint64_t all = point_count();
  auto& reduced = this->reduced();
  const Released released(of, !journal_.empty());
  do {
    control_.expect(all);
    pass_over(reduced, {0, all}, !journal_.empty());
  } while (begin_next_pass());
  auto result = std::make_shared<Result>();
  for (const auto& one : reduced.tables()) result->tables.push_back(table_of(one));
  result->engine = of.points->engine() ? of.points->engine()->name() : "";
  return result;
}

}  // namespace wave::api
