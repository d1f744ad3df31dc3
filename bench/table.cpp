// See table.h.
#include "bench/table.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

namespace wave::bench {

namespace {

bool all_agree = true;

std::string time_of(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.1f} us", seconds * 1e6);
  return seconds < 1 ? fmt::format("{:.2f} ms", seconds * 1e3) : fmt::format("{:.2f} s", seconds);
}

std::string ratio_of(double ratio) { return fmt::format("{:.{}f}", ratio, ratio < 3 ? 2 : ratio < 100 ? 1 : 0); }

std::string cell_of(double theirs, double ours, double target) {
  const std::string cell = fmt::format("{}, **{} x**", time_of(theirs), ratio_of(theirs / ours));
  if (target == 0) return cell;
  return fmt::format("{} ({} {})", cell, theirs / ours < target ? "below" : "of", ratio_of(target));
}

}  // namespace

Table::Table(const std::string& title, const std::string& first, const std::string& rate, double unit,
             const std::vector<std::string>& peers, Clock clock)
    : unit_(unit), peers_(peers.size()), clock_(clock) {
  fmt::print("\n{} ({} time)\n\n| {} | Wave | {} |", title, clock == Clock::cpu ? "CPU" : "wall", first, rate);
  for (const std::string& peer : peers) fmt::print(" {} |", peer);
  fmt::print("\n|---|---:|---:|");
  for (std::size_t peer = 0; peer < peers_; ++peer) fmt::print("---:|");
  fmt::print("\n");
}

void Table::row(const std::string& name, double units, const Contender& ours, const std::vector<Peer>& peers,
                double budget) {
  std::vector<double> values(peers.size() + 1);
  std::vector<Timed> works{{[&] { values[0] = ours.work(); }, ours.before}};
  for (std::size_t peer = 0; peer < peers.size(); ++peer) {
    const Contender& contender = peers[peer].contender;
    if (contender.work) works.push_back({[&, peer] { values[peer + 1] = contender.work(); }, contender.before});
  }
  const std::vector<double> seconds = median_seconds(clock_, budget, works);
  fmt::print("| {} | {} | {:.4g} |", name, time_of(seconds[0]), units / seconds[0] / unit_);
  std::size_t next = 1;
  for (std::size_t peer = 0; peer < peers_; ++peer) {
    if (peer >= peers.size() || !peers[peer].contender.work) {
      fmt::print(" |");
      continue;
    }
    const double whole = peers[peer].units == 0 ? 1 : units / peers[peer].units;
    fmt::print(" {} |", cell_of(seconds[next++] * whole, seconds[0], peers[peer].target));
  }
  fmt::print("\n");
  for (std::size_t peer = 0; peer < peers.size(); ++peer) {
    if (!peers[peer].contender.work || !peers[peer].compared || values[peer + 1] == values[0]) continue;
    fmt::print("(peer {} differs: {} instead of {})\n", peer + 1, values[peer + 1], values[0]);
    all_agree = false;
  }
  std::fflush(stdout);
}

bool Table::agreed() { return all_agree; }

void require_same(const std::string& what, double value, double expected) {
  if (value == expected) return;
  fmt::print("{}: {} instead of {}\n", what, value, expected);
  std::exit(1);
}

}  // namespace wave::bench
