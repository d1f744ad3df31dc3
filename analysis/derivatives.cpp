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
      is_known_.push_back(!one.failure);
      if (one.failure) continue;
      const AskedTimes::Found found = times.find(column(one), {});
      if (found.failure && found.failure->is_limit()) one.failure = found.failure;
      is_known_.back() = found.is_open();
    }
    stand_ins_ = times.stand_ins(varying_);
  }

  // Each parameter has tangents of its own: where one is computed from another, it moves with that.
  void define_tangents() {
    ir::Builder builder(lowered_.system);
    tangents_.resize(found_.size());
    std::map<ir::DefinitionId, ir::DefinitionId> parts;
    if (!varying_.empty()) hidden_ = Tangents::make_seed(builder, "parts of processes'");  // any of them, in one
    for (const Input& part : varying_) parts[part.definition] = hidden_;
    for (const ir::DefinitionId parameter : by_) {
      seeds_.push_back(Tangents::make_seed(builder, "a parameter'"));
      auto seeds = parts;
      seeds[parameter] = seeds_.back();
      Tangents tangents(lowered_.system, std::move(seeds), {}, stand_ins_);
      for (std::size_t o = 0; o < found_.size(); ++o) tangents_[o].push_back(define(tangents, o));
    }
  }

  // Not valid where the output does not move at all.
  ir::DefinitionId define(Tangents& tangents, std::size_t output) {
    if (!is_known_[output]) return {};
    try {
      return tangents.define(column(found_[output]));
    } catch (const NoTangent&) {
      is_known_[output] = false;
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
      const auto of_messages = reach_of_messages(lowered_.system, all.measures).definitions;
      for (std::size_t i = 0; i < by_.size() && !one.failure; ++i) {
        // Sizes of messages are constants of a path, and steps that take no time are not on it.
        const bool is_on_paths = all.measures.empty() || (of_messages.count(by_[i]) == 0 && !is_zero_[i]);
        if (all.definitions.count(by_[i]) == 0) {
          one.by[i] = 0;
        } else if (is_known_[o] && is_on_paths && !hides(*engine, one, tangents_[o][i])) {
          one.by[i] = slope(*engine, one, tangents_[o][i], seeds_[i]);
        }
      }
    }
  }

  // Whether parts of processes count that are not taken apart.
  bool hides(backend::Engine& engine, Derivatives& one, ir::DefinitionId tangent) {
    return hidden_.valid() && slope(engine, one, tangent, hidden_) != std::optional<double>(0);
  }

  std::optional<double> slope(backend::Engine& engine, Derivatives& one, ir::DefinitionId tangent,
                              ir::DefinitionId seed) {
    if (!tangent.valid()) return 0;
    const auto outcome = engine.start({{seed, ir::Scalar::of(1.0)}}, limits_)->evaluate(tangent);
    if (const auto* rows = std::get_if<backend::Rows>(&outcome)) {
      const double value = rows->cells.at(0).real;
      return std::isfinite(value) ? std::optional(value) : std::nullopt;
    }
    if (const auto& failure = std::get<ir::Failure>(outcome); failure.is_limit()) one.failure = failure;
    return std::nullopt;
  }

  frontend::Lowered& lowered_;
  const std::vector<ir::DefinitionId>& by_;
  const MakeEngine& make_engine_;
  const backend::Limits& limits_;
  backend::KernelSource kernels_;  // for critical paths
  std::vector<Derivatives> found_;
  std::vector<bool> is_known_;  // whether the parts of processes are, by output
  std::vector<bool> is_zero_;   // by parameter
  std::map<ir::ValueId, ir::ValueId> stand_ins_;
  std::vector<Input> varying_;
  ir::DefinitionId hidden_;                              // the seed of what varies
  std::vector<ir::DefinitionId> seeds_;                  // by parameter
  std::vector<std::vector<ir::DefinitionId>> tangents_;  // by output, then by parameter
};

}  // namespace

std::vector<Derivatives> find_derivatives(frontend::Lowered& lowered, const std::vector<ir::DefinitionId>& by,
                                          const MakeEngine& make_engine, const backend::Limits& limits) {
  return SlopeSearch(lowered, by, make_engine, limits).run();
}

}  // namespace wave::analysis
