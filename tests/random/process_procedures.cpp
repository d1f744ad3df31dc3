// Procedures of random processes: of the model, which may leave operations pending, and of the module, for any grid
// with as many axes or for a line.
#include "tests/random/process_writer.h"

#include <fmt/format.h>

namespace wave::test {

void ProcessWriter::procedures() {
  if (choose_.chance(0.35)) halo();
  if (choose_.chance(0.12)) lagging();
  if (choose_.chance(0.15)) on_own_grid();
  if (choose_.chance(0.15)) on_own_line();
  if (!manner_.in_batches && choose_.chance(0.1) && straight_axes().size() == axes_.size()) sweeping();
  if (by_axis_.chance(0.4)) procedures_by_axis();
}

void ProcessWriter::halo() {
  procedures_.push_back({"halo"});
  line("procedure halo(s: data) on P {");
  ++depth_;
  const Offset d = offset(false);
  line("isend s to " + place(d, 1) + " as out");
  if (choose_.chance(0.5)) line(manner_.ties ? "compute(1 ns)" : "compute(s * 2 ns/B)");
  line("irecv s from " + place(d, -1) + " as inwards");
  if (choose_.chance(0.8)) line("wait inwards");
  if (choose_.chance(0.8)) line("wait out");
  --depth_;
  line("}");
}

// Waits for what its last call has left pending.
void ProcessWriter::lagging() {
  procedures_.push_back({"lag"});
  const Offset d = offset(false);
  line("procedure lag(s: data) on P {");
  ++depth_;
  const bool receives = choose_.chance(0.5);
  line("wait ahead");
  line(receives ? "irecv s from " + place(d, -1) + " as ahead" : "isend s to " + place(d, 1) + " as ahead");
  if (choose_.chance(0.5)) line(manner_.ties ? "compute(1 ns)" : "compute(3 us)");
  line(receives ? "isend s to " + place(d, 1) : "recv from " + place(d, -1));
  --depth_;
  line("}");
}

void ProcessWriter::of_module(const std::string& name, const std::string& grid, const std::vector<std::string>& body) {
  std::string text = "procedure " + name + "(s: data) on " + grid + " {\n";
  for (const std::string& one : body) text += "  " + one + "\n";
  text_ = text + "}\n" + text_;
}

std::string ProcessWriter::axes_of_own_grid() const {
  std::string axes;
  for (std::size_t k = 0; k < axes_.size(); ++k) axes += fmt::format("{}x{}: e{}", k ? ", " : "", k, k);
  return "R[" + axes + "]";
}

void ProcessWriter::on_own_grid() {
  procedures_.push_back({"around"});
  const Offset d = offset(false);
  const auto place = [&](std::int64_t sign) {
    std::string result;
    for (std::size_t k = 0; k < d.size(); ++k)
      result += fmt::format("{}x{}{}", k ? ", " : "", k, d[k] == 0 ? "" : fmt::format(" + {}", sign * d[k]));
    return "[" + result + "]";
  };
  std::vector<std::string> body = {"isend s to " + place(1), "compute(x0 * e0 * 1 ns)", "recv s from " + place(-1),
                                   "waitall"};
  if (choose_.chance(0.3)) body.pop_back();
  of_module("around", axes_of_own_grid(), body);
}

void ProcessWriter::on_own_line() {
  procedures_.push_back({"row", true});
  static const std::vector<std::vector<std::string>> bodies = {
      {"isend s to [x + 1] as out", "compute(x * e * 1 ns)", "recv from [x - 1]", "wait out"},
      {"irecv s from [x - 1]", "isend s to [x + 1]"},  // left pending
      {"if x == 1 { for y in 2..e { recv s from R[y] } } else { send s to R[1] }"},
      {"if x == e { for y in 1..e - 1 { isend s to R[y] } } else { recv from R[e] }", "waitall"},
      {"for y in 0..2 { isend s to [x + 2^y] tag y", "recv s from [x - 2^y] tag y }", "waitall"},
  };
  const std::vector<std::string>& body = choose_.one_of(bodies);
  if (body.front().starts_with("if ")) note("message by place on an own grid");
  of_module("row", "R[x: e]", body);
}

// Sweeps on a grid of its own, which must not wrap.
void ProcessWriter::sweeping() {
  procedures_.push_back({"swept", false, true});
  const std::string from = corners();
  const bool at_once = choose_.chance(0.4);
  std::vector<std::string> body = {fmt::format("sweep from {}{}{} tiles {} {{", at_once ? "{" : "[", from,
                                               at_once ? "}" : "]", choose_.between(1, 3))};
  std::vector<std::string> sends;
  for (std::size_t k = 0; k < axes_.size(); ++k) {
    if (choose_.chance(0.2)) continue;
    body.push_back(fmt::format("recv s from upwind x{}", k));
    sends.push_back(fmt::format("{} s to downwind x{}", at_once ? "isend" : "send", k));
  }
  body.push_back(manner_.ties ? "compute(tile * 1 ns)" : "compute(tile * x0 * 400 ns)");
  body.insert(body.end(), sends.begin(), sends.end());
  body.push_back("}");
  body.push_back("waitall");
  of_module("swept", axes_of_own_grid(), body);
}

void ProcessWriter::call(const Around& around) {
  std::vector<Procedure> possible;
  for (const Procedure& one : procedures_)
    if (!one.sweeps || !around.in_sweep) possible.push_back(one);
  if (possible.empty()) return as_many_as_its_place();
  const Procedure& one = choose_.one_of(possible);
  note("procedure `" + one.name + "`");
  line(one.name + "(" + size(around) + ")" + (one.is_for_line ? " along " + any_axis().name : ""));
}

}  // namespace wave::test
