// Procedures of random processes that have an axis among their parameters, and calls of them.
#include "tests/random/process_writer.h"

#include <fmt/format.h>

namespace wave::test {

void ProcessWriter::procedures_by_axis() {
  shifting();
  if (by_axis_.chance(0.4)) lining();
  if (!manner_.in_batches && by_axis_.chance(0.3) && !straight_axes().empty()) sweeping_along();
  if (by_axis_.chance(0.4)) shifting_of_module();
  if (by_axis_.chance(0.4)) passing_on();
}

// A message along the axis, whose size and cost may follow the place there and how many there are.
void ProcessWriter::shifting() {
  procedures_by_axis_.push_back({"shift_by"});
  static const std::vector<std::string> distances = {
      "1", "2", "k", "(k - 1)", "extent(a) div 2", "max(1, extent(a) - 1)"};
  static const std::vector<std::string> sizes = {"s", "extent(a) * 8 B", "(if extent(a) > 2 then s else 2 * s)"};
  const std::string distance = by_axis_.one_of(distances), size = by_axis_.one_of(sizes);
  line("procedure shift_by(a: axis, s: data) on P {");
  line(fmt::format("  let far = {}", distance));
  line(fmt::format("  isend {} to [a + far] tag 70 as out", size));
  line(std::string("  compute(") + (manner_.ties ? "1 ns" : "(extent(a) - a + 1) * 500 ns") + ")");
  line(fmt::format("  recv {}from [a - far] tag 70", by_axis_.chance(0.3) ? "" : size + " "));
  if (by_axis_.chance(0.7)) line("  wait out");
  line("}");
}

// Something that all of a line do together, or every second of them.
void ProcessWriter::lining() {
  const bool is_collective = by_axis_.chance(0.5);
  procedures_by_axis_.push_back({"line_by", false, false, true});
  line("procedure line_by(s: data, a: axis) on P {");
  if (is_collective) {
    line("  barrier() along a");
  } else {
    line("  if a mod 2 == 1 { isend s to [a + 1] tag 71; irecv s from [a - 1] tag 71 }");
    line("  else { irecv s from [a - 1] tag 71; isend s to [a + 1] tag 71 }");
    line("  waitall");
  }
  line("}");
}

void ProcessWriter::sweeping_along() {
  procedures_by_axis_.push_back({"swept_by", false, true, true});
  std::string signs;
  for (std::size_t k = 0; k < axes_.size(); ++k)
    signs += std::string(k ? "," : "") + (by_axis_.chance(0.5) ? "+" : "-");
  line("procedure swept_by(s: data, a: axis) on P {");
  line(fmt::format("  sweep from [({})] tiles {} {{", signs, by_axis_.between(1, 3)));
  line("    recv s from upwind a");
  line(std::string("    compute(") + (manner_.ties ? "tile * 1 ns" : "a * 300 ns") + ")");
  line(std::string("    ") + (by_axis_.chance(0.3) ? "isend" : "send") + " s to downwind a");
  line("  }");
  line("}");
}

void ProcessWriter::passing_on() {
  const Procedure first = by_axis_.one_of(procedures_by_axis_);
  procedures_by_axis_.push_back({"pass_by", false, first.sweeps});
  line("procedure pass_by(b: axis, s: data) on P {");
  line("  " + call_of(first, "b", "s"));
  if (by_axis_.chance(0.5)) line("  shift_by(s = extent(b) * 8 B, a = b)");
  line("}");
}

// On a grid of its own, whose axes stand for those of the caller.
void ProcessWriter::shifting_of_module() {
  procedures_by_axis_.push_back({"around_by"});
  std::string text = "procedure around_by(a: axis, s: data) on " + axes_of_own_grid() + " {\n";
  text += "  isend extent(a) * 8 B to [a + 1] tag 72\n";
  text += "  recv from [a - 1] tag 72\n";
  text_ = text + "  waitall\n}\n" + text_;
}

std::string ProcessWriter::call_of(const Procedure& procedure, const std::string& axis, const std::string& size) const {
  return procedure.name + "(" + (procedure.axis_is_last ? size + ", " + axis : axis + ", " + size) + ")";
}

void ProcessWriter::call_by_axis(const Around& around) {
  const Procedure& one = by_axis_.one_of(procedures_by_axis_);
  if (one.sweeps && around.in_sweep) return;
  const std::vector<Axis> possible = one.sweeps ? straight_axes() : axes_;
  note("procedure by axis `" + one.name + "`");
  const auto call = [&](const Axis& axis) {
    line(call_of(one, axis.name, fmt::format("{} B", 8 * by_axis_.between(0, 40))));
  };
  if (by_axis_.chance(0.5)) return call(by_axis_.one_of(possible));
  for (const Axis& axis : possible) call(axis);
}

}  // namespace wave::test
