// See process_paths.h.
#include "tests/parity/process_paths.h"

#include "analysis/breakdown.h"
#include "analysis/derivatives.h"
#include "backend/engine_choice.h"
#include "backend/interpreter/inspection.h"
#include "backend/processes/path/critical_plan.h"
#include "backend/processes/path/recorded_path.h"
#include "backend/processes/program/uses.h"
#include "frontend/lower/lower.h"
#include "tests/parity/process_counts.h"
#include "tests/parity/process_services.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace wave::parity {

namespace {

using namespace backend::processes;

// Sums by kind, resource and statement. How they are apart by weight is not told.
using Sums = std::map<std::tuple<Cause::Kind, std::optional<ResourceKey>, std::uint32_t>, double>;

Sums sums_of(const CriticalPath& path) {
  Sums sums;
  for (const PathTerm& term : path.terms)
    if (term.sum != 0) sums[{term.kind, term.resource, term.location.begin}] += term.sum;
  return sums;
}

// The first term that only one of them has, or has with another sum.
std::string difference(const Sums& network, const Sums& followed, const char* way) {
  for (const auto& [term, sum] : network) {
    const auto found = followed.find(term);
    const double other = found == followed.end() ? 0 : found->second;
    if (other == sum) continue;
    return fmt::format("the path {} has other terms: {} at {} takes {:.17g}, not {:.17g}", way,
                       analysis::word_of(std::get<Cause::Kind>(term)), std::get<std::uint32_t>(term), other, sum);
  }
  return followed.size() == network.size() ? "" : fmt::format("the path {} has more terms", way);
}

std::string difference(const CriticalPath& path, double time, const char* way) {
  double sum = 0;
  for (const PathTerm& term : path.terms) sum += term.sum;
  if (path.total != time) return fmt::format("the path {} takes {:.17g}, the process {:.17g}", way, path.total, time);
  if (sum != time) return fmt::format("the path {} adds up to {:.17g}, the process takes {:.17g}", way, sum, time);
  return {};
}

// With the path of instructions.
void compare_with(const CriticalPath& path, const CriticalPath& other, double time, const char* way,
                  PathsChecked& checked) {
  if (!checked.difference.empty()) return;
  checked.difference = difference(other, time, way);
  if (!checked.difference.empty()) return;
  if (other.last_finish != path.last_finish || other.finisher != path.finisher)
    checked.difference = fmt::format("the path {} leads elsewhere", way);
  else
    checked.difference = difference(sums_of(path), sums_of(other), way);
}

// To the end of one process, or of the last finisher.
void compare_path(Run& run, const ProgramInput& input, SweepKernels& kernels, std::optional<std::int64_t> rank,
                  double time, PathsChecked& checked) {
  if (!checked.difference.empty()) return;
  const CriticalPath path = engine::find_critical_path(input, nullptr, {rank}, true);
  ++checked.paths;
  checked.difference = difference(path, time, "of instructions");
  if (const auto followed = follow_critical_path(input, kernels, {rank}, true)) {
    ++checked.followed;
    compare_with(path, *followed, time, "followed back", checked);
  }
  compare_with(path, run.find_critical_path(input, {rank}, true), time, "recorded", checked);
  ++checked.recorded;
}

// To a process's time in its phases.
void compare_phases(Run& run, const ProgramInput& input, SweepKernels& kernels, std::int64_t rank,
                    PathsChecked& checked) {
  std::set<std::uint32_t> asked;
  for (const ir::Value& value : input.scalars.system().values) {
    const auto* const measure = std::get_if<ir::Measure>(&value.node);
    if (measure && measure->phase.valid()) asked.insert(measure->phase.index);
  }
  for (const std::uint32_t phase : asked) {
    const PathTarget target{rank, ir::PhaseId{phase}};
    if (!checked.difference.empty()) return;
    ++checked.phases;
    const CriticalPath path = engine::find_critical_path(input, nullptr, target, true);
    const double time = run.measure(ir::Metric::time, target.phase, input.places.point(rank)).real;
    checked.difference = difference(path, time, "in a phase");
    compare_with(path, run.find_critical_path(input, target, true), time, "in a phase recorded", checked);
    const auto followed = follow_critical_path(input, kernels, target, true);
    if (followed) compare_with(path, *followed, time, "in a phase followed back", checked);
  }
}

// Every other program without kernels: then nothing is recorded, and sweeps are evaluated by their definition.
void compare_paths(const frontend::Lowered& lowered, std::uint64_t seed, PathsChecked& checked) {
  const auto use = [&](Run& run) {
    const double time = run.measure(ir::Metric::time, {}, {}).real;
    const std::size_t rank = seed % run.finishes().size();
    const auto compare = [&](const ProgramInput& input, SweepKernels& kernels) {
      if (input.quantum == run.quantum()) {  // times of finer ones are others
        compare_path(run, input, kernels, std::nullopt, time, checked);
        compare_path(run, input, kernels, static_cast<std::int64_t>(rank), run.finishes()[rank], checked);
        compare_phases(run, input, kernels, static_cast<std::int64_t>(rank), checked);
        const ServicesChecked services = check_services(run, input);
        checked.services = services.services;
        checked.shown = services.shown;
        if (checked.difference.empty()) checked.difference = services.difference;
        if (checked.difference.empty()) checked.difference = check_counts(run, lowered.system);
      }
      return std::optional(time);
    };
    run.use_program_only(compare, [&](const ProgramInput&) { return time; });
  };
  backend::KernelSource source;
  if (seed % 2 == 0) {
    const auto made = backend::make_engine(backend::EngineKind::jit, lowered.system);
    source = backend::kernel_source(*std::get<0>(made));
  }
  // A process that fails has no path.
  static_cast<void>(backend::inspect_process(lowered.system, {}, {}, lowered.processes.front().process, use, source));
}

// What rounding adds is no row. It is as small as the error that is reported.
double error_of(const frontend::Lowered& lowered) {
  const auto engine = backend::make_interpreter(lowered.system);
  const auto evaluation = engine->start({}, {});
  for (const frontend::OutputInfo& output : lowered.outputs)
    if (output.root.valid()) static_cast<void>(evaluation->evaluate(output.root));
  double error = 0;
  for (const backend::EventReport& report : evaluation->reports()) error = std::max(error, report.error);
  return error;
}

void compare_breakdowns(frontend::Lowered& lowered, PathsChecked& checked) {
  const auto interpreter = [](const ir::System& system) { return backend::make_interpreter(system); };
  const double error = error_of(lowered);
  for (const analysis::Breakdown& one : analysis::break_down(lowered, interpreter, {})) {
    const bool is_of_end = one.output->name == "elapsed" || one.output->name == "last";
    if (one.failure || (!one.why_not.empty() && !is_of_end)) continue;
    ++checked.breakdowns;
    double sum = one.rest;
    for (const analysis::Share& share : one.shares) sum += share.time;
    const std::string& name = one.output->name;
    if (!one.why_not.empty()) {
      checked.difference = fmt::format("no breakdown of {}: {}", name, one.why_not);
    } else if (sum != one.total) {
      checked.difference = fmt::format("the rows of {} add up to {:.17g}, not {:.17g}", name, sum, one.total);
    } else if (std::fabs(one.rest) > error + one.total * 1e-12) {
      checked.difference = fmt::format("{:.17g} of {:.17g} are in no row of {}", one.rest, one.total, name);
    }
    if (!checked.difference.empty()) return;
  }
}

// Slopes of an output on both sides of a parameter's value; none where it has no value beside it.
struct Slopes {
  double down = 0, up = 0;
};
std::optional<Slopes> slopes_of(backend::Engine& engine, const analysis::Derivatives& of, ir::DefinitionId by,
                                double value, double change) {
  const auto at = [&](double beside) -> std::optional<double> {
    const auto outcome = engine.start({{by, ir::Scalar::of(beside)}}, {})->evaluate(of.output->root);
    const auto* const rows = std::get_if<backend::Rows>(&outcome);
    return rows ? std::optional(rows->cells.at(0).real) : std::nullopt;
  };
  const auto down = at(value - change), up = at(value + change);
  if (!down || !up) return std::nullopt;
  return Slopes{(of.total - *down) / change, (*up - of.total) / change};
}

// Where two paths are as long, the slopes are different, and the derivative is along one of them.
std::string difference(const Slopes& slopes, double derivative, double total, double value) {
  const double rounding = 1e-4 * std::fabs(derivative) + 1e-7 * std::fabs(total / value);
  const double least = std::min(slopes.down, slopes.up) - rounding, most = std::max(slopes.down, slopes.up) + rounding;
  if (derivative >= least && derivative <= most) return {};
  return fmt::format("has the derivative {:.17g}, and slopes {:.17g} and {:.17g}", derivative, slopes.down, slopes.up);
}

// At a threshold of a protocol, the slopes to both sides are the steeper the nearer they are.
bool jumps(const Slopes& slopes, const std::optional<Slopes>& nearer) {
  return !nearer || std::fabs(nearer->down) > 4 * std::fabs(slopes.down) ||
         std::fabs(nearer->up) > 4 * std::fabs(slopes.up);
}

void compare_derivatives(frontend::Lowered& lowered, PathsChecked& checked) {
  const auto interpreter = [](const ir::System& system) { return backend::make_interpreter(system); };
  std::vector<const frontend::ParameterInfo*> parameters;
  std::vector<ir::DefinitionId> by;
  for (const frontend::ParameterInfo& one : lowered.parameters) {
    if (!one.definition.valid() || lowered.system[one.definition].type != ir::ScalarType::real) continue;
    parameters.push_back(&one);
    by.push_back(one.definition);
  }
  const auto found = analysis::find_derivatives(lowered, by, interpreter, {});
  const auto engine = backend::make_interpreter(lowered.system);
  const ir::Process& process = lowered.system[lowered.processes.front().process];
  const bool has_resources = resource_use(lowered.system, process).any;
  for (const analysis::Derivatives& one : found) {
    if (one.failure || (one.output->name != "elapsed" && one.output->name != "last")) continue;
    for (std::size_t i = 0; i < by.size(); ++i) {
      if (!one.by[i].value) {
        ++checked.no_derivative[one.by[i].why];
        continue;
      }
      const auto outcome = engine->start({}, {})->evaluate(by[i]);
      const auto* const rows = std::get_if<backend::Rows>(&outcome);
      const double value = rows ? rows->cells.at(0).real : 0;
      if (value == 0) continue;
      const std::optional<Slopes> slopes = slopes_of(*engine, one, by[i], value, std::fabs(value) * 0x1p-18);
      if (!slopes) continue;
      ++checked.derivatives;
      const std::string text = difference(*slopes, *one.by[i].value, one.total, value);
      if (text.empty()) continue;
      if (has_resources || jumps(*slopes, slopes_of(*engine, one, by[i], value, std::fabs(value) * 0x1p-21))) {
        ++checked.reordered;
        continue;
      }
      checked.difference = fmt::format("{} by {} {}", one.output->name, parameters[i]->path, text);
      return;
    }
  }
}

}  // namespace

PathsChecked check_paths(const frontend::Program& program, const frontend::Item& model, std::uint64_t seed) {
  PathsChecked checked;
  frontend::Diagnostics diagnostics;
  frontend::LoweringOptions options;
  options.literals = options.processes = true;
  frontend::Lowered lowered = frontend::lower_model(program, model, {}, diagnostics, options);
  if (diagnostics.has_errors() || lowered.processes.empty()) return checked;
  compare_paths(lowered, seed, checked);
  if (checked.difference.empty()) compare_breakdowns(lowered, checked);
  if (checked.difference.empty()) compare_derivatives(lowered, checked);
  return checked;
}

}  // namespace wave::parity
