// The outline of plans as text. Plan themselves depend on sizes and on the order of messages, which are not known
// yet; what they are made of is told by the same questions as theirs.
#include "backend/processes/bulk/plan_outline.h"

#include "backend/processes/bulk/sweep_form.h"
#include "backend/processes/program/uses.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace wave::backend::processes {

namespace {

class Outline {
 public:
  Outline(const ir::System& system, const ir::Process& process) : system_(system), process_(process) {}

  std::string text() {
    line(0, fmt::format("process {}", process_.name));
    if (has_windows(system_, process_))
      line(1, "process network: a window looks back over the messages of the whole program");
    else if (resource_use(system_, process_).chooses)
      line(1,
           "as a whole, compiled or as the process network: a `waitany` or a list of tasks goes on with what comes "
           "first");
    else if (is_whole(system_, process_) && !may_serve_in_batches(system_, process_))
      line(1, "as a whole, compiled or as the process network: resources serve all of it by time");
    else
      parts();
    return text_;
  }

 private:
  void parts() {
    if (resource_use(system_, process_).any)
      line(1,
           "in these parts, if requests come in the order of the program, or in batches that none overtakes, or in "
           "streams; else as a "
           "whole, since resources serve by time");
    block(process_.body, 1);
  }

  void line(int indent, const std::string& what) {
    text_ += std::string(2 * static_cast<std::size_t>(indent), ' ') + what + "\n";
  }

  void block(ir::BlockId id, int indent) {
    if (!id.valid()) return;
    for (std::span<const ir::Statement> left = process_.blocks[id.index]; !left.empty();) {
      const std::size_t straight = straight_statements(process_, left, nullptr);
      if (straight > 0)
        line(indent,
             fmt::format("{} without a sweep: over arrays of clocks, or the process network where no order of the "
                         "statements has every signal sent before it is awaited",
                         straight == 1 ? "1 statement" : fmt::format("{} statements", straight)));
      else
        std::visit([&](const auto& node) { visit(node, indent); }, left.front().node);
      left = left.subspan(std::max<std::size_t>(straight, 1));
    }
  }

  void visit(const ir::Sweep& node, int indent) {
    if (!may_have_pieces(node, wrap_of(system_, process_)))
      return line(indent, fmt::format("sweep from {}: process network",
                                      node.fronts.size() > 1 ? fmt::format("{} corners at once", node.fronts.size())
                                                             : "a corner of a grid that wraps"));
    std::string corner;
    for (const bool rises : node.fronts.front().rising)
      corner += std::string(corner.empty() ? "" : ",") + (rises ? "+" : "-");
    line(indent,
         fmt::format(
             "sweep from ({}): compiled, its tiles in lanes, in pieces of equal tiles; the process network where "
             "a message leaves its tile",
             corner));
  }
  void visit(const ir::Collective& node, int indent) {
    line(indent, fmt::format("collective {}: over arrays of clocks", node.name));
  }
  void visit(const ir::Loop& node, int indent) {
    line(indent, "loop, iteration by iteration, unless its bounds look at indices");
    block(node.body, indent + 1);
  }
  void visit(const ir::Branch& node, int indent) {
    line(indent, "one branch");
    block(node.then_block, indent + 1);
    block(node.else_block, indent + 1);
  }
  void visit(const ir::Phase& node, int indent) {
    line(indent, fmt::format("phase \"{}\"", process_.phases[node.phase.index]));
    block(node.body, indent + 1);
  }
  void visit(const ir::Compute&, int) {}
  void visit(const ir::Message&, int) {}
  void visit(const ir::Wait&, int) {}
  void visit(const ir::Ready&, int) {}  // what chooses is run as a whole
  void visit(const ir::Task&, int) {}

  const ir::System& system_;
  const ir::Process& process_;
  std::string text_;
};

}  // namespace

std::string outline_plans(const ir::System& system) {
  std::string text;
  for (const ir::Process& process : system.processes) text += Outline(system, process).text();
  return text;
}

}  // namespace wave::backend::processes
