// Expressions, types and statements as text.
#include "frontend/ast/operators.h"
#include "frontend/parse/printer.h"

namespace wave::frontend {
namespace {

const char* name_of(UnaryOperator op) {
  switch (op) {
    case UnaryOperator::negate: return "-";
    case UnaryOperator::logical_not: return "not";
    case UnaryOperator::plus: return "+";
  }
  return "";
}

std::string print_names(const std::vector<std::pair<Identifier, TypeExprPtr>>& names) {
  std::string result;
  for (const auto& [name, type] : names) result += (result.empty() ? "" : ", ") + name.text + ": " + print_type(*type);
  return result;
}

struct WrittenTypePrinter {
  std::string operator()(const type_expr::Product& product) const {
    std::string result;
    for (const type_expr::Power& power : product.factors) {
      const bool divides = power.exponent < 0 && !result.empty();
      const int exponent = divides ? -power.exponent : power.exponent;
      if (!result.empty()) result += divides ? "/" : "*";
      result += power.path.empty() ? "1" : print_path(power.path);
      if (exponent != 1) result += "^" + std::to_string(exponent);
    }
    return result;
  }
  std::string operator()(const type_expr::Choice& choice) const {
    std::string result;
    for (const Identifier& word : choice.words) result += (result.empty() ? "" : " | ") + word.text;
    return result;
  }
  std::string operator()(const type_expr::List& list) const { return "[" + print_type(*list.element) + "]"; }
  std::string operator()(const type_expr::Table& table) const {
    std::string keys;
    for (const TypeExprPtr& key : table.keys) keys += (keys.empty() ? "" : ", ") + print_type(*key);
    return "table(" + keys + "): " + print_type(*table.value);
  }
  std::string operator()(const type_expr::Function& function) const {
    return "fn(" + print_names(function.parameters) + "): " + print_type(*function.result);
  }
  std::string operator()(const type_expr::With& with) const {
    return print_type(*with.base) + " { " + print_names(with.parameters) + " }";
  }
};

}  // namespace

std::string print_path(const std::vector<Identifier>& path) {
  std::string result;
  for (const Identifier& part : path) result += (result.empty() ? "" : ".") + part.text;
  return result;
}

std::string print_type(const TypeExpr& type) { return std::visit(WrittenTypePrinter{}, type.node); }

std::string quote(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '\n') {
      result += "\\n";
    } else {
      if (c == '"' || c == '\\') result += '\\';
      result += c;
    }
  }
  return result + '"';
}

std::string Printer::checked(const TypeRef& type) { return type != nullptr ? to_string(*type) : "?"; }

std::string Printer::suffix(const Expr& value) const { return typed_ ? " : " + checked(value.type) : ""; }

struct Printer::Expressions {
  Printer& printer;
  const std::string& label;
  const std::string suffix;

  template <class Inner>
  void node(const std::string& text, Inner inner) const {
    printer.node(label + text + suffix, inner);
  }
  void leaf(const std::string& text) const { printer.print_line(label + text + suffix); }

  void operator()(const expr::Integer& e) const { leaf("integer " + std::to_string(e.value)); }
  void operator()(const expr::Number& e) const { leaf("number " + e.text); }
  void operator()(const expr::Uncertain& e) const {
    node("uncertain", [&] {
      printer.part("", e.mean);
      printer.part("deviation", e.deviation);
    });
  }
  void operator()(const expr::Boolean& e) const { leaf(e.value ? "true" : "false"); }
  void operator()(const expr::String& e) const { leaf("string " + quote(e.value)); }
  void operator()(const expr::Name& e) const { leaf(e.text.empty() ? "error" : "name " + e.text); }
  void operator()(const expr::Unary& e) const {
    node(std::string("unary ") + name_of(e.op), [&] { printer.part("", e.operand); });
  }
  void operator()(const expr::Binary& e) const {
    node(std::string("binary ") + name_of(e.op), [&] {
      printer.part("", e.left);
      printer.part("", e.right);
    });
  }
  void operator()(const expr::If& e) const {
    node("if", [&] {
      printer.part("", e.condition);
      printer.part("then", e.then_value);
      printer.part("else", e.else_value);
    });
  }
  void operator()(const expr::When& e) const {
    node("when", [&] {
      for (const auto& [condition, value] : e.arms) {
        printer.part("case", condition);
        printer.part("value", value);
      }
      printer.part("else", e.otherwise);
      printer.part("else", e.otherwise);
    });
  }
  void operator()(const expr::Call& e) const {
    node("call", [&] {
      printer.part("", e.callee);
      printer.arguments(e.arguments);
    });
  }
  void operator()(const expr::Member& e) const {
    node("member " + e.name.text, [&] { printer.part("", e.object); });
  }
  void operator()(const expr::Index& e) const {
    node("index", [&] {
      printer.part("", e.object);
      printer.arguments(e.indices);
    });
  }
  void operator()(const expr::List& e) const {
    node("list", [&] { printer.parts("", e.elements); });
  }
  void operator()(const expr::Range& e) const {
    node("range", [&] {
      printer.part("", e.first);
      printer.part("to", e.last);
      printer.part(e.geometric ? "by *" : "by", e.step);
    });
  }
  void operator()(const expr::Comprehension& e) const {
    node("comprehension", [&] {
      printer.part("", e.element);
      printer.binders(e.binders);
    });
  }
  void operator()(const expr::Reduce& e) const {
    node(std::string("reduce ") + name_of(e.op), [&] {
      printer.binders(e.binders);
      printer.part("", e.body);
    });
  }
  void operator()(const expr::SignTuple& e) const {
    std::string signs;
    for (const bool rising : e.rising) signs += std::string(signs.empty() ? "" : ",") + (rising ? "+" : "-");
    leaf("corner (" + signs + ")");
  }
  template <class Table>
  static std::string between(const Table& table) {
    const std::string how = table.interpolation.empty() ? "" : " " + table.interpolation;
    return how + (table.extend ? " extend" : "");
  }
  void operator()(const expr::TableLiteral& e) const {
    node("table" + between(e), [&] {
      for (const auto& [key, value] : e.entries) {
        printer.part("key", key);
        printer.part("value", value);
      }
    });
  }
  void operator()(const expr::TableFile& e) const {
    const auto joined = [](const std::vector<Identifier>& columns) {
      std::string all;
      for (const Identifier& column : columns) all += (all.empty() ? "" : ", ") + column.text;
      return all;
    };
    const std::string values = e.has_rows ? "[" + joined(e.values) + "]" : joined(e.values);
    node("table " + quote(e.path.text) + " key " + joined(e.keys) + " value " + values + between(e),
         [&] { printer.part("else", e.otherwise); });
  }
  void operator()(const expr::Within& e) const { leaf("within " + e.level.text); }
  void operator()(const expr::Flops& e) const {
    node("flops", [&] { printer.block("", e.body); });
  }
  void operator()(const expr::Conversion& e) const {
    node("conversion " + e.type.text, [&] { printer.part("", e.operand); });
  }
};

void Printer::expression(const std::string& label, const Expr& value) {
  std::visit(Expressions{*this, label, suffix(value)}, value.node);
}

void Printer::part(const std::string& label, const Expr* value) {
  if (value != nullptr) expression(label.empty() ? "" : label + ": ", *value);
}

void Printer::parts(const std::string& label, const std::vector<ExprPtr>& values) {
  for (const ExprPtr& value : values) part(label, value);
}

void Printer::arguments(const std::vector<Argument>& arguments) {
  for (const Argument& argument : arguments) part(argument.name ? argument.name->text : "", argument.value);
}

void Printer::binders(const std::vector<Binder>& binders) {
  for (const Binder& binder : binders) {
    part("for " + binder.name.text, binder.list);
    part("if", binder.filter);
  }
}

// --- statements ---

namespace {

std::string print_names(const std::vector<Identifier>& names) {
  std::string result;
  for (const Identifier& name : names) result += (result.empty() ? "" : ", ") + name.text;
  return result;
}

}  // namespace

struct Printer::Statements {
  Printer& printer;

  void operator()(const statement::Let& s) const {
    printer.node("let " + s.name.text + type(s.type), [&] { printer.part("", s.value); });
  }
  void operator()(const statement::Compute& s) const {
    printer.node("compute", [&] { printer.part("", s.time); });
  }
  void operator()(const statement::Hold& s) const {
    printer.node((s.is_released ? "release " : "hold ") + s.memory.text, [&] { printer.part("", s.size); });
  }
  void operator()(const statement::Message& s) const {
    const bool sends = s.kind == statement::Message::Kind::send;
    const std::string line =
        std::string(s.background ? "i" : "") + (sends ? "send" : "recv") + (s.handle ? " as " + s.handle->text : "");
    printer.node(line, [&] {
      printer.part("size", s.size);
      peer(s.peer, sends ? "to " : "from ");
      printer.part("tag", s.tag);
    });
  }
  void operator()(const statement::Wait& s) const { printer.print_line("wait " + s.handle.text); }
  void operator()(const statement::WaitAll&) const { printer.print_line("waitall"); }
  void operator()(const statement::WaitAny& s) const { printer.print_line("waitany " + print_names(s.handles)); }
  void operator()(const statement::Ready& s) const {
    printer.node("ready", [&] { printer.block("tasks", s.body); });
  }
  void operator()(const statement::Task& s) const {
    printer.node("task", [&] {
      printer.block("when", s.receives);
      printer.part("priority", s.priority);
      printer.block("body", s.body);
    });
  }
  void operator()(const statement::Sweep& s) const {
    printer.node("sweep", [&] {
      printer.part("from", s.order);
      printer.parts("from any", s.corners);
      printer.part("tiles", s.tiles);
      printer.block("body", s.body);
    });
  }
  void operator()(const statement::Repeat& s) const {
    printer.node("repeat", [&] {
      printer.part("", s.count);
      printer.block("body", s.body);
    });
  }
  void operator()(const statement::For& s) const {
    printer.node("for " + s.variable.text, [&] {
      printer.part("in", s.list);
      printer.block("body", s.body);
    });
  }
  void operator()(const statement::If& s) const {
    printer.node("if", [&] {
      printer.part("", s.condition);
      printer.block("then", s.then_body);
      if (!s.else_body.empty()) printer.block("else", s.else_body);
    });
  }
  void operator()(const statement::Phase& s) const {
    printer.node("phase " + quote(s.name.text), [&] { printer.block("", s.body); });
  }
  void operator()(const statement::Call& s) const {
    constexpr const char* among[] = {"", " along ", " within ", " across "};
    printer.node("call" + (among[static_cast<std::size_t>(s.among)] + s.of.text), [&] {
      printer.part("", s.callee);
      printer.arguments(s.arguments);
    });
  }
  void operator()(const statement::Busy& s) const {
    printer.node("busy", [&] { printer.part("", s.time); });
  }
  void operator()(const statement::Emit& s) const {
    printer.node("emit " + s.signal.text, [&] {
      for (const statement::Use& one : s.uses) use("via ", one);
      printer.part("after", s.after);
    });
  }
  void operator()(const statement::Await& s) const {
    printer.node("await " + s.signal.text, [&] {
      for (const statement::Use& one : s.uses) use("via ", one);
      printer.part("after", s.after);
    });
  }
  void operator()(const statement::Sent& s) const {
    printer.node("await sent " + s.signal.text, [&] { printer.part("after", s.after); });
  }
  void operator()(const statement::Acquire& s) const { use("acquire ", s.use); }
  void operator()(const statement::Arrival& s) const {
    printer.node("on arrival of " + s.signal.text, [&] {
      if (s.use) use("acquire ", *s.use);
      printer.part("busy", s.time);
    });
  }
  void operator()(const statement::Assign& s) const {
    printer.node("assign", [&] {
      printer.part("", s.target);
      printer.part("", s.value);
    });
  }
  void operator()(const statement::Evaluate& s) const {
    printer.node("evaluate", [&] { printer.part("", s.value); });
  }

 private:
  void use(const std::string& how, const statement::Use& use) const {
    printer.node(how + use.resource.text, [&] {
      printer.part("number", use.index);
      printer.part("for", use.occupied);
    });
  }

  void peer(const Neighbourhood& peer, const std::string& direction) const {
    switch (peer.kind) {
      case Neighbourhood::Kind::upwind: printer.print_line(direction + "upwind " + print_names(peer.axes)); break;
      case Neighbourhood::Kind::downwind: printer.print_line(direction + "downwind " + print_names(peer.axes)); break;
      case Neighbourhood::Kind::offset:
        printer.node(direction + "offset", [&] { printer.parts("", peer.indices); });
        break;
      case Neighbourhood::Kind::absolute:
        printer.node(direction + peer.grid.text, [&] { printer.parts("", peer.indices); });
        break;
    }
  }
};

void Printer::statement(const Statement& statement) { std::visit(Statements{*this}, statement.node); }

void Printer::block(const std::string& label, const Block& body) {
  const auto statements = [&] {
    for (const auto& child : body) statement(*child);
  };
  if (label.empty())
    statements();
  else
    node(label, statements);
}

}  // namespace wave::frontend
