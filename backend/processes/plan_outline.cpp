// The outline of plans as text.
#include "backend/processes/plan_outline.h"

#include "backend/processes/program_uses.h"

#include <fmt/format.h>

namespace wave::backend::processes {

namespace {

class Outline {
 public:
  Outline(const ir::System& system, const ir::Process& process) : system_(system), process_(process) {}

  std::string text() {
    line(0, fmt::format("process {}", process_.name));
    if (has_windows(system_, process_))
      line(1, "process network: a window looks back over the messages of the whole program");
    else
      block(process_.body, 1);
    return text_;
  }

 private:
  void line(int indent, const std::string& what) {
    text_ += std::string(2 * static_cast<std::size_t>(indent), ' ') + what + "\n";
  }

  bool is_structure(const ir::Statement& statement) const {
    return processes::is_structure(process_, statement, nullptr);
  }

  void block(ir::BlockId id, int indent) {
    if (!id.valid()) return;
    const ir::Block& block = process_.blocks[id.index];
    for (std::size_t at = 0; at < block.size();) {
      std::size_t end = at;
      while (end < block.size() && !is_structure(block[end])) ++end;
      if (end > at) {
        line(indent,
             fmt::format("{} without a sweep: over arrays of clocks, or the process network where no order of the "
                         "statements has every signal sent before it is awaited",
                         end - at == 1 ? "1 statement" : fmt::format("{} statements", end - at)));
        at = end;
        continue;
      }
      std::visit([&](const auto& node) { visit(node, indent); }, block[at].node);
      ++at;
    }
  }

  void visit(const ir::Sweep& node, int indent) {
    if (node.fronts.size() > 1)
      return line(indent, fmt::format("sweep from {} corners at once: process network", node.fronts.size()));
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
