// See critical_paths.h.
#include "tests/parity/critical_paths.h"

#include "backend/engine_choice.h"
#include "backend/processes/run.h"
#include "frontend/lower/lower.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <tuple>

namespace wave::parity {

namespace {

using backend::processes::Cause;
using backend::processes::CriticalPath;
using backend::processes::NetworkInput;

// Sums by kind, by statement and, with details, by weight.
using Sums = std::map<std::tuple<Cause::Kind, std::uint32_t, double>, double>;

Sums sums_of(const CriticalPath& path) {
  Sums sums;
  for (const auto& term : path.terms) sums[{term.kind, term.location.begin, term.weight.value_or(0)}] += term.sum;
  return sums;
}

std::string text_of(const CriticalPath& path) {
  std::string text = fmt::format("{} to ({})", path.total, fmt::join(path.finisher, ", "));
  for (const auto& [key, sum] : sums_of(path))
    text += fmt::format("\n  kind {} at {}, weight {}: {}", static_cast<int>(std::get<0>(key)), std::get<1>(key),
                        std::get<2>(key), sum);
  return text;
}

// Of all processes of a model, the last finisher and every fifth other.
void compare(const ir::System& system, ir::ProcessId process, PathCampaign& campaign) {
  const auto compare_paths = [&](backend::processes::Run& run) {
    run.use_network([&](const NetworkInput& input) {
      for (std::int64_t rank = -1; rank < input.places.count(); rank += 5) {
        const auto to = rank < 0 ? std::nullopt : std::optional(rank);
        const bool in_detail = rank % 2 != 0;
        const CriticalPath network = find_critical_path(input, to, in_detail);
        const std::optional<CriticalPath> recorded = run.record_critical_path(input, to, in_detail);
        if (!recorded) continue;
        ++campaign.recorded;
        if (recorded->total != network.total || recorded->last_finish != network.last_finish ||
            recorded->finisher != network.finisher || sums_of(*recorded) != sums_of(network))
          campaign.difference = "the network: " + text_of(network) + "\nrecorded: " + text_of(*recorded);
      }
    });
  };
  if (inspect_process(backend::EngineKind::jit, system, {}, {}, process, compare_paths)) ++campaign.failed;
}

}  // namespace

PathCampaign compare_random_paths(std::uint64_t first, std::uint64_t count, test::Resources resources) {
  PathCampaign campaign;
  for (std::uint64_t seed = first; seed < first + count && campaign.difference.empty(); ++seed) {
    ++campaign.programs;
    const std::string text = test::random_process_program(seed, resources);
    frontend::Diagnostics diagnostics;
    const auto program = frontend::load("<random>", {}, diagnostics, &text);
    if (diagnostics.has_errors()) continue;
    const frontend::Item* model = nullptr;
    for (const auto& item : program->main().items) {
      if (std::holds_alternative<frontend::item::Model>(item->node)) model = item.get();
    }
    const frontend::Lowered lowered = frontend::lower_model(*program, *model, {}, diagnostics);
    for (std::uint32_t process = 0; process < lowered.system.processes.size(); ++process) {
      if (lowered.system.processes[process].frame == ir::System::root_frame)
        compare(lowered.system, ir::ProcessId{process}, campaign);
    }
    if (!campaign.difference.empty())
      campaign.difference = fmt::format("seed {}: {}\n{}", seed, campaign.difference, text);
  }
  return campaign;
}

}  // namespace wave::parity
