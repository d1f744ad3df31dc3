// Builds a process and asks for its results, in a few words. Times are whole ps, so nothing rounds.
#pragma once

#include "tests/unit/interpreter/fixture.h"

#include <string>
#include <utility>
#include <vector>

namespace wave::test {

// The machine has o = 2, L = 10 and G = 1 per byte. Messages below 100 bytes are eager:
//   sender { busy o; emit payload after L + s }               receiver { await payload; busy o }
// Larger ones begin with a handshake:
//   sender { busy o; emit request after L; await ack; busy o; emit payload after L + s }
//   receiver { await request; busy o; emit ack after L; await payload; busy o }
struct ProcessFixture : Fixture {
  ir::EndsId net;
  ir::ParameterId size;
  ir::Process process;
  ir::SpaceId grid;
  std::uint32_t places = 0;  // each statement has its own, so that failures can be told apart

  explicit ProcessFixture(const std::vector<std::int64_t>& extents, const std::vector<bool>& wrap = {}) {
    std::vector<std::pair<std::string, ir::ValueId>> axes;
    for (const std::int64_t extent : extents)
      axes.emplace_back(std::string(1, static_cast<char>('i' + axes.size())), b.integer(extent));
    grid = space(axes, wrap);
    process.name = "p";
    process.frame = root;
    process.space = grid;
    process.body = block({});
    ir::MessageEnds ends;
    ends.name = "net";
    ends.frame = b.frame("net", root);
    size = b.parameter(ends.frame, "s", ir::ScalarType::real);
    ends.size = size;
    ends.within = b.parameter(ends.frame, "within", ir::ScalarType::integer);
    ends.sender = b.parameter(ends.frame, "sender", ir::ScalarType::integer);
    ends.receiver = b.parameter(ends.frame, "receiver", ir::ScalarType::integer);
    ends.site = site();
    ends.protocols = {eager(b.less(b.parameter_value(size), b.real(100))), handshake()};
    net = b.ends(ends);
  }

  // --- protocols ---
  ir::Step step(ir::Step::Kind kind, std::uint32_t signal, ir::ValueId time) {
    ir::Step step;
    step.kind = kind;
    step.signal = signal;
    step.time = time;
    step.site = site(ir::FailureKind::weight_not_finite);
    return step;
  }
  ir::Step busy(double time) { return step(ir::Step::Kind::busy, 0, b.real(time)); }
  ir::Step emit(std::uint32_t signal, ir::ValueId after) { return step(ir::Step::Kind::emit, signal, after); }
  ir::Step await(std::uint32_t signal) { return step(ir::Step::Kind::await, signal, {}); }
  ir::Step via(ir::Step step, std::uint32_t resource, double occupied) {
    step.uses = {{resource, b.real(occupied), {}}};
    return step;
  }
  ir::ValueId wire() { return b.add(b.real(10), b.parameter_value(size)); }
  ir::Protocol eager(ir::ValueId condition) {
    return {"eager", condition, {}, {"payload"}, {busy(2), emit(0, wire())}, {await(0), busy(2)}, {}};
  }
  ir::Protocol handshake() {
    return {"handshake",
            {},
            {},
            {"request", "ack", "payload"},
            {busy(2), emit(0, b.real(10)), await(1), busy(2), emit(2, wire())},
            {await(0), busy(2), emit(1, b.real(10)), await(2), busy(2)},
            {}};
  }
  std::vector<ir::Protocol>& protocols() { return system.ends[net.index].protocols; }

  // --- statements ---
  template <class Node>
  ir::Statement statement(Node node) {
    ++places;
    return {std::move(node), {0, places, places + 1}, site(ir::FailureKind::weight_not_finite)};
  }
  ir::BlockId block(ir::Block statements) {
    process.blocks.push_back(std::move(statements));
    return {static_cast<std::uint32_t>(process.blocks.size() - 1)};
  }
  void program(ir::Block statements) { process.blocks[process.body.index] = std::move(statements); }
  ir::Statement compute(double time) { return compute(b.real(time)); }
  ir::Statement compute(ir::ValueId time) { return statement(ir::Compute{time}); }
  ir::Peer offset(std::vector<std::int64_t> distances) {
    ir::Peer peer;
    for (const std::int64_t distance : distances) peer.coordinates.push_back(b.integer(distance));
    return peer;
  }
  ir::Peer place(std::vector<std::int64_t> coordinates) {
    ir::Peer peer = offset(std::move(coordinates));
    peer.kind = ir::Peer::Kind::place;
    peer.site = site(ir::FailureKind::index_off_grid);
    return peer;
  }
  ir::Message message(ir::Message::Side side, double bytes, ir::Peer peer) {
    ir::Message message;
    message.side = side;
    message.ends = net;
    if (bytes >= 0) message.size = b.real(bytes);
    message.within = b.integer(0);
    message.peer = std::move(peer);
    return message;
  }
  // The caller leaves the size out by giving one below 0.
  ir::Statement send(double bytes, ir::Peer to) {
    return statement(message(ir::Message::Side::send, bytes, std::move(to)));
  }
  ir::Statement recv(double bytes, ir::Peer from) {
    return statement(message(ir::Message::Side::receive, bytes, std::move(from)));
  }
  ir::HandleId handle(const std::string& name) {
    process.handles.push_back(name);
    return {static_cast<std::uint32_t>(process.handles.size() - 1)};
  }
  ir::Statement background(ir::Statement call, ir::HandleId handle = {}) {
    auto& message = std::get<ir::Message>(call.node);
    message.background = true;
    message.handle = handle;
    return call;
  }
  ir::Statement wait(ir::HandleId handle = {}) { return statement(handle.valid() ? ir::Wait{{handle}} : ir::Wait{}); }
  ir::Statement loop(ir::BinderId binder, ir::ValueId first, ir::ValueId last, ir::Block body) {
    return statement(ir::Loop{{level(binder, first, last)}, block(std::move(body))});
  }
  ir::Statement repeat(std::int64_t count, ir::Block body) {
    return loop(b.binder("k"), b.integer(1), b.integer(count), std::move(body));
  }
  ir::Statement when(ir::ValueId condition, ir::Block then_block, ir::Block else_block = {}) {
    return statement(ir::Branch{condition, block(std::move(then_block)), block(std::move(else_block))});
  }
  ir::Statement sweep(std::int64_t tiles, ir::BinderId tile, std::vector<bool> rising, ir::Block body) {
    return statement(ir::Sweep{b.integer(tiles), tile, {{std::move(rising), block(std::move(body))}}});
  }
  ir::Statement collective(double cost, ir::Collective::Root root_of = ir::Collective::Root::none,
                           std::optional<std::uint32_t> along = {}) {
    return statement(ir::Collective{"barrier", b.real(cost), root_of, along});
  }
  ir::ValueId index(std::size_t axis_number) { return axis(grid, axis_number); }
  ir::ValueId at(std::size_t axis_number, std::int64_t place) { return b.equal(index(axis_number), b.integer(place)); }

  // --- results ---
  ir::ProcessId id;
  ir::ValueId measured(ir::Metric metric, const std::vector<std::int64_t>& indices = {}, ir::PhaseId phase = {}) {
    if (!id.valid()) id = b.process(process);
    ir::Measure measure{id, metric, phase, {}, site(ir::FailureKind::index_off_grid)};
    for (const std::int64_t index : indices) measure.indices.push_back(b.integer(index));
    return b.measure(measure);
  }
  double time() { return value(measured(ir::Metric::time)).real; }
  double finish(const std::vector<std::int64_t>& indices) { return value(measured(ir::Metric::finish, indices)).real; }
  ir::Failure failing() { return failure(measured(ir::Metric::time)); }
};

}  // namespace wave::test
