// Studies of which no points are kept. See studies.h.
#include "analysis/study/reduce/reduced_run.h"
#include "api/c/studies.h"

#include <utility>

namespace wave::api {

using analysis::ReducedStudy;
using frontend::DiagnosticKind;

void Study::refuse_reduced(const std::string& message, const std::string& help) {
  fail(WAVE_FAILED, DiagnosticKind::wrong_study, message, help);
}

// Of the description that there is while nobody else reads the program.
std::unique_ptr<ReducedStudy> Study::make_reduced() {
  const auto lock = program_->reading();
  const auto study = description();
  auto made = ReducedStudy::make(study);
  if (auto* const reduced = std::get_if<std::unique_ptr<ReducedStudy>>(&made)) return std::move(*reduced);
  frontend::Sources sources;
  frontend::Diagnostics diagnostics;
  report(std::get<analysis::StudyReductionTrouble>(made), study, sources, diagnostics);
  fail(sources, diagnostics);
}

void Study::need_reductions() const {
  if (command_.reduce.empty()) throw Misuse{"the study has no reductions", "set them with wave_study_set_reductions()"};
}

void Study::reduce_to(std::vector<std::string> reductions) {
  auto before = std::exchange(command_.reduce, std::move(reductions));
  try {
    make_reduced();
  } catch (...) {
    command_.reduce = std::move(before);
    throw;
  }
  id_.clear();
  reduced_.reset();
}

std::shared_ptr<Result> Study::result_of(const ReducedStudy& reduced) const {
  auto result = std::make_shared<Result>();
  for (const auto& one : reduced.tables()) result->tables.push_back(table_of(one));
  result->engine = points_->engine() ? points_->engine()->name() : "";
  return result;
}

// `journal` may be null.
void Study::pass_over(ReducedStudy& reduced, const analysis::PointSet& points, analysis::Journal* journal) {
  const std::uint64_t kept = reduced.done().count();
  analysis::ChunkComputer computer(*points_, {}, {settings_.seconds, settings_.memory_bytes}, control_.is_stopped());
  analysis::StateKeeper keep;
  if (journal) keep = [&](std::string_view state) { return journal->keep_state(state); };
  const auto lock = reading_while_it_runs();
  const auto end =
      reduce_here(computer, reduced, points, keep, [&](std::uint64_t done) { control_.tell(kept + done); });
  if (!end.trouble.empty())
    fail(WAVE_FAILED, DiagnosticKind::cannot_write, "`" + journal_ + "` cannot be written", end.trouble);
  if (end.stopped || control_.is_stopped()) stop();
  if (const auto trouble = reduced.trouble(); !trouble.empty())
    refuse_reduced(trouble, "ask for fewer columns, or leave out points");
}

std::shared_ptr<Result> Study::run_reduced(wave_progress progress, void* data) {
  const std::uint64_t all = point_count();
  auto reduced = make_reduced();
  std::unique_ptr<analysis::Journal> journal;
  if (!journal_.empty()) {
    const auto lock = program_->reading();
    journal = open_journal();
  }
  if (const auto state = journal ? journal->state() : std::nullopt) {
    if (!reduced->decode(*state))
      fail(WAVE_FAILED, DiagnosticKind::cannot_read, "`" + journal_ + "` holds no state of this study");
    reduced->forget_given_up({settings_.seconds, settings_.memory_bytes});
  }
  do {
    control_.begin(all, progress, data);
    pass_over(*reduced, analysis::PointSet({0, all}), journal.get());
    if (const auto trouble = reduced->inconsistency(); !trouble.empty())
      refuse_reduced(trouble, "points are given up at other times: allow more time");
  } while (reduced->begin_next_pass());
  return result_of(*reduced);
}

const std::string& Study::reduce_part(PointRange points, std::string_view plan, wave_progress progress, void* data) {
  auto reduced = make_reduced();
  if (!plan.empty() && !reduced->follow(plan))
    refuse_reduced("the plan is none of this study", "it is what `wave_study_finish_pass()` has given");
  control_.begin(points.size(), progress, data);
  pass_over(*reduced, analysis::PointSet(points), nullptr);
  state_ = reduced->encode();
  return state_;
}

void Study::take_state(std::string_view state) {
  if (!reduced_) reduced_ = make_reduced();
  std::string trouble = reduced_->merge(state);
  if (trouble.empty()) trouble = reduced_->trouble();
  if (!trouble.empty()) refuse_reduced("the state cannot be taken: " + trouble, "each state of a pass is taken once");
}

std::shared_ptr<Result> Study::finish_pass() {
  if (!reduced_) reduced_ = make_reduced();
  const std::uint64_t done = reduced_->done().count(), all = point_count();
  if (done != all)
    refuse_reduced(std::to_string(all - done) + " of " + std::to_string(all) + " points are in none of the states",
                   "take the states of all parts first");
  if (const auto trouble = reduced_->inconsistency(); !trouble.empty())
    refuse_reduced(trouble, "points are given up at other times: allow more time");
  if (reduced_->begin_next_pass()) {
    plan_ = reduced_->plan();
    return nullptr;
  }
  auto result = result_of(*reduced_);
  reduced_.reset();
  return result;
}

}  // namespace wave::api

using namespace wave::api;

extern "C" {

wave_status wave_study_set_reductions(wave_study* study, const char* const* reductions, size_t count,
                                      wave_error** error) {
  return call(error, [&] {
    const auto found = get<Study>(study, "study");
    auto texts = texts_of(reductions, count, "reductions");
    const std::lock_guard lock(found->mutex);
    found->reduce_to(std::move(texts));
  });
}

wave_status wave_study_reduce_part(wave_study* study, uint64_t begin, uint64_t end, const void* plan, size_t plan_size,
                                   wave_progress progress, void* data, const void** state, size_t* size,
                                   wave_error** error) {
  return call(error, [&] {
    const auto found = get<Study>(study, "study");
    if (plan_size > 0) need(plan, "plan");
    need(state, "state");
    need(size, "size");
    const std::lock_guard lock(found->mutex);
    found->need_reductions();
    found->check_range(begin, end);
    const auto& bytes =
        found->reduce_part({begin, end}, {static_cast<const char*>(plan), plan_size}, progress, data);
    *state = bytes.data();
    *size = bytes.size();
  });
}

wave_status wave_study_take_state(wave_study* study, const void* state, size_t size, wave_error** error) {
  return call(error, [&] {
    const auto found = get<Study>(study, "study");
    need(state, "state");
    const std::lock_guard lock(found->mutex);
    found->need_reductions();
    found->take_state({static_cast<const char*>(state), size});
  });
}

wave_status wave_study_finish_pass(wave_study* study, wave_result** result, const void** plan, size_t* plan_size,
                                   wave_error** error) {
  return call(error, [&] {
    const auto found = get<Study>(study, "study");
    need(result, "result");
    need(plan, "plan");
    need(plan_size, "plan_size");
    const std::lock_guard lock(found->mutex);
    found->need_reductions();
    const auto made = found->finish_pass();
    *result = made ? open_handle<wave_result>(made) : nullptr;
    *plan = made ? nullptr : found->plan().data();
    *plan_size = made ? 0 : found->plan().size();
  });
}

}  // extern "C"
