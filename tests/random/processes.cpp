// Random programs with a process: the model around it, its statements, and the outputs that ask about it.
#include "tests/random/processes.h"

#include "tests/random/process_writer.h"

#include <fmt/format.h>

namespace wave::test {

WrittenProcess ProcessWriter::program() {
  machines();
  may_fail_ = choose_.chance(0.15);
  if (may_fail_) note("mistakes");
  text_ +=
      "type Row { elapsed: time, finish: time, compute: time, overhead: time, wait: time, messages: int, bytes: "
      "data }\nmodel M {\n";
  line(std::string("param W: time = ") + (manner_.ties ? "2 ns" : "5 us"));
  line("param k: int = 2");
  line("let busy_at = table { 1: 3 us, 3: 250 ns } else 1 us");
  line("param S: data = 8 B");
  if (repeated_) line("param times: int = 1");
  if (other_) line("let other = Other()");
  grid();
  procedures();
  line("process p on P using " + machine_by_place() + " {");
  depth_ = 2;
  if (repeated_) line("repeat times {");
  Around around;
  if (!manner_.in_batches && (wide_ || choose_.chance(0.1))) {
    for (std::size_t k = 1 + choose_.below(3); k > 0; --k) {
      sweep(false);
      if (choose_.chance(0.3)) choose_.chance(0.3) ? pattern(around) : collective(around);
    }
  } else {
    block(around, 1 + choose_.below(4));
    if (may_fail_ && choose_.chance(0.8)) mistake();
  }
  if (choose_.chance(0.5)) line("waitall");
  if (repeated_) line("}");
  depth_ = 1;
  line("}");
  outputs();
  if (features_.contains("shared resources") && features_.contains("on arrival"))
    note("shared resources and on arrival");
  return {text_ + "}\n", features_};
}

// One machine, or at some places another one, which may have other times and costs.
std::string ProcessWriter::machine_by_place() {
  const std::string usual = std::string("Net(") + (choose_.chance(0.2) ? "L = k * 1 us" : "") + ")";
  if (!by_place_) return usual;
  note("machines by place");
  line("let fast = " + usual);
  line("let slow = " + choose_.one_of(std::vector<std::string>{"Net(L = 30 us)", "Slow()", "Slow(L = 2 ns)"}));
  const std::string axis = any_axis().name;
  const std::vector<std::string> conditions = {axis + " <= k", axis + " == 1", "(" + axis + " + k) mod 2 == 0",
                                               "k == 2 and " + axis + " > 1"};
  const std::string other =
      choose_.chance(0.3) ? "if " + any_axis().name + " mod 3 == 0 then Slow() else slow" : "slow";
  const std::string condition = choose_.one_of(conditions);
  switch (by_axis_.below(4)) {
    case 0: note("machines by place in cases"); return "when { " + condition + ": fast; else: " + other + " }";
    case 1: note("machines by place in a list"); return "[fast, " + other + "][if " + condition + " then 1 else 2]";
    default: return "if " + condition + " then fast else " + other;
  }
}

void ProcessWriter::machines() {
  manner_ =
      random_manner(choose_, resources_ == Resources::always || (resources_ == Resources::some && choose_.chance(0.3)));
  manner_.in_batches = manner_.resources && !manner_.on_arrival && by_axis_.chance(0.5);
  machine_ = random_machine(choose_, "Net", manner_);
  text_ = machine_.text;
  features_.merge(machine_.features);
  by_place_ = choose_.chance(0.2);
  if (by_place_) {
    text_ += std::string("machine Slow extends Net {\n  override fn o(s: data): time = 2 * super.o(s)\n") +
             (choose_.chance(0.5) ? "  override collective barrier(p: int): time = p * 4 ns\n" : "") + "}\n";
  }
  other_ = choose_.chance(manner_.resources ? 0.2 : 0.05);
  if (!other_) return;
  MachineManner manner = manner_;
  manner.on_arrival = manner.on_arrival && choose_.chance(0.5);
  note("collectives of a second machine");
  MachineText other = random_machine(choose_, "Other", manner);
  text_ += other.text;
  features_.merge(other.features);
  for (const std::string& call : other.costs) machine_.costs.push_back("other." + call);
  for (const std::string& call : other.algorithms) machine_.algorithms.push_back("other." + call);
}

void ProcessWriter::grid() {
  static const char* const names[] = {"i", "j", "l", "m"};
  const std::size_t axes = choose_.chance(0.35) ? 1 : choose_.chance(0.75) ? 2 : choose_.chance(0.8) ? 3 : 4;
  wide_ = axes < 4 && choose_.chance(0.08);
  const std::int64_t most = wide_       ? (axes == 1   ? 40
                                           : axes == 2 ? 11
                                                       : 5)
                            : axes == 1 ? 7
                            : axes == 2 ? 4
                            : axes == 3 ? 3
                                        : 2;
  std::string written;
  for (std::size_t k = 0; k < axes; ++k) {
    Axis axis{names[k], choose_.between(1, most), "", choose_.chance(manner_.resources ? 0.3 : 0.2)};
    axis.written = fmt::format("n{}", k);
    line(fmt::format("param n{}: int = {}", k, axis.extent));
    written += (k ? ", " : "") + axis.name + ": " + axis.written + (axis.wraps ? " wrap" : "");
    axes_.push_back(axis);
    if (axis.wraps) note(axis.extent > 2 ? "wrapped axis" : fmt::format("wrapped axis of extent {}", axis.extent));
  }
  static const char* const counts[] = {"one axis", "two axes", "three axes", "four axes"};
  note(counts[axes - 1]);
  if (wide_) note("wide grid");
  line("grid P[" + written + "]" + (choose_.chance(manner_.shared ? 0.8 : 0.4) ? levels() : ""));
}

// Blocks of the grid, or values: nodes in turn, or nodes that lie apart. Sockets lie within them.
std::string ProcessWriter::levels() {
  std::string blocks, inner;
  for (std::size_t k = 0; k < axes_.size(); ++k) {
    const std::int64_t extent = choose_.between(1, 3);
    blocks += fmt::format("{}{}", k ? ", " : "", (manner_.sockets ? 2 : 1) * extent);
    inner += fmt::format("{}{}", k ? ", " : "", extent);
  }
  if (!manner_.sockets && choose_.chance(0.6)) {
    note("nodes");
    counted_levels_ = {"node"};
    return " nodes (" + blocks + ")";
  }
  note("levels");
  if (choose_.chance(0.4)) {
    const std::string sockets = manner_.sockets ? "\n    socket: blocks (" + inner + ")" : "";
    counted_levels_ = {"node"};
    if (manner_.sockets) counted_levels_.emplace_back("socket");
    return " levels {" + sockets + "\n    node: blocks (" + blocks + ")\n  }";
  }
  const std::vector<std::string> ways = {fmt::format("rank div {}", choose_.between(1, 5)),
                                         fmt::format("rank mod {}", choose_.between(1, 4)),
                                         fmt::format("({} + rank) mod {}", axes_[0].name, choose_.between(1, 4))};
  const std::string node = choose_.one_of(ways);
  if (node != ways.back()) counted_levels_ = {"node"};
  const std::string sockets = manner_.sockets ? fmt::format("\n    socket: 2 * ({}) + rank div 2 mod 2", node) : "";
  return " levels {" + sockets + "\n    node: " + node + "\n    switch: 7\n  }";
}

void ProcessWriter::block(const Around& around, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) statement(around);
}

void ProcessWriter::nested(const std::string& head, const Around& around) {
  line(head + " {");
  ++depth_;
  block(around, 1 + choose_.below(2));
  --depth_;
  line("}");
}

// More may be released than is held.
void ProcessWriter::memory(const Around& around) {
  static const std::vector<std::string> names = {"a", "b"};
  std::vector<std::string> sizes = {"8 B", "100 B", any_axis().name + " * 16 B", "(if k == 2 then 0 else 24 B)"};
  if (around.in_sweep) sizes.emplace_back("tile * 8 B");
  if (!around.variable.empty()) sizes.push_back(around.variable + " * 4 B");
  const std::string name = choose_.one_of(names);
  const bool is_released = choose_.chance(0.25);
  if (is_released) note("released memory");
  memories_.insert(name);
  line(fmt::format("{}({}, \"{}\")", is_released ? "release" : "hold", choose_.one_of(sizes), name));
}

void ProcessWriter::statement(const Around& around) {
  if (choose_.chance(0.05)) memory(around);
  if (around.depth < 3 && by_axis_.chance(0.04)) tasks(around);
  if (!procedures_by_axis_.empty() && by_axis_.chance(0.5)) call_by_axis(around);
  switch (choose_.below(18)) {
    case 0: return line("compute(" + cost(around) + ")");
    case 1: return shift(around);
    case 2: return exchange(around);
    case 3: return odd_and_even(around);
    case 4: return absolute(around);
    case 5: return late(around);
    case 6: return collective(around);
    case 7: return call(around);
    case 8:
    case 9:
    case 10: return nest(around);
    case 11:
    case 12:
    case 13: return pattern(around);
    case 14: return manner_.in_batches ? exchange(around) : sweep(true);
    default: return manner_.in_batches ? shift(around) : sweep(false);
  }
}

void ProcessWriter::nest(const Around& outer) {
  Around around = outer;
  if (++around.depth >= 4) return choose_.chance(0.5) ? exchange(around) : collective(around);
  switch (choose_.below(4)) {
    case 0:
      note("phase");
      if (phases_ > 0 && choose_.chance(0.2)) return nested("phase \"x0\"", around);
      return nested(fmt::format("phase \"x{}\"", phases_++), around);
    case 1:
      return nested("repeat " + in_other_words(choose_.chance(0.5) ? "k" : fmt::format("{}", choose_.between(0, 3))),
                    around);
    case 2: {
      static const std::vector<std::string> lists = {"1..k", "[3, 1]", "1..4 by *2", "5..1 by -2", "1..3"};
      around.variable = "q";
      note("loop");
      // The simulator draws noise by how a list is written.
      const std::string list = choose_.one_of(lists);
      std::string loop = "for q in " + (features_.count("noise") > 0 ? list : in_other_words(list));
      if (choose_.chance(0.5)) {
        note("loop in one line with another");
        static const std::vector<std::string> inner = {"1..q mod 3", "[q, 1]", "1..2"};
        if (choose_.chance(0.5)) loop += " if " + in_other_words("q") + " != 2";
        loop += ", w in " + choose_.one_of(inner);
        if (choose_.chance(0.5)) loop += " if w <= q";
      }
      return nested(loop, around);
    }
    default: return nested("if " + in_other_words(choose_.chance(0.5) ? "k == 2" : "n0 > 1"), around);
  }
}

// Among those that share a level, or one of each of these groups; or along an axis, where not all lines take part.
bool ProcessWriter::partial_collective() {
  if (machine_.alone.empty()) return false;
  const std::string call = choose_.one_of(machine_.alone);
  if (choose_.chance(0.4) && axes_.size() > 1) {
    note("collective of some lines");
    const std::size_t along = choose_.below(axes_.size());
    const std::string& other = axes_[along == 0 ? 1 : along - 1].name;
    const std::string head = choose_.chance(0.5) ? "if " + other + " mod 2 == 1" : "repeat " + other;
    line(head + " { " + call + " along " + axes_[along].name + " }");
    return true;
  }
  if (counted_levels_.empty()) return false;
  note("collective of a level");
  line(call + (choose_.chance(0.5) ? " within " : " across ") + choose_.one_of(counted_levels_));
  return true;
}

void ProcessWriter::collective(const Around& around) {
  if (around.depth == 0 && !around.in_sweep && choose_.chance(0.3) && partial_collective()) return;
  const bool is_along = choose_.chance(0.4);
  std::string call;
  if (choose_.chance(0.6)) {
    const bool is_uneven = choose_.chance(0.15);
    call = is_uneven ? "uneven(" + cost(around) + ")" : choose_.one_of(machine_.costs);
    note(is_uneven ? "cost by place" : is_along ? "cost along an axis" : "cost");
    if (call.find("barrier") == std::string::npos && !is_uneven) note("cost with a root");
  } else {
    call = choose_.one_of(machine_.algorithms);
    note(is_along ? "algorithm along an axis" : "algorithm");
  }
  line(call + (is_along ? " along " + any_axis().name : ""));
}

void ProcessWriter::mistake() {
  const Axis& axis = axes_.front();
  if (choose_.chance(0.15)) line(fmt::format("compute((n0 - 1 - {}) * 1 us)", axis.name));
  Offset d(axes_.size(), 0);
  d[0] = 1;
  // A message that nobody receives is refused before the run, even where its neighbour is always off the grid.
  const bool leads_nowhere = axis.extent == 1 && !axis.wraps;
  switch (leads_nowhere ? 2 + choose_.below(8) : choose_.below(10)) {
    case 0: return line("send 8 B to " + place(d, 1));
    case 1: return line("recv from " + place(d, -1));
    case 2:
      line(fmt::format("send {} * 8 B to {} tag 9", axis.name, place(d, 1)));
      return line("recv 8 B from " + place(d, -1) + " tag 9");
    case 3:
      for (const int sign : {1, -1}) line("send 200 B to " + place(d, sign));
      for (const int sign : {1, -1}) line("recv 200 B from " + place(d, sign));
      return;
    case 4:
      line("recv 8 B from " + place(d, -1));
      line("recv 8 B from " + place(d, 1));
      for (const int sign : {1, -1}) line("send 8 B to " + place(d, sign));
      return;
    case 5: return line(fmt::format("compute(({} - 2) * 1 us)", axis.name));
    case 6: return line(fmt::format("compute(1 us * (1 div ({} - 2)))", axis.name));
    case 7: return line(fmt::format("repeat {} - 2 {{ compute(1 us) }}", axis.name));
    case 8:
      if (choose_.chance(0.5)) {
        std::string place = "0";
        for (std::size_t k = 1; k < axes_.size(); ++k) place += ", 1";
        return line("if " + axis.name + " == 2 { send 8 B to P[" + place + "] }");
      }
      return line("sweep from [" + corner() + "] tiles k - 3 { compute(1 us) }");
    default:
      return line(fmt::format("isend ({} - 2) * 8 B to {} tag 8\n    recv from {} tag 8", axis.name, place(d, 1),
                              place(d, -1)));
  }
}

void ProcessWriter::outputs() {
  std::string loops, indices, last;
  static const char* const names[] = {"a", "b", "c", "d"};
  for (std::size_t k = 0; k < axes_.size(); ++k) {
    loops += fmt::format(" for {} in 1..{}", names[k], axes_[k].written);
    indices += fmt::format("{}{}", k ? ", " : "", names[k]);
    last += fmt::format("{}{}", k ? ", " : "", axes_[k].written);
  }
  indices = "[" + indices + "]";
  line("output elapsed = p.time");
  if (repeated_) line("output sent = 1.0 * p.messages");
  line("output last = p.finish[" + last + "]");
  line("output whole = [" + row("p", "p.time", "") + "]");
  line(fmt::format("output over_all = [{}]", over_all("p.finish", "p")));
  line("output each = [" + row("p", "p.finish" + indices, indices) + loops + "]");
  // The simulator has peaks only of programs that it has followed to their end.
  const auto held = [&](const std::string& name, const std::string& peak) {
    line(fmt::format("output held{} = if p.time < 0 us then 0 B else {}", name, peak));
    line(fmt::format("output each_held{} = [if p.time < 0 us then 0 B else {}{}{}]", name, peak, indices, loops));
  };
  if (!memories_.empty()) {
    note("held memory");
    held("", "p.peak");
  }
  for (const std::string& name : memories_) held("_" + name, fmt::format("p.peak(\"{}\")", name));
  for (int k = 0; k < phases_; ++k) {
    const std::string phase = fmt::format("p.phase(\"x{}\")", k);
    line(fmt::format("output phase{} = [{}]", k, row(phase, phase, "")));
    line(fmt::format("output phase{}_over_all = [{}]", k, over_all(phase, phase)));
    const bool before = choose_.chance(0.5);  // the indices stand before what is asked for, or behind it
    const std::string of_one = row(before ? phase + indices : phase, phase + indices, before ? "" : indices);
    line(fmt::format("output each_phase{} = [{}{}]", k, of_one, loops));
  }
}

std::string ProcessWriter::row(const std::string& of, const std::string& time, const std::string& indices) {
  std::string fields;
  for (const char* const quantity : {"finish", "compute", "overhead", "wait", "messages", "bytes"}) {
    fields += fmt::format(", {0} = {1}.{0}{2}", quantity, of, indices);
  }
  return "Row(elapsed = " + time + fields + ")";
}

// The greatest, mean and least of a time over all processes.
std::string ProcessWriter::over_all(const std::string& time, const std::string& of) {
  std::string values;
  for (const std::string& one : {time, of + ".compute", of + ".overhead", of + ".wait"}) {
    for (const char* const over : {"max", "mean", "min"}) values += (values.empty() ? "" : ", ") + one + "." + over;
  }
  return values;
}

WrittenProcess random_process(std::uint64_t seed, Resources resources, bool repeated) {
  return ProcessWriter(seed, resources, repeated).program();
}

}  // namespace wave::test
