// Every message of a sweep followed: compiled kernels against the loops one would write by hand, in one run.
// usage: bench_processes [SWEEPS]
#include "backend/jit/sweep/kernels.h"
#include "bench/process_peers.h"
#include "bench/timing.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <functional>

using namespace wave;
using backend::processes::SweepBody;
using backend::processes::SweepCall;

namespace {

constexpr std::int64_t n = 1000, m = 1000, tiles = 100;

enum Weight : std::uint32_t { work, overhead, wire, handshake, latency, weights };

SweepBody::Operation operation(SweepBody::Operation::Kind kind, std::uint32_t signal, std::vector<std::uint32_t> w,
                               std::vector<std::int8_t> peer) {
  SweepBody::Operation result;
  result.kind = kind;
  result.signal = signal;
  result.weights = std::move(w);
  result.peer = std::move(peer);
  return result;
}

// The listing's body as the planner writes it, from the protocol's two ends.
SweepBody listing(bool rendezvous) {
  using Kind = SweepBody::Operation::Kind;
  SweepBody body;
  body.axes = 2;
  body.weights = weights;
  body.signals = 6;
  const auto add = [&](Kind kind, std::uint32_t signal, std::vector<std::uint32_t> w, std::vector<std::int8_t> peer) {
    body.operations.push_back(operation(kind, signal, std::move(w), std::move(peer)));
  };
  const auto receive = [&](std::uint32_t first, const std::vector<std::int8_t>& from) {
    if (rendezvous) {
      add(Kind::await, first + 1, {}, from);
      add(Kind::add, 0, {handshake}, from);
      add(Kind::emit, first + 2, {latency}, from);
    }
    add(Kind::await, first, {}, from);
    add(Kind::add, 0, {overhead}, from);
  };
  const auto send = [&](std::uint32_t first, const std::vector<std::int8_t>& to) {
    if (rendezvous) {
      add(Kind::add, 0, {handshake}, to);
      add(Kind::emit, first + 1, {latency}, to);
      add(Kind::await, first + 2, {}, to);
    }
    add(Kind::add, 0, {overhead}, to);
    add(Kind::emit, first, {wire}, to);
  };
  receive(0, {0, -1});
  receive(3, {-1, 0});
  add(Kind::add, 0, {work}, {});
  send(0, {0, 1});
  send(3, {1, 0});
  return body;
}

SweepCall call_of(const bench::Costs& costs, std::vector<double>& clocks) {
  SweepCall call;
  call.extents = {n, m};
  call.rising = {true, true};
  call.tiles = tiles;
  for (const double value : {costs.work, costs.overhead, costs.wire, costs.handshake, costs.latency}) {
    call.weights.emplace_back().value = value;
  }
  call.weights[work].by_process = costs.work_of;
  call.state = {clocks.data()};
  return call;
}

struct Measured {
  double seconds = 0;
  std::vector<double> clocks;
};

Measured measure(int sweeps, int runs, const std::function<void(std::vector<double>&)>& sweep) {
  Measured result;
  result.seconds = bench::median_seconds(bench::Clock::cpu, runs, [&] {
    result.clocks.assign(static_cast<std::size_t>(n * m), 0);
    for (int index = 0; index < sweeps; ++index) sweep(result.clocks);
  });
  return result;
}

void print_row(const char* what, double blocks, double seconds, double by_hand) {
  fmt::print("| {:<44} | {:>8.1f} ms | {:>7.3f} | {:>6.1f} |\n", what, seconds * 1e3, blocks / seconds * 1e-9,
             by_hand / seconds);
}

// False: they differ.
bool compare(const char* name, bool rendezvous, int sweeps, const bench::Costs& costs) {
  const double blocks = static_cast<double>(n * m * tiles) * sweeps;
  const Measured by_hand = measure(sweeps, 1, [&](std::vector<double>& clocks) {
    (rendezvous ? bench::rendezvous_by_hand : bench::eager_by_hand)(n, m, tiles, costs, clocks);
  });
  const SweepBody body = listing(rendezvous);
  auto kernels = jit::sweep::make_sweep_kernels();
  const Measured compiled =
      measure(sweeps, 3, [&](std::vector<double>& clocks) { kernels->run(body, call_of(costs, clocks)); });
  print_row(fmt::format("{}, C++ -O3 -march=native by hand", name).c_str(), blocks, by_hand.seconds, by_hand.seconds);
  print_row(fmt::format("{}, compiled sweep", name).c_str(), blocks, compiled.seconds, by_hand.seconds);
  if (by_hand.clocks == compiled.clocks) return true;
  fmt::print("they differ\n");
  return false;
}

double compile_seconds(bool rendezvous) {
  bench::Costs costs;
  return bench::median_seconds(bench::Clock::cpu, 5, [&] {
    std::vector<double> clocks(64 * 64, 0);
    SweepCall call = call_of(costs, clocks);
    call.extents = {64, 64};
    call.tiles = 36;
    jit::sweep::make_sweep_kernels()->run(listing(rendezvous), call);
  });
}

}  // namespace

int main(int argc, char** argv) {
  const int sweeps = argc > 1 ? std::atoi(argv[1]) : 8;
  bench::Costs costs{.work = 420e6, .overhead = 47e6, .wire = 83e6, .handshake = 23e6, .latency = 23e6};
  fmt::print("Listing 1 on {} x {} processes, {} sweeps of {} tiles, one thread, CPU time, {}\n\n", n, m, sweeps, tiles,
             bench::machine());
  fmt::print("| {:<44} | {:>11} | Gblocks/s | x by hand |\n|---|---:|---:|---:|\n", "", "time");
  bool same = compare("eager", false, sweeps, costs);
  same = compare("rendezvous", true, sweeps, costs) && same;
  std::vector<double> work_of(static_cast<std::size_t>(n * m));
  for (std::size_t process = 0; process < work_of.size(); ++process)
    work_of[process] = 400e6 + static_cast<double>(process * 7919 % 40'000'000);
  costs.work_of = work_of.data();
  same = compare("eager, work by process", false, sweeps, costs) && same;
  fmt::print("\nCompiling a sweep: {:.1f} ms eager, {:.1f} ms rendezvous.\n", compile_seconds(false) * 1e3,
             compile_seconds(true) * 1e3);
  return same ? 0 : 1;
}
