// Statements as text.
#include "frontend/parse/printer.h"

namespace wave::frontend {

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
    printer.node("call" + (s.along ? " along " + s.along->text : ""), [&] {
      printer.part("", s.callee);
      printer.arguments(s.arguments);
    });
  }
  void operator()(const statement::Busy& s) const {
    printer.node("busy", [&] { printer.part("", s.time); });
  }
  void operator()(const statement::Emit& s) const {
    printer.node("emit " + s.signal.text + via(s.resource), [&] {
      printer.part("for", s.occupied);
      printer.part("after", s.after);
    });
  }
  void operator()(const statement::Await& s) const {
    printer.node("await " + s.signal.text + via(s.resource), [&] { printer.part("for", s.occupied); });
  }
  void operator()(const statement::Acquire& s) const {
    printer.node("acquire " + s.resource.text, [&] { printer.part("for", s.occupied); });
  }
  void operator()(const statement::Arrival& s) const {
    printer.node("on arrival of " + s.signal.text + via(s.resource), [&] {
      printer.part("for", s.occupied);
      printer.part("busy", s.time);
    });
  }
  void operator()(const statement::Assign& s) const {
    printer.node("assign", [&] {
      printer.part("", s.place);
      printer.part("", s.value);
    });
  }
  void operator()(const statement::Evaluate& s) const {
    printer.node("evaluate", [&] { printer.part("", s.value); });
  }

 private:
  static std::string via(const std::optional<Identifier>& resource) { return resource ? " via " + resource->text : ""; }

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
