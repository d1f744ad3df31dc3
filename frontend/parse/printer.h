// The tree as indented text, one node a line: `--dump ast`, `--dump typed`.
#pragma once

#include "frontend/parse/parser.h"

namespace wave::frontend {

class Printer {
 public:
  explicit Printer(bool typed) : typed_(typed) {}
  std::string run(const Module& module);

 private:
  // Prints one line, then what `inner` prints, indented.
  template <class Inner>
  void node(std::string line, Inner inner) {
    print_line(std::move(line));
    ++depth_;
    inner();
    --depth_;
  }
  void print_line(std::string line);
  void print_documentation(const std::string& text);
  // `label` says what the part is to its parent: "else", "default". It may be empty.
  void part(const std::string& label, const Expr* value);
  void part(const std::string& label, const ExprPtr& value) { part(label, value.get()); }
  void parts(const std::string& label, const std::vector<ExprPtr>& values);
  void block(const std::string& label, const Block& body);

  void item(const Item& item);
  void members(const std::vector<std::unique_ptr<Item>>& items);
  void statement(const Statement& statement);
  void expression(const std::string& label, const Expr& value);
  void arguments(const std::vector<Argument>& arguments);
  void binders(const std::vector<Binder>& binders);
  void parameters(const std::vector<Parameter>& parameters);
  void lets(const std::vector<LocalLet>& lets);
  void axes(const std::vector<std::pair<Identifier, ExprPtr>>& axes);
  std::string suffix(const Expr& value) const;
  static std::string type(const TypeExprPtr& type);  // ": time/data", or nothing
  static std::string checked(const TypeRef& type);

  struct Items;
  struct Statements;
  struct Expressions;

  bool typed_;
  std::string out_;
  std::size_t depth_ = 0;
};

std::string print_type(const TypeExpr& type);
std::string print_path(const std::vector<Identifier>& path);
std::string quote(std::string_view text);

}  // namespace wave::frontend
