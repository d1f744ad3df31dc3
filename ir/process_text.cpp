// Writes statements as a user would, with offsets, sizes and conditions as they are in the system. The checks that
// times, sizes and counts are not negative are left out.
#include "ir/text.h"
#include "ir/visit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace wave::ir {

namespace {

std::string bare(const System& system, ValueId value, ExpressionText& text) {
  const auto* check = std::get_if<Check>(&system[value].node);
  const bool sign = check && (system[check->site].kind == FailureKind::negative_quantity ||
                              system[check->site].kind == FailureKind::negative_count);
  return text.of(sign ? check->value : value);
}

class ProcessPrinter {
 public:
  ProcessPrinter(const System& system, const Process& process, ExpressionText& text, const PrintLine& line)
      : system_(system),
        process_(process),
        text_(text),
        line_(line),
        uses_(process.blocks.size(), 0),
        printed_(process.blocks.size(), false) {
    for_each_statement(process_, [&](const Statement& statement) {
      for_each_block(statement, [&](BlockId id) { ++uses_[id.index]; });
    });
  }

  void print(int indent) {
    const Space& space = system_[process_.space];
    std::vector<std::string> axes;
    for (const Axis& axis : space.axes) {
      axes.push_back(fmt::format("{} in {}..{}{}", axis.name, text_.of(axis.first), text_.of(axis.last),
                                 axis.wrap ? " wrap" : ""));
    }
    line_(indent, fmt::format("process {} on {}[{}]", process_.name, space.name, fmt::join(axes, ", ")));
    for (const SharedLevel& one : process_.levels)
      line_(indent + 1, fmt::format("level {} {}: {}", one.level.number, one.level.name, text_.of(one.group)));
    block(process_.body, indent + 1);
  }

  void operator()(const Compute& n) { line_(indent_, fmt::format("compute({})", bare(n.time))); }
  void operator()(const Message& n) {
    const bool sends = n.side == Message::Side::send;
    std::string line = fmt::format("{}{}", n.background ? "i" : "", sends ? "send" : "recv");
    if (n.size.valid()) line += " " + bare(n.size);
    line += fmt::format(" {} {} by {}", sends ? "to" : "from", peer(n.peer), system_[n.ends].name);
    if (n.tag.valid()) line += " tag " + text_.of(n.tag);
    if (n.context != 0) line += fmt::format(" context {}", n.context);
    if (n.handle.valid()) line += " as " + process_.handles[n.handle.index];
    const auto* known = std::get_if<Constant>(&system_[n.within].node);
    if (!known || known->value.integer != 0) line += " within " + text_.of(n.within);
    if (n.sender.valid()) line += fmt::format(" ranks {} {}", text_.of(n.sender), text_.of(n.receiver));
    line_(indent_, line);
  }
  void operator()(const Wait& n) {
    if (n.handles.empty()) return line_(indent_, "waitall");
    std::string line = n.is_any ? "waitany" : "wait";
    for (const HandleId handle : n.handles)
      line += (handle == n.handles.front() ? " " : ", ") + process_.handles[handle.index];
    line_(indent_, line);
  }
  void operator()(const Ready& n) { nested("ready", n.tasks); }
  void operator()(const Task& n) {
    nested("when", n.receives);
    nested("task priority " + text_.of(n.priority), n.body);
  }
  void operator()(const Sweep& n) {
    const std::string tiles = fmt::format("tiles {} in 1..{}", system_[n.tile].name, bare(n.tiles));
    if (n.fronts.size() == 1)
      return nested(fmt::format("sweep from {} {}", corner(n.fronts[0]), tiles), n.fronts[0].body);
    line_(indent_, fmt::format("sweep at once {}", tiles));
    ++indent_;
    for (const Front& front : n.fronts) nested("from " + corner(front), front.body);
    --indent_;
  }
  void operator()(const Loop& n) { nested("for " + text_.levels(n.levels), n.body); }
  void operator()(const Branch& n) {
    const std::string condition = text_.of(n.condition);
    if (n.then_block.valid() || !n.else_block.valid())
      nested("if " + condition, n.then_block);
    else
      line_(indent_, "if " + condition);
    if (n.else_block.valid()) nested("else", n.else_block);
  }
  void operator()(const Phase& n) { nested(fmt::format("phase \"{}\"", process_.phases[n.phase.index]), n.body); }
  void operator()(const Collective& n) {
    const char* roots[] = {"", " from root", " to root"};
    const std::string along = n.along ? " along " + system_[process_.space].axes[*n.along].name : "";
    line_(indent_,
          fmt::format("collective {}{}{} takes {}", n.name, roots[static_cast<int>(n.root)], along, bare(n.cost)));
  }

 private:
  std::string bare(ValueId value) { return ir::bare(system_, value, text_); }

  void block(BlockId id, int indent) {
    if (!id.valid()) return;
    printed_[id.index] = true;
    const int outer = indent_;
    indent_ = indent;
    for (const Statement& statement : process_.blocks[id.index]) {
      for (const HeldId id : statement.held) held(process_.held[id.index]);
      if (statement.call.valid()) call(process_.calls[statement.call.index]);
      std::visit(*this, statement.node);
    }
    indent_ = outer;
  }

  void held(const Held& held) {
    line_(indent_, fmt::format("{} {} \"{}\"", held.is_released ? "release" : "hold", bare(held.size),
                               process_.memories[held.memory.index]));
  }

  void call(const CollectiveCall& call) {
    std::vector<std::string> conditions;
    for (const ValueId condition : call.is_first) conditions.push_back(text_.of(condition));
    line_(indent_, fmt::format("call {}{} of {}, the first if {}", call.name,
                               call.size.valid() ? fmt::format("({})", bare(call.size)) : "",
                               text_.of(call.participants), fmt::join(conditions, " and ")));
  }

  void nested(const std::string& head, BlockId id) {
    const bool known = id.valid() && printed_[id.index];
    const bool shared = id.valid() && uses_[id.index] > 1;
    line_(indent_, shared ? fmt::format("{}, block {}{}", head, id.index, known ? " again" : "") : head);
    if (!known) block(id, indent_ + 1);
  }

  static std::string corner(const Front& front) {
    std::string text = "(";
    for (const bool rising : front.rising) text += fmt::format("{}{}", text.size() > 1 ? "," : "", rising ? '+' : '-');
    return text + ")";
  }

  std::string peer(const Peer& peer) {
    std::vector<std::string> parts;
    for (const ValueId value : peer.coordinates) parts.push_back(text_.of(value));
    return fmt::format("{}{} ({})", peer.by_rank ? "rank " : "", kind(peer.kind), fmt::join(parts, ", "));
  }

  static const char* kind(Peer::Kind kind) {
    switch (kind) {
      case Peer::Kind::offset: return "offset";
      case Peer::Kind::place: return "place";
      case Peer::Kind::member: return "member";
    }
    return "";
  }

  const System& system_;
  const Process& process_;
  ExpressionText& text_;
  const PrintLine& line_;
  std::vector<std::size_t> uses_;
  std::vector<bool> printed_;
  int indent_ = 0;
};

std::string step_text(const System& system, const MessageEnds& ends, const Protocol& protocol, const Step& step,
                      ExpressionText& text) {
  const auto time = [&](ValueId value) { return value.valid() ? bare(system, value, text) : std::string("0"); };
  const auto named = [&](const char* word) { return word + protocol.signals[step.signal]; };
  std::string via, used;
  for (const Use& use : step.uses) {
    used = ends.resources[use.resource].name;
    if (use.number.valid()) used += fmt::format("[{}]", text.of(use.number));
    if (use.occupied.valid()) used += " for " + time(use.occupied);
    via += " via " + used;
  }
  switch (step.kind) {
    case Step::Kind::busy: return "busy " + time(step.time);
    case Step::Kind::emit: return named("emit ") + via + (step.time.valid() ? " after " + time(step.time) : "");
    case Step::Kind::await: return named("await ") + via + (step.time.valid() ? " after " + time(step.time) : "");
    case Step::Kind::sent: return named("await sent ") + " after " + time(step.time);
    case Step::Kind::acquire: return "acquire " + used;
    case Step::Kind::arrival:
      return named("on arrival of ") + (used.empty()
                                            ? " busy " + time(step.time)
                                            : fmt::format(" {{ acquire {}; busy {} }}", used, time(step.time)));
  }
  return "";
}

}  // namespace

void print_process(const System& system, const Process& process, ExpressionText& text, int indent,
                   const PrintLine& line) {
  ProcessPrinter(system, process, text, line).print(indent);
}

void print_ends(const System& system, const MessageEnds& ends, ExpressionText& text, int indent,
                const PrintLine& line) {
  line(indent,
       fmt::format(
           "ends {}({}, {}{})", ends.name, system[ends.size].name, system[ends.within].name,
           ends.reads_ranks ? fmt::format(", {}, {}", system[ends.sender].name, system[ends.receiver].name) : ""));
  for (const LevelName& level : ends.levels) line(indent + 1, fmt::format("level {} {}", level.number, level.name));
  for (const Resource& resource : ends.resources) {
    std::string said = "resource " + resource.name;
    if (resource.count.valid()) said += fmt::format("[{}]", text.of(resource.count));
    said += " of " + (resource.level ? ends.levels[*resource.level].name : "process");
    if (resource.servers.valid()) said += " servers " + text.of(resource.servers);
    line(indent + 1, said);
  }
  for (const Protocol& protocol : ends.protocols) {
    std::string head = "protocol " + protocol.name;
    if (protocol.window.valid()) head += " window " + bare(system, protocol.window, text);
    if (protocol.condition.valid()) head += " when " + text.of(protocol.condition);
    line(indent + 1, head);
    const auto end = [&](const char* name, const std::vector<Step>& steps) {
      line(indent + 2, name);
      for (const Step& step : steps) line(indent + 3, step_text(system, ends, protocol, step, text));
    };
    end("sender", protocol.sender);
    end("receiver", protocol.receiver);
  }
}

}  // namespace wave::ir
