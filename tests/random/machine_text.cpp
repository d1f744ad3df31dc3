// Random machines, as text: protocols of every shape, resources, windows, collectives as costs and as algorithms.
#include "tests/random/machine_text.h"

#include <fmt/format.h>

namespace wave::test {

namespace {

// Nearly all times are whole nanoseconds, which no quantum rounds.
std::string nanoseconds(Choices& choose, int most) {
  if (choose.chance(0.15)) return "0";
  return fmt::format("{} ns", choose.between(1, most));
}

std::string per_byte(Choices& choose, const std::string& base) {
  if (choose.chance(0.03)) return base + " + s * 1 ns/B / 3";  // is rounded
  if (choose.chance(0.4)) return base;
  return fmt::format("{} + s * {} ns/B", base, choose.between(1, 9));
}

std::string overhead(Choices& choose) {
  switch (choose.below(4)) {
    case 0: return fmt::format("o({})", "s");
    case 1: return per_byte(choose, nanoseconds(choose, 500));
    case 2: return fmt::format("(if local then {} else {})", nanoseconds(choose, 90), nanoseconds(choose, 900));
    default: return nanoseconds(choose, 2000);
  }
}

struct Ends {
  std::string sender, receiver;
};

class ProtocolWriter {
 public:
  ProtocolWriter(Choices& choose, bool resources) : choose_(choose), resources_(resources) {}

  // The events of both ends in one order in which they can happen: every signal is emitted before it is awaited.
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
      busy(from, 0.5);
      from += fmt::format("emit {}{} after {}; ", name, via("tx"),
                          per_byte(choose_, choose_.chance(0.2) ? "L" : nanoseconds(choose_, 20000)));
      if (choose_.chance(0.2)) busy(from, 1);
      if (to_receiver[k] && !receiver_awaited && choose_.chance(0.08)) busy(to, 1);
      to += fmt::format("await {}{}; ", name, via("rx"));
      receiver_awaited = receiver_awaited || to_receiver[k];
      busy(to, 0.5);
    }
    return ends;
  }

 private:
  void busy(std::string& end, double probability) {
    if (choose_.chance(probability)) end += fmt::format("busy {}; ", overhead(choose_));
  }
  std::string via(const char* usual) {
    if (!resources_ || choose_.chance(0.4)) return "";
    const char* const name = choose_.chance(0.8) ? usual : "nic";
    return fmt::format(" via {} for {}", name, per_byte(choose_, nanoseconds(choose_, 3000)));
  }

  Choices& choose_;
  bool resources_;
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
      // neighbours, in the background
      "isend s to [r+1] as a\n    irecv s from [r-1] as b\n    wait a\n    waitall",
      // parts that are collectives themselves
      "barrier()\n    recv s from [r+1]\n    send s to [r-1]\n    gather(s)\n    scatter(s)",
      // distances that double, both ways
      "for k in 0..2 { isend s to [r + 2^k]\n    irecv s from [r - 2^k] as b\n    isend s to [r - 2^k] tag k\n"
      "    irecv s from [r + 2^k] tag k as c\n    wait c\n    waitall }",
  };
  return all;
}

}  // namespace

MachineText random_machine(Choices& choose) {
  MachineText machine;
  std::string& text = machine.text;
  text = "machine Net {\n  param L: time = 9 us\n";
  const int limit = static_cast<int>(choose.one_of(std::vector<int>{8, 64, 100}));
  machine.limits = {limit};
  text += fmt::format("  fn o(s: data): time = if s < {} B then {} else {}\n", limit, nanoseconds(choose, 700),
                      nanoseconds(choose, 3000));
  const std::size_t protocols = 1 + choose.below(3);
  const bool resources = choose.chance(0.25);
  for (std::size_t k = 0; k < protocols; ++k) {
    const Ends ends = ProtocolWriter(choose, resources).write();
    std::string when;
    if (k + 1 < protocols) {
      const int bound = choose.chance(0.5) ? limit : 2 * limit;
      machine.limits.push_back(bound);
      const std::vector<std::string> conditions = {fmt::format("s < {} B", bound),
                                                   fmt::format("local and s <= {} B", bound), "local",
                                                   fmt::format("s >= {} B", bound)};
      when = " when " + choose.one_of(conditions);
    }
    if (choose.chance(0.12)) when += fmt::format(" window {}", choose.between(1, 3));
    text += fmt::format("  protocol p{}(s: data){} {{\n    sender {{ {}}}\n    receiver {{ {}}}\n  }}\n", k, when,
                        ends.sender, ends.receiver);
  }
  text +=
      "  collective barrier(p: int): time = p * 3 us\n  collective scatter from root (s: data, p: int): time = p * 1 "
      "us + s * 2 ns/B\n"
      "  collective gather to root (s: data): time = 4 us + s * 1 ns/B\n";
  machine.costs = {"barrier()", "scatter(16 B)", "gather(40 B)"};
  for (std::size_t k = 0; k < 2; ++k) {
    text += fmt::format("  collective c{}(s: data) on R[r: p] {{\n    {}\n  }}\n", k, choose.one_of(algorithms()));
    machine.algorithms.push_back(fmt::format("c{}({} B)", k, choose.between(0, 2 * limit)));
  }
  text += "}\n";
  return machine;
}

}  // namespace wave::test
