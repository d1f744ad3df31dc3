// Random machines as text: protocols of every shape, resources, windows, and collectives both as costs and as
// algorithms.
#include "tests/random/machine_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace wave::test {

namespace {

class ProtocolWriter {
 public:
  ProtocolWriter(Choices& choose, const MachineManner& manner)
      : choose_(choose), manner_(manner), half_duplex_(choose.chance(0.3)) {}

  struct Ends {
    std::string sender, receiver;
  };
  // Puts the events of both ends in one order in which they can happen: every signal is emitted before it is awaited.
  Ends write() {
    const std::size_t signals = choose_.chance(0.4) ? 1 : 2 + choose_.below(3);
    std::vector<bool> to_receiver(signals);
    for (std::size_t k = 0; k < signals; ++k) to_receiver[k] = k + 1 == signals || (signals % 2 == 1) == (k % 2 == 0);
    if (choose_.chance(0.2))
      for (std::size_t k = 0; k + 1 < signals; ++k) to_receiver[k] = choose_.chance(0.5);
    Ends ends;
    bool receiver_awaited = false;
    for (std::size_t k = 0; k < signals; ++k) {
      const std::string name = k + 1 == signals ? "payload" : fmt::format("s{}", k);
      std::string& from = to_receiver[k] ? ends.sender : ends.receiver;
      std::string& to = to_receiver[k] ? ends.receiver : ends.sender;
      emit(from, name);
      if (to_receiver[k] && !receiver_awaited && choose_.chance(0.08)) busy(to, 1);
      await(to, name);
      receiver_awaited = receiver_awaited || to_receiver[k];
      busy(to, 0.5);
      if (choose_.chance(0.5)) await_sent(ends);
    }
    await_sent(ends);
    return ends;
  }
  // Nearly all times are whole nanoseconds, which no quantum has to round.
  std::string nanoseconds(int most) {
    if (choose_.chance(manner_.ties ? 0.3 : 0.15)) return "0";
    return fmt::format("{} ns", choose_.between(1, manner_.ties ? 3 : most));
  }
  std::string per_byte(const std::string& base) {
    if (choose_.chance(0.03)) return base + " + s * 1 ns/B / 3";  // needs rounding
    if (choose_.chance(manner_.ties ? 0.95 : 0.4)) return base;
    return fmt::format("{} + s * {} ns/B", base, choose_.between(1, 9));
  }

  bool has_first_bytes() const { return has_first_bytes_; }
  std::string level() { return manner_.sockets && choose_.chance(0.5) ? "socket" : "node"; }
  // What `of` a resource is, and how many it serves.
  std::string resources() {
    std::string text = manner_.sockets ? "  levels socket, node\n" : "  levels node\n";
    for (const char* const name : {"tx", "rx", "nic", "memory"}) {
      const bool shared = manner_.shared && choose_.chance(0.6);
      text += fmt::format("  resource {} of {}", name, shared ? level() : "process");
      if (manner_.shared && choose_.chance(0.2)) text += fmt::format(" servers {}", choose_.between(1, 3));
      text += "\n";
    }
    return text + "  resource links[k: 3] of " + (manner_.shared && choose_.chance(0.7) ? level() : "process") + "\n";
  }

 private:
  std::string overhead() {
    switch (choose_.below(4)) {
      case 0: return "o(s)";
      case 1: return per_byte(nanoseconds(500));
      case 2: return fmt::format("(if within {} then {} else {})", level(), nanoseconds(90), nanoseconds(900));
      default: return nanoseconds(2000);
    }
  }
  void emit(std::string& end, const std::string& name) {
    const bool acquires = acquire(end);
    if (!acquires) busy(end, 0.5);
    const std::string asks = via("tx");
    end += fmt::format("emit {}{} after {}; ", name, asks,
                       per_byte(choose_.chance(0.2) && !manner_.ties ? "L" : nanoseconds(20000)));
    busy(end, acquires ? 1 : 0.2);
    if (!choose_.chance(0.25)) return;
    const bool says_when = asks.empty() || choose_.chance(0.3);
    sent_.push_back({&end, fmt::format("await sent {}{}; ", name, says_when ? " after " + hold() : "")});
  }
  // Of what has been emitted, by either end.
  void await_sent(Ends& ends) {
    for (const auto& [end, waits] : std::exchange(sent_, {})) *end += waits;
    if (choose_.chance(0.1)) busy(choose_.chance(0.5) ? ends.sender : ends.receiver, 1);
  }
  // When the last byte has come.
  std::string last_byte() {
    if (!choose_.chance(0.5)) return "";
    has_first_bytes_ = true;
    return " after " + hold();
  }
  // Where the message is taken in on arrival, its await may stand anywhere before or after that.
  void await(std::string& end, const std::string& name) {
    if (!manner_.on_arrival || choose_.chance(0.4)) {
      const std::string asks = manner_.in_order && !is_answered(end) ? "" : via("rx");
      end += fmt::format("await {}{}{}; ", name, asks, asks.empty() ? "" : last_byte());
      return;
    }
    std::string taken_in = fmt::format("on arrival of {} ", name);
    taken_in += choose_.chance(0.4)
                    ? fmt::format("{{ acquire {} for {}; busy {} }}; ", resource("rx"), hold(), overhead())
                    : fmt::format("busy {}; ", overhead());
    const std::string waits = fmt::format("await {}; ", name);
    if (choose_.chance(0.2))
      end = taken_in + end + waits;
    else
      end += choose_.chance(0.5) ? taken_in + waits : waits + taken_in;
  }
  // Has it emitted a signal after it last asked for a resource? The other end has awaited that.
  static bool is_answered(const std::string& end) {
    const auto last = [&](const char* word) { return static_cast<std::ptrdiff_t>(end.rfind(word)); };
    return last("emit s") > std::max(last(" via "), last("acquire "));
  }
  void busy(std::string& end, double probability) {
    if (!choose_.chance(probability)) return;
    if (probability < 1 && acquire(end) && choose_.chance(0.1)) end += fmt::format("emit n{} after 0; ", nobody_++);
    end += fmt::format("busy {}; ", overhead());
  }
  // The caller has to add a `busy` after it.
  bool acquire(std::string& end) {
    if (!manner_.resources || !choose_.chance(0.25)) return false;
    end += fmt::format("acquire {} for {}; ", resource(choose_.chance(0.5) ? "tx" : "rx"), hold());
    return true;
  }
  std::string resource(const char* usual) {
    if (manner_.shared && !manner_.in_batches && choose_.chance(0.08)) {
      const std::vector<std::string> numbers = {"receiver.rank mod 3", "sender.rank mod 3", "1",
                                                "(sender.rank + receiver.rank) div 2 mod 3"};
      return "links[" + choose_.one_of(numbers) + "]";
    }
    return half_duplex_ ? "nic" : choose_.chance(0.8) ? usual : choose_.chance(0.7) ? "nic" : "memory";
  }
  std::string hold() { return per_byte(nanoseconds(3000)); }
  std::string via(const char* usual) {
    if (!manner_.resources || choose_.chance(0.4)) return "";
    std::string text;
    do text += fmt::format(" via {} for {}", resource(usual), hold());
    while (manner_.shared && !manner_.in_batches && choose_.chance(0.25));
    return text;
  }

  Choices& choose_;
  const MachineManner& manner_;
  const bool half_duplex_;  // one interface for both directions
  int nobody_ = 0;          // signals that nobody awaits
  bool has_first_bytes_ = false;
  std::vector<std::pair<std::string*, std::string>> sent_;  // what an end is to wait for
};

const std::vector<std::string>& algorithms() {
  static const std::vector<std::string> all = {
      // a binomial tree
      "for k in 0..5 { if 2^k < p { if r <= 2^k { send s to [r + 2^k] }\n    if r > 2^k and r <= 2^(k+1) { recv s from "
      "[r - 2^k] } } }",
      // a chain
      "recv s from [r-1]\n    compute(7 ns)\n    send s to [r+1]",
      // everybody to the first, one after the other
      "if r == 1 { for q in 2..p { recv s from R[q] } } else { send s to R[1] }",
      // neighbours exchange in the background
      "isend s to [r+1] as a\n    irecv s from [r-1] as b\n    wait a\n    waitall",
      // calls other collectives
      "barrier()\n    recv s from [r+1]\n    send s to [r-1]\n    gather(s)\n    scatter(s)",
      // chooses by size and by how many take part; pairs fold in where they are no power of two
      "if s > 40 B and p > 2 {\n      let q = if p < 4 then 2 else if p < 8 then 4 else 8\n"
      "      if r <= 2 * (p - q) { if r mod 2 == 0 { send s to [r-1] } else { recv s from [r+1] } }\n"
      "      for k in 1..p - 1 { isend s / 2 to R[r mod p + 1] as part\n      recv s / 2 from R[(r - 2) mod p + 1]\n"
      "      wait part }\n    } else { for k in 0..5 { if 2^k < p { isend s to R[(r - 1 + 2^k) mod p + 1] tag k as "
      "told\n"
      "      recv s from R[(r - 1 - 2^k) mod p + 1] tag k\n      wait told } } }",
      // distances double, in both directions
      "for k in 0..2 { isend s to [r + 2^k]\n    irecv s from [r - 2^k] as b\n    isend s to [r - 2^k] tag k\n"
      "    irecv s from [r + 2^k] tag k as c\n    wait c\n    waitall }",
  };
  return all;
}

}  // namespace

MachineManner random_manner(Choices& choose, bool resources) {
  MachineManner manner;
  manner.resources = resources;
  manner.on_arrival = resources && choose.chance(0.5);
  manner.ties = choose.chance(resources ? 0.6 : 0.1);
  manner.shared = resources && choose.chance(0.5);
  manner.in_order = resources && !manner.on_arrival && !manner.shared && choose.chance(0.7);
  manner.sockets = choose.chance(0.4);
  return manner;
}

MachineText random_machine(Choices& choose, const std::string& name, const MachineManner& manner) {
  MachineText machine;
  std::string& text = machine.text;
  text = "machine " + name + " {\n  param L: time = 9 us\n";
  const int limit = static_cast<int>(choose.one_of(std::vector<int>{8, 64, 100}));
  machine.limits = {limit};
  ProtocolWriter writer(choose, manner);
  text += writer.resources();
  text += fmt::format("  fn o(s: data): time = if s < {} B then {} else {}\n", limit, writer.nanoseconds(700),
                      writer.nanoseconds(3000));
  const std::size_t protocols = 1 + choose.below(3);
  for (std::size_t k = 0; k < protocols; ++k) {
    const ProtocolWriter::Ends ends = writer.write();
    std::string when;
    if (k + 1 < protocols) {
      const int bound = choose.chance(0.5) ? limit : 2 * limit;
      machine.limits.push_back(bound);
      const std::vector<std::string> conditions = {fmt::format("s < {} B", bound),
                                                   fmt::format("within {} and s <= {} B", writer.level(), bound),
                                                   "within " + writer.level(), fmt::format("s >= {} B", bound)};
      when = " when " + choose.one_of(conditions);
    }
    if (choose.chance(0.12)) when += fmt::format(" window {}", choose.between(1, 3));
    text += fmt::format("  protocol p{}(s: data){} {{\n    sender {{ {}}}\n    receiver {{ {}}}\n  }}\n", k, when,
                        ends.sender, ends.receiver);
  }
  text += manner.ties ? "  collective barrier(p: int): time = p * 1 ns\n"
                        "  collective scatter from root (s: data, p: int): time = 2 ns\n"
                        "  collective gather to root (s: data): time = 0\n"
                      : "  collective barrier(p: int): time = p * 3 us\n"
                        "  collective scatter from root (s: data, p: int): time = p * 1 us + s * 2 ns/B\n"
                        "  collective gather to root (s: data): time = 4 us + s * 1 ns/B\n";
  text += "  collective uneven(t: time): time = t\n";
  machine.costs = {"barrier()", "scatter(16 B)", "gather(40 B)"};
  bool may_be_in_a_group = true;
  for (std::size_t k = 0; k < 2; ++k) {
    std::string algorithm = choose.one_of(algorithms());
    // By size and by how many take part, which differs between groups.
    if (k == 1 && choose.chance(0.3)) algorithm = "if s * p >= 150 B { c0(s) } else {\n    " + algorithm + " }";
    text += fmt::format("  collective c{}(s: data) on R[r: p] {{\n    {}\n  }}\n", k, algorithm);
    machine.algorithms.push_back(fmt::format("c{}({} B)", k, choose.between(0, 2 * limit)));
    // A barrier is a cost, which groups do not have.
    may_be_in_a_group = may_be_in_a_group && algorithm.find("barrier") == std::string::npos;
    if (may_be_in_a_group) machine.alone.push_back(machine.algorithms.back());
  }
  if (manner.noise && choose.chance(0.15)) {
    text += manner.ties ? "  fn computed(work: time, draw: real): time = work + floor(draw * 3) * 1 ns\n"
                        : "  fn computed(work: time, draw: real): time = work * (1 + draw / 4)\n";
    machine.features.insert("noise");
  }
  text += "}\n";
  if (manner.shared) machine.features.insert("shared resources");
  if (manner.in_order) machine.features.insert("requests in order");
  if (writer.has_first_bytes()) machine.features.insert("first bytes");
  for (const char* const word :
       {"window", "within socket", "within node", "via", "acquire", "on arrival", "await sent", ".rank"})
    if (text.find(word) != std::string::npos) machine.features.insert(word);
  if (text.find("await s0") != std::string::npos) machine.features.insert("handshake");
  return machine;
}

}  // namespace wave::test
