// Costs, sizes, places and patterns of messages for random processes.
#include "tests/random/process_writer.h"
#include "tests/random/values.h"

#include <fmt/format.h>

#include <algorithm>

namespace wave::test {

std::vector<ProcessWriter::Axis> ProcessWriter::straight_axes() const {
  std::vector<Axis> result;
  for (const Axis& axis : axes_)
    if (!axis.wraps) result.push_back(axis);
  return result;
}

// One step along an axis.
ProcessWriter::Offset ProcessWriter::along(const Axis& axis) const {
  Offset d(axes_.size(), 0);
  for (std::size_t k = 0; k < axes_.size(); ++k)
    if (axes_[k].name == axis.name) d[k] = 1;
  return d;
}

std::string ProcessWriter::in_other_words(const std::string& value) {
  constexpr double share = 0.05;
  if (!disguise_.chance(share)) return value;
  note("in other words");
  return disguised(disguise_, value);
}

std::string ProcessWriter::cost(const Around& around) {
  const std::string plain = plain_cost(around);
  return plain == "0" ? plain : in_other_words(plain);  // a 0 in a list is an integer
}

std::string ProcessWriter::plain_cost(const Around& around) {
  const std::string axis = any_axis().name;
  if (manner_.ties && choose_.chance(0.9)) {
    return choose_.one_of(std::vector<std::string>{"0", "0", "1 ns", "2 ns", "3 ns", "5 ns", "W", axis + " * 1 ns",
                                                   "(if " + axis + " == 2 then 1 ns else 4 ns)", "k * 1 ns"});
  }
  if (around.in_sweep && choose_.chance(0.3)) {
    return choose_.chance(0.5) ? "tile * W / 8" : "(if tile == 2 then 9 us else W)";
  }
  if (!around.variable.empty() && choose_.chance(0.4))
    return around.variable + (choose_.chance(0.5) ? " * W" : " * 1 us");
  if (choose_.chance(0.04))
    return choose_.chance(0.5) ? "W / 3" : fmt::format("(W + {} * 1 us) / 7", axis);  // needs rounding
  if (choose_.chance(0.02))
    return choose_.chance(0.5) ? "3 h" : "33333 ps";  // needs a coarser quantum, which rounds the others
  if (choose_.chance(0.06)) {
    note("cost of a table");
    return "busy_at(" + axis + ")";
  }
  switch (choose_.below(6)) {
    case 0: return fmt::format("{} * 700 ns", axis);
    case 1: return fmt::format("(if {} == 2 then 4 * W else W)", axis);
    case 2: return "0";
    case 3: return "W + k * 1 us";
    case 4: return fmt::format("({} + 1) * {} ns", axes_.back().name, choose_.between(1, 5000));
    default: return fmt::format("{} ns", choose_.between(1, 30000));
  }
}

std::string ProcessWriter::size(const Around& around) { return in_other_words(plain_size(around)); }

std::string ProcessWriter::plain_size(const Around& around) {
  const int limit = choose_.one_of(machine_.limits);
  if (choose_.chance(0.15)) {
    note("size by a parameter");
    if (around.in_sweep && choose_.chance(0.5)) return "tile * S";
    if (!around.variable.empty() && choose_.chance(0.5)) return around.variable + " * S";
    return choose_.one_of(std::vector<std::string>{"S", "k * S", "(S + 5 B)"});
  }
  if (around.in_sweep && choose_.chance(0.25))
    return fmt::format("(tile + {}) * {} B", choose_.between(0, 2), limit / 2);
  if (!around.variable.empty() && choose_.chance(0.3)) return fmt::format("{} * {} B", around.variable, limit / 2);
  if (choose_.chance(0.05)) return fmt::format("{} bit", choose_.between(1, 99));
  return fmt::format("{} B", choose_.one_of(std::vector<int>{0, limit - 1, limit, limit + 1, 3 * limit}));
}

ProcessWriter::Pair ProcessWriter::pair(const Around& around) {
  Pair result;
  result.sent = result.received = size(around) + " ";
  if (choose_.chance(0.25)) {
    result.received = "";
    note("receive without a size");
    if (choose_.chance(0.5))
      result.sent = fmt::format("({} + k) * {} B ", any_axis().name, choose_.one_of(machine_.limits) / 2);
  }
  if (choose_.chance(0.2))
    note("tag"), result.tag = " tag " + in_other_words(fmt::format("{}", choose_.between(-1, 2)));
  if (!around.variable.empty() && choose_.chance(0.1)) note("tag by loop"), result.tag = " tag " + around.variable;
  return result;
}

ProcessWriter::Offset ProcessWriter::offset(bool straight) {
  Offset result(axes_.size(), 0);
  std::vector<std::size_t> usable;
  for (std::size_t k = 0; k < axes_.size(); ++k)
    if (!straight || !axes_[k].wraps) usable.push_back(k);
  if (usable.empty()) return result;
  result[choose_.one_of(usable)] = choose_.one_of(std::vector<std::int64_t>{1, 1, -1, 2});
  if (choose_.chance(0.25)) result[choose_.one_of(usable)] = choose_.one_of(std::vector<std::int64_t>{1, -1});
  return result;
}

// Now and then without the axes along which nothing changes.
std::string ProcessWriter::place(const Offset& offset, std::int64_t sign) {
  const bool moves = std::any_of(offset.begin(), offset.end(), [](std::int64_t d) { return d != 0; });
  const bool by_name = by_axis_.chance(0.2) && moves && axes_.size() > 1;
  if (by_name) note("offset by name");
  std::string result;
  for (std::size_t k = 0; k < axes_.size(); ++k) {
    const std::int64_t d = sign * offset[k];
    if (by_name && d == 0) continue;
    result += result.empty() ? "" : ", ";
    result += d == 0 ? axes_[k].name : fmt::format("{} {} {}", axes_[k].name, d < 0 ? '-' : '+', d < 0 ? -d : d);
  }
  return "[" + result + "]";
}

void ProcessWriter::shift(const Around& around) {
  const Offset d = offset(choose_.chance(0.8));
  bool wraps = false, moves = false;
  for (std::size_t k = 0; k < d.size(); ++k) {
    wraps = wraps || (d[k] != 0 && axes_[k].wraps);
    moves = moves || d[k] != 0;
  }
  if (wraps || !moves) return exchange_along({d}, around);
  Pair message = pair(around);
  if (choose_.chance(0.2)) {  // both ends give a size that depends on the sender's place
    for (std::size_t k = 0; k < d.size(); ++k) {
      if (d[k] == 0) continue;
      message.sent = fmt::format("({} + 9) * {} B ", axes_[k].name, choose_.one_of(machine_.limits) / 8);
      message.received = fmt::format("({} {} {}{}", axes_[k].name, d[k] < 0 ? '+' : '-', d[k] < 0 ? -d[k] : d[k],
                                     message.sent.substr(1 + axes_[k].name.size()));
      break;
    }
  }
  std::vector<std::string> lines = {"send " + message.sent + "to " + place(d, 1) + message.tag,
                                    "recv " + message.received + "from " + place(d, -1) + message.tag};
  if (choose_.chance(0.5)) std::swap(lines[0], lines[1]);
  line(lines[0]);
  if (choose_.chance(0.5)) line("compute(" + cost(around) + ")");
  line(lines[1]);
}

void ProcessWriter::exchange(const Around& around) {
  std::vector<Offset> offsets;
  for (std::size_t k = 1 + choose_.below(3); k > 0; --k) offsets.push_back(offset(false));
  exchange_along(offsets, around);
}

void ProcessWriter::both_at_once(const Offset& offset, const Around& around) {
  note("sendrecv");
  Pair message = pair(around);
  if (around.in_sweep) message.tag = fmt::format(" tag {}", 400 + handles_++);
  line("sendrecv " + message.sent + "to " + place(offset, 1) + message.tag + " from " + place(offset, -1) +
       message.tag);
}

void ProcessWriter::exchange_along(const std::vector<Offset>& offsets, const Around& around) {
  if (offsets.size() == 1 && by_axis_.chance(0.3)) return both_at_once(offsets.front(), around);
  std::vector<std::string> calls, waits;
  for (const Offset& d : offsets) {
    Pair message = pair(around);
    // In a sweep it would meet the messages of the sweep.
    if (around.in_sweep && choose_.chance(0.9)) message.tag = fmt::format(" tag {}", 400 + handles_);
    const std::string out = handle(), in = handle();
    calls.push_back("isend " + message.sent + "to " + place(d, 1) + message.tag + " as " + out);
    calls.push_back("irecv " + message.received + "from " + place(d, -1) + message.tag +
                    (choose_.chance(0.8) ? " as " + in : ""));
    waits.push_back("wait " + out);
    if (calls.back().find(" as ") != std::string::npos) waits.push_back("wait " + in);
  }
  if (choose_.chance(0.5)) std::swap(calls[choose_.below(calls.size())], calls[choose_.below(calls.size())]);
  for (const std::string& one : calls) line(one);
  if (choose_.chance(0.6)) line("compute(" + cost(around) + ")");
  if (choose_.chance(0.12)) return first_of(waits, around);
  if (choose_.chance(0.5)) return line("waitall");
  while (!waits.empty()) {
    const std::size_t k = choose_.below(waits.size());
    line(waits[k]);
    waits.erase(waits.begin() + static_cast<std::ptrdiff_t>(k));
  }
  if (choose_.chance(0.5)) line("waitall");
}

// Some of what these wait for is taken as it ends, and the rest is left pending or waited for.
void ProcessWriter::first_of(std::vector<std::string> waits, const Around& around) {
  note("waitany");
  shuffle(waits);
  std::string names;
  for (const std::string& wait : waits) {
    if (names.empty() || choose_.chance(0.85)) names += (names.empty() ? "" : ", ") + wait.substr(5);
  }
  const std::size_t times = 1 + choose_.below(waits.size() + 1);
  for (std::size_t k = 0; k < times; ++k) {
    line("waitany " + names);
    if (choose_.chance(0.6)) line("compute(" + cost(around) + ")");
    if (choose_.chance(0.1)) line(choose_.one_of(waits));
  }
  if (choose_.chance(0.3)) return;
  line(choose_.chance(0.5) ? "waitall" : waits.front());
}

void ProcessWriter::odd_and_even(const Around& around) {
  const std::vector<Axis> straight = straight_axes();
  if (straight.empty()) return collective(around);
  const Axis& axis = choose_.one_of(straight);
  const Offset d = along(axis);
  note("if by index");
  const Pair there = pair(around), back = pair(around);
  line(fmt::format("if {} mod 2 == 1 {{ send {}to {}{}", axis.name, there.sent, place(d, 1), there.tag));
  line(fmt::format("  recv {}from {}{} }}", back.received, place(d, 1), back.tag));
  line(fmt::format("else {{ recv {}from {}{}", there.received, place(d, -1), there.tag));
  line(fmt::format("  send {}to {}{} }}", back.sent, place(d, -1), back.tag));
}

void ProcessWriter::absolute(const Around& around) {
  std::string first, last, is_first, is_last;
  for (const Axis& axis : axes_) {
    const std::string separator = first.empty() ? "" : ", ", conjunction = first.empty() ? "" : " and ";
    first += separator + in_other_words("1");
    last += separator + in_other_words(axis.written);
    is_first += conjunction + axis.name + " == 1";
    is_last += conjunction + axis.name + " == " + axis.written;
  }
  if (choose_.chance(0.5)) std::swap(first, last), std::swap(is_first, is_last);
  const Pair message = pair(around);
  note("message by place");
  line(fmt::format("if {} {{ isend {}to P[{}]{} }}", is_first, message.sent, last, message.tag));
  line(fmt::format("if {} {{ recv {}from P[{}]{} }}", is_last, message.received, first, message.tag));
  line("waitall");
}

void ProcessWriter::late(const Around& around) {
  const Offset d = offset(false);
  const Pair message = pair(around);
  const std::string tag = fmt::format(" tag {}", 100 + handles_), out = handle();
  note("received late");
  line("isend " + message.sent + "to " + place(d, 1) + tag + " as " + out);
  if (around.depth < 4) statement(around);
  line("recv " + message.received + "from " + place(d, -1) + tag);
  if (choose_.chance(0.8)) line("wait " + out);
}

// A number of messages that differs between processes.
void ProcessWriter::as_many_as_its_place() {
  const std::vector<Axis> straight = straight_axes();
  if (straight.empty()) return;
  const Axis& axis = choose_.one_of(straight);
  const Offset d = along(axis);
  note("count by index");
  if (choose_.chance(0.5)) {
    line(fmt::format("repeat {} {{ isend 24 B to {} tag 50 }}", axis.name, place(d, 1)));
    line(fmt::format("repeat {} - 1 {{ recv from {} tag 50 }}", axis.name, place(d, -1)));
  } else {
    note("loop over indices");
    const std::string cost = manner_.ties ? "1 ns" : "1 us";
    line(fmt::format("for x in 1..{} {{ compute(x * {}); isend 24 B to {} tag x }}", axis.name, cost, place(d, 1)));
    line(fmt::format("for x in 1..{} - 1 {{ recv from {} tag x }}", axis.name, place(d, -1)));
  }
  line("waitall");
}

}  // namespace wave::test
