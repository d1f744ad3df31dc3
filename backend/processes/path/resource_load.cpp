// See resource_load.h.
#include "backend/processes/path/resource_load.h"

#include "backend/processes/engine/whole_program.h"

#include <algorithm>
#include <set>

namespace wave::backend::processes {

namespace {

// Adds up what resources do.
class BusyTimes final : public ProgramWatcher {
 public:
  BusyTimes(const ProgramInput& input, double finish) : input_(input), finish_(finish) {}
  ~BusyTimes() { input_.claim_memory(-claimed_); }
  BusyTimes(const BusyTimes&) = delete;

  void serve(const Service& service) override {
    Kind& kind = kinds_[service.by.resource];
    if (kind.busy.empty()) set_up(kind, service.by.resource);
    const auto instance = service.by.group * kind.count + static_cast<std::size_t>(service.by.number);
    kind.busy[instance] += std::min(service.end, finish_) - std::min(service.begin, finish_);
  }

  std::map<ResourceKey, BusyInstance> busiest() const {
    std::map<ResourceKey, BusyInstance> result;
    for (const auto& [key, kind] : kinds_) {
      const auto most = std::max_element(kind.busy.begin(), kind.busy.end());
      const auto at = static_cast<std::size_t>(most - kind.busy.begin());
      const ResourceInstance instance{key, static_cast<std::uint32_t>(at / kind.count),
                                      static_cast<std::int64_t>(at % kind.count)};
      result[key] = {instance, kind.servers, *most};
    }
    return result;
  }

 private:
  struct Kind {
    std::size_t count = 1;  // side by side
    std::int64_t servers = 1;
    std::vector<double> busy;  // by group and number; on the quantum, so sums of some length do not round
  };

  void set_up(Kind& kind, const ResourceKey& key) {
    const EndsResolver::Instances instances = input_.resolver.instances(key.first, key.second);
    kind.count = static_cast<std::size_t>(instances.count);
    kind.servers = instances.servers;
    const auto* const shared = input_.levels.sharers(input_.scalars.system()[key.first], key.second);
    const std::size_t all =
        kind.count * (shared ? std::size_t{shared->count} : static_cast<std::size_t>(input_.places.count()));
    const auto bytes = static_cast<std::int64_t>(all * sizeof(double));
    input_.claim_memory(bytes);
    claimed_ += bytes;
    kind.busy.resize(all);
  }

  const ProgramInput& input_;
  const double finish_;
  std::int64_t claimed_ = 0;
  std::map<ResourceKey, Kind> kinds_;
};

}  // namespace

std::map<ResourceKey, ResourceTraffic> find_traffic(const ir::System& system, const MessageTally& tally) {
  std::map<ResourceKey, ResourceTraffic> traffic;
  for (const auto& [kind, count] : tally) {
    const ir::Protocol& protocol = system[kind.ends].protocols[kind.protocol];
    for (const auto* const steps : {&protocol.sender, &protocol.receiver}) {
      std::set<std::uint32_t> asked;
      for (const ir::Step& step : *steps) {
        for (const ir::Use& use : step.uses) {
          ResourceTraffic& through = traffic[{kind.ends, use.resource}];
          through.services += count;
          if (asked.insert(use.resource).second) through.bytes.add(kind.size, static_cast<unsigned __int128>(count));
        }
      }
    }
  }
  return traffic;
}

std::map<ResourceKey, BusyInstance> find_busiest(const ProgramInput& input, double finish) {
  BusyTimes times(input, finish);
  engine::run_whole_program(input, times);
  return times.busiest();
}

}  // namespace wave::backend::processes
