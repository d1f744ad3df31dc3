// See process_services.h.
#include "tests/parity/process_services.h"

#include "backend/processes/engine/whole_program.h"
#include "backend/processes/path/resource_load.h"
#include "backend/processes/path/resource_names.h"
#include "backend/processes/path/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace wave::parity {

namespace {

using namespace backend::processes;
using Server = std::pair<ResourceInstance, std::uint32_t>;

struct CollectedServices final : ProgramWatcher {
  void serve(const Service& service) override { all.push_back(service); }
  std::vector<Service> all;
};

std::string find_overlap(const ProgramInput& input, const std::vector<Service>& services) {
  std::map<Server, double> free;
  for (const Service& one : services) {
    double& before = free[{one.by, one.server}];
    if (one.begin < before || one.end < one.begin)
      return fmt::format("{} serves from {:.17g} on, and is free at {:.17g}", instance_name(input, one.by), one.begin,
                         before);
    before = one.end;
  }
  return {};
}

// With the messages of the tally: how many are served, and how many bytes they have.
std::string compare_traffic(const ir::System& system, const MessageTally& tally, const std::vector<Service>& services) {
  std::map<ResourceKey, std::pair<__int128, ExactSum>> counted, served;
  for (const auto& [kind, count] : tally) {
    const ir::Protocol& protocol = system[kind.ends].protocols[kind.protocol];
    for (const auto* const steps : {&protocol.sender, &protocol.receiver}) {
      for (const ir::Step& step : *steps) {
        for (const ir::Use& use : step.uses) {
          auto& [number, bytes] = counted[{kind.ends, use.resource}];
          number += count;
          bytes.add(kind.size, static_cast<unsigned __int128>(count));
        }
      }
    }
  }
  for (const Service& one : services) {
    auto& [number, bytes] = served[one.by.resource];
    ++number;
    bytes.add(one.size);
  }
  for (const auto& [key, through] : counted) {
    if (served[key] != through)
      return fmt::format("{} serves {} times and {:.17g} B, and {} times and {:.17g} B were counted",
                         resource_name(system, key), static_cast<std::int64_t>(served[key].first),
                         served[key].second.rounded(), static_cast<std::int64_t>(through.first),
                         through.second.rounded());
  }
  if (counted.size() != served.size()) return "a resource serves what was not counted";
  for (const auto& [key, through] : find_traffic(system, tally)) {
    if (through.services != served[key].first) return "services are counted in two ways";
  }
  return {};
}

std::string compare_busiest(const ProgramInput& input, double finish, const std::vector<Service>& services) {
  std::map<ResourceInstance, double> busy;
  for (const Service& one : services) busy[one.by] += std::min(one.end, finish) - std::min(one.begin, finish);
  const std::map<ResourceKey, BusyInstance> busiest = find_busiest(input, finish);
  for (const auto& [instance, time] : busy) {
    const auto found = busiest.find(instance.resource);
    if (found == busiest.end() || found->second.busy < time || busy[found->second.instance] != found->second.busy)
      return fmt::format("{} is busy for {:.17g}, and not the busiest", instance_name(input, instance), time);
    if (found->second.busy > finish * static_cast<double>(found->second.servers))
      return fmt::format("{} is busy for longer than all takes", instance_name(input, instance));
  }
  return {};
}

}  // namespace

ServicesChecked check_services(Run& run, const ProgramInput& input) {
  ServicesChecked checked;
  const ir::System& system = input.scalars.system();
  const MessageTally tally = run.counts().tallies().messages;
  if (find_traffic(system, tally).empty()) return checked;
  CollectedServices times;
  engine::run_whole_program(input, times);
  checked.services = times.all.size();
  const Timeline timeline = record_timeline(input, [](std::uint32_t, std::size_t) { return true; });
  checked.shown = timeline.services.size();
  const double finish = *std::max_element(run.finishes().begin(), run.finishes().end());
  for (const std::string& difference :
       {find_overlap(input, times.all), find_overlap(input, timeline.services),
        compare_traffic(system, tally, times.all), compare_busiest(input, finish, times.all)}) {
    if (checked.difference.empty()) checked.difference = difference;
  }
  const auto is_shown = [&](const Service& one) {
    return one.end > one.begin && resource_of(system, one.by.resource).level.has_value();
  };
  if (checked.shown != static_cast<std::size_t>(std::ranges::count_if(times.all, is_shown)))
    checked.difference = "a timeline does not show what shared resources do";
  return checked;
}

}  // namespace wave::parity
