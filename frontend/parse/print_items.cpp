// Declarations as text.
#include "frontend/parse/printer.h"

#include <algorithm>

namespace wave::frontend {

std::string Printer::type(const TypeExprPtr& type) { return type != nullptr ? ": " + print_type(*type) : ""; }

void Printer::print_line(std::string line) {
  out_.append(2 * depth_, ' ');
  out_ += line;
  out_ += '\n';
}

void Printer::print_documentation(const std::string& text) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    print_line("/// " + text.substr(begin, end - begin));
    begin = end + 1;
  }
}

void Printer::parameters(const std::vector<Parameter>& parameters) {
  for (const Parameter& parameter : parameters)
    node("parameter " + parameter.name.text + type(parameter.type), [&] { part("default", parameter.default_value); });
}

void Printer::lets(const std::vector<LocalLet>& lets) {
  for (const LocalLet& let : lets) node("let " + let.name.text + type(let.type), [&] { part("", let.value); });
}

void Printer::axes(const std::vector<std::pair<Identifier, ExprPtr>>& axes) {
  for (const auto& [name, extent] : axes) part("axis " + name.text, extent);
}

struct Printer::Items {
  Printer& printer;
  const Item& it;

  std::string named(const char* keyword, bool is_override = false) const {
    return std::string(is_override ? "override " : "") + keyword + " " + it.name.text;
  }
  std::string checked_type(const TypeRef& type) const {
    return printer.typed_ && type != nullptr ? " : " + checked(type) : "";
  }

  void operator()(const item::Import& i) const {
    std::string line = (i.exported ? "export import " : "import ") + (i.file ? quote(*i.file) : print_path(i.path));
    if (i.alias) line += " as " + i.alias->text;
    if (i.selective) {
      std::string names;
      for (const auto& [name, alias] : i.names)
        names += (names.empty() ? "" : ", ") + name.text + (alias ? " as " + alias->text : "");
      line += " { " + names + " }";
    }
    printer.print_line(line);
  }
  void operator()(const item::Param& i) const {
    printer.node(named("param", i.is_override) + type(i.type) + checked_type(i.checked_type), [&] {
      printer.part("default", i.default_value);
      printer.part("at least", i.lower);
      printer.part("at most", i.upper);
      if (i.source) printer.print_line("source " + quote(*i.source));
    });
  }
  void operator()(const item::Let& i) const {
    printer.node(named("let", i.is_override) + type(i.type) + checked_type(i.checked_type),
                 [&] { printer.part("", i.value); });
  }
  void operator()(const item::Function& i) const {
    printer.node(named("fn", i.is_override) + type(i.result) + checked_type(i.checked_type), [&] {
      printer.parameters(i.parameters);
      printer.lets(i.lets);
      printer.part("body", i.body);
    });
  }
  void operator()(const item::Record& i) const {
    printer.node(named("type"), [&] {
      for (const auto& [name, field] : i.fields) printer.print_line("field " + name.text + type(field));
    });
  }
  void operator()(const item::Require& i) const {
    printer.node("require", [&] {
      printer.part("", i.condition);
      printer.part("message", i.message);
    });
  }
  void operator()(const item::Protocol& i) const {
    printer.node(named("protocol", i.is_override), [&] {
      printer.parameters(i.parameters);
      printer.part("window", i.window);
      printer.part("when", i.condition);
      printer.block("sender", i.sender);
      printer.block("receiver", i.receiver);
    });
  }
  void operator()(const item::Levels& i) const {
    std::string names;
    for (const Identifier& name : i.names) names += (names.empty() ? "" : ", ") + name.text;
    printer.print_line("levels " + names);
  }
  void operator()(const item::Resource& i) const {
    printer.node(named("resource") + " of " + (i.level ? i.level->text : "process"), [&] {
      printer.part("index " + i.index.text, i.count);
      printer.part("servers", i.servers);
    });
  }
  void operator()(const item::Collective& i) const {
    const char* root = i.root == item::Collective::Root::none   ? ""
                       : i.root == item::Collective::Root::from ? " from root"
                                                                : " to root";
    printer.node(named("collective", i.is_override) + root + type(i.result), [&] {
      printer.parameters(i.parameters);
      printer.part("cost", i.cost);
      if (i.has_algorithm) {
        printer.node("on " + i.grid.text, [&] {
          printer.axes(i.axes);
          printer.block("", i.algorithm);
        });
      }
    });
  }
  void operator()(const item::Interface& i) const {
    printer.node(named("interface"), [&] { printer.members(i.members); });
  }
  void operator()(const item::Machine& i) const {
    std::string line = named("machine");
    if (!i.interface.empty()) line += ": " + print_path(i.interface);
    if (!i.base.empty()) line += " extends " + print_path(i.base);
    printer.node(line, [&] { printer.members(i.members); });
  }
  void operator()(const item::Grid& i) const {
    printer.node(named("grid"), [&] {
      for (const item::GridAxis& axis : i.axes)
        printer.part("axis " + axis.name.text + (axis.wrap ? " wrap" : ""), axis.extent);
      for (const item::GridLevel& level : i.levels) {
        printer.node("level " + level.name.text, [&] {
          printer.parts("blocks", level.blocks);
          printer.part("", level.value);
        });
      }
    });
  }
  void operator()(const item::Recurrence& i) const {
    printer.node(named("rec") + (i.over ? " over " + i.over->text : "") + type(i.type), [&] {
      for (const auto& axis : i.axes) {
        if (axis.range != nullptr)
          printer.part("axis " + axis.name.text, axis.range);
        else
          printer.print_line("axis " + axis.name.text);
      }
      printer.lets(i.lets);
      printer.part("body", i.body);
      printer.part("else", i.otherwise);
    });
  }
  void operator()(const item::Process& i) const {
    printer.node(named("process") + " on " + i.grid.text, [&] {
      printer.part("using", i.net);
      printer.block("body", i.body);
    });
  }
  void operator()(const item::Procedure& i) const {
    printer.node(named("procedure") + " on " + i.grid.text, [&] {
      printer.parameters(i.parameters);
      printer.axes(i.axes);
      printer.block("body", i.body);
    });
  }
  void operator()(const item::Output& i) const {
    printer.node(named("output") + (i.unit ? " in " + i.unit->text : ""), [&] {
      printer.binders(i.indices);
      printer.part("", i.value);
    });
  }
  void operator()(const item::Model& i) const {
    printer.node(named("model"), [&] { printer.members(i.members); });
  }
  void operator()(const item::Study& i) const {
    printer.node(named("study") + " of " + print_path(i.model), [&] {
      for (const auto& vary : i.vary) printer.part("vary " + vary.name.text, vary.values);
      for (const auto& set : i.set) printer.part("set " + set.name.text, set.value);
      for (const auto& show : i.show)
        printer.part("show" + (show.name ? " " + show.name->text : "") + (show.unit ? " in " + show.unit->text : ""),
                     show.value);
      for (const auto& plot : i.plot) plotted(plot);
      for (const auto& data : i.measured)
        printer.print_line("measured " + quote(data.file.text) + " on " + data.on.text);
    });
  }
  void operator()(const item::Test& i) const {
    printer.node("test " + quote(it.name.text), [&] {
      printer.lets(i.lets);
      for (const item::Expect& expect : i.expects) {
        printer.node("expect", [&] {
          printer.part("", expect.condition);
          printer.part("within", expect.tolerance);
          printer.binders(expect.binders);
        });
      }
    });
  }
  void operator()(const item::Unknown&) const { printer.print_line(named("unknown")); }

 private:
  void plotted(const item::Study::Plot& plot) const {
    std::string line = "plot";
    if (plot.by) line += " by " + plot.by->text;
    for (const Identifier& scale : plot.scales) line += " " + scale.text;
    printer.node(line, [&] {
      for (const ExprPtr& y : plot.y) printer.part("", y);
      for (const ExprPtr& x : plot.x) printer.part("vs", x);
    });
  }
};

void Printer::item(const Item& item) {
  print_documentation(item.doc);
  std::visit(Items{*this, item}, item.node);
}

void Printer::members(const std::vector<std::unique_ptr<Item>>& items) {
  for (const auto& child : items) item(*child);
}

std::string Printer::run(const Module& module) {
  node("module", [&] {
    if (module.edition) print_line("edition " + std::to_string(*module.edition));
    print_documentation(module.doc);
    members(module.items);
  });
  return std::move(out_);
}

std::string print(const Module& module, bool typed) { return Printer(typed).run(module); }

}  // namespace wave::frontend
