// See breakdown.h.
#include "analysis/breakdown.h"

#include "analysis/asked_times.h"
#include "analysis/tangent.h"
#include "ir/builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace wave::analysis {

using backend::processes::Cause;

const char* word_of(Cause::Kind kind) {
  switch (kind) {
    case Cause::Kind::compute: return "compute";
    case Cause::Kind::overhead: return "overhead";
    case Cause::Kind::gap: return "gap";
    case Cause::Kind::wire: return "wire";
    case Cause::Kind::handshake: return "handshake";
    case Cause::Kind::collective: return "collective";
  }
  return "";
}

PathKind kind_of(const backend::processes::PathTerm& term) { return {term.kind, term.shared}; }

std::string word_of(const PathKind& kind) {
  return kind.second.empty() ? word_of(kind.first) : "waiting at " + kind.second;
}

namespace {

// --- shares ---

bool is_time(const frontend::OutputInfo& info) {
  if (!info.root.valid() || info.shape != frontend::RowsShape::single || info.columns.size() != 1) return false;
  const auto* real = std::get_if<frontend::types::Real>(&info.columns[0].type->kind);
  return real && real->dimension == frontend::Dimension{1, 0, 0};
}

std::variant<double, ir::Failure> single(const backend::Outcome& outcome) {
  if (const auto* failure = std::get_if<ir::Failure>(&outcome)) return *failure;
  return std::get<backend::Rows>(outcome).cells.at(0).real;
}

class Search {
 public:
  Search(frontend::Lowered& lowered, const MakeEngine& make_engine, const backend::Limits& limits,
         const std::map<std::string, double>& known, std::vector<const frontend::OutputInfo*> outputs)
      : lowered_(lowered),
        make_engine_(make_engine),
        limits_(limits),
        known_(known),
        inputs_(inputs_of(lowered)),
        outputs_(std::move(outputs)) {
    add_cuts(inputs_, outputs_.front()->cuts);
  }

  std::vector<Breakdown> run() {
    find_totals();
    find_paths();
    define_tangents();
    evaluate();
    count_paths();
    for (Breakdown& one : found_) settle(one);
    return std::move(found_);
  }

 private:
  ir::ValueId column(const Breakdown& one) const {
    return lowered_.system[one.output->root].blocks.front().columns.front();
  }
  bool is_open(const Breakdown& one) const { return !one.failure && one.why_not.empty(); }

  void find_totals() {
    const auto engine = make_engine_(lowered_.system);
    if (!engine) return;
    kernels_ = backend::kernel_source(*engine);
    const auto evaluation = engine->start({}, limits_);
    for (const auto* info : outputs_) {
      Breakdown one;
      one.output = info;
      if (const auto known = known_.find(info->name); known != known_.end()) {
        one.total = known->second;
      } else {
        const auto total = single(evaluation->evaluate(info->root));
        if (const auto* failure = std::get_if<ir::Failure>(&total))
          one.failure = *failure;
        else
          one.total = std::get<double>(total);
      }
      if (std::isfinite(one.total)) found_.push_back(std::move(one));
    }
    for (Input& input : inputs_) input.value = value_of(*evaluation, input);
  }

  // 0 if the input fails, since it then has no part in what did not fail.
  static double value_of(backend::Evaluation& evaluation, const Input& input) {
    if (!input.definition.valid()) return 1;
    const auto value = single(evaluation.evaluate(input.definition));
    return std::holds_alternative<double>(value) ? std::get<double>(value) : 0;
  }

  Reached reach_of(const Breakdown& one) const {
    return reach(lowered_.system, column(one), [&](ir::DefinitionId id) { return input_at_.count(id) != 0; });
  }

  // Replaces what outputs ask of processes by the values of critical paths.
  void find_paths() {
    index_inputs();
    AskedTimes times(lowered_.system, limits_, kernels_);
    for (Breakdown& one : found_) {
      if (!is_open(one)) continue;
      AskedTimes::Found found = times.find(column(one), [&](ir::DefinitionId id) { return input_at_.count(id) != 0; });
      one.failure = std::move(found.failure);
      one.why_not = std::move(found.why_not);
    }
    std::vector<Input> varying;
    stand_ins_ = times.stand_ins(varying);
    define_counts(times);
    inputs_.insert(inputs_.end(), varying.begin(), varying.end());
    index_inputs();
  }

  // How often an output counts the times of processes that it asks for itself: tangents along these times alone.
  void define_counts(AskedTimes& times) {
    ir::Builder builder(lowered_.system);
    std::map<ir::DefinitionId, ir::DefinitionId> seeds;
    for (const Breakdown& one : found_) {
      std::vector<Counted>& counted = counted_.emplace_back();
      if (!is_open(one)) continue;
      const auto parts = times.parts(column(one), [&](ir::DefinitionId id) { return input_at_.count(id) != 0; });
      if (parts.size() > most_paths) continue;
      for (const AskedTimes::Part& part : parts) {
        auto& seed = seeds[part.time];
        if (!seed.valid()) seed = Tangents::make_seed(builder, part.process + "'");
        counted.push_back({{part.process, *part.path, 0}, seed});
      }
    }
    if (seeds.empty()) return;
    Tangents tangents(lowered_.system, std::move(seeds), {}, times.times());
    for (std::size_t o = 0; o < found_.size(); ++o) {
      counts_.emplace_back();
      if (counted_[o].empty()) continue;
      try {
        counts_.back() = tangents.define(column(found_[o]));
      } catch (const NoTangent&) {
        counted_[o].clear();
      }
    }
  }

  // Keeps the paths that count.
  void count_paths() {
    if (counts_.empty()) return;
    const auto engine = make_engine_(lowered_.system);
    if (!engine) return;
    for (std::size_t o = 0; o < found_.size(); ++o) {
      if (!is_open(found_[o]) || !counts_[o].valid()) continue;
      for (Counted& one : counted_[o]) {
        const auto times = single(engine->start({{one.seed, ir::Scalar::of(1.0)}}, limits_)->evaluate(counts_[o]));
        if (const auto* failure = std::get_if<ir::Failure>(&times)) {
          if (failure->is_limit()) found_[o].failure = *failure;
          break;
        }
        one.path.times = std::get<double>(times);
        if (one.path.times != 0) found_[o].paths.push_back(std::move(one.path));
      }
    }
  }

  void index_inputs() {
    for (const Input& input : inputs_) {
      if (input.definition.valid()) input_at_.insert(input.definition);
    }
  }

  void define_tangents() {
    ir::Builder builder(lowered_.system);
    std::map<ir::DefinitionId, ir::DefinitionId> of_definitions;
    std::map<ir::TableId, ir::DefinitionId> of_tables;
    for (const Input& input : inputs_) {
      seeds_.push_back(Tangents::make_seed(builder, input.name + "'"));
      if (input.table.valid())
        of_tables[input.table] = seeds_.back();
      else
        of_definitions[input.definition] = seeds_.back();
    }
    Tangents tangents(lowered_.system, std::move(of_definitions), std::move(of_tables), stand_ins_);
    for (Breakdown& one : found_) {
      tangents_.emplace_back();
      if (!is_open(one)) continue;
      try {
        tangents_.back() = tangents.define(column(one));
      } catch (const NoTangent& reason) {
        one.why_not = "it reads " + reason.why;
      }
    }
  }

  // Evaluates once for each input, all outputs that it may have a part in.
  void evaluate() {
    const auto engine = make_engine_(lowered_.system);
    if (!engine) return;
    std::vector<Reached> reached;
    for (const Breakdown& one : found_) reached.push_back(all_of(one));
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      const Input& input = inputs_[i];
      const double scale = input.time * input.value;
      std::unique_ptr<backend::Evaluation> evaluation;
      for (std::size_t o = 0; o < found_.size(); ++o) {
        Breakdown& one = found_[o];
        const bool has_part = input.table.valid() ? reached[o].tables.count(input.table) != 0
                                                  : reached[o].definitions.count(input.definition) != 0;
        if (!has_part || !is_open(one) || !tangents_[o].valid()) continue;
        if (!evaluation) evaluation = engine->start({{seeds_[i], ir::Scalar::of(1.0)}}, limits_);
        const auto tangent = single(evaluation->evaluate(tangents_[o]));
        if (const auto* failure = std::get_if<ir::Failure>(&tangent)) {
          if (failure->is_limit())
            one.failure = *failure;
          else
            one.why_not = fmt::format("it has a value, but not its derivative by `{}`", input.name);
        } else {
          one.shares.push_back({input, scale * std::get<double>(tangent), std::get<double>(tangent)});
        }
      }
    }
  }

  // What a breakdown reads, with what the processes that it reads are made of.
  Reached all_of(const Breakdown& one) const {
    Reached all = reach_of(one);
    std::set<ir::ValueId> open = all.measures;
    while (!open.empty()) {
      const auto stand_in = stand_ins_.find(open.extract(open.begin()).value());
      if (stand_in == stand_ins_.end()) continue;
      Reached more =
          reach(lowered_.system, stand_in->second, [&](ir::DefinitionId id) { return input_at_.count(id) != 0; });
      for (const ir::ValueId measure : more.measures) {
        if (all.measures.insert(measure).second) open.insert(measure);
      }
      all.definitions.merge(more.definitions);
      all.tables.merge(more.tables);
    }
    return all;
  }

  static void settle(Breakdown& one) {
    std::erase_if(one.shares, [](const Share& share) { return share.time == 0 && share.derivative == 0; });
    std::vector<double> times;
    for (const Share& share : one.shares) times.push_back(share.time);
    one.rest = analysis::settle(times, one.total);
    for (std::size_t i = 0; i < times.size(); ++i) one.shares[i].time = times[i];
  }

  frontend::Lowered& lowered_;
  const MakeEngine& make_engine_;
  const backend::Limits& limits_;
  const std::map<std::string, double>& known_;
  backend::KernelSource kernels_;  // for critical paths
  std::vector<Input> inputs_;
  std::vector<const frontend::OutputInfo*> outputs_;
  std::vector<ir::DefinitionId> seeds_, tangents_;  // by input; by breakdown
  // A time of a process that may count, and the seed of its direction; the tangents along these.
  struct Counted {
    PathOfProcess path;
    ir::DefinitionId seed;
  };
  static constexpr std::size_t most_paths = 8;  // each takes an evaluation, and is a table of its own
  std::vector<std::vector<Counted>> counted_;   // by breakdown
  std::vector<ir::DefinitionId> counts_;        // by breakdown; none if no process counts
  std::set<ir::DefinitionId> input_at_;
  std::map<ir::ValueId, ir::ValueId> stand_ins_;
  std::vector<Breakdown> found_;
};

}  // namespace

double settle(std::span<double> parts, double whole) {
  double largest = std::fabs(whole);
  for (const double part : parts) largest += std::fabs(part);
  const double quantum = largest > 0 && std::isfinite(largest) ? std::exp2(std::ilogb(largest) - 50) : 0;
  double sum = 0;
  for (double& part : parts) {
    if (quantum > 0) part = std::nearbyint(part / quantum) * quantum;
    sum += part;
  }
  return whole - sum;
}

std::vector<Breakdown> break_down(frontend::Lowered& lowered, const MakeEngine& make_engine,
                                  const backend::Limits& limits, const std::map<std::string, double>& known) {
  // Breakdowns that cut at names are searched separately, because other inputs count for them.
  std::vector<std::vector<const frontend::OutputInfo*>> groups(1);
  for (const auto& info : lowered.outputs) {
    if (!is_time(info)) continue;
    if (info.cuts.empty())
      groups.front().push_back(&info);
    else
      groups.push_back({&info});
  }
  std::vector<Breakdown> found;
  for (auto& group : groups) {
    if (group.empty()) continue;
    for (Breakdown& one : Search(lowered, make_engine, limits, known, std::move(group)).run())
      found.push_back(std::move(one));
  }
  return found;
}

bool is_breakdown(const frontend::item::Output& output) {
  const auto* const call = std::get_if<frontend::expr::Call>(&output.value->node);
  const auto* const callee = call ? std::get_if<frontend::expr::Name>(&call->callee->node) : nullptr;
  return callee != nullptr && callee->text == "breakdown";
}

}  // namespace wave::analysis
