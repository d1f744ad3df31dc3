// Expressions and types as text.
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
  void operator()(const expr::TableLiteral& e) const {
    node("table " + e.interpolation + (e.extend ? " extend" : ""), [&] {
      for (const auto& [key, value] : e.entries) {
        printer.part("key", key);
        printer.part("value", value);
      }
    });
  }
  void operator()(const expr::TableFile& e) const {
    std::string keys;
    for (const Identifier& key : e.keys) keys += (keys.empty() ? "" : ", ") + key.text;
    leaf("table " + quote(e.path.text) + " key " + keys + " value " + e.value.text + " " + e.interpolation +
         (e.extend ? " extend" : ""));
  }
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

}  // namespace wave::frontend
