// Studies that several processes compute: parts, and who gathers them. See studies.h.
#include "analysis/study/part.h"
#include "api/c/studies.h"

namespace wave::api {
namespace {

using analysis::PartTrouble;
using frontend::DiagnosticKind;

std::string points_text(PointRange points) {
  if (points.size() == 1) return "the part of point " + std::to_string(points.begin + 1);
  return "the part of the points " + std::to_string(points.begin + 1) + " to " + std::to_string(points.end);
}

[[noreturn]] void refuse(PointRange points, const PartTrouble& trouble) {
  frontend::Diagnostics diagnostics;
  const std::string part = points_text(points);
  switch (trouble.kind) {
    case PartTrouble::Kind::damaged:
      diagnostics.add(DiagnosticKind::parts_do_not_fit, {}, part + " is damaged");
      break;
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

void check_points(const Study& study, PointRange points) {
  if (points.begin <= points.end && points.end <= study.point_count()) return;
  throw Misuse{"the points from " + std::to_string(points.begin) + " to " + std::to_string(points.end) +
               " are none of the " + std::to_string(study.point_count()) + " of the study"};
}

}  // namespace

const std::string& Study::compute(PointRange points, wave_progress progress, void* data) {
  check_points(*this, points);
  {
    const auto lock = program_->reading();
    if (head_.empty()) head_ = part_head(description());
    if (!computer_) computer_.emplace(*points_, id_of(description()), point_limits(), control_.is_stopped());
  }
  control_.begin(points.size(), progress, data);
  part_ = head_;
  if (points.size() == 0) return part_;
  const auto lock = reading_while_it_runs();
  const auto record = computer_->compute(points, [&](std::uint64_t done) { control_.tell(done); });
  if (!record || control_.is_stopped()) stop();
  control_.tell(points.size());
  return part_ += *record;
}

analysis::Journal& Study::gathered() {
  if (gathered_) return *gathered_;
  check_memory(point_count());
  const auto lock = program_->reading();
  if (!journal_.empty()) {
    gathered_ = open_journal();
    return *gathered_;
  }
  auto opened = analysis::Journal::open_nameless(description(), {});
  if (const auto* const trouble = std::get_if<analysis::JournalTrouble>(&opened)) cannot_write(trouble->text);
  gathered_ = std::move(std::get<std::unique_ptr<analysis::Journal>>(opened));
  return *gathered_;
}

const std::vector<std::uint64_t>& Study::open_points() {
  open_.clear();
  for (const PointRange& range : gathered().open_points().ranges()) {
    open_.push_back(range.begin);
    open_.push_back(range.end);
  }
  return open_;
}

void Study::add(PointRange points, std::string_view part) {
  check_points(*this, points);
  analysis::Journal& journal = gathered();
  if (journal.done().overlaps(points)) throw Misuse{points_text(points) + " is there already"};
  const auto record = analysis::record_of_part(part, journal.study(), journal.id(), points);
  if (const auto* const trouble = std::get_if<PartTrouble>(&record)) refuse(points, *trouble);
  if (const std::string why = journal.append(points, std::get<std::string_view>(record)); !why.empty())
    cannot_write(why);
}

}  // namespace wave::api

using namespace wave::api;

extern "C" {

wave_status wave_study_compute(wave_study* study, uint64_t begin, uint64_t end, wave_progress progress, void* data,
                               const void** part, size_t* size, wave_error** error) {
  return call(error, [&] {
    const auto found = get<Study>(study, "study");
    need(part, "part");
    need(size, "size");
    const std::lock_guard lock(found->mutex);
    const std::string& bytes = found->compute({begin, end}, progress, data);
    *part = bytes.data();
    *size = bytes.size();
  });
}

wave_status wave_study_open_points(wave_study* study, const uint64_t** ranges, size_t* count, wave_error** error) {
  return call(error, [&] {
    const auto found = get<Study>(study, "study");
    need(ranges, "ranges");
    need(count, "count");
    const std::lock_guard lock(found->mutex);
    const auto& open = found->open_points();
    *ranges = open.data();
    *count = open.size() / 2;
  });
}

wave_status wave_study_add(wave_study* study, uint64_t begin, uint64_t end, const void* part, size_t size,
                           wave_error** error) {
  return call(error, [&] {
    const auto found = get<Study>(study, "study");
    need(part, "part");
    const std::lock_guard lock(found->mutex);
    found->add({begin, end}, {static_cast<const char*>(part), size});
  });
}

}  // extern "C"
