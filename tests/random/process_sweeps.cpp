// Sweeps of random processes, in turn or from all corners at once, with statements in any order.
#include "tests/random/process_writer.h"

#include <fmt/format.h>

namespace wave::test {

std::string ProcessWriter::corner() {
  if (axes_.size() == 2 && choose_.chance(0.6)) return choose_.one_of(std::vector<std::string>{"NW", "NE", "SW", "SE"});
  std::string signs;
  for (std::size_t k = 0; k < axes_.size(); ++k) signs += std::string(k ? "," : "") + (choose_.chance(0.5) ? "+" : "-");
  return "(" + signs + ")";
}

std::string ProcessWriter::corners() {
  std::string result = corner();
  for (std::size_t k = choose_.below(3); k > 0; --k) result += ", " + corner();
  return result;
}

std::string ProcessWriter::tiles() {
  if (wide_) return fmt::format("{}", choose_.between(1, 40));
  return in_other_words(choose_.chance(0.1)   ? "0"
                        : choose_.chance(0.3) ? "k + 1"
                                              : fmt::format("{}", choose_.between(1, 5)));
}

std::vector<std::string> ProcessWriter::winds() {
  std::vector<std::string> result;
  const std::vector<Axis> straight = straight_axes();
  for (const Axis& axis : straight)
    if (choose_.chance(0.85)) result.push_back(axis.name);
  if (straight.size() > 1 && choose_.chance(0.15))
    result.push_back("(" + straight[0].name + ", " + straight[1].name + ")");
  return result;
}

void ProcessWriter::shuffle(std::vector<std::string>& lines) {
  for (std::size_t k = lines.size(); k > 1; --k) std::swap(lines[k - 1], lines[choose_.below(k)]);
}

void ProcessWriter::sweep(bool at_once) {
  Around around;
  around.in_sweep = true;
  note(at_once ? "corners at once" : "corners in turn");
  line(at_once ? fmt::format("sweep from {{{}}} tiles {} {{", corners(), tiles())
               : fmt::format("sweep from [{}] tiles {} {{", corners(), tiles()));
  ++depth_;
  sweep_body(around, at_once);
  --depth_;
  line("}");
  if (at_once || choose_.chance(0.3)) line("waitall");
}

void ProcessWriter::receive_upwind(std::vector<std::string>& receives, std::vector<std::string>& waits,
                                   const std::string& before, const std::string& received, const std::string& wind,
                                   const std::string& tag) {
  const std::string after = before.empty() ? "" : " }";
  if (choose_.chance(0.1)) {
    const std::string name = handle();
    receives.push_back(before + "irecv " + received + "from upwind " + wind + tag + " as " + name + after);
    waits.push_back("wait " + name);
    return;
  }
  receives.push_back(before + "recv " + received + "from upwind " + wind + tag + after);
}

// Receives, computations and sends, mostly in the usual order.
void ProcessWriter::sweep_body(const Around& around, bool at_once) {
  const bool background_sends = choose_.chance(at_once ? 0.9 : 0.15);
  std::vector<std::string> receives, waits, sends;
  const bool conditional = choose_.chance(0.1), alone = choose_.chance(0.2);
  for (const std::string& wind : alone ? std::vector<std::string>{} : winds()) {
    Pair message = pair(around);
    if (choose_.chance(0.15) && wind[0] != '(') {  // the size depends on the place along the other axes
      const std::string& other = any_axis().name;
      if (other != wind)
        message.sent = message.received = fmt::format("({} + 1) * {} B ", other, choose_.one_of(machine_.limits) / 3);
    }
    const std::string before = conditional ? "if tile mod 2 == 1 { " : "", after = conditional ? " }" : "";
    receive_upwind(receives, waits, before, message.received, wind, message.tag);
    std::string name;
    if (background_sends && choose_.chance(0.7)) {
      name = " as " + handle();
      if (choose_.chance(0.6)) {
        note("pending over tiles");
        const std::string wait = "wait " + name.substr(4);
        line(choose_.chance(0.3) ? "if tile mod 3 == 0 { " + wait + " }" : wait);
      }
    }
    sends.push_back(before + (background_sends ? "isend " : "send ") + message.sent + "to downwind " + wind +
                    message.tag + name + after);
  }
  if (choose_.chance(0.4)) line("compute(" + cost(around) + ")");
  shuffle(receives);
  shuffle(sends);
  if (choose_.chance(0.08) && waits.empty()) std::swap(receives, sends);
  for (const std::string& one : receives) line(one);
  if (choose_.chance(0.3)) line("compute(" + cost(around) + ")");
  for (const std::string& one : waits) line(one);
  if (may_fail_ && choose_.chance(0.1)) line("compute((3 - tile) * 1 us)");
  if (choose_.chance(0.1))
    line(fmt::format("compute(if corner == {} then W else {})", corner(), cost(around)));
  else if (choose_.chance(0.9))
    line("compute(" + cost(around) + ")");
  if (choose_.chance(0.1)) {
    note("phase in a sweep");
    line(fmt::format("phase \"x{}\" {{ compute({}) }}", phases_++, cost(around)));
  }
  if (choose_.chance(0.05)) note("cost in a sweep"), line(fmt::format("barrier() along {}", any_axis().name));
  if (choose_.chance(0.03)) note("collective in a shared condition"), line("if tile mod 2 == 0 { barrier() }");
  if (choose_.chance(0.03)) note("algorithm in a sweep"), line(choose_.one_of(machine_.algorithms));
  if (choose_.chance(at_once ? 0.2 : 0.06)) {
    note(at_once ? "corners at once with a halo" : "corners in turn with a halo");
    exchange(around);
  }
  if (choose_.chance(0.08) && !procedures_.empty()) note("procedure in a sweep"), call(around);
  for (const std::string& one : sends) {
    line(may_fail_ && choose_.chance(0.04) ? "if tile < 3 { " + one + " }" : one);
    if (choose_.chance(0.2)) line("compute(" + cost(around) + ")");
  }
  if (background_sends && choose_.chance(0.3)) line("waitall");
}

}  // namespace wave::test
