// Requests for resources that serve by time, in a stretch whose operations have an order otherwise. What processes ask
// of a resource before anything comes of it is a *batch*: each server puts its requests in the order of their stamps
// and serves one after the other.
//
// That is right if no request of a batch comes before one of an earlier batch of the same server. For a request depends
// only on services at earlier moments. So if, in some order of service, the stamps of every server come out ascending,
// that order is the one which time decides: the first difference to it would be a request with too small a stamp.
#pragma once

#include "backend/processes/bulk/peer_map.h"
#include "backend/processes/bulk/plan_fields.h"
#include "backend/processes/program/causes.h"
#include "backend/processes/program/resource_instances.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace wave::backend::processes {

// What processes ask for at one step of one message.
struct PlannedService {
  ResourceKey resource;
  FieldPtr mask;         // the processes that ask; null: all that have a peer
  PeerMapPtr peers;      // null: all have one
  bool of_peer = false;  // the stamp is the peer's, which has emitted what arrives; else it is that of the process
  FieldPtr occupied;     // by process: how long it is served, ps
  // Stamps of one process at one moment: the message among those that it calls, and the place of the step.
  std::uint64_t order = 0;
  // Each request comes at the end of a step that takes time, so the count of its moment is 0.
  bool follows_a_step = false;
  bool of_program = false;  // made by programs, not in the background nor by what arrives
};

// The requests of a batch by server, at equal times by ascending stamp.
struct ServiceOrder {
  struct Request {
    std::uint32_t asked = 0;  // ServiceBatch::asked
    std::uint32_t process = 0;
    std::int32_t asker = 0;  // whose stamp it has
  };
  std::vector<Request> requests;
  std::vector<std::size_t> first;  // by server, and the end
  std::size_t bytes() const { return requests.size() * sizeof(Request) + first.size() * sizeof(std::size_t); }
};
using ServiceOrderPtr = std::shared_ptr<const ServiceOrder>;

struct ServiceBatch {
  ResourceKey resource;
  struct Asked {
    std::uint32_t service = 0;  // OperationList::services
    // Arrays over all processes: when requests are made, but for `plus`, and when they begin to be served.
    std::uint32_t from = 0, to = 0;
    double plus = 0;
  };
  std::vector<Asked> asked;  // by PlannedService::order
  ServiceOrderPtr order;
};

// `services`: OperationList's. Depends on who asks alone. Throws Failed.
ServiceOrderPtr order_of(const ServiceBatch& batch, std::span<const PlannedService> services, Fields& fields,
                         const SharedLevels& levels);

// When servers are free, and what they have served.
class Servers {
 public:
  // `claim`: bytes; throws Failed where the limit is exceeded.
  Servers(const ProgramInput& input, std::function<void(std::int64_t bytes)> claim)
      : claim_(claim), instances_(input, std::move(claim)) {}
  Servers(const Servers&) = delete;
  ~Servers() { claim_(-claimed_); }

  // Those of one resource.
  struct Kind {
    ResourceInstances<double, std::less<>>::Kind& instances;
    std::vector<double> last;  // by group of those who share one: the time of the last request
  };
  Kind& of(const ResourceKey& resource);
  // The places of a batch's requests in the order of their server as they were served last: iterations often ask alike.
  std::vector<std::uint32_t>& last_sequence(const ServiceOrderPtr& order);
  bool any() const { return !kinds_.empty(); }
  // Is one of them busy until this time or later?
  bool reach(double time) const;

 private:
  std::function<void(std::int64_t)> claim_;
  std::int64_t claimed_ = 0;
  ResourceInstances<double, std::less<>> instances_;
  std::map<ResourceKey, Kind> kinds_;
  std::map<ServiceOrderPtr, std::vector<std::uint32_t>> sequences_;
};

// Serves batches; each thread has one of its own.
class BatchServer {
 public:
  // Writes when the requests of servers [begin, end) begin to be served. False: one comes before a request of an
  // earlier batch, or nobody knows which of two comes first. `sequence`: Servers::last_sequence.
  [[nodiscard]] bool serve(const ServiceBatch& batch, std::span<const PlannedService> services, Servers::Kind& servers,
                           std::vector<std::uint32_t>& sequence, const std::vector<double*>& arrays, std::size_t begin,
                           std::size_t end);

 private:
  struct Asking {
    double time = 0;
    std::uint32_t at = 0;  // in the order of the server
  };
  void sort();
  std::vector<Asking> asking_;
};

}  // namespace wave::backend::processes
