// Sweeps that several processes compute: parts, and who gathers them. See studies.h.
#include "analysis/study/part.h"
#include "api/c/studies.h"
#include "base/digest.h"

namespace wave::api {
namespace {

using analysis::PartTrouble;
using frontend::DiagnosticKind;

std::string points_text(PointRange points) {
  if (points.size() == 0) return "the part";
  if (points.size() == 1) return "the part of point " + std::to_string(points.begin + 1);
  return "the part of the points " + std::to_string(points.begin + 1) + " to " + std::to_string(points.end);
}

[[noreturn]] void refuse(PointRange points, const PartTrouble& trouble) {
  frontend::Diagnostics diagnostics;
  const std::string part = points_text(points);
  switch (trouble.kind) {
    case PartTrouble::Kind::damaged: diagnostics.add(DiagnosticKind::parts_do_not_fit, {}, part + " is damaged"); break;
    case PartTrouble::Kind::other_points:
      diagnostics.add(DiagnosticKind::parts_do_not_fit, {}, part + " holds other points");
      break;
    case PartTrouble::Kind::other_study: {
      auto& d = diagnostics.add(DiagnosticKind::parts_do_not_fit, {}, part + " is of another study than this");
      d.notes = trouble.differences;
      d.help.emplace_back("whoever computes parts must find the same texts and the same version of wave");
      break;
    }
  }
  fail({}, diagnostics);
}

// What lies in a part, which ends the call where it does not fit.
std::string_view taken(PointRange points, const std::variant<std::string_view, PartTrouble>& found) {
  if (const auto* const trouble = std::get_if<PartTrouble>(&found)) refuse(points, *trouble);
  return std::get<std::string_view>(found);
}

}  // namespace

analysis::ChunkComputer& Study::computer() {
  Opened& of = opened();
  description();
  if (!of.computer) of.computer.emplace(*of.points, of.id, point_limits(), control_.is_stopped());
  return *of.computer;
}

const std::string& Study::compute(PointRange points, std::string_view plan, wave_progress progress, void* data) {
  control_.begin(progress, data);
  check_points(points);
  if (!is_reduced() && !plan.empty()) throw Misuse{"`plan` is of a study with reductions", "`plan_size` is 0 here"};
  Opened& of = opened();
  auto& computer = this->computer();
  if (of.head.empty()) of.head = part_head(description());
  if (control_.is_stopped()) stop();
  control_.expect(points.size());
  of.part = of.head;
  if (points.size() == 0) return of.part;
  if (is_reduced()) {
    const auto reduced = make_reduced();
    if (!plan.empty() && !reduced->follow(plan))
      refuse_reduced("the plan is none of this study", "it is one that wave_question_points() has given");
    pass_over(*reduced, points, false);
    return of.part += analysis::state_record(of.id, reduced->encode());
  }
  const auto lock = reading_while_it_runs();
  const auto record = computer.compute(points, [&](std::uint64_t done) { control_.tell(done); });
  if (!record || control_.is_stopped()) stop();
  control_.tell(points.size());
  return of.part += *record;
}

wave_points_info Study::points() {
  control_.begin(nullptr, nullptr);
  Opened& of = opened();
  description();
  of.id_text = hexadecimal(of.id);
  const std::uint64_t all = point_count();
  analysis::PointSet open;
  of.plan.clear();
  if (is_reduced()) {
    begin_next_pass();
    open = analysis::PointSet({0, all}).without(reduced().done());
    if (reduced().pass() > 1) of.plan = reduced().plan();
  } else {
    open = of.journal || !journal_.empty() ? journal().open_points() : analysis::PointSet({0, all});
  }
  of.ranges.clear();
  for (const PointRange& range : open.ranges()) {
    of.ranges.push_back(range.begin);
    of.ranges.push_back(range.end);
  }
  return {0, of.id_text.c_str(), all, of.ranges.data(), of.ranges.size() / 2, of.plan.data(), of.plan.size()};
}

void Study::add_state(PointRange points, std::string_view part) {
  auto& all = reduced();
  const auto& study = description();
  if (all.done().overlaps(points)) throw Misuse{points_text(points) + " is there already"};
  const std::string trouble = all.merge(taken(points, state_of_part(part, study, opened().id, points)));
  if (!trouble.empty())
    refuse_reduced(points_text(points) + " cannot be taken: " + trouble,
                   "it is computed with the plan that wave_question_points() gives now");
  check_size(all);
  keep_state();
}

void Study::add(PointRange points, std::string_view part) {
  control_.begin(nullptr, nullptr);
  check_points(points);
  const auto& study = description();
  if (points.size() == 0) {
    is_reduced() ? static_cast<void>(reduced()) : static_cast<void>(journal());  // which may not be written
    if (const auto trouble = analysis::trouble_of_head(part, study, opened().id)) refuse(points, *trouble);
    return;
  }
  if (is_reduced()) return add_state(points, part);
  analysis::Journal& journal = this->journal();
  if (journal.done().overlaps(points)) throw Misuse{points_text(points) + " is there already"};
  const auto record = taken(points, record_of_part(part, study, journal.id(), points));
  if (const std::string why = journal.append(points, record); !why.empty()) cannot_write(why);
}

}  // namespace wave::api

using namespace wave::api;

namespace {

// A question that has points.
std::shared_ptr<Study> study_of(wave_question* question) {
  const auto found = std::dynamic_pointer_cast<Study>(get<Question>(question, "question"));
  if (!found) throw Misuse{"`question` has no points", "a sweep of a model or a program has some"};
  return found;
}

}  // namespace

extern "C" {

wave_status wave_question_points(wave_question* question, wave_points_info* info, wave_error** error) {
  return call(error, [&] {
    const auto found = study_of(question);
    need(info, "info");
    const std::lock_guard lock(found->mutex);
    fill(info, found->points(), "info");
  });
}

wave_status wave_question_compute(wave_question* question, uint64_t begin, uint64_t end, const void* plan,
                                  size_t plan_size, wave_progress progress, void* data, const void** part, size_t* size,
                                  wave_error** error) {
  return call(error, [&] {
    const auto found = study_of(question);
    if (plan_size > 0) need(plan, "plan");
    need(part, "part");
    need(size, "size");
    const std::lock_guard lock(found->mutex);
    const std::string& bytes =
        found->compute({begin, end}, {static_cast<const char*>(plan), plan_size}, progress, data);
    *part = bytes.data();
    *size = bytes.size();
  });
}

wave_status wave_question_add(wave_question* question, uint64_t begin, uint64_t end, const void* part, size_t size,
                              wave_error** error) {
  return call(error, [&] {
    const auto found = study_of(question);
    need(part, "part");
    const std::lock_guard lock(found->mutex);
    found->add({begin, end}, {static_cast<const char*>(part), size});
  });
}

}  // extern "C"
