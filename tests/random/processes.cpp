// Random programs with a process. Messages are generated as patterns that both of their ends take part in, in the same
// order for all processes, so that most programs run through.
#include "tests/random/processes.h"

#include "tests/random/choices.h"
#include "tests/random/machine_text.h"

#include <fmt/format.h>

namespace wave::test {

namespace {

struct Axis {
  std::string name;
  std::int64_t extent = 1;
  std::string written;         // the extent as it is written
  bool wraps = false;
};

// Where statements stand: what their costs and sizes may depend on.
struct Around {
  bool in_sweep = false;
  std::string variable;        // of a loop; empty: none
  int depth = 0;
};

class Writer {
 public:
  explicit Writer(std::uint64_t seed) : choose_(seed) {}

  std::string program() {
    const MachineText machine = random_machine(choose_);
    machine_ = machine;
    text_ = machine.text + "type Row { elapsed: time, finish: time, compute: time, overhead: time, wait: time, messages: int, bytes: data }\nmodel M {\n  param W: time = 5 us\n  param k: int = 2\n";
    grid();
    if (choose_.chance(0.4)) procedure();
    line("process p on P using Net() {");
    depth_ = 2;
    Around around;
    if (wide_) {
      for (std::size_t k = 1 + choose_.below(2); k > 0; --k) sweep();
    } else {
      block(around, 1 + choose_.below(4));
      if (choose_.chance(0.12)) mistake();
    }
    if (choose_.chance(0.5)) line("waitall");
    depth_ = 1;
    line("}");
    outputs();
    return text_ + "}\n";
  }

 private:
  void line(const std::string& content) { text_ += std::string(2 * static_cast<std::size_t>(depth_), ' ') + content + "\n"; }

  // ---- the grid -----------------------------------------------------------------------------------------------------

  void grid() {
    static const char* const names[] = {"i", "j", "l"};
    const std::size_t axes = choose_.chance(0.35) ? 1 : choose_.chance(0.75) ? 2 : 3;
    wide_ = choose_.chance(0.06);
    const std::int64_t most = wide_ ? (axes == 1 ? 40 : axes == 2 ? 11 : 5) : axes == 1 ? 7 : axes == 2 ? 4 : 3;
    std::string written;
    for (std::size_t k = 0; k < axes; ++k) {
      Axis axis{names[k], choose_.between(1, most), "", choose_.chance(0.2)};
      axis.written = fmt::format("n{}", k);
      line(fmt::format("param n{}: int = {}", k, axis.extent));
      written += (k ? ", " : "") + axis.name + ": " + axis.written + (axis.wraps ? " wrap" : "");
      axes_.push_back(axis);
    }
    std::string nodes;
    if (choose_.chance(0.4)) {
      for (std::size_t k = 0; k < axes; ++k) nodes += fmt::format("{}{}", k ? ", " : "", choose_.between(1, 3));
      nodes = " nodes (" + nodes + ")";
    }
    line("grid P[" + written + "]" + nodes);
  }

  const Axis& any_axis() { return choose_.one_of(axes_); }
  std::vector<Axis> straight_axes() const {
    std::vector<Axis> result;
    for (const Axis& axis : axes_) if (!axis.wraps) result.push_back(axis);
    return result;
  }

  // ---- costs and sizes ------------------------------------------------------------------------------------------------

  std::string cost(const Around& around) {
    const std::string axis = any_axis().name;
    if (around.in_sweep && choose_.chance(0.3)) {
      return choose_.chance(0.5) ? "tile * 300 ns" : "(if tile == 2 then 9 us else W)";
    }
    if (!around.variable.empty() && choose_.chance(0.4)) return around.variable + " * 1 us";
    switch (choose_.below(6)) {
      case 0: return fmt::format("{} * 700 ns", axis);
      case 1: return fmt::format("(if {} == 2 then 4 * W else W)", axis);
      case 2: return "0";
      case 3: return "W + k * 1 us";
      case 4: return fmt::format("({} + 1) * {} ns", axes_.back().name, choose_.between(1, 5000));
      default: return fmt::format("{} ns", choose_.between(1, 30000));
    }
  }

  std::string size(const Around& around) {
    const int limit = choose_.one_of(machine_.limits);
    if (around.in_sweep && choose_.chance(0.25)) return fmt::format("(tile + {}) * {} B", choose_.between(0, 2), limit / 2);
    if (!around.variable.empty() && choose_.chance(0.3)) return fmt::format("{} * {} B", around.variable, limit / 2);
    return fmt::format("{} B", choose_.one_of(std::vector<int>{0, limit - 1, limit, limit + 1, 3 * limit}));
  }

  // A message as both of its ends write it. The size may depend on the sender's place: then the receiver leaves it out.
  struct Pair {
    std::string sent, received, tag;
  };
  Pair pair(const Around& around, bool background_receive) {
    Pair result;
    result.sent = result.received = size(around) + " ";
    if (choose_.chance(0.25) && !(background_receive && machine_.receiver_begins)) {
      result.received = "";
      if (choose_.chance(0.5)) result.sent = fmt::format("({} + k) * {} B ", any_axis().name, choose_.one_of(machine_.limits) / 2);
    }
    if (choose_.chance(0.2)) result.tag = fmt::format(" tag {}", choose_.between(-1, 2));
    if (!around.variable.empty() && choose_.chance(0.1)) result.tag = " tag " + around.variable;
    return result;
  }

  // ---- places ---------------------------------------------------------------------------------------------------------

  using Offset = std::vector<std::int64_t>;
  Offset offset(bool straight) {
    Offset result(axes_.size(), 0);
    std::vector<std::size_t> usable;
    for (std::size_t k = 0; k < axes_.size(); ++k) if (!straight || !axes_[k].wraps) usable.push_back(k);
    if (usable.empty()) return result;
    result[choose_.one_of(usable)] = choose_.one_of(std::vector<std::int64_t>{1, 1, -1, 2});
    if (choose_.chance(0.25)) result[choose_.one_of(usable)] = choose_.one_of(std::vector<std::int64_t>{1, -1});
    return result;
  }
  std::string place(const Offset& offset, std::int64_t sign) const {
    std::string result;
    for (std::size_t k = 0; k < axes_.size(); ++k) {
      const std::int64_t d = sign * offset[k];
      result += k ? ", " : "";
      result += d == 0 ? axes_[k].name : fmt::format("{} {} {}", axes_[k].name, d < 0 ? '-' : '+', d < 0 ? -d : d);
    }
    return "[" + result + "]";
  }
  std::string handle() { return fmt::format("h{}", handles_++); }

  // ---- statements -----------------------------------------------------------------------------------------------------

  void block(const Around& around, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) statement(around);
  }

  void nested(const std::string& head, const Around& around) {
    line(head + " {");
    ++depth_;
    block(around, 1 + choose_.below(2));
    --depth_;
    line("}");
  }

  void statement(const Around& outer) {
    Around around = outer;
    const bool may_nest = ++around.depth < 4;
    switch (choose_.below(16)) {
      case 0: return line("compute(" + cost(around) + ")");
      case 1: return shift(around);
      case 2: return exchange(around);
      case 3: return odd_and_even(around);
      case 4: return absolute(around);
      case 5: return late(around);
      case 6: return collective();
      case 7:
        if (!procedure_.empty()) return line(procedure_ + "(" + size(around) + ")");
        return shift(around);
      case 8:
        if (may_nest) return nested(fmt::format("phase \"x{}\"", phases_++), around);
        return exchange(around);
      case 9:
        if (may_nest) return nested(fmt::format("repeat {}", choose_.chance(0.5) ? "k" : fmt::format("{}", choose_.between(0, 3))), around);
        return shift(around);
      case 10:
        if (!may_nest) return collective();
        around.variable = "q";
        return nested(choose_.chance(0.5) ? "for q in 1..k" : "for q in [3, 1]", around);
      case 11:
        if (!may_nest) return exchange(around);
        return nested(choose_.chance(0.5) ? "if k == 2" : "if n0 > 1", around);
      case 12: return at_once();
      default: return sweep();
    }
  }

  // One message along an offset: the ends in either order. Where the offset wraps, the send is in the background.
  void shift(const Around& around) {
    const Offset d = offset(choose_.chance(0.8));
    bool wraps = false, moves = false;
    for (std::size_t k = 0; k < d.size(); ++k) {
      wraps = wraps || (d[k] != 0 && axes_[k].wraps);
      moves = moves || d[k] != 0;
    }
    if (wraps || !moves) return exchange_along({d}, around);
    const Pair message = pair(around, false);
    std::vector<std::string> lines = {"send " + message.sent + "to " + place(d, 1) + message.tag,
                                      "recv " + message.received + "from " + place(d, -1) + message.tag};
    if (choose_.chance(0.5)) std::swap(lines[0], lines[1]);
    line(lines[0]);
    if (choose_.chance(0.5)) line("compute(" + cost(around) + ")");
    line(lines[1]);
  }

  void exchange(const Around& around) {
    std::vector<Offset> offsets;
    for (std::size_t k = 1 + choose_.below(3); k > 0; --k) offsets.push_back(offset(false));
    exchange_along(offsets, around);
  }

  void exchange_along(const std::vector<Offset>& offsets, const Around& around) {
    std::vector<std::string> calls, waits;
    for (const Offset& d : offsets) {
      const Pair message = pair(around, true);
      const std::string out = handle(), in = handle();
      calls.push_back("isend " + message.sent + "to " + place(d, 1) + message.tag + " as " + out);
      calls.push_back("irecv " + message.received + "from " + place(d, -1) + message.tag + (choose_.chance(0.8) ? " as " + in : ""));
      waits.push_back("wait " + out);
      if (calls.back().find(" as ") != std::string::npos) waits.push_back("wait " + in);
    }
    if (choose_.chance(0.5)) std::swap(calls[choose_.below(calls.size())], calls[choose_.below(calls.size())]);
    for (const std::string& one : calls) line(one);
    if (choose_.chance(0.6)) line("compute(" + cost(around) + ")");
    if (choose_.chance(0.5)) return line("waitall");
    while (!waits.empty()) {
      const std::size_t k = choose_.below(waits.size());
      line(waits[k]);
      waits.erase(waits.begin() + static_cast<std::ptrdiff_t>(k));
    }
    if (choose_.chance(0.5)) line("waitall");
  }

  void odd_and_even(const Around& around) {
    const std::vector<Axis> straight = straight_axes();
    if (straight.empty()) return collective();
    const Axis& axis = choose_.one_of(straight);
    Offset d(axes_.size(), 0);
    for (std::size_t k = 0; k < axes_.size(); ++k) if (axes_[k].name == axis.name) d[k] = 1;
    const Pair there = pair(around, false), back = pair(around, false);
    line(fmt::format("if {} mod 2 == 1 {{ send {}to {}{}", axis.name, there.sent, place(d, 1), there.tag));
    line(fmt::format("  recv {}from {}{} }}", back.received, place(d, 1), back.tag));
    line(fmt::format("else {{ recv {}from {}{}", there.received, place(d, -1), there.tag));
    line(fmt::format("  send {}to {}{} }}", back.sent, place(d, -1), back.tag));
  }

  // From the first process to the last, or back, or to itself.
  void absolute(const Around& around) {
    std::string first, last, is_first, is_last;
    for (const Axis& axis : axes_) {
      const std::string separator = first.empty() ? "" : ", ", conjunction = first.empty() ? "" : " and ";
      first += separator + "1";
      last += separator + axis.written;
      is_first += conjunction + axis.name + " == 1";
      is_last += conjunction + axis.name + " == " + axis.written;
    }
    if (choose_.chance(0.5)) std::swap(first, last), std::swap(is_first, is_last);
    const Pair message = pair(around, false);
    line(fmt::format("if {} {{ isend {}to P[{}]{} }}", is_first, message.sent, last, message.tag));
    line(fmt::format("if {} {{ recv {}from P[{}]{} }}", is_last, message.received, first, message.tag));
    line("waitall");
  }

  // Sent now, received after other things.
  void late(const Around& around) {
    const Offset d = offset(false);
    const Pair message = pair(around, false);
    const std::string tag = fmt::format(" tag {}", 100 + handles_), out = handle();
    line("isend " + message.sent + "to " + place(d, 1) + tag + " as " + out);
    if (around.depth < 4) statement(around);
    line("recv " + message.received + "from " + place(d, -1) + tag);
    if (choose_.chance(0.8)) line("wait " + out);
  }

  void collective() {
    const std::string call = choose_.chance(0.6) ? choose_.one_of(machine_.costs) : choose_.one_of(machine_.algorithms);
    line(call + (choose_.chance(0.4) ? " along " + any_axis().name : ""));
  }

  void procedure() {
    procedure_ = "halo";
    line("procedure halo(s: data) on P {");
    ++depth_;
    const Offset d = offset(false);
    line("isend s to " + place(d, 1) + " as out");
    if (choose_.chance(0.5)) line("compute(s * 2 ns/B)");
    line("irecv s from " + place(d, -1) + " as inwards");
    line("wait inwards");
    line("wait out");
    --depth_;
    line("}");
  }

  // ---- sweeps ---------------------------------------------------------------------------------------------------------

  std::string corner() {
    if (axes_.size() == 2 && choose_.chance(0.6)) return choose_.one_of(std::vector<std::string>{"NW", "NE", "SW", "SE"});
    std::string signs;
    for (std::size_t k = 0; k < axes_.size(); ++k) signs += std::string(k ? "," : "") + (choose_.chance(0.5) ? "+" : "-");
    return "(" + signs + ")";
  }
  std::string corners() {
    std::string result = corner();
    for (std::size_t k = choose_.below(3); k > 0; --k) result += ", " + corner();
    return result;
  }
  std::string tiles() {
    if (wide_) return fmt::format("{}", choose_.between(1, 40));
    return choose_.chance(0.1) ? "0" : choose_.chance(0.3) ? "k + 1" : fmt::format("{}", choose_.between(1, 5));
  }

  // The neighbours that a block needs: along axes, and on a diagonal.
  std::vector<std::string> winds() {
    std::vector<std::string> result;
    const std::vector<Axis> straight = straight_axes();
    for (const Axis& axis : straight) if (choose_.chance(0.85)) result.push_back(axis.name);
    if (straight.size() > 1 && choose_.chance(0.15)) result.push_back("(" + straight[0].name + ", " + straight[1].name + ")");
    return result;
  }

  void sweep() {
    Around around;
    around.in_sweep = true;
    line(fmt::format("sweep from [{}] tiles {} {{", corners(), tiles()));
    ++depth_;
    sweep_body(around, choose_.chance(0.15));
    --depth_;
    line("}");
    if (choose_.chance(0.3)) line("waitall");
  }

  void at_once() {
    Around around;
    around.in_sweep = true;
    line(fmt::format("sweep from {{{}}} tiles {} {{", corners(), tiles()));
    ++depth_;
    sweep_body(around, choose_.chance(0.9));
    --depth_;
    line("}");
    line("waitall");
  }

  // Receives, computations and sends in an order that is mostly the usual one.
  void sweep_body(const Around& around, bool background_sends) {
    std::vector<std::string> receives, sends;
    const bool conditional = choose_.chance(0.1), alone = choose_.chance(0.2);
    for (const std::string& wind : alone ? std::vector<std::string>{} : winds()) {
      const Pair message = pair(around, false);
      const std::string before = conditional ? "if tile mod 2 == 1 { " : "", after = conditional ? " }" : "";
      receives.push_back(before + "recv " + message.received + "from upwind " + wind + message.tag + after);
      std::string name;
      if (background_sends && choose_.chance(0.7)) {
        name = " as " + handle();
        if (choose_.chance(0.5)) line("wait " + name.substr(4));
      }
      sends.push_back(before + (background_sends ? "isend " : "send ") + message.sent + "to downwind " + wind + message.tag + name + after);
    }
    if (choose_.chance(0.4)) line("compute(" + cost(around) + ")");
    shuffle(receives);
    shuffle(sends);
    if (choose_.chance(0.08)) std::swap(receives, sends);
    for (const std::string& one : receives) line(one);
    if (choose_.chance(0.1)) line(fmt::format("compute(if corner == {} then W else {})", corner(), cost(around)));
    else if (choose_.chance(0.9)) line("compute(" + cost(around) + ")");
    if (choose_.chance(0.1)) line(fmt::format("phase \"x{}\" {{ compute({}) }}", phases_++, cost(around)));
    if (choose_.chance(0.05)) line(fmt::format("barrier() along {}", any_axis().name));
    for (const std::string& one : sends) {
      line(one);
      if (choose_.chance(0.2)) line("compute(" + cost(around) + ")");
    }
    if (background_sends && choose_.chance(0.3)) line("waitall");
  }

  void shuffle(std::vector<std::string>& lines) {
    for (std::size_t k = lines.size(); k > 1; --k) std::swap(lines[k - 1], lines[choose_.below(k)]);
  }

  // ---- mistakes -------------------------------------------------------------------------------------------------------

  void mistake() {
    const Axis& axis = axes_.front();
    Offset d(axes_.size(), 0);
    d[0] = 1;
    // A message that nobody meets is refused before the run, also where its neighbour is off the grid everywhere.
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
      case 8: return line("sweep from [" + corner() + "] tiles k - 3 { compute(1 us) }");
      default: return line(fmt::format("isend ({} - 2) * 8 B to {} tag 8\n    recv from {} tag 8", axis.name, place(d, 1), place(d, -1)));
    }
  }

  // ---- what is asked --------------------------------------------------------------------------------------------------

  // Rows of records: one output is compiled much faster than many.
  void outputs() {
    std::string loops, indices;
    static const char* const names[] = {"a", "b", "c"};
    for (std::size_t k = 0; k < axes_.size(); ++k) {
      loops += fmt::format(" for {} in 1..{}", names[k], axes_[k].written);
      indices += fmt::format("{}{}", k ? ", " : "", names[k]);
    }
    indices = "[" + indices + "]";
    line("output whole = [" + row("p", "p.time", "") + "]");
    line("output each = [" + row("p", "p.finish" + indices, indices) + loops + "]");
    for (int k = 0; k < phases_; ++k) {
      const std::string phase = fmt::format("p.phase(\"x{}\")", k);
      line(fmt::format("output phase{} = [{}]", k, row(phase, phase, "")));
      line(fmt::format("output each_phase{} = [{}{}]", k, row(phase, phase + indices, indices), loops));
    }
  }

  static std::string row(const std::string& of, const std::string& time, const std::string& indices) {
    std::string fields;
    for (const char* const quantity : {"finish", "compute", "overhead", "wait", "messages", "bytes"}) {
      fields += fmt::format(", {0} = {1}.{0}{2}", quantity, of, indices);
    }
    return "Row(elapsed = " + time + fields + ")";
  }

  Choices choose_;
  MachineText machine_;
  std::string text_;
  int depth_ = 1, handles_ = 0, phases_ = 0;
  std::vector<Axis> axes_;
  std::string procedure_;
  bool wide_ = false;          // a grid and sweeps large enough to fill vectors
};

}  // namespace

std::string random_process_program(std::uint64_t seed) { return Writer(seed).program(); }

}  // namespace wave::test
