// See chosen_processes.h.
#include "analysis/chosen_processes.h"

#include "backend/interpreter/inspection.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

namespace wave::analysis {

using frontend::DiagnosticKind;
using frontend::ProcessInfo;

std::vector<ProcessInfo> choose_processes(const std::string& wanted, const frontend::Item& model,
                                          const std::vector<ProcessInfo>& all, frontend::Diagnostics& diagnostics) {
  std::vector<ProcessInfo> chosen;
  if (all.empty() && !diagnostics.has_errors()) {
    auto& d = diagnostics.add(DiagnosticKind::no_process, model.name.location,
                              fmt::format("`{}` has no process", model.name.text), "this model");
    d.help.push_back(
        "only a `process` sends messages; recurrences and equations do not. Of models inside it those count that an "
        "output reads");
    return chosen;
  }
  const bool is_path = std::any_of(all.begin(), all.end(), [&](const auto& one) { return one.name == wanted; });
  for (const auto& one : all) {
    const bool is_end = !is_path && one.name.ends_with("." + wanted);
    if (wanted.empty() || one.name == wanted || is_end) chosen.push_back(one);
  }
  if (!chosen.empty() || diagnostics.has_errors()) return chosen;
  std::vector<std::string> names;
  for (const auto& one : all) names.push_back(one.name);
  auto& d = diagnostics.add(DiagnosticKind::no_process, model.name.location,
                            fmt::format("`{}` has no process `{}`", model.name.text, wanted), "this model");
  if (!suggest_nearest(d, wanted, names)) d.help.push_back("its processes are " + frontend::quoted_list(names));
  return chosen;
}

std::vector<ProcessInfo> evaluated_processes(const frontend::Lowered& lowered, std::vector<ProcessInfo> processes,
                                             const backend::Limits& limits) {
  if (processes.size() < 2) return processes;
  std::set<ir::ProcessId> asked;
  const auto listener = [&](const backend::interpreter::AnsweredMeasure& answered, backend::processes::Run&) {
    asked.insert(answered.what.process);
  };
  for (const auto& output : lowered.outputs) {
    if (!output.root.valid()) continue;
    const auto failure = backend::listen_to_measures(lowered.system, limits, output.root, listener);
    if (failure && failure->is_limit()) return processes;
  }
  std::vector<ProcessInfo> evaluated;
  std::copy_if(processes.begin(), processes.end(), std::back_inserter(evaluated),
               [&](const ProcessInfo& one) { return asked.count(one.process) != 0; });
  return evaluated.empty() ? processes : evaluated;
}

void check_requirements(const frontend::Lowered& lowered, const std::vector<ProcessInfo>& processes,
                        const backend::Limits& limits, frontend::Diagnostics& diagnostics) {
  const auto engine = backend::make_interpreter(lowered.system);
  const auto evaluation = engine->start({}, limits);
  for (const auto& process : processes) {
    const auto outcome = evaluation->evaluate(process.requirements);
    if (const auto* failed = std::get_if<ir::Failure>(&outcome)) {
      report(lowered.system, lowered.words, lowered.notes, *failed, diagnostics);
      return;
    }
  }
}

}  // namespace wave::analysis
