// See check.h.
#include "backend/processes/bulk/check.h"

#include <fmt/format.h>

#include <cstdint>
#include <vector>

namespace wave::backend::processes {

namespace {

using Kind = SweepBody::Operation::Kind;

// What both forms have in common.
class Check {
 public:
  Check(std::uint32_t registers, std::size_t carried, std::uint32_t signals, std::size_t weights)
      : is_written_(registers), emits_(signals), awaits_(signals), weights_(weights) {
    for (std::size_t number = 0; number < carried && number < registers; ++number) is_written_[number] = true;
    if (carried > registers) breach_ = "more registers are carried than there are";
  }

  template <class Operation>
  std::string pass(const Operation& operation) {
    const bool has_source =
        operation.kind == Kind::copy || operation.kind == Kind::join || operation.kind == Kind::emit;
    if (has_source) read(operation.source);
    if (operation.kind == Kind::emit || operation.kind == Kind::await) {
      if (operation.signal >= emits_.size()) return fmt::format("there is no signal {}", operation.signal);
      std::uint32_t& count = (operation.kind == Kind::emit ? emits_ : awaits_)[operation.signal];
      if (++count > 1) return fmt::format("signal {} has two of a kind", operation.signal);
    }
    if (operation.kind == Kind::copy)
      write(operation.target);
    else if (operation.kind != Kind::emit)
      read(operation.target);
    for (const std::uint32_t weight : operation.weights) {
      if (weight >= weights_) return fmt::format("there is no weight {}", weight);
    }
    return breach_;
  }
  bool is_sent(std::uint32_t signal) const { return emits_[signal] == 1; }
  std::string at_end() const {
    for (std::size_t signal = 0; signal < emits_.size(); ++signal) {
      if (emits_[signal] == 0 && awaits_[signal] == 1) return fmt::format("signal {} is never sent", signal);
    }
    return breach_;
  }

 private:
  void read(std::uint32_t number) {
    if (number >= is_written_.size())
      breach_ = fmt::format("there is no register {}", number);
    else if (!is_written_[number])
      breach_ = fmt::format("register {} is read before it is written", number);
  }
  void write(std::uint32_t number) {
    if (number >= is_written_.size())
      breach_ = fmt::format("there is no register {}", number);
    else
      is_written_[number] = true;
  }

  std::vector<bool> is_written_;
  std::vector<std::uint32_t> emits_, awaits_;  // by signal
  std::size_t weights_;
  std::string breach_;
};

template <class Operations, class Further>
std::string find_breach(Check check, const Operations& operations, const Further& further) {
  for (std::size_t at = 0; at < operations.size(); ++at) {
    std::string breach = check.pass(operations[at]);
    if (breach.empty()) breach = further(operations[at], check);
    if (!breach.empty()) return fmt::format("operation {}: {}", at, breach);
  }
  return check.at_end();
}

}  // namespace

std::string find_breach(const OperationList& list) {
  return find_breach(Check(list.registers, list.carried.size(), list.signals, list.weights.size()), list.operations,
                     [&](const PlannedOperation& operation, const Check& check) -> std::string {
                       if (operation.peer != PlannedOperation::always && operation.peer >= list.peers.size())
                         return fmt::format("there is no peer {}", operation.peer);
                       if (operation.ranks != PlannedOperation::by_peer && operation.ranks >= list.ranks.size())
                         return fmt::format("there are no ranks {}", operation.ranks);
                       const bool is_service = operation.service != PlannedOperation::no_service;
                       if (is_service && (operation.kind != Kind::copy || operation.service >= list.services.size()))
                         return fmt::format("there is no service {}", operation.service);
                       if (list.ordered && operation.kind == Kind::await && !check.is_sent(operation.signal))
                         return fmt::format("signal {} is awaited before it is sent", operation.signal);
                       return {};
                     });
}

std::string find_breach(const SweepBody& body) {
  return find_breach(Check(body.registers, body.carried, body.signals, body.weights), body.operations,
                     [&](const SweepBody::Operation& operation, const Check&) -> std::string {
                       const bool has_peer = operation.peer.empty() || operation.peer.size() == body.axes;
                       return has_peer ? "" : "a peer has another number of axes";
                     });
}

}  // namespace wave::backend::processes
