// See services.h.
#include "backend/processes/bulk/services.h"

#include "backend/processes/thresholds.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace wave::backend::processes {

namespace {

// Calls f(process, asker) for those who ask, in ascending order.
template <class Function>
void for_each_asking(const PlannedService& service, Fields& fields, Function&& f) {
  const FieldPtr mask = service.mask ? fields.expanded(service.mask) : nullptr;
  const auto asks = [&](std::int32_t process) { return !mask || mask->values[static_cast<std::size_t>(process)] != 0; };
  const auto processes = static_cast<std::int32_t>(fields.grid().count());
  if (!service.peers) {
    for (std::int32_t process = 0; process < processes; ++process) {
      if (asks(process)) f(process, process);
    }
    return;
  }
  service.peers->for_each_run(0, processes, [&](const PeerMap::Run& run) {
    for (std::int32_t i = 0; i < run.count; ++i) {
      const std::int32_t process = run.first + i;
      if (asks(process)) f(process, service.of_peer ? run.peer + i : process);
    }
  });
}

bool counts_are_known(const ServiceBatch& batch, std::span<const PlannedService> services) {
  return std::ranges::all_of(batch.asked, [&](const auto& one) { return services[one.service].count != nullptr; });
}

ServiceOrderPtr order_of(const ServiceBatch& batch, std::span<const PlannedService> services, Fields& fields,
                         const SharedLevels& levels) {
  const ir::MessageEnds& machine = fields.system()[batch.resource.first];
  const SharedLevels::Groups* const groups = levels.sharers(machine, batch.resource.second);
  const auto server_of = [&](std::int32_t process) {
    return groups ? groups->of[static_cast<std::size_t>(process)] : static_cast<std::uint32_t>(process);
  };
  const auto service_of = [&](std::size_t asked) -> const PlannedService& {
    return services[batch.asked[asked].service];
  };
  ServiceOrder order;
  order.first.assign((groups ? std::size_t{groups->count} : fields.grid().count()) + 1, 0);
  for (std::size_t asked = 0; asked < batch.asked.size(); ++asked)
    for_each_asking(service_of(asked), fields,
                    [&](std::int32_t process, std::int32_t) { ++order.first[server_of(process) + 1]; });
  // The clock is not looked at while a server's are put in order.
  constexpr std::size_t most_requests = std::size_t{1} << 20;
  if (std::ranges::max(order.first) > most_requests) return nullptr;
  std::partial_sum(order.first.begin(), order.first.end(), order.first.begin());
  order.requests.resize(order.first.back());
  std::vector<std::size_t> next(order.first.begin(), order.first.end() - 1);
  for (std::uint32_t asked = 0; asked < batch.asked.size(); ++asked) {
    fields.look_at_clock();
    for_each_asking(service_of(asked), fields, [&](std::int32_t process, std::int32_t asker) {
      order.requests[next[server_of(process)]++] = {asked, static_cast<std::uint32_t>(process), asker};
    });
  }
  // At one time by count, then by whom they are from; what is from one process stays in its order.
  const bool are_known = counts_are_known(batch, services);
  const auto stamp = [&](const ServiceOrder::Request& one) {
    return std::pair{are_known ? service_of(one.asked).count->of_process(one.process) : 0, one.asker};
  };
  for (std::size_t server = 0; server + 1 < order.first.size(); ++server) {
    if (server % servers_of_chunk == 0) fields.look_at_clock();
    const std::span of_server(order.requests.data() + order.first[server],
                              order.requests.data() + order.first[server + 1]);
    if (!std::ranges::is_sorted(of_server, {}, stamp)) std::ranges::stable_sort(of_server, {}, stamp);
  }
  order.last.resize(order.requests.size());
  for (std::size_t server = 0; server + 1 < order.first.size(); ++server)
    std::iota(order.last.begin() + static_cast<std::ptrdiff_t>(order.first[server]),
              order.last.begin() + static_cast<std::ptrdiff_t>(order.first[server + 1]), 0);
  return fields.make(std::move(order));
}

}  // namespace

ServiceOrderPtr ServiceOrders::of(const ServiceBatch& batch, std::span<const PlannedService> services) {
  std::vector<AskedBy> asked_by;
  for (const ServiceBatch::Asked& one : batch.asked) {
    const PlannedService& service = services[one.service];
    const bool by_process = service.count && !service.count->uniform();
    asked_by.emplace_back(service.mask.get(), service.peers.get(), service.of_peer,
                          by_process ? service.count.get() : nullptr,
                          service.count && !by_process ? service.count->values[0] : -1);
  }
  if (known_.size() >= most_orders_remembered) known_.clear();
  Known& known = known_[{batch.resource, std::move(asked_by)}];
  if (known.order) return known.order;
  known.order = order_of(batch, services, fields_, levels_);
  if (!known.order) return nullptr;
  for (const ServiceBatch::Asked& one : batch.asked) {
    const PlannedService& service = services[one.service];
    known.arguments.insert(known.arguments.end(), {service.mask, service.peers, service.count});
  }
  return known.order;
}

Servers::Kind& Servers::of(const ResourceKey& resource) {
  if (const auto found = kinds_.find(resource); found != kinds_.end()) return found->second;
  auto& instances = instances_.find(resource.first, resource.second);
  const auto bytes = static_cast<std::int64_t>((instances.groups() + instances.free().size()) * sizeof(double));
  claim_(static_cast<std::int64_t>(instances.groups() * sizeof(double)));
  claimed_ += bytes;
  Kind kind{instances, std::vector<double>(instances.groups(), -std::numeric_limits<double>::infinity())};
  return kinds_.emplace(resource, std::move(kind)).first->second;
}

bool Servers::reach(double time) const {
  return std::ranges::any_of(kinds_, [&](const auto& kind) {
    return std::ranges::any_of(kind.second.instances.free(), [&](double free) { return free >= time; });
  });
}

std::size_t ServiceOrder::most_of_server() const {
  std::size_t most = 0;
  for (std::size_t server = 0; server + 1 < first.size(); ++server)
    most = std::max(most, first[server + 1] - first[server]);
  return most;
}

// By time, and at equal times by place.
void BatchServer::sort() {
  const auto is_later = [](const Asking& a, const Asking& b) {
    return a.time > b.time || (a.time == b.time && a.at > b.at);
  };
  if (asking_.size() > few_requests)
    return std::ranges::sort(asking_, [&](const Asking& a, const Asking& b) { return is_later(b, a); }), void();
  for (std::size_t i = 1; i < asking_.size(); ++i) {
    const Asking one = asking_[i];
    std::size_t to = i;
    for (; to > 0 && is_later(asking_[to - 1], one); --to) asking_[to] = asking_[to - 1];
    asking_[to] = one;
  }
}

bool BatchServer::serve(const ServiceBatch& batch, std::span<const PlannedService> services, Servers::Kind& servers,
                        const std::vector<double*>& arrays, std::size_t begin, std::size_t end) {
  const ServiceOrder& order = *batch.order;
  const bool are_known = counts_are_known(batch, services);
  for (std::size_t server = begin; server < end; ++server) {
    const std::size_t count = order.first[server + 1] - order.first[server];
    if (count == 0) continue;
    const ServiceOrder::Request* const requests = order.requests.data() + order.first[server];
    std::uint32_t* const places = order.last.data() + order.first[server];
    asking_.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      const ServiceOrder::Request& request = requests[places[i]];
      const ServiceBatch::Asked& asked = batch.asked[request.asked];
      asking_[i] = {arrays[asked.from][request.process] + asked.plus, places[i]};
    }
    sort();
    if (!(asking_.front().time > servers.last[server])) return false;
    // The moments of a program ascend.
    const auto is_of_program = [&](const ServiceOrder::Request& request) {
      return services[batch.asked[request.asked].service].of_program;
    };
    const auto is_open = [&](const Asking& a, const Asking& b) {
      const ServiceOrder::Request &one = requests[a.at], &other = requests[b.at];
      return a.time == b.time && !(one.asker == other.asker && is_of_program(one) && is_of_program(other));
    };
    if (!are_known && std::ranges::adjacent_find(asking_, is_open) != asking_.end()) return false;
    servers.last[server] = asking_.back().time;
    const std::span<double> free = servers.instances.servers_of(server);
    for (std::size_t i = 0; i < count; ++i) {
      const Asking& one = asking_[i];
      places[i] = one.at;
      const ServiceOrder::Request& request = requests[one.at];
      const ServiceBatch::Asked& asked = batch.asked[request.asked];
      double& next = free.size() == 1 ? free.front() : *std::ranges::min_element(free);
      const double served = std::max(next, one.time);
      arrays[asked.to][request.process] = served;
      next = served + services[asked.service].occupied->of_process(request.process);
    }
  }
  return true;
}

}  // namespace wave::backend::processes
