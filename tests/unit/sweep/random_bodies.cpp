// Random bodies: messages in both protocols along axes and diagonals, in any order, with stray operations between them.
#include "tests/unit/sweep/random_bodies.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace wave::sweep_tests {

using Kind = SweepBody::Operation::Kind;

void BodyBuilder::push(Kind kind, std::uint32_t target, std::uint32_t source, std::uint32_t signal,
                       std::vector<std::uint32_t> weights, const Peer& peer) {
  auto& operation = body.operations.emplace_back();
  operation.kind = kind;
  operation.target = target;
  operation.source = source;
  operation.signal = signal;
  operation.weights = std::move(weights);
  operation.peer = peer;
}

void BodyBuilder::add(std::uint32_t target, std::vector<std::uint32_t> weights, const Peer& peer) {
  push(Kind::add, target, 0, 0, std::move(weights), peer);
}

void BodyBuilder::copy(std::uint32_t target, std::uint32_t source, std::vector<std::uint32_t> weights,
                       const Peer& peer) {
  push(Kind::copy, target, source, 0, std::move(weights), peer);
}

void BodyBuilder::join(std::uint32_t target, std::uint32_t source, std::vector<std::uint32_t> weights,
                       const Peer& peer) {
  push(Kind::join, target, source, 0, std::move(weights), peer);
}

void BodyBuilder::emit(std::uint32_t signal, std::uint32_t source, std::vector<std::uint32_t> weights,
                       const Peer& peer) {
  push(Kind::emit, 0, source, signal, std::move(weights), peer);
}

void BodyBuilder::await(std::uint32_t signal, std::uint32_t target, std::vector<std::uint32_t> weights,
                        const Peer& peer) {
  push(Kind::await, target, 0, signal, std::move(weights), peer);
}

BodyBuilder::Message BodyBuilder::message(const Peer& direction, bool rendezvous) {
  Message result;
  result.rendezvous = rendezvous;
  result.to = result.from = direction;
  for (std::int8_t& distance : result.from) distance = static_cast<std::int8_t>(-distance);
  result.payload = body.signals++;
  if (rendezvous) {
    result.request = body.signals++;
    result.ack = body.signals++;
    result.handshake = {weight()};
  }
  result.overhead = {weight()};
  result.wire = {weight()};
  return result;
}

void BodyBuilder::send(const Message& message) {
  if (message.rendezvous) {
    add(0, message.handshake, message.to);
    emit(message.request, 0, message.wire, message.to);
    await(message.ack, 0, {}, message.to);
    add(0, message.overhead, message.to);
    emit(message.payload, 0, message.wire, message.to);
    return;
  }
  add(0, message.overhead, message.to);
  if (!message.resource) return emit(message.payload, 0, message.wire, message.to);
  join(*message.resource, 0, {}, message.to);
  emit(message.payload, *message.resource, message.wire, message.to);
  add(*message.resource, message.wire, message.to);
}

void BodyBuilder::receive(const Message& message) {
  if (message.rendezvous) {
    await(message.request, 0, {}, message.from);
    add(0, message.handshake, message.from);
    emit(message.ack, 0, message.wire, message.from);
  }
  await(message.payload, 0, {}, message.from);
  add(0, message.overhead, message.from);
}

SweepBody listing(const std::vector<bool>& rendezvous, const std::vector<std::size_t>& receives,
                  const std::vector<std::size_t>& sends) {
  BodyBuilder build(rendezvous.size());
  std::vector<BodyBuilder::Message> messages;
  for (std::size_t axis = 0; axis < rendezvous.size(); ++axis) {
    BodyBuilder::Peer direction(rendezvous.size(), 0);
    direction[axis] = 1;
    messages.push_back(build.message(direction, rendezvous[axis]));
  }
  for (const std::size_t axis : receives) build.receive(messages[axis]);
  build.add(0, {build.weight()});
  for (const std::size_t axis : sends) build.send(messages[axis]);
  return build.body;
}

SweepBody listing(const std::vector<bool>& rendezvous) {
  std::vector<std::size_t> order(rendezvous.size());
  std::iota(order.begin(), order.end(), 0);
  return listing(rendezvous, order, order);
}

namespace {

class RandomBody {
 public:
  RandomBody(std::mt19937_64& random, std::size_t axes) : random_(random), build_(axes), axes_(axes) {}

  SweepBody build() {
    build_.body.carried = static_cast<std::uint32_t>(1 + below(3));
    build_.body.registers = build_.body.carried + 2;
    const std::size_t messages = below(axes_ + 2);
    std::vector<BodyBuilder::Message> all;
    for (std::size_t index = 0; index < messages; ++index) {
      auto message = build_.message(direction(), below(5) < 2);
      if (!message.rendezvous && build_.body.carried > 1 && below(3) == 0)
        message.resource = 1 + below(build_.body.carried - 1);
      all.push_back(message);
    }
    std::vector<std::pair<std::size_t, bool>> calls;  // a message, and whether the call sends it
    for (std::size_t index = 0; index < messages; ++index) calls.push_back({index, false});
    for (std::size_t index = 0; index < messages; ++index) calls.push_back({index, true});
    if (below(4) == 0) std::shuffle(calls.begin(), calls.end(), random_);
    if (below(2) == 0) std::shuffle(calls.begin(), calls.begin() + static_cast<std::ptrdiff_t>(messages), random_);
    for (std::uint32_t scratch = build_.body.carried; scratch < build_.body.registers; ++scratch)
      build_.copy(scratch, 0, weights());
    for (const auto& [index, sends] : calls) {
      while (below(2) == 0) stray();
      if (sends) {
        build_.send(all[index]);
      } else {
        build_.receive(all[index]);
      }
    }
    while (below(3) != 0) stray();
    return std::move(build_.body);
  }

 private:
  std::uint32_t below(std::size_t end) { return static_cast<std::uint32_t>(random_() % end); }

  BodyBuilder::Peer direction() {
    BodyBuilder::Peer result(axes_, 0);
    result[below(axes_)] = 1;
    while (below(3) == 0) result[below(axes_)] = static_cast<std::int8_t>(below(8) == 0 ? 2 : 1);
    return result;
  }

  BodyBuilder::Peer gate() {
    BodyBuilder::Peer result(axes_, 0);
    if (below(3) != 0) return {};
    result[below(axes_)] = below(2) == 0 ? 1 : -1;
    return result;
  }

  std::vector<std::uint32_t> weights() {
    std::vector<std::uint32_t> result;
    while (below(3) != 0 && result.size() < 3) {
      result.push_back(build_.body.weights > 0 && below(2) == 0 ? below(build_.body.weights) : build_.weight());
    }
    return result;
  }

  void stray() {
    const std::uint32_t target = below(2) == 0 ? 0 : below(build_.body.registers);
    const std::uint32_t source = below(build_.body.registers);
    switch (below(4)) {
      case 0:
      case 1: return build_.add(target, weights(), gate());
      case 2: return build_.join(target, source, weights(), gate());
      case 3: return build_.copy(target == 0 ? build_.body.registers - 1 : target, source, weights(), gate());
    }
  }

  std::mt19937_64& random_;
  BodyBuilder build_;
  const std::size_t axes_;
};

}  // namespace

SweepBody random_body(std::mt19937_64& random, std::size_t axes) { return RandomBody(random, axes).build(); }

std::int64_t OwnedCall::processes() const {
  std::int64_t count = 1;
  for (const std::int64_t extent : call.extents) count *= extent;
  return count;
}

OwnedCall random_call(std::mt19937_64& random, const SweepBody& body, std::vector<std::int64_t> extents,
                      std::int64_t tiles) {
  OwnedCall result;
  result.call.extents = std::move(extents);
  result.call.tiles = tiles;
  for (std::size_t axis = 0; axis < body.axes; ++axis) result.call.rising.push_back(random() % 2 == 0);
  const auto fill = [&](std::int64_t count) {
    std::vector<double> values(static_cast<std::size_t>(count));
    for (double& value : values) value = static_cast<double>(random() % 1000);
    return values;
  };
  result.arrays.resize(body.weights);
  const bool uniform = random() % 2 == 0;
  for (std::uint32_t weight = 0; weight < body.weights; ++weight) {
    SweepCall::Weight given;
    given.value = static_cast<double>(random() % 1000);
    const auto choice = uniform ? 9 : random() % 10;
    if (choice < 2) {
      result.arrays[weight] = fill(result.processes());
      given.by_process = result.arrays[weight].data();
    } else if (choice < 3) {
      result.arrays[weight] = fill(tiles);
      given.by_tile = result.arrays[weight].data();
    } else if (random() % 30 == 0) {
      given.value = -std::numeric_limits<double>::infinity();
    }
    result.call.weights.push_back(given);
  }
  result.state.resize(body.carried);
  for (std::uint32_t number = 0; number < body.carried; ++number) {
    result.call.state.push_back(nullptr);
    if (number > 0 && random() % 4 == 0) continue;
    result.state[number] = fill(result.processes());
    result.call.state.back() = result.state[number].data();
  }
  return result;
}

OwnedCall copy_of(const OwnedCall& call) {
  OwnedCall result = call;
  for (std::size_t weight = 0; weight < call.arrays.size(); ++weight) {
    if (call.call.weights[weight].by_process) result.call.weights[weight].by_process = result.arrays[weight].data();
    if (call.call.weights[weight].by_tile) result.call.weights[weight].by_tile = result.arrays[weight].data();
  }
  for (std::size_t number = 0; number < call.state.size(); ++number) {
    if (call.call.state[number]) result.call.state[number] = result.state[number].data();
  }
  return result;
}

std::string describe(const SweepBody& body, const SweepCall& call) {
  std::string text = fmt::format("axes {}, registers {} ({} carried), tiles {}, extents", body.axes, body.registers,
                                 body.carried, call.tiles);
  for (std::size_t axis = 0; axis < body.axes; ++axis)
    text += fmt::format(" {}{}", call.extents[axis], call.rising[axis] ? "+" : "-");
  static constexpr const char* names[] = {"add", "copy", "join", "emit", "await"};
  for (const auto& operation : body.operations) {
    text += fmt::format("\n  {} r{} r{} s{} weights", names[static_cast<int>(operation.kind)], operation.target,
                        operation.source, operation.signal);
    for (const auto weight : operation.weights) {
      const auto& given = call.weights[weight];
      text += given.by_process ? fmt::format(" {}:p", weight)
              : given.by_tile  ? fmt::format(" {}:t", weight)
                               : fmt::format(" {}:{}", weight, given.value);
    }
    text += " peer";
    for (const auto distance : operation.peer) text += fmt::format(" {}", distance);
  }
  return text;
}

}  // namespace wave::sweep_tests
