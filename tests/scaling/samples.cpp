// See samples.h. Lists have as many elements as the size says, and what stands in itself is as deep.
#include "tests/scaling/samples.h"

#include "tests/texts.h"

#include <fmt/format.h>

#include <utility>

namespace wave::test {
namespace {

using Write = std::function<std::string(int)>;
using Keys = std::vector<std::string>;

constexpr int shallow = 40;  // four times that is less deep than is allowed
// Of a long line a diagnostic shows a window. With this in each element, lines are longer than it from the first size.
constexpr const char* wide = "            ";

// `first`, then the others of a list.
Write list(const std::string& first, const std::string& other) {
  return [=](int n) { return first + numbered(n, other); };
}
Write nest(const std::string& open, const std::string& core, const std::string& close) {
  return [=](int n) { return copies(n, open) + core + copies(n, close); };
}
Write around(const std::string& before, const Write& text, const std::string& after) {
  return [=](int n) { return before + text(n) + after; };
}

std::string file(const std::string& text) { return "wave 1\n" + text; }
constexpr const char* one_output = "model M {\n  param k: int = 1\n  output o = k\n}\n";

Sample of_text(Keys of, const Write& text, int size = 100) {
  return {std::move(of), [text](int n) { return file(text(n)); }, Then::evaluate, size};
}
Sample of_module(Keys of, const Write& text, int size = 100) {
  return {std::move(of), [text](int n) { return file(text(n) + one_output); }, Then::evaluate, size};
}
Sample refused(Keys of, const Write& text, int size = 100) {
  return {std::move(of), [text](int n) { return file(text(n)); }, Then::nothing, size, true};
}
// With errors, in spite of what it was made for.
Sample wrong(Sample one) {
  one.is_refused = true;
  one.then = Then::nothing;
  return one;
}
// With errors in its form.
Sample malformed(Sample one) {
  one = wrong(std::move(one));
  one.has_form = false;
  return one;
}
Sample unevaluated(Sample one) {
  one.then = Then::nothing;
  return one;
}
Sample of_model(Keys of, const Write& members, int size = 100) {
  return {std::move(of),
          [members](int n) { return file("model M {\n  param k: int = 1\n" + members(n) + "  output o = k\n}\n"); },
          Then::evaluate, size};
}
// The value of an output.
Sample of_value(Keys of, const Write& value, int size = 100, const std::string& before = "") {
  return {std::move(of),
          [=](int n) { return file(before + "model M {\n  param k: int = 1\n  output o = " + value(n) + "\n}\n"); },
          Then::evaluate, size};
}
Sample of_process(Keys of, const Write& statements, int size = 100) {
  return {std::move(of),
          [=](int n) {
            return file(
                "import std.machines.loggp { LogGOPSim }\n"
                "model M {\n  grid P[i: 3, j: 2]\n  process p on P using LogGOPSim() {\n" +
                statements(n) + "  }\n  output t = p.time\n}\n");
          },
          Then::evaluate, size};
}
// Ends of a protocol; what they send is exchanged.
Sample of_protocol(Keys of, const Write& sender, const Write& receiver, int size = 100) {
  return {std::move(of),
          [=](int n) {
            return file(
                "machine A {\n  resource tx of process\n  resource rx of process\n  protocol eager(s: data) {\n"
                "    sender {\n" +
                sender(n) + "    }\n    receiver {\n" + receiver(n) +
                "    }\n  }\n}\nmodel M {\n  grid P[i: 2]\n  process p on P using A() {\n"
                "    send 8 B to [i+1]\n    recv from [i-1]\n  }\n  output t = p.time\n}\n");
          },
          Then::evaluate, size};
}
Sample of_tests(Keys of, const Write& text, int size = 100) {
  return {std::move(of), [text](int n) { return file(text(n)); }, Then::run_tests, size};
}

void add_items(std::vector<Sample>& all) {
  all.push_back(of_module({"items: (item | SEMICOLON)*", "item | let_item"}, each("let a{} = 1;;\n")));
  all.push_back(of_module({"item | import_item"}, each("import std.comm as c{}\n"), 40));
  all.push_back(of_model({"item | param_item"}, each("  param p{}: int = 1 in 0..5 from \"here\"\n")));
  all.push_back(of_module({"item | function_item"}, each("fn f{0}(x: int): int = x + {0}\n")));
  all.push_back(of_module({"item | record_item"}, each("type R{} {{ a: int }}\n")));
  all.push_back(of_model({"item | require_item"}, each("  require k > -{} - 1, \"no\"\n")));
  all.push_back(of_module({"item | override_item"}, [](int n) {
    return "import std.machines.loggp { LogGOPSim }\nmachine A extends LogGOPSim {\n" +
           numbered(n, "  param a{}: int = 1\n") + "}\nmachine B extends A {\n" +
           numbered(n, "  override param a{}: int = 2\n") + "}\n";
  }));
  all.push_back(of_module({"item | protocol_item"}, [](int n) {
    return "machine A {\n" +
           numbered(n,
                    "  protocol p{0}(s: data) when s < {0} B {{ sender {{ emit x after 1 us }} receiver {{ await x }} "
                    "}}\n") +
           "  protocol last(s: data) { sender { emit x after 1 us } receiver { await x } }\n}\n";
  }));
  all.push_back(of_module({"item | levels_item"}, each("machine A{} {{ levels l }}\n")));
  all.push_back(of_module({"levels_item: (COMMA name)*"}, [](int n) {
    return "machine A {\n  levels l" + numbered(n, ", l{}") + "\n  fn f(): int = 1\n}\n";
  }));
  all.push_back(of_module({"item | resource_item"},
                          [](int n) { return "machine A {\n" + numbered(n, "  resource r{} of process\n") + "}\n"; }));
  all.push_back(of_module({"item | collective_item"}, [](int n) {
    return "machine A {\n" + numbered(n, "  collective c{}(s: data): time = 1 us\n") + "}\n";
  }));
  all.push_back(of_module({"item | interface_item"}, each("interface I{} {{ fn f(): int }}\n")));
  all.push_back(of_module({"item | machine_item"}, each("machine A{} {{ param a: int = 1 }}\n")));
  all.push_back(of_model({"item | grid_item"}, each("  grid P{}[i: 3]\n")));
  all.push_back(of_model({"item | recurrence_item"}, each("  rec r{0}[i in 1..3]: int = r{0}[i-1] + 1 else 0\n")));
  all.push_back(of_text({"item | process_item"}, [](int n) {
    return "import std.machines.loggp { LogGOPSim }\nmodel M {\n  grid P[i: 2]\n" +
           numbered(n, "  process p{0} on P using LogGOPSim() {{ compute(1 us) }}\n  output t{0} = p{0}.time\n") +
           "}\n";
  }));
  all.push_back(
      of_model({"item | procedure_item"}, each("  procedure p{}(s: data) on R[i: n] {{ send s to [i+1] }}\n")));
  all.push_back(of_model({"item | output_item"}, each("  output o{} = k\n")));
  all.push_back(unevaluated(of_module({"item | model_item"}, each("model M{} {{ output o = 1 }}\n"))));
  all.push_back(of_module({"item | study_item"}, each("study s{} of M {{ show o }}\n")));
  all.push_back(of_tests({"item | test_item"}, each("test \"{}\" {{ expect 1 == 1 }}\n")));
  all.push_back(
      malformed(refused({"item in itself", "items in itself", "members in itself", "model_item in itself",
                         "machine_item in itself", "interface_item in itself"},
                        nest("model M {\nmachine A {\ninterface I {\n", "let a = 1\n", "}\n}\n}\n"), shallow / 4)));
  all.push_back({{"import_item: (COMMA imported_name)*"}, [](int n) {
                   return file("import std.comm { Machine" + numbered(n, ", Machine as M{}") + " }\n" + one_output);
                 }});
  all.push_back(refused({"path: (DOT any_name)*"}, list("import a", ".b{}"), 50));
}

void add_heads(std::vector<Sample>& all) {
  all.push_back(of_text({"parameters: (COMMA parameter)*"}, [](int n) {
    return "fn f(a: int" + numbered(n, ", a{}: int = 1") + "): int = a\nmodel M {\n  output o = f(1)\n}\n";
  }));
  all.push_back(of_text({"body: (local_let SEMICOLON+)*"}, [](int n) {
    return "fn f(a: int): int =\n" + numbered(n, "  let b{} = a + 1\n") + "  a\nmodel M {\n  output o = f(1)\n}\n";
  }));
  all.push_back(of_text({"body: SEMICOLON+"}, [](int n) {
    return "fn f(a: int): int = let b = a" + copies(n, ";") + " b\nmodel M {\n  output o = f(1)\n}\n";
  }));
  all.push_back(of_module({"typed_names: (COMMA typed_name)*"}, around("type R { a: int", each(", a{}: int"), " }\n")));
  all.push_back(of_text({"axes: (COMMA axis)*"}, [](int n) {
    return "model M {\n  param k: int = 1\n  procedure p(s: data) on R[i: n" + numbered(n, ", i{0}: n{0}") +
           "] { compute(1 us) }\n  output o = k\n}\n";
  }));
  all.push_back(of_model({"grid_item: (COMMA grid_axis)*"}, around("  grid P[i: 2", each(", i{}: 1"), "]\n"), 8));
  all.push_back(refused({"grid_blocks: (COMMA expression)*"},
                        around("model M {\n  grid P[i: 2] nodes (1", each(", 1"), ")\n}\n")));
  all.push_back(of_model({"grid_levels: (SEMICOLON grid_level?)*"},
                         around("  grid P[i: 2] levels { a: rank", each("; a{}: rank"), " }\n")));
  all.push_back(of_model({"grid_levels: SEMICOLON*"}, around("  grid P[i: 2] levels {", each(";"), " a: rank }\n")));
  all.push_back(of_model(
      {"recurrence_item: (COMMA index_axis)*"},
      [](int n) { return "  rec r[i in 1..2" + numbered(n, ", i{} in 1..1") + "]: int = 1 else 0\n"; }, 8));
  all.push_back(
      of_model({"output_item: (COMMA binder)*"}, around("  output x[i in 1..2", each(", i{} in 1..1"), "] = i\n"), 8));
  all.push_back(malformed(
      of_model({"unit: ((SLASH | STAR) unit_power)*"}, around("  output x = 1 us in us", each("*us"), "\n"), 50)));
  all.push_back(of_text({"study_item: study_clause*", "study_clause | SET setting (COMMA setting)*"}, [](int n) {
    return "model M {\n" + numbered(n, "  param p{}: int = 1\n") +
           "  output o = 1\n}\nstudy s of M {\n  vary z in 1..2\n" + numbered(n, "  set p{} = z\n") + "  show o\n}\n";
  }));
  all.push_back(of_text({"study_clause: (COMMA setting)*"}, [](int n) {
    return "model M {\n  param p: int = 1\n" + numbered(n, "  param p{}: int = 1\n") +
           "  output o = 1\n}\nstudy s of M {\n  vary z in 1..2\n  set p = z" + numbered(n, ", p{} = z") +
           "\n  show o\n}\n";
  }));
  all.push_back(
      of_module({"study_clause: (COMMA shown)*"}, around("study s of M {\n  show o", each(", o{} = o"), "\n}\n")));
  all.push_back(of_module({"study_clause | SHOW shown (COMMA shown)*"},
                          around("study s of M {\n", each("  show o{} = o\n"), "}\n")));
  all.push_back(wrong(
      of_module({"study_clause: (COMMA name)*"},
                around("study s of M {\n  vary z in 1..2\n  show o\n  plot o vs z on log", each(", log"), "\n}\n"))));
  all.push_back(of_text({"study_clause | VARY path IN expression"}, [](int n) {
    return "model M {\n" + numbered(n, "  param p{}: int = 1\n") + "  output o = 1\n}\nstudy s of M {\n" +
           numbered(n, "  vary p{} in 1..1\n") + "  show o\n}\n";
  }));
  all.push_back(
      of_module({"study_clause | PLOT plotted VS plotted (BY name)? (ON name (COMMA name)*)?"},
                around("study s of M {\n  vary z in 1..2\n  set k = z\n  show o\n", each("  plot o vs z\n"), "}\n")));
  all.push_back(of_module(
      {"plotted: (COMMA uncertain)*"},
      around("study s of M {\n  vary z in 1..2\n  set k = z\n  show o\n  plot o", each(", o + {} * o"), " vs z\n}\n")));
  all.push_back(of_module({"study_clause | MEASURED STRING ON name"},
                          around("study s of M {\n  vary z in 1..2\n  set k = z\n  show o\n",
                                 each("  measured \"m{}.csv\" on z\n"), "}\n")));
  all.push_back(of_tests({"test_item: test_step*", "test_step | expectation"},
                         around("test \"t\" {\n", each("  expect {0} == {0}\n"), "}\n")));
  all.push_back(
      of_tests({"test_step | local_let"}, around("test \"t\" {\n", each("  let a{} = 1\n"), "  expect 1 == 1\n}\n")));
  all.push_back(of_tests({"expectation: (COMMA binder)*"},
                         around("test \"t\" {\n  expect 1 == 1 for i in 1..2", each(", i{} in 1..1"), "\n}\n"), 8));
}

void add_types(std::vector<Sample>& all) {
  const auto let = [](const std::string& before, const Write& text, const std::string& after) {
    return around("fn f(x: " + before, text, after + "): int = 1\n");
  };
  all.push_back(of_module({"type: (COMMA type)*"}, let("table(int", each(", int"), "): time")));
  all.push_back(of_module({"type: (COMMA typed_name)*"}, let("fn(a: int", each(", a{}: int"), "): time")));
  all.push_back(of_module({"type: ((STAR | SLASH) type_power)*"}, let("time", each("*time/time"), "")));
  all.push_back(of_module({"type: choice_word+"}, let("a", each(" | a{}"), "")));
  all.push_back(
      of_module({"type in itself", "type | LBRACKET type RBRACKET"}, let("", nest("[", "int", "]"), ""), shallow));
  all.push_back(of_module({"type | TABLE LPAREN type (COMMA type)* RPAREN COLON type"},
                          let("", nest("table(int): [", "int", "]"), ""), shallow));
  all.push_back(of_module({"type | FN LPAREN (typed_name (COMMA typed_name)* COMMA?)? RPAREN COLON type"},
                          let("", nest("fn(a: int): ", "int", ""), ""), shallow));
  all.push_back(wrong(of_module({"typed_names in itself", "typed_name in itself",
                                 "type | type_power ((STAR | SLASH) type_power)* (choice_word+ | typed_names)?"},
                                let("", nest("R { a: ", "int", " }"), ""), shallow)));
}

void add_statements(std::vector<Sample>& all) {
  all.push_back(of_process({"block: statement*", "statement | call"}, each("    compute({} us)\n")));
  all.push_back(of_process({"block in itself", "statement in itself", "statement | REPEAT expression block"},
                           nest("repeat 1 { ", "compute(1 us)", " }\n"), shallow));
  all.push_back(of_process({"statement | local_let"}, each("    let a{} = 1 us\n")));
  all.push_back(of_process({"statement | message"}, each("    send 8 B to [i+1, j]\n    recv from [i-1, j]\n")));
  all.push_back(of_process({"statement | WAIT name"},
                           each("    irecv from [i-1, j] as r{0}\n    send 8 B to [i+1, j]\n    wait r{0}\n")));
  all.push_back(of_process({"statement | ready_list", "statement | task"},
                           around("    ready {\n", each("      task priority {} {{ compute(1 us) }}\n"), "    }\n")));
  all.push_back(unevaluated(of_process(
      {"task: (COMMA message)*"},
      around("    ready { task when recv from [i-1, j]", each(", recv from [i-1, j] tag {}"), " { compute(1 us) } }\n"),
      50)));
  all.push_back(wrong(of_process({"ready_list in itself", "task in itself"},
                                 nest("ready { task { ", "compute(1 us)", " } }\n"), shallow / 2)));
  all.push_back(of_process({"statement | first_of"},
                           each("    irecv from [i-1, j] as s{0}\n    send 8 B to [i+1, j]\n    waitany s{0}\n")));
  all.push_back(of_process(
      {"first_of: (COMMA name)*"},
      around("    irecv from [i-1, j] as n0\n    send 8 B to [i+1, j]\n    waitany n0", each(", n0"), "\n")));
  all.push_back(of_process({"statement | exchange"}, each("    sendrecv 8 B to [i+1, j] from [i-1, j]\n")));
  all.push_back(of_process({"statement | SWEEP FROM sweep_from TILES expression block"},
                           each("    sweep from [NW] tiles 1 {{ recv 8 B from upwind i  send 8 B to downwind i }}\n"),
                           50));
  all.push_back(
      of_process({"statement | FOR binder (COMMA binder)* block"}, each("    for k{} in 1..2 {{ compute(1 us) }}\n")));
  all.push_back(of_process({"statement: (COMMA binder)*"},
                           around("    for k in 1..1", each(", k{} in 1..1"), " { compute(1 us) }\n"), 8));
  all.push_back(of_process({"statement | condition"}, each("    if i == {} {{ compute(1 us) }}\n")));
  all.push_back(
      of_process({"condition in itself"}, nest("if i == 0 { compute(1 us) } else ", "{ compute(2 us) }", ""), shallow));
  all.push_back(of_process({"statement | PHASE STRING block"}, each("    phase \"{}\" {{ compute(1 us) }}\n")));
  const Write once_sent = [](int) { return "      emit x after 1 us\n"; },
              once_received = [](int) { return "      await x\n"; };
  all.push_back(malformed(of_text({"protocol_item: protocol_clause*"}, [](int n) {
    return "machine A {\n  protocol p(s: data)" + copies(n, std::string(" window ") + wide + "1") +
           " { sender { emit x after 1 us } receiver { await x } }\n}\n";
  })));
  all.push_back(
      malformed(refused({"protocol_item: protocol_end*"},
                        around("machine A {\n  protocol p(s: data) {\n",
                               each("sender {{ emit x after 1 us }}\n receiver {{ await x }}\n"), "}\n}\n"))));
  all.push_back(of_protocol({"statement | BUSY expression"},
                            around("", each("      busy {} us\n"), "      emit x after 1 us\n"), once_received));
  all.push_back(of_text(
      {"statement | EMIT name via* AFTER expression", "statement | AWAIT name via* (AFTER expression)?"}, [](int n) {
        return "machine A {\n  protocol eager(s: data) {\n    sender {\n      emit x after 1 us\n" +
               numbered(n, "      emit x{} after 1 us\n") + "    }\n    receiver {\n" +
               numbered(n, "      await x{}\n") +
               "      await x\n    }\n  }\n}\nmodel M {\n  grid P[i: 2]\n  process p on P using A() {\n    send 8 B to "
               "[i+1]\n    recv from [i-1]\n  }\n  output t = p.time\n}\n";
      }));
  all.push_back(
      of_protocol({"statement | AWAIT SENT name (AFTER expression)?"},
                  around("      emit x via tx for 1 ns after 1 us\n", each("      await sent x after {} us\n"), ""),
                  once_received));
  all.push_back(of_protocol({"statement: via*"}, around("      emit x", each(" via tx for 1 ns"), " after 1 us\n"),
                            once_received));
  all.push_back(
      of_protocol({"statement: via* (2)"}, once_sent, around("      await x", each(" via rx for 1 ns"), "\n")));
  all.push_back(of_protocol(
      {"statement | ACQUIRE used FOR expression"},
      around("", each("      acquire tx for 1 ns\n      busy 1 us\n"), "      emit x after 1 us\n"), once_received));
  all.push_back(of_text({"statement | ON ARRIVAL OF name (BUSY expression | block)"}, [](int n) {
    return "machine A {\n  protocol eager(s: data) {\n    sender {\n      emit x after 1 us\n" +
           numbered(n, "      busy 2 us\n      emit x{} after 1 us\n") + "    }\n    receiver {\n" +
           numbered(n, "      on arrival of x{} busy 1 us\n") +
           "      await x\n    }\n  }\n}\nmodel M {\n  grid P[i: 2]\n  process p on P using A() {\n    send 8 B to "
           "[i+1]\n    recv from [i-1]\n  }\n  output t = p.time\n}\n";
  }));
  all.push_back(malformed(refused({"message: message_clause*"},
                                  around("model M {\n  grid P[i: 2]\n  procedure p() on R[i: n] {\n send 8 B to [i+1]",
                                         each(std::string(" tag ") + wide + "1"), "\n }\n}\n"))));
  all.push_back(malformed(refused({"message: message_clause* (2)"},
                                  around("model M {\n  grid P[i: 2]\n  procedure p() on R[i: n] {\n recv from [i+1]",
                                         each(std::string(" tag ") + wide + "1"), "\n }\n}\n"))));
  all.push_back(refused({"peer: (COMMA name)*"}, around("model M {\n  procedure p() on R[i: n] {\n recv from upwind (i",
                                                        each(std::string(", ") + wide + "i"), ")\n }\n}\n")));
  all.push_back(refused({"peer: (COMMA expression)*"},
                        around("model M {\n  procedure p() on R[i: n] {\n recv from [i", each(", i"), "]\n }\n}\n")));
  // Each block looks at all fronts that are under way at once.
  all.push_back(unevaluated(of_process(
      {"sweep_from: (COMMA expression)*"},
      around("    sweep from {NW", each(", NW"), "} tiles 1 { recv 8 B from upwind i  send 8 B to downwind i }\n"),
      50)));
  all.push_back(refused({"call: (DOT any_name)*"},
                        around("model M {\n  procedure p() on R[i: n] {\n a", each(".b"), "()\n }\n}\n")));
}

void add_operators(std::vector<Sample>& all) {
  all.push_back(
      of_value({"disjunction: (OR conjunction)*"}, around("if k == 0", each(" or k == {}"), " then 1 else 2")));
  all.push_back(
      of_value({"conjunction: (AND negation)*"}, around("if k == 1", each(" and k < {} + 2"), " then 1 else 2"), 50));
  all.push_back(of_value({"sum: ((PLUS | MINUS) product)*"}, list("k", " + {}")));
  all.push_back(of_value({"product: ((STAR | SLASH | DIV | MOD) factor)*"}, list("k", " * 1")));
  all.push_back(
      malformed(refused({"comparison: ((EQUAL | NOT_EQUAL | LESS | LESS_EQUAL | GREATER | GREATER_EQUAL) range)*"},
                        list("let a = 1", " < {}"))));
  all.push_back(of_value({"expression in itself"}, nest("(if k == 1 then ", "k", " else 2)"), shallow / 2));
  all.push_back(of_value({"disjunction in itself"}, around("if ", nest("(k == 0 or ", "k == 1", ")"), " then 1 else 2"),
                         shallow));
  all.push_back(of_value({"conjunction in itself"},
                         around("if ", nest("(k == 1 and ", "k == 1", ")"), " then 1 else 2"), shallow));
  all.push_back(of_value({"negation in itself"}, around("if ", nest("not ", "k == 1", ""), " then 1 else 2"), shallow));
  all.push_back(
      of_value({"comparison in itself"}, around("if ", nest("(true == ", "(k == 1)", ")"), " then 1 else 2"), shallow));
  all.push_back(of_value({"range in itself"}, nest("count(1..", "k", ")"), shallow));
  all.push_back(of_value({"uncertain in itself"}, nest("(1 ± ", "0.5", ")"), shallow));
  all.push_back(of_value({"sum in itself"}, nest("(1 + ", "k", ")"), shallow));
  all.push_back(of_value({"product in itself"}, nest("(1 * ", "k", ")"), shallow));
  all.push_back(of_value({"factor in itself", "factor | (PLUS | MINUS) factor"}, nest("- ", "k", ""), shallow));
  all.push_back(of_value({"factor | conversion", "conversion in itself"},
                         around("flops { x = ", nest("(float) ", "y", ""), " }"), shallow));
  all.push_back(of_value({"power in itself", "factor | power"}, nest("1.0 ^ ", "1", ""), shallow));
  all.push_back(
      of_value({"primary in itself", "primary | LPAREN expression RPAREN", "postfix in itself", "primary | name"},
               nest("(", "k", ")"), shallow));
}

void add_suffixes(std::vector<Sample>& all) {
  all.push_back(wrong(of_text({"postfix: suffix*", "suffix | DOT any_name"}, [](int n) {
    return "type R { a: int }\nlet r = R(a = 1)\nmodel M {\n  output o = r" + copies(n, ".a") + "\n}\n";
  })));
  all.push_back(of_value(
      {"suffix | LBRACKET arguments? RBRACKET"},
      [](int n) { return copies(n, "[") + "k" + copies(n, "]") + copies(n, "[1]"); }, shallow));
  all.push_back(of_value({"suffix | LPAREN (reduction | arguments)? RPAREN", "suffix in itself", "arguments in itself",
                          "argument in itself"},
                         nest("f(", "k", ")"), shallow, "fn f(a: int): int = a + 1\n"));
  all.push_back(of_value({"arguments: (COMMA argument)*"}, around("max(k", each(", k + {}"), ")")));
  all.push_back(of_value({"reduction: (COMMA binder)*"}, around("sum(a in 1..2", each(", a{} in 1..1"), ": a)"), 8));
  all.push_back(of_value({"reduction in itself", "binder in itself"}, nest("sum(a in 1..1: ", "k", ")"), shallow / 2));
  all.push_back(of_value(
      {"list in itself"}, [](int n) { return "count(" + copies(n, "[") + "k" + copies(n, "]") + ")"; }, shallow));
  all.push_back(of_value({"list: (COMMA expression)*", "primary | list"}, around("[k", each(", {}"), "][k]")));
  all.push_back(
      of_value({"list: comprehension+"}, around("count([k for a in 1..1", each(" for a{} in 1..1"), "])"), 8));
  all.push_back(
      of_value({"comprehension: (COMMA binder)*"}, around("count([k for a in 1..2", each(", a{} in 1..1"), "])"), 8));
  all.push_back(of_value(
      {"comprehension in itself"}, [](int n) { return copies(n, "count([1 for a in 1..") + "k" + copies(n, "])"); },
      shallow / 2));
}

void add_primaries(std::vector<Sample>& all) {
  all.push_back(of_module({"primary: (COMMA sign)*", "primary | LPAREN sign (COMMA sign)* RPAREN"},
                          around("let a = (+", each(",+"), ")\n")));
  all.push_back(of_text(
      {"primary: (COMMA entry)*", "primary | TABLE LBRACE entry (COMMA entry)* COMMA? RBRACE between"}, [](int n) {
        return "let t = table { -1: 1" + numbered(n, ", {0}: {0}") + " } linear\nmodel M {\n  output o = t(0)\n}\n";
      }));
  all.push_back(
      refused({"primary: (COMMA column)*", "primary | TABLE STRING KEY column (COMMA column)* VALUE table_value"},
              around("let t = table \"none.csv\" key a", each(", a{}"), " value b linear\n")));
  all.push_back(refused({"table_value in itself"},
                        around("let t = ", nest("table \"none.csv\" key a value b else ", "1", ""), "\n"),
                        shallow / 2));
  all.push_back(refused({"table_value: (COMMA column)*"},
                        around("let t = table \"none.csv\" key a value [b", each(", b{}"), "]\n")));
  all.push_back(of_module({"between in itself"},
                          around("let t = ", nest("(table { 1: 1.5 } else ", "1.5", ")(1)"), "\n"), shallow / 2));
  all.push_back(wrong(of_text({"postfix in itself"}, [](int n) {
    return "model M {\n  procedure p() on R[i: n] {\n" +
           copies(n, "    barrier() within a\n    compute(size(within a) * 1 us)\n") + "  }\n}\n";
  })));
  all.push_back(of_value({"when_arms: (SEMICOLON when_arm?)*", "primary | WHEN LBRACE when_arms RBRACE"},
                         around("when { k == -1: 1", each("; k == {0}: {0}"), "; else: 0 }")));
  all.push_back(of_value({"when_arms: SEMICOLON*"}, around("when {", each(";"), " else: 0 }")));
  all.push_back(
      of_value({"when_arms in itself", "when_arm in itself"}, nest("when { k == 1: ", "k", "; else: 0 }"), shallow));
  all.push_back(
      of_module({"entry in itself"}, around("let t = ", nest("table { 1: ", "1", " } linear (1)"), "\n"), shallow / 2));
}

void add_flops(std::vector<Sample>& all) {
  const auto count = [](Keys of, const Write& text, int size = 100) {
    return of_value(std::move(of), around("flops { ", text, " }"), size);
  };
  all.push_back(count({"flops_statements: (SEMICOLON flops_statement?)*", "flops_statement | flops_simple",
                       "primary | FLOPS flops_block"},
                      each("x = y + {}; ")));
  all.push_back(count({"flops_statements: SEMICOLON*"}, around("", each(";"), " x = y + 1")));
  all.push_back(
      count({"flops_statement | FOR binder (COMMA binder)* flops_block"}, each("for a{} in 1..2 {{ x = y + 1; }}\n")));
  all.push_back(
      count({"flops_statement: (COMMA binder)*"}, around("for a in 1..1", each(", a{} in 1..1"), " { x = y + 1 }"), 8));
  all.push_back(count({"flops_statement | flops_condition"}, each("if (x > {}) {{ x = y + 1; }} ")));
  all.push_back(count({"flops_block in itself", "flops_statements in itself", "flops_statement in itself"},
                      nest("for a in 1..2 { ", "x = y + 1;", " }"), shallow / 2));
  all.push_back(
      count({"flops_condition in itself"}, nest("if (x > 1) { x = y; } else ", "{ x = y + 1; }", ""), shallow));
  all.push_back(count({"flops_assignment in itself", "flops_target in itself", "flops_simple in itself"},
                      around("", nest("x[", "1", "]"), " = y + 1"), shallow));
  all.push_back(count({"flops_target: (LBRACKET arguments RBRACKET)*"}, around("x", each("[{}]"), " = y + 1")));
}

}  // namespace

std::vector<Sample> samples() {
  std::vector<Sample> all;
  add_items(all);
  add_heads(all);
  add_types(all);
  add_statements(all);
  add_operators(all);
  add_suffixes(all);
  add_primaries(all);
  add_flops(all);
  all.push_back({{"lone_show: (COMMA shown)*"}, list("o", ", o{0} = o + {0} * 1"), Then::show, 50});
  return all;
}

}  // namespace wave::test
