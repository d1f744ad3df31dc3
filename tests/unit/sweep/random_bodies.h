// Random bodies of sweeps, and random calls of them.
#pragma once

#include "backend/processes/bulk/sweep_body.h"

#include <optional>
#include <random>
#include <string>
#include <vector>

namespace wave::sweep_tests {

using backend::processes::SweepBody;
using backend::processes::SweepCall;

// Writes protocols as the planner does, as operations on the clock and on signals.
class BodyBuilder {
 public:
  using Peer = std::vector<std::int8_t>;
  explicit BodyBuilder(std::size_t axes) { body.axes = axes; }

  std::uint32_t weight() { return body.weights++; }
  void add(std::uint32_t target, std::vector<std::uint32_t> weights, const Peer& peer = {});
  void copy(std::uint32_t target, std::uint32_t source, std::vector<std::uint32_t> weights, const Peer& peer = {});
  void join(std::uint32_t target, std::uint32_t source, std::vector<std::uint32_t> weights, const Peer& peer = {});
  void emit(std::uint32_t signal, std::uint32_t source, std::vector<std::uint32_t> weights, const Peer& peer);
  void await(std::uint32_t signal, std::uint32_t target, std::vector<std::uint32_t> weights, const Peer& peer);

  // A message along `direction`. The caller calls both ends of its protocol where the program has them.
  struct Message {
    bool rendezvous = false;
    Peer to, from;
    std::uint32_t payload = 0, request = 0, ack = 0;
    std::vector<std::uint32_t> overhead, wire, handshake;  // weights
    std::optional<std::uint32_t> resource;                 // a register that stands for the sender's network interface
  };
  Message message(const Peer& direction, bool rendezvous);
  void send(const Message& message);
  void receive(const Message& message);

  SweepBody body;

 private:
  void push(SweepBody::Operation::Kind kind, std::uint32_t target, std::uint32_t source, std::uint32_t signal,
            std::vector<std::uint32_t> weights, const Peer& peer);
};

// Eager or rendezvous messages along every axis: receive from upwind on all axes, compute, send downwind on all.
// `receives` and `sends` give the orders of the axes.
SweepBody listing(const std::vector<bool>& rendezvous, const std::vector<std::size_t>& receives,
                  const std::vector<std::size_t>& sends);
SweepBody listing(const std::vector<bool>& rendezvous);

SweepBody random_body(std::mt19937_64& random, std::size_t axes);

// A call, with its arrays.
struct OwnedCall {
  SweepCall call;
  std::vector<std::vector<double>> arrays, state;
  std::int64_t processes() const;
};
OwnedCall random_call(std::mt19937_64& random, const SweepBody& body, std::vector<std::int64_t> extents,
                      std::int64_t tiles);
// The same call on its own copy of the state.
OwnedCall copy_of(const OwnedCall& call);

std::string describe(const SweepBody& body, const SweepCall& call);

}  // namespace wave::sweep_tests
