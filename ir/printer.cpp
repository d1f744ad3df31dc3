// Expressions with as few parentheses as the precedences allow. A subexpression that several places share, or that
// lies very deep, is written once, as `%12 = ...` below the line that uses it.
#include "ir/printer.h"

#include "ir/expression_text.h"
#include "ir/process_text.h"
#include "ir/visit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace wave::ir {

namespace {

const char* name_of(ScalarType type) {
  switch (type) {
    case ScalarType::real: return "real";
    case ScalarType::integer: return "int";
    case ScalarType::boolean: return "bool";
  }
  return "?";
}

class SystemPrinter {
 public:
  explicit SystemPrinter(const System& system) : system_(system), text_(system) {}

  std::string print() {
    for (std::uint32_t i = 0; i < system_.frames.size(); ++i) print_frame(FrameId{i});
    for (const Root& root : system_.roots) print_root(root);
    return std::move(out_);
  }

 private:
  void line(int indent, const std::string& text) {
    out_ += fmt::format("{:{}}{}\n", "", 2 * indent, text);
    for (const std::string& shared : text_.take_shared()) out_ += fmt::format("{:{}}{}\n", "", 2 * indent + 4, shared);
  }

  void print_frame(FrameId id) {
    std::string parameters;
    for (const FrameParameter& parameter : system_.parameters) {
      if (parameter.frame != id) continue;
      parameters += fmt::format("{}{}: {}", parameters.empty() ? "" : ", ", parameter.name, name_of(parameter.type));
    }
    const FrameId parent = system_[id].parent;
    line(0, fmt::format("frame {}({}){}", system_[id].name, parameters,
                        parent.valid() ? " in " + system_[parent].name : ""));
    for (const Definition& definition : system_.definitions) {
      if (definition.frame != id) continue;
      line(1, fmt::format("{} {}: {} = {}", definition.bindable ? "param" : "let", definition.name,
                          name_of(definition.type), definition.body.valid() ? text_.of(definition.body) : "?"));
    }
    for (const Space& space : system_.spaces) {
      if (space.frame == id) line(1, fmt::format("space {}[{}]", space.name, axes(space)));
    }
    for (std::uint32_t i = 0; i < system_.events.size(); ++i) {
      if (system_.events[i].frame == id) print_event(EventId{i});
    }
    const PrintLine put = [&](int indent, const std::string& text) { line(indent, text); };
    for (const MessageEnds& ends : system_.ends) {
      if (ends.frame == id) print_ends(system_, ends, text_, 1, put);
    }
    for (const Process& process : system_.processes) {
      if (process.frame == id) print_process(system_, process, text_, 1, put);
    }
  }

  std::string axes(const Space& space) {
    std::string text;
    for (const Axis& axis : space.axes) {
      text += fmt::format("{}{} in {}..{}{}", text.empty() ? "" : ", ", axis.name, text_.of(axis.first),
                          text_.of(axis.last), axis.wrap ? " wrap" : "");
    }
    return text;
  }

  void print_event(EventId id) {
    const Event& event = system_[id];
    const Space& space = system_[event.space];
    std::string binders;
    for (const Axis& axis : space.axes) binders += (binders.empty() ? "" : ", ") + axis.name;
    const std::string target = fmt::format("{}[{}]", event_name(system_, id), binders);
    line(1,
         fmt::format("event {} over {}: {}{}", target, space.name, name_of(event.type), event.exact ? ", exact" : ""));
    for (const Constraint& constraint : event.constraints) {
      line(2, fmt::format("{} >= {}{}", target, sum(constraint),
                          constraint.guard.valid() ? "  if " + text_.of(constraint.guard) : ""));
    }
    if (event.general()) line(2, fmt::format("{} = {}", target, text_.of(event.body)));
    Constraint otherwise;
    otherwise.weights = event.otherwise;
    if (!event.otherwise.empty()) line(2, "else " + sum(otherwise));
  }

  std::string sum(const Constraint& constraint) {
    std::vector<std::string> summands;
    if (constraint.source.valid()) summands.push_back(text_.neighbour({constraint.source, constraint.offset}));
    for (const ValueId weight : constraint.weights) summands.push_back(text_.of_summand(weight));
    return fmt::format("{}", fmt::join(summands, " + "));
  }

  void print_root(const Root& root) {
    line(0, "root " + root.name);
    if (root.precondition.valid()) line(1, "requires " + text_.of(root.precondition));
    for (const RowBlock& block : root.blocks) {
      std::vector<std::string> columns;
      for (const ValueId column : block.columns) columns.push_back(text_.of(column));
      const std::string loop = block.levels.empty() ? "" : fmt::format("for {}: ", text_.levels(block.levels));
      line(1, fmt::format("{}{}", loop, fmt::join(columns, "; ")));
    }
  }

  const System& system_;
  ExpressionText text_;
  std::string out_;
};

}  // namespace

std::string print(const System& system) { return SystemPrinter(system).print(); }

std::string print(const System& system, ValueId value) {
  ExpressionText text(system);
  std::string result = text.of(value);
  for (const std::string& shared : text.take_shared()) result += "\n    " + shared;
  return result;
}

}  // namespace wave::ir
