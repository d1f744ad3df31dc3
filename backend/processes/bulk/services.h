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
#include <tuple>
#include <utility>
#include <vector>

namespace wave::backend::processes {

// The requests of processes at one step of one message.
struct PlannedService {
  ResourceKey resource;
  FieldPtr mask;         // the processes that ask; null: all that have a peer
  PeerMapPtr peers;      // null: all have one
  bool of_peer = false;  // the stamp is the peer's, which has emitted what arrives; else it is that of the process
  FieldPtr occupied;     // by process: how long it is served, ps
  // Stamps of one process at one moment: the message among those that it calls, and the place of the step.
  std::uint64_t order = 0;
  FieldPtr count;           // by process: that of the moment of its request; null: it depends on clocks
  bool of_program = false;  // made by programs, not in the background nor by what arrives
  friend bool operator==(const PlannedService&, const PlannedService&) = default;
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
  // The places of a server's requests as they were served last, which are tried first: iterations often ask alike.
  mutable std::vector<std::uint32_t> last;
  std::size_t most_of_server() const;
  std::size_t bytes() const {
    return requests.size() * (sizeof(Request) + sizeof(std::uint32_t)) + first.size() * sizeof(std::size_t);
  }
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

// The orders of batches, which are the same where the same processes ask: in iterations, and in stretch after stretch.
class ServiceOrders {
 public:
  ServiceOrders(Fields& fields, const SharedLevels& levels) : fields_(fields), levels_(levels) {}
  // `services`: OperationList's. Null where a server has too many requests to be put in order at once; throws Failed.
  ServiceOrderPtr of(const ServiceBatch& batch, std::span<const PlannedService> services);
  void forget() { known_.clear(); }

 private:
  // Mask, peers, whose stamp, count of moments: its field, or a number.
  using AskedBy = std::tuple<const Field*, const PeerMap*, bool, const Field*, double>;
  struct Known {
    ServiceOrderPtr order;
    std::vector<std::shared_ptr<const void>> arguments;  // kept, so that no other takes their address
  };
  Fields& fields_;
  const SharedLevels& levels_;
  std::map<std::pair<ResourceKey, std::vector<AskedBy>>, Known> known_;
};

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
  // Is one of them busy until this time or later?
  bool reach(double time) const;

 private:
  std::function<void(std::int64_t)> claim_;
  std::int64_t claimed_ = 0;
  ResourceInstances<double, std::less<>> instances_;
  std::map<ResourceKey, Kind> kinds_;
};

// Serves batches; each thread has one of its own.
class BatchServer {
 public:
  // For servers with at most so many requests in a batch.
  explicit BatchServer(std::size_t most_requests) { asking_.reserve(most_requests); }
  static std::size_t bytes(std::size_t most_requests) { return most_requests * sizeof(Asking); }
  // Writes when the requests of servers [begin, end) begin to be served. False: one comes before a request of an
  // earlier batch, or the order of two at one time is not known. Takes no memory.
  [[nodiscard]] bool serve(const ServiceBatch& batch, std::span<const PlannedService> services, Servers::Kind& servers,
                           const std::vector<double*>& arrays, std::size_t begin, std::size_t end);

 private:
  struct Asking {
    double time = 0;
    std::uint32_t at = 0;  // in the order of the server
  };
  void sort();
  std::vector<Asking> asking_;
};

}  // namespace wave::backend::processes
