// See breakdown.h.
#include "analysis/breakdown.h"

#include "analysis/tangent.h"
#include "backend/interpreter/inspection.h"
#include "backend/processes/critical_plan.h"
#include "ir/builder.h"
#include "ir/dependences.h"
#include "ir/operations.h"

#include <algorithm>
#include <cmath>

namespace wave::analysis {

using backend::processes::Cause;
using backend::processes::CriticalPath;
using backend::processes::PathTerm;

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

namespace {

// --- critical paths ---

// The weight of a step of a message, in the frame of its machine.
ir::ValueId step_weight(ir::Builder& b, const PathTerm& term) {
  const ir::MessageEnds& ends = b.system()[term.machine];
  const ir::Protocol& protocol = ends.protocols[term.protocol];
  const ir::Step& step = (term.at_sender ? protocol.sender : protocol.receiver)[term.step];
  const ir::ValueId time = term.kind == Cause::Kind::gap ? step.occupied : step.time;
  if (!time.valid()) return {};
  std::vector<ir::ValueId> arguments{b.real(term.size), b.boolean(term.local)};
  if (ends.local < ends.size) std::swap(arguments[0], arguments[1]);
  const ir::FrameId frame = ends.frame;
  const ir::SiteId site = b.site(ir::FailureKind::recursion_too_deep, step.location);
  return b.call(frame, b.define(frame, "step", time, step.location), std::move(arguments), site);
}

// The weight of a statement itself, at the process where it was seen. Not valid if it looks at more than the place of
// the process.
ir::ValueId own_weight(ir::Builder& b, const ir::FreeBinders& binders, ir::SpaceId space, const PathTerm& term) {
  ir::ValueId value;
  if (const auto* compute = std::get_if<ir::Compute>(&term.statement->node)) value = compute->time;
  if (const auto* collective = std::get_if<ir::Collective>(&term.statement->node)) value = collective->cost;
  if (!value.valid()) return value;
  std::vector<ir::Level> levels;
  const auto& axes = b.system()[space].axes;
  for (const ir::BinderId binder : binders.of(value)) {
    const auto axis = std::find_if(axes.begin(), axes.end(), [&](const ir::Axis& one) { return one.binder == binder; });
    if (axis == axes.end()) return {};
    const ir::ValueId place = b.integer(term.at[static_cast<std::size_t>(axis - axes.begin())]);
    levels.push_back(
        {binder, place, place, b.integer(1), false, {}, b.site(ir::FailureKind::no_progress, term.location)});
  }
  if (levels.empty()) return value;
  const ir::SiteId site = b.site(ir::FailureKind::integer_overflow, term.location);
  return b.reduce(ir::ReduceKind::sum, std::move(levels), value, {}, site);
}

// The critical path of a process as a value of the system: the sum of its weights, each times the number of its
// occurrences on the path. As long as the path stays the longest, this value changes as the process does. What looks at
// more than a process's place (at the tile, say) becomes a definition of its own, which is added to `varying`.
ir::ValueId path_value(ir::Builder& b, const ir::FreeBinders& binders, ir::ProcessId process, const CriticalPath& path,
                       std::vector<Input>& varying) {
  const ir::SpaceId space = b.system()[process].space;
  const std::string name_of_process = b.system()[process].name;
  ir::ValueId sum = b.real(0);
  for (const PathTerm& term : path.terms) {
    ir::ValueId weight;
    if (term.weight) weight = term.machine.valid() ? step_weight(b, term) : own_weight(b, binders, space, term);
    if (weight.valid()) {
      sum = b.add(sum, b.multiply(weight, b.real(term.sum / *term.weight)));
      continue;
    }
    const std::string name = name_of_process + ": " + word_of(term.kind);
    const ir::DefinitionId own = b.define(ir::System::root_frame, name, b.real(term.sum), term.location, true);
    varying.push_back({Input::Kind::process, name, term.location, 1, own, {}, term.sum});
    sum = b.add(sum, b.reference(own));
  }
  return sum;
}

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
         const std::vector<std::string>& wanted, const std::map<std::string, double>& known,
         std::vector<const frontend::OutputInfo*> outputs)
      : lowered_(lowered),
        make_engine_(make_engine),
        limits_(limits),
        known_(known),
        inputs_(inputs_of(lowered, wanted)),
        outputs_(std::move(outputs)) {
    add_cuts(inputs_, outputs_.front()->cuts);
  }

  std::vector<Breakdown> run() {
    find_totals();
    find_paths();
    define_tangents();
    evaluate();
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
    ir::Builder builder(lowered_.system);
    for (Breakdown& one : found_) {
      if (!is_open(one)) continue;
      for (const ir::ValueId measure : reach_of(one).measures) {
        add_path(builder, one, measure);
        if (!is_open(one)) break;
      }
    }
    index_inputs();
  }

  void index_inputs() {
    for (const Input& input : inputs_) {
      if (input.definition.valid()) input_at_.insert(input.definition);
    }
  }

  void add_path(ir::Builder& builder, Breakdown& one, ir::ValueId value) {
    const auto asked = std::get<ir::Measure>(lowered_.system[value].node);
    const ir::Process& process = lowered_.system[asked.process];
    const std::string name = process.name;
    if (asked.metric == ir::Metric::messages || asked.metric == ir::Metric::bytes) return;
    if (process.frame != ir::System::root_frame) {
      one.why_not = "it reads the time of `" + name + "`, the run of an algorithm that is another one for each call";
    } else if (asked.over != ir::Over::one) {
      one.why_not = "it reads a time of `" + name + "` over all processes, not that of one";
    }
    if (!one.why_not.empty()) return;
    std::vector<std::int64_t> indices;
    for (const ir::ValueId index : asked.indices) {
      const auto known = index_value(builder, index);
      if (!known) {
        one.why_not = "it reads a time of a process of `" + name + "` whose place varies";
        return;
      }
      indices.push_back(*known);
    }
    const CriticalPath* path = find_path(one, {asked.process, asked.metric, asked.phase, indices});
    if (!path) return;
    one.paths.emplace_back(name, *path);
    if (stand_ins_.count(value)) return;
    std::vector<Input> varying;
    const ir::FreeBinders binders(lowered_.system);
    stand_ins_[value] = path_value(builder, binders, asked.process, *path, varying);
    inputs_.insert(inputs_.end(), varying.begin(), varying.end());
  }

  std::optional<std::int64_t> index_value(ir::Builder& builder, ir::ValueId index) {
    if (!ir::FreeBinders(lowered_.system).of(index).empty()) return std::nullopt;
    const ir::DefinitionId definition = builder.define(ir::System::root_frame, "index", index);
    const auto engine = backend::make_interpreter(lowered_.system);
    const auto outcome = engine->start({}, limits_)->evaluate(definition);
    const auto* rows = std::get_if<backend::Rows>(&outcome);
    return rows ? std::optional(rows->cells.at(0).integer) : std::nullopt;
  }

  // A time of a process: of that with these indices or, without indices, of the last finisher.
  struct Asked {
    ir::ProcessId process;
    ir::Metric metric{};
    ir::PhaseId phase;
    std::vector<std::int64_t> indices;
    auto operator<=>(const Asked&) const = default;
  };

  // What that time consists of. Null, with the failure or the reason, if it is not found.
  const CriticalPath* find_path(Breakdown& one, const Asked& asked) {
    using backend::processes::NetworkInput;
    auto& known = paths_[asked];
    if (known) return &*known;
    const auto rank = [&](const NetworkInput& input) {
      return asked.indices.empty() ? std::nullopt : std::optional(input.places.rank(asked.indices));
    };
    const auto find = [&](const NetworkInput& input) {
      if (asked.phase.valid()) return 0.0;  // the network keeps the sums to the end of the program alone
      known = backend::processes::find_critical_path(input, rank(input), true);
      return add_program(input, asked, *known);
    };
    const auto use = [&](backend::processes::Run& run) {
      const auto sooner = [&](const NetworkInput& input, backend::processes::SweepKernels& kernels) {
        const backend::processes::PathTarget target{rank(input), asked.phase, asked.metric == ir::Metric::finish};
        known = backend::processes::follow_critical_path(input, kernels, target, true);
        if (!known) known = run.record_critical_path(input, target, true);
        return known ? std::optional(add_program(input, asked, *known)) : std::nullopt;
      };
      run.use_network_only(sooner, find);
    };
    one.failure = backend::inspect_process(lowered_.system, {}, limits_, asked.process, use, kernels_);
    if (!known && !one.failure) {
      one.why_not = "it reads the time in a phase of `" + lowered_.system[asked.process].name +
                    "`, which is not one of sweeps, collectives and other stretches with an order known beforehand";
    }
    if (one.failure) known.reset();
    return known ? &*known : nullptr;
  }

  // From the path to what is asked for: what the process does itself, or all but that. When the last process finishes.
  static double add_program(const backend::processes::NetworkInput& input, const Asked& asked, CriticalPath& path) {
    const double last_finish = path.last_finish;
    if (asked.metric == ir::Metric::time || asked.metric == ir::Metric::finish) return last_finish;
    CriticalPath program = backend::processes::own_program(input, input.places.rank(path.finisher), asked.phase);
    if (asked.metric == ir::Metric::wait) {
      subtract(path, program);
      return last_finish;
    }
    const auto kind = asked.metric == ir::Metric::compute ? Cause::Kind::compute : Cause::Kind::overhead;
    std::erase_if(program.terms, [&](const PathTerm& term) { return term.kind != kind; });
    program.total = 0;
    for (const PathTerm& term : program.terms) program.total += term.sum;
    path = std::move(program);
    return last_finish;
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
        if (const auto* failure = std::get_if<ir::Failure>(&tangent))
          one.failure = *failure;
        else
          one.shares.push_back({input, scale * std::get<double>(tangent), std::get<double>(tangent)});
      }
    }
  }

  // What a breakdown reads, with what the processes that it reads are made of.
  Reached all_of(const Breakdown& one) const {
    Reached all = reach_of(one);
    for (const ir::ValueId measure : std::set<ir::ValueId>(all.measures)) {
      const auto stand_in = stand_ins_.find(measure);
      if (stand_in == stand_ins_.end()) continue;
      Reached more =
          reach(lowered_.system, stand_in->second, [&](ir::DefinitionId id) { return input_at_.count(id) != 0; });
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
  std::set<ir::DefinitionId> input_at_;
  std::map<Asked, std::optional<CriticalPath>> paths_;
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
                                  const backend::Limits& limits, const std::vector<std::string>& wanted,
                                  const std::map<std::string, double>& known) {
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
    for (Breakdown& one : Search(lowered, make_engine, limits, wanted, known, std::move(group)).run())
      found.push_back(std::move(one));
  }
  return found;
}

}  // namespace wave::analysis
