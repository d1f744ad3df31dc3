// See listed_processes.h.
#include "backend/processes/path/listed_processes.h"

#include "backend/processes/thresholds.h"

#include <algorithm>

namespace wave::backend::processes::engine {

std::optional<std::uint32_t> ListedProcess::service(const ServiceKey& key) const {
  const auto found = std::ranges::lower_bound(services, key, {}, [](const auto& one) { return one.first; });
  if (found == services.end() || found->first != key) return std::nullopt;
  return found->second;
}

std::int64_t ListedProcess::bytes() const {
  return listing->bytes() + static_cast<std::int64_t>(services.capacity() * sizeof(services[0]));
}

ListedProcesses::ListedProcesses(const ProgramInput& input, const Recording& recording,
                                 const ServedResources* resources, ir::PhaseId marked)
    : input_(input),
      recording_(recording),
      resources_(resources),
      marked_(marked),
      accountant_(input.scalars, input.process, input.binders, input.places.extents, input.quantum, input.look_at_clock,
                  input.taken) {}

void ListedProcesses::forget() {
  known_.clear();
  input_.claim_memory(-std::exchange(claimed_, 0));
}

const ListedProcess& ListedProcesses::at(std::int64_t rank) {
  if (claimed_ > bytes_of_listings && !known_.contains(rank)) forget();
  return beside(rank);
}

const ListedProcess& ListedProcesses::beside(std::int64_t rank) {
  if (const auto found = known_.find(rank); found != known_.end()) return found->second;
  ListedProcess process;
  process.listing = std::make_unique<Listing>(input_, resources_, rank, marked_);
  accountant_.list(input_.places.point(rank), *process.listing);
  const std::vector<Service>& services = recording_.services(static_cast<Number>(rank));
  process.services.reserve(services.size());
  for (const Service& service : services) {
    const auto number = static_cast<std::uint32_t>(process.services.size());
    process.services.push_back({{service.call, service.step, service.use}, number});
  }
  std::ranges::sort(process.services);
  const std::int64_t bytes = process.bytes();
  input_.claim_memory(bytes);
  claimed_ += bytes;
  return known_[rank] = std::move(process);
}

}  // namespace wave::backend::processes::engine
