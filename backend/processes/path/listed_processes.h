// The processes that a critical path touches: what each has done, and where its services are. They are forgotten when
// they take too much memory.
#pragma once

#include "backend/processes/engine/recording.h"
#include "backend/processes/path/listing.h"
#include "backend/processes/program/accounts.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace wave::backend::processes::engine {

struct ListedProcess {
  std::unique_ptr<Listing> listing;
  // By call, step and which of its uses, sorted: which service.
  using ServiceKey = std::tuple<std::uint32_t, std::uint16_t, std::uint16_t>;
  std::vector<std::pair<ServiceKey, std::uint32_t>> services;

  std::optional<std::uint32_t> service(const ServiceKey& key) const;
  std::int64_t bytes() const;
};

class ListedProcesses {
 public:
  // `resources`, `marked`: see Listing.
  ListedProcesses(const ProgramInput& input, const Recording& recording, const ServedResources* resources,
                  ir::PhaseId marked);
  ~ListedProcesses() { forget(); }
  ListedProcesses(const ListedProcesses&) = delete;
  // Holds until the next call.
  const ListedProcess& at(std::int64_t rank);
  // The same, and what `at` has returned still holds.
  const ListedProcess& beside(std::int64_t rank);

 private:
  void forget();

  const ProgramInput& input_;
  const Recording& recording_;
  const ServedResources* const resources_;
  const ir::PhaseId marked_;
  Accountant accountant_;
  std::map<std::int64_t, ListedProcess> known_;
  std::int64_t claimed_ = 0;
};

}  // namespace wave::backend::processes::engine
