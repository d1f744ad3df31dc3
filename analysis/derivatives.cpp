// See derivatives.h.
#include "analysis/derivatives.h"

#include "analysis/asked_times.h"
#include "analysis/tangent.h"
#include "ir/builder.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace wave::analysis {

namespace {

bool is_single_real(const frontend::OutputInfo& info) {
  if (!info.root.valid() || info.is_breakdown || info.shape != frontend::RowsShape::single) return false;
  return info.columns.size() == 1 && std::holds_alternative<frontend::types::Real>(info.columns[0].type->kind);
}

class SlopeSearch {
 public:
  SlopeSearch(frontend::Lowered& lowered, const std::vector<ir::DefinitionId>& by, const MakeEngine& make_engine,
              const backend::Limits& limits)
      : lowered_(lowered), by_(by), make_engine_(make_engine), limits_(limits) {}

  std::vector<Derivatives> run() {
    find_totals();
    find_paths();
    define_tangents();
    evaluate();
    return std::move(found_);
  }

 private:
  ir::ValueId column(const Derivatives& one) const {
    return lowered_.system[one.output->root].blocks.front().columns.front();
  }

  void find_totals() {
    const auto engine = make_engine_(lowered_.system);
    if (!engine) return;
    kernels_ = backend::kernel_source(*engine);
    const auto evaluation = engine->start({}, limits_);
    for (const ir::DefinitionId parameter : by_) {
      const auto value = evaluation->evaluate(parameter);
      const auto* rows = std::get_if<backend::Rows>(&value);
      is_zero_.push_back(rows && rows->cells.at(0).real == 0);
    }
    for (const auto& info : lowered_.outputs) {
      if (!is_single_real(info)) continue;
      Derivatives& one = found_.emplace_back();
      one.output = &info;
      one.by.resize(by_.size());
      const auto outcome = evaluation->evaluate(info.root);
      if (const auto* failure = std::get_if<ir::Failure>(&outcome))
        one.failure = *failure;
      else
        one.total = std::get<backend::Rows>(outcome).cells.at(0).real;
    }
  }

  void find_paths() {
    AskedTimes times(lowered_.system, limits_, kernels_);
    for (Derivatives& one : found_) {
      why_not_.push_back(one.failure ? "it fails" : "");
      if (one.failure) continue;
      const AskedTimes::Found found = times.find(column(one), {});
      if (found.failure && found.failure->is_limit()) one.failure = found.failure;
      why_not_.back() = found.failure ? "the critical path is not found" : found.why_not;
    }
    std::vector<Input> others;
    stand_ins_ = times.stand_ins(others);
    constants_ = times.constants();
  }

  // Each parameter has tangents of its own: where one is computed from another, it moves with that.
  void define_tangents() {
    ir::Builder builder(lowered_.system);
    tangents_.resize(found_.size());
    for (const ir::DefinitionId parameter : by_) {
      seeds_.push_back(Tangents::make_seed(builder, "a parameter'"));
      Tangents tangents(lowered_.system, {{parameter, seeds_.back()}}, {}, stand_ins_);
      for (std::size_t o = 0; o < found_.size(); ++o) tangents_[o].push_back(define(tangents, o));
    }
  }

  // Not valid where the output does not move at all.
  ir::DefinitionId define(Tangents& tangents, std::size_t output) {
    if (!why_not_[output].empty()) return {};
    try {
      return tangents.define(column(found_[output]));
    } catch (const NoTangent& none) {
      why_not_[output] = "it reads " + none.why;
      return {};
    }
  }

  void evaluate() {
    const auto engine = make_engine_(lowered_.system);
    if (!engine) return;
    for (std::size_t o = 0; o < found_.size(); ++o) {
      Derivatives& one = found_[o];
      if (one.failure) continue;
      const Reached all = reach(lowered_.system, column(one), {}, true);
      const std::vector<Decision> decisions = decisions_of(lowered_.system, all.measures);
      for (std::size_t i = 0; i < by_.size() && !one.failure; ++i) {
        if (all.definitions.count(by_[i]) == 0)
          one.by[i].value = 0;
        else if (one.by[i] = refusal(o, i, all.measures, decisions); one.by[i].why.empty())
          one.by[i] = slope(*engine, one, tangents_[o][i], seeds_[i]);
      }
    }
  }

  // Without a reason where nothing refuses a derivative.
  Slope refusal(std::size_t output, std::size_t parameter, const std::set<ir::ValueId>& measures,
                const std::vector<Decision>& decisions) const {
    if (!why_not_[output].empty()) return {{}, why_not_[output], {}};
    if (measures.empty()) return {};
    // Steps that take no time are not on a path.
    if (is_zero_[parameter]) return {{}, "it is 0, and what takes no time is on no critical path", {}};
    for (const Decision& decision : decisions) {
      if (decision.from.count(by_[parameter]) != 0) return {{}, "it decides " + decision.what, decision.location};
    }
    const auto is_asked = [&](const AskedTimes::Constant& constant) {
      return std::ranges::any_of(measures, [&](ir::ValueId measure) {
        return std::get<ir::Measure>(lowered_.system[measure].node).process == constant.process;
      });
    };
    for (const AskedTimes::Constant& constant : constants_) {
      if (constant.from.count(by_[parameter]) != 0 && is_asked(constant)) return {{}, constant.why, constant.location};
    }
    return {};
  }

  Slope slope(backend::Engine& engine, Derivatives& one, ir::DefinitionId tangent, ir::DefinitionId seed) {
    if (!tangent.valid()) return {0, {}, {}};
    const auto outcome = engine.start({{seed, ir::Scalar::of(1.0)}}, limits_)->evaluate(tangent);
    if (const auto* rows = std::get_if<backend::Rows>(&outcome)) {
      const double value = rows->cells.at(0).real;
      if (std::isfinite(value)) return {value, {}, {}};
      return {{}, "it has no bounds", {}, std::isinf(value)};
    }
    const auto& failure = std::get<ir::Failure>(outcome);
    if (failure.is_limit()) one.failure = failure;
    return {{}, "it cannot be evaluated", {}};
  }

  frontend::Lowered& lowered_;
  const std::vector<ir::DefinitionId>& by_;
  const MakeEngine& make_engine_;
  const backend::Limits& limits_;
  backend::KernelSource kernels_;  // for critical paths
  std::vector<Derivatives> found_;
  std::vector<std::string> why_not_;  // by output: why it has no derivative; empty: it may have
  std::vector<bool> is_zero_;         // by parameter
  std::map<ir::ValueId, ir::ValueId> stand_ins_;
  std::vector<AskedTimes::Constant> constants_;
  std::vector<ir::DefinitionId> seeds_;                  // by parameter
  std::vector<std::vector<ir::DefinitionId>> tangents_;  // by output, then by parameter
};

}  // namespace

std::vector<Derivatives> find_derivatives(frontend::Lowered& lowered, const std::vector<ir::DefinitionId>& by,
                                          const MakeEngine& make_engine, const backend::Limits& limits) {
  return SlopeSearch(lowered, by, make_engine, limits).run();
}

}  // namespace wave::analysis
