// See reduced_study.h.
#include "analysis/study/reduce/reduced_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace wave::analysis {
namespace {

constexpr std::uint32_t most_passes = 8;

std::vector<std::uint64_t> ends_of(const PointSet& points) {
  std::vector<std::uint64_t> ends;
  for (const auto& [begin, end] : points.ranges()) ends.insert(ends.end(), {begin, end});
  return ends;
}

bool is_less(const CountedFailure& a, const CountedFailure& b) {
  return std::tie(a.first, a.words) < std::tie(b.first, b.words);
}

}  // namespace

void report(const StudyReductionTrouble& wrong, const StudyDescription& study, frontend::Sources& sources,
            frontend::Diagnostics& diagnostics) {
  const auto& [begin, end, message, label, help] = wrong.trouble;
  const std::uint32_t file = sources.add("--reduce", study.reductions[wrong.index]);
  auto& d = diagnostics.add(frontend::DiagnosticKind::wrong_study,
                            {file, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)}, message, label);
  if (!help.empty()) d.help.push_back(help);
}

std::variant<std::unique_ptr<ReducedStudy>, StudyReductionTrouble> ReducedStudy::make(const StudyDescription& study) {
  std::unique_ptr<ReducedStudy> reduced(new ReducedStudy(study));
  for (std::size_t i = 0; i < study.reductions.size(); ++i) {
    auto read = read_reduction(study.reductions[i], reduced->study_.columns);
    if (auto* trouble = std::get_if<ReductionTrouble>(&read)) return StudyReductionTrouble{i, std::move(*trouble)};
    const std::string& text = study.reductions[i];
    if (std::find(study.reductions.begin(), study.reductions.begin() + static_cast<std::ptrdiff_t>(i), text) !=
        study.reductions.begin() + static_cast<std::ptrdiff_t>(i))
      return StudyReductionTrouble{i, {0, text.size(), "this is asked for twice", "again", "leave one out"}};
    auto& reduction = reduced->reductions_.emplace_back(std::get<Reduction>(std::move(read)));
    if (reduction.kind != Reduction::Kind::groups) continue;
    if (auto why = trouble_of_groups(reduced->study_, reduction); !why.empty()) {
      const auto help = fmt::format("{} groups are the most", most_groups);
      return StudyReductionTrouble{i, {0, reduction.text.size(), std::move(why), "too many", help}};
    }
  }
  Pass& first = reduced->passes_.emplace_back();
  for (const auto& one : reduced->reductions_) first.reducers.push_back(make_reducer(reduced->study_, one));
  return reduced;
}

void ReducedStudy::take(const Chunk& chunk) {
  Pass& pass = passes_.back();
  const ChunkValues values(study_, points_, chunk);
  for (const auto& one : pass.reducers) {
    if (one) one->take(values);
  }
  pass.done.add(chunk.range);
  if (passes_.size() > 1) return;
  for (const auto& one : chunk.failed) {
    if (one.rows.empty()) continue;
    add_failure({one, one.rows.size(), one.rows.front()});
    if (!one.was_given_up()) continue;
    if (given_up_.empty()) limits_ = chunk.limits;
    limits_.seconds = std::min(limits_.seconds, chunk.limits.seconds);
    limits_.memory_bytes = std::min(limits_.memory_bytes, chunk.limits.memory_bytes);
    for (const std::uint64_t point : one.rows) given_up_.add({point, point + 1});
  }
}

// The message is that of the first point.
void ReducedStudy::add_failure(const CountedFailure& failure) {
  const auto found = std::find_if(failures_.begin(), failures_.end(),
                                  [&](const CountedFailure& one) { return one.same_way(failure); });
  if (found == failures_.end()) {
    failures_.push_back(failure);
    failures_.back().diagnostic = {failure.kind(), failure.message(), {}, {}, {}};
  } else {
    found->count += failure.count;
    if (failure.first < found->first) {
      found->first = failure.first;
      found->diagnostic.message = failure.message();
    }
  }
  std::sort(failures_.begin(), failures_.end(), is_less);
}

std::string ReducedStudy::merge(std::string_view state) {
  auto made = make(study_);
  auto& other = *std::get<std::unique_ptr<ReducedStudy>>(made);
  if (!other.decode(state)) return "it is no state of this study";
  if (other.pass() != pass() || other.passes_.back().plan != passes_.back().plan)
    return fmt::format("it is of pass {} over the points, or follows other ones than this pass {}", other.pass(),
                       pass());
  Pass &own = passes_.back(), &theirs = other.passes_.back();
  for (const auto& range : theirs.done.ranges()) {
    if (own.done.overlaps(range)) return fmt::format("the points from {} on are there already", range.begin + 1);
    own.done.add(range);
  }
  for (std::size_t i = 0; i < own.reducers.size(); ++i) {
    if (own.reducers[i]) own.reducers[i]->merge(*theirs.reducers[i]);
  }
  if (passes_.size() > 1) return {};
  for (const auto& one : other.failures_) add_failure(one);
  if (given_up_.empty()) limits_ = other.limits_;
  if (!other.given_up_.empty()) {
    limits_.seconds = std::min(limits_.seconds, other.limits_.seconds);
    limits_.memory_bytes = std::min(limits_.memory_bytes, other.limits_.memory_bytes);
  }
  for (const auto& range : other.given_up_.ranges()) given_up_.add(range);
  return {};
}

std::string ReducedStudy::trouble() const {
  for (const auto& one : passes_.back().reducers) {
    if (std::string why = one ? one->trouble() : std::string(); !why.empty()) return why;
  }
  return {};
}

std::string ReducedStudy::inconsistency() const {
  for (const auto& one : passes_.back().reducers) {
    if (std::string why = one ? one->inconsistency() : std::string(); !why.empty()) return why;
  }
  return {};
}

bool ReducedStudy::needs_another_pass() const {
  return std::any_of(passes_.back().reducers.begin(), passes_.back().reducers.end(),
                     [](const auto& one) { return one && one->needs_another_pass(); });
}

std::string ReducedStudy::next_plan() const {
  ByteWriter writer;
  for (const auto& one : passes_.back().reducers) {
    const bool goes_on = one && one->needs_another_pass();
    writer.number(static_cast<std::uint8_t>(goes_on ? 1 : 0));
    if (goes_on) one->write_plan(writer);
  }
  return writer.take();
}

std::optional<ReducedStudy::Pass> ReducedStudy::next_pass(std::string_view plan) const {
  Pass pass;
  pass.plan = plan;
  ByteReader reader(plan);
  for (std::size_t i = 0; i < reductions_.size(); ++i) {
    auto& reducer = pass.reducers.emplace_back();
    if (reader.number<std::uint8_t>() == 0) continue;
    // Whoever follows a plan alone has seen no points before; how a pass goes on depends on the plan alone.
    reducer = make_reducer(study_, reductions_[i])->next(reader);
    if (!reducer) return std::nullopt;
  }
  return reader.ok() && reader.at_end() ? std::optional(std::move(pass)) : std::nullopt;
}

bool ReducedStudy::begin_next_pass() {
  if (!needs_another_pass()) return false;
  auto pass = next_pass(next_plan());
  if (!pass) return false;
  passes_.push_back(std::move(*pass));
  return true;
}

std::string ReducedStudy::plan() const {
  ByteWriter writer;
  writer.number(static_cast<std::uint32_t>(passes_.size()));
  for (const Pass& one : passes_) writer.text(one.plan);
  return writer.take();
}

bool ReducedStudy::follow(std::string_view plan) {
  ByteReader reader(plan);
  const auto count = reader.number<std::uint32_t>();
  if (count == 0 || count > most_passes || passes_.size() != 1 || !reader.text().empty()) return false;
  for (std::uint32_t i = 1; i < count; ++i) {
    auto pass = next_pass(reader.text());
    if (!pass) return false;
    passes_.push_back(std::move(*pass));
  }
  return reader.ok() && reader.at_end();
}

void ReducedStudy::write_failures(ByteWriter& writer) const {
  writer.number(static_cast<std::uint32_t>(failures_.size()));
  for (const auto& one : failures_) {
    writer.text(code_of(one.kind())).text(one.words).text(one.message()).number(one.count).number(one.first);
  }
  const PointLimits limits = given_up_.empty() ? PointLimits() : limits_;
  writer.numbers(ends_of(given_up_)).number(limits.seconds).number(static_cast<std::uint64_t>(limits.memory_bytes));
}

bool ReducedStudy::read_failures(ByteReader& reader) {
  const auto count = reader.number<std::uint32_t>();
  for (std::uint32_t i = 0; i < count && reader.ok(); ++i) {
    CountedFailure one;
    const auto kind = frontend::kind_of(reader.text());
    if (!kind) return false;
    one.words = reader.text();
    one.diagnostic = {*kind, reader.text(), {}, {}, {}};
    one.count = reader.number<std::uint64_t>();
    one.first = reader.number<std::uint64_t>();
    if (one.first >= study_.points) return false;
    failures_.push_back(std::move(one));
  }
  auto given_up = read_point_set(reader, study_.points);
  limits_.seconds = reader.number<double>();
  limits_.memory_bytes = reader.number<std::uint64_t>();
  if (given_up) given_up_ = std::move(*given_up);
  return given_up.has_value() && reader.ok();
}

std::string ReducedStudy::encode() const {
  ByteWriter writer;
  writer.number(static_cast<std::uint32_t>(passes_.size())).numbers(ends_of(passes_.back().done)).text(plan());
  write_failures(writer);
  for (std::size_t i = 0; i < passes_.size(); ++i) {
    if (i + 1 < passes_.size()) writer.numbers(ends_of(passes_[i].done));
    for (const auto& one : passes_[i].reducers) {
      if (one) one->write(writer);
    }
  }
  return writer.take();
}

bool ReducedStudy::decode(std::string_view state) {
  ByteReader reader(state);
  const auto head = read_state_head(reader, study_.points);
  if (!head || !follow(reader.text()) || passes_.size() != head->pass || !read_failures(reader)) return false;
  for (std::size_t i = 0; i < passes_.size(); ++i) {
    auto done = i + 1 < passes_.size() ? read_point_set(reader, study_.points) : std::optional(head->done);
    if (!done) return false;
    passes_[i].done = std::move(*done);
    for (const auto& one : passes_[i].reducers) {
      if (one && !one->read(reader)) return false;
    }
  }
  return reader.ok() && reader.at_end();
}

// Reductions have nothing of such points but their number.
void ReducedStudy::forget_given_up(const PointLimits& limits) {
  const bool is_more = limits.seconds > limits_.seconds || limits.memory_bytes > limits_.memory_bytes;
  if (passes_.size() > 1 || given_up_.empty() || !is_more) return;
  passes_.front().done = passes_.front().done.without(given_up_);
  given_up_ = {};
  const auto is_gone = [](const CountedFailure& one) { return one.was_given_up(); };
  failures_.erase(std::remove_if(failures_.begin(), failures_.end(), is_gone), failures_.end());
}

std::vector<ReducedTable> ReducedStudy::tables() const {
  std::vector<ReducedTable> tables;
  for (std::size_t i = 0; i < reductions_.size(); ++i) {
    const auto last =
        std::find_if(passes_.rbegin(), passes_.rend(), [&](const Pass& one) { return one.reducers[i] != nullptr; });
    tables.push_back(last->reducers[i]->table());
    tables.back().without_value = passes_.front().done.count() - tables.back().counted;
  }
  return tables;
}

std::uint64_t ReducedStudy::failed() const {
  std::uint64_t count = 0;
  for (const auto& one : failures_) count += one.count;
  return count;
}

std::uint64_t ReducedStudy::left_out() const {
  std::uint64_t all = 1;
  for (std::size_t i = 0; i < study_.varied(); ++i) {
    const std::uint64_t one = length(*study_.columns[i].listed);
    all = study_.selection.of_rows() ? one : all * one;
  }
  return study_.selection.is_all() ? 0 : all - study_.points;
}

}  // namespace wave::analysis
