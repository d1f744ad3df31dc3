// Words with a meaning in their place are names everywhere else: each of them in every place where a name may stand.
#include "tests/unit/frontend_check/checked.h"

#include <catch2/catch.hpp>

#include <cctype>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

namespace wave::frontend {
namespace {

// The words of the rule `name` of the grammar.
std::vector<std::string> words_of_grammar() {
  std::ifstream file(WAVE_GRAMMAR);
  std::stringstream whole;
  whole << file.rdbuf();
  const std::string text = whole.str();
  const std::size_t begin = text.find("\nname\n");
  std::istringstream rule(text.substr(begin + 6, text.find(';', begin) - begin - 6));
  std::vector<std::string> words;
  for (std::string token; rule >> token;) {
    if (token == ":" || token == "|" || token == "IDENTIFIER") continue;
    for (char& c : token) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    words.push_back(token);
  }
  return words;
}

std::string with_word(std::string text, const std::string& word) {
  for (std::size_t at = text.find('@'); at != std::string::npos; at = text.find('@', at + word.size()))
    text.replace(at, 1, word);
  return text;
}

struct Place {
  const char* name;
  std::string module;  // `@` is the word
};

const std::string wire =
    "machine Wire { param L: time = 1 us\n"
    "protocol eager(s: data) { sender { busy L; emit x after L } receiver { await x; busy L } }\n"
    "collective barrier(p: int): time = 1 us\n"
    "collective shift(s: data) on R[r: p] { isend s to [r+1] as a\n recv s from [r-1]\n wait a } }\n";

std::string in_model(const std::string& members) {
  return wire + "model M { param net: Wire = Wire() param n: int = 2 grid P[i: 4, j: 4]\n" + members + "\n}\n";
}

std::string in_process(const std::string& statements, const std::string& members = "") {
  return in_model(members + "\nprocess run on P using net {\n" + statements + "\n}");
}

// A procedure under the word, called after the statement.
std::string called_after(const std::string& statement) {
  return in_process(statement + "\n@(1 B)\n@(s = 2 B); @(3 B)", "procedure @(s: data) on P { compute(1 us) }");
}

std::vector<Place> places_of_declarations() {
  return {
      {"let", "let @ = 3\nlet y = @ + 1"},
      {"function", "fn @(x: int): int = x\nlet y = @(3) + @(x = 4)"},
      {"parameter", "fn f(@: int, b: int = 2): int = @ + b\nlet y = f(@ = 2) + f(2, b = 3)"},
      {"parameter without a type", "fn f(@, b = 2) = @ + b\nlet y = f(@ = 2)"},
      {"let of a function", "fn f(x: int): int =\n  let @ = x\n  let b: int = @\n  @ + b\nlet y = f(1)"},
      {"record", "type @ { a: int }\nlet r: @ = @(a = 1)\nfn f(x: @): int = x.a\nlet y = f(r)"},
      {"field", "type R { @: int, b: int }\nlet r = R(@ = 3, b = 1)\nlet y = r.@ + r.b"},
      {"choice", "fn f(c: @ | other): int = if c == @ then 1 else 2\nlet y = f(@)"},
      {"second choice", "model M { param c: other | @ = @\noutput y = if c == @ then 1 else 2 }\nlet y = M(c = @).y"},
      {"interface",
       "interface @ { fn f(): int }\nmachine W : @ { fn f(): int = 1 }\nfn g(m: @): int = m.f()\nlet y = g(W())"},
      {"interface and more", "interface @ { fn f(): int }\nfn g(m: @ { L: time }): time = m.L"},
      {"machine",
       "machine @ { param a: int = 1 }\nmachine B extends @ { override param a: int = 2 }\nlet y = @(a = 3).a"},
      {"parameter of a machine",
       "machine W { param @: int = 3 in 1..9 from \"Table 1\"\nfn f(): int = @ }\nlet y = W(@ = 4).@"},
      {"let of a machine", "machine W { let @ = 3\nfn f(): int = @ }\nlet y = W().@"},
      {"function of a machine",
       "machine W { fn @(x: int): int = x }\nmachine V extends W { override fn @(x: int): int = super.@(x) }\nlet y = "
       "V().@(3)"},
      {"model", "model @ { param n: int = 1\noutput x = n }\nlet m = @(n = 2)\nlet y = @().x"},
      {"parameter of a model",
       "model M { param @: int = 3 in 1..9\nrequire @ > 0, \"so\"\nlet y = @ * 2\noutput x = @ }\nlet z = M(@ = 3).@"},
      {"let of a model", "model M { let @ = 3\noutput x = @ }\nlet z = M().@"},
      {"function of a model", "model M { fn @(a: int): int = a\noutput x = @(3) }\nlet z = M().@(3)"},
      {"output", "model M { output @ = 3 us in ms }\nlet z = M().@"},
      {"index of an output", "model M { output x[@ in 1..3 if @ > 1, b in 1..@] = @ + b }"},
      {"recurrence", in_model("rec @[i, j] over P: int = @[i-1, j] + 1 else 0\noutput x = @[1, 1]")},
      {"axis of a recurrence", "model M { rec r[@ in 0..3]: int = r[@-1] + @ else 0\noutput x = r[3] }"},
      {"let of a recurrence", "model M { rec r[i in 0..3]: int =\n    let @ = 3\n    r[i-1] + @ else 0 }"},
      {"study", "model M { param n: int = 1\noutput x = n }\nstudy @ of M { vary n in 1..3 }"},
      {"model of a study", "model @ { param n: int = 1\noutput x = n }\nstudy s of @ { vary n in 1..3 }"},
      {"parameter of a study",
       "model M { param @: int = 1\noutput x = @ }\nstudy s of M { vary @ in 1..3\nshow x[@ = 1]\nplot x vs @ by @ on "
       "log, log }"},
      {"varied",
       "model M { param n: int = 1\noutput x = n }\nstudy s of M { vary @ in 1..9 by 2\nset n = @ + 1\nshow @, y = x + "
       "@ }"},
      {"set",
       "model M { param @: int = 1\nparam m: int = 1\noutput x = @ }\nstudy s of M { vary m in 1..3\nset @ = m }"},
      {"shown",
       "model M { param n: int = 1\noutput @ = n * 1 us }\nstudy s of M { vary n in 1..3\nshow @ in ms, z = @\nplot @ "
       "vs n }"},
      {"name of a column",
       "model M { param n: int = 1\noutput x = n }\nstudy s of M { vary n in 1..3\nshow @ = x\nplot @ vs n }"},
      {"let of a test", "test \"t\" { let @ = 3\nexpect @ == 3\nlet b = @\nexpect b == @ within 1 }"},
      {"binder of a test", "test \"t\" { expect @ == @ for @ in 1..3, b in 1..@ }"},
      {"another name of a module", "import std.comm as @\nfn f(m: @.Machine): time = m.total(8 B)"},
      {"another name of what is imported", "import std.comm { Machine as @ }\nfn f(m: @): time = m.total(8 B)"},
  };
}

std::vector<Place> places_of_machines() {
  const auto machine = [](const std::string& members, const std::string& sender, const std::string& receiver) {
    return "machine W { param L: time = 1 us\n" + members + "\nprotocol eager(s: data) {\nsender {\n" + sender +
           "\n}\nreceiver {\n" + receiver + "\n}\n}\n}";
  };
  return {
      {"protocol",
       "machine W { protocol @(s: data) { sender { emit x after 1 us } receiver { await x } } }\nmachine V extends W { "
       "override protocol @(s: data) { sender { emit x after 1 us } receiver { await x } } }"},
      {"parameter of a protocol",
       "machine W { protocol p(@: data) window 2 when @ < 4 B { sender { emit x after 1 us } receiver { await x; busy "
       "@ / (1 GB/s) } }\nprotocol q(@: data) { sender { emit x after 1 us } receiver { await x } } }"},
      {"signal", machine("resource tx of process", "emit @ after L\nbusy L", "await @\nbusy L")},
      {"signal on its way", machine("resource tx of process", "emit @ via tx for L after L\nawait sent @\nbusy L",
                                    "await @ via tx for L after L")},
      {"signal that is awaited last", machine("", "emit @ after L\nawait sent @ after L", "await @")},
      {"signal on arrival",
       machine("resource rx of process", "emit @ after L", "on arrival of @ { acquire rx for L; busy L }\nawait @")},
      {"resource",
       machine("resource @ of process", "acquire @ for L\nbusy L\nemit x via @ for L after L", "await x via @ for L")},
      {"one of several resources", machine("levels node\nresource @[k: 4] of node servers 2",
                                           "emit x via @[3] for L after L", "await x via @[0] for L")},
      {"index of a resource", machine("resource up[@: 4] of process", "emit x via up[3] for L after L", "await x")},
      {"level of a machine",
       "machine W { levels @, other\nresource nic of @\nprotocol p(s: data) when within @ { sender { emit x after 1 us "
       "} receiver { await x } }\nprotocol q(s: data) { sender { emit x after 1 us } receiver { await x } }\nfn "
       "f(within: level): int = if within @ then 1 else 2\nfn g(): int = f(@) }"},
      {"time of a step",
       machine("param @: time = 1 us", "busy @\nbusy (@)\nemit x after @", "await x\nbusy @\nbusy (@) * 2")},
      {"collective at a cost", "machine W { collective @(s: data, p: int): time = 1 us }\nlet y = W().@(8 B, 4)"},
      {"collective from a root",
       "machine W { collective @ from root (s: data, p: int): time = 1 us\ncollective b to root (s: data, p: int): "
       "time = @(s, p) }"},
      {"algorithm",
       "machine W { collective @(s: data) on R[r: p] { isend s to [r+1] as a\nrecv s from [r-1]\nwait a } }"},
      {"parameter of an algorithm",
       "machine W { collective c(@: data) on R[r: p] { isend @ to [r+1] as a\nrecv @ from [r-1]\nwaitall } }"},
      {"grid of an algorithm",
       "machine W { collective c(s: data) on @[r: p] { if r == 1 { send s to @[p] } else { recv s from @[1] } } }"},
      {"rank in an algorithm",
       "machine W { collective c(s: data) on R[@: p] { isend s to [@+1] as a\nrecv s from [@-1]\nwaitall } }"},
      {"number of participants",
       "machine W { collective c(s: data) on R[r: @] { for k in 1..@ { if r == k { send s to R[@] } } } }"},
  };
}

std::vector<Place> places_of_processes() {
  return {
      {"grid", wire + "model M { grid @[i: 4]\nrec r[i] over @: int = r[i-1] + 1 else 0\nprocess run on @ using Wire() "
                      "{ if i == 1 { send 8 B to @[2] } else { recv 8 B from @[1] } } }"},
      {"process", in_model("process @ on P using net { phase \"x\" { compute(1 us) } }\noutput t = @.time\noutput c = "
                           "@.phase(\"x\")[1, 1].compute\noutput m = @.messages")},
      {"machine of a process",
       wire + "model M { param @: Wire = Wire()\ngrid P[i: 4]\nprocess run on P using @ { compute(1 us) } }"},
      {"handle", in_process("irecv 8 B from [i-1, j] as @\nisend 8 B to [i+1, j] tag 0 as @\nwait @\nwaitall")},
      {"handle before a tag", in_process("irecv 8 B from [i-1, j] as @ tag 3\nwait @")},
      {"loop", in_process("for @ in 1..3 by 2 { compute(@ * 1 us) }\nfor @ in [1, 2] { compute(@ * 1 us) }")},
      {"inner loop", in_process("for a in 1..3, @ in a..4 if @ > a { compute(@ * 1 us) }\nfor @ in 1..3 if @ > 1, b in "
                                "1..@ { compute(1 us) }")},
      {"let of a process",
       in_process("let @ = 3\nlet b = @\nrepeat @ { compute(@ * 1 us) }\nif @ > 2 { compute(1 us) }\nlet c = "
                  "@\nwaitall\nlet d = 1..@\nlet e = 1..@ by @\ncompute(d[1] * e[1] * 1 us)")},
      {"values in messages",
       in_process("let @ = 2\nsend @ * 1 B to [i+@, j] tag @\nrecv (@ * 1 B) from [i - @, j] tag (@) as a\nsend (@ * 1 "
                  "B) to P[@, @]\nrecv from P[@, @] tag @\nsweep from [NW] tiles @ { recv from upwind i\nsend @ * 1 B "
                  "to downwind i }\nfor k in @..@ { compute(1 us) }")},
      {"order",
       in_process("sweep from @ tiles n { recv from upwind i\nsend 8 B to downwind (i, j) }", "param @: order = [NW]")},
      {"memory", in_process("hold(@, \"name\")\nrelease(@, \"name\")", "param @: data = 1 B")},
      {"parameter of a procedure",
       in_process("part(1 B)\npart(@ = 2 B)",
                  "procedure part(@: data) on P { send @ to [i+1, j]\nrecv @ from [i-1, j] }")},
      {"procedure", in_process("@()\n@()\nrepeat 2 { @() }\nfor k in 1..2 { @() }\nif i == 1 { @() } else { @() "
                               "}\nphase \"x\" { @() }\nsweep from [NW] tiles 2 { @() }\n@(); @()",
                               "procedure @() on P { compute(1 us) }")},
      {"procedure called by another",
       in_process("other(1 B)",
                  "procedure @(s: data) on P { compute(1 us) }\nprocedure other(s: data) on P { @(s)\n@(s) }")},
      {"procedure of a module", "procedure @(s: data) on R[a: n] { send s to [a+1]\nrecv s from [a-1] }\n" +
                                    in_process("@(8 B) along i\n@(8 B) along j")},
      {"grid of a procedure",
       "procedure part(s: data) on @[a: n] { if a == 1 { send s to @[n] } }\n" + in_process("part(8 B) along i")},
      {"axis of a procedure",
       "procedure part(s: data) on R[@: n] { send s to [@+1]\nrecv s from [@-1] }\n" + in_process("part(8 B) along i")},
      {"extent of a procedure",
       "procedure part(s: data) on R[a: @] { if a == @ { send s to R[@] } }\n" + in_process("part(8 B) along i")},
      {"collective in a process",
       "machine W { protocol p(s: data) { sender { emit x after 1 us } receiver { await x } }\ncollective @(s: data, "
       "p: int): time = 1 us }\nmodel M { grid P[i: 4]\nprocess run on P using W() { @(8 B)\n@(s = 8 B)\nrepeat 2 { "
       "@(1 B) } } }"},
      {"module of a procedure", "import std.applications.npb.multipartition as @\n" +
                                    in_process("@.copy_faces(n, n)\ncompute(1 us)\n@.copy_faces(n, n)")},
      {"after compute", called_after("compute(1 us)")},
      {"after let", called_after("let a = n")},
      {"after a range", called_after("let a = 1..n")},
      {"after a table", called_after("let a = table { 1 B: 1 us, 2 B: 2 us } linear")},
      {"after send", called_after("send 8 B to [i+1, j]")},
      {"after isend", called_after("isend 8 B to [i+1, j] tag 2 as a")},
      {"after recv", called_after("recv from [i-1, j]")},
      {"after a message to a place",
       called_after("if i == 1 { send 8 B to P[1, 1] }\nif i == 2 { recv 8 B from P[2, 2]\n@(1 B) }")},
      {"after wait", called_after("irecv 8 B from [i-1, j] as a\nwait a")},
      {"after waitall", called_after("waitall")},
      {"after a block", called_after("repeat n { compute(1 us) }")},
      {"after a call", called_after("barrier()")},
      {"after a collective on a line", called_after("shift(8 B) along i")},
      {"level",
       wire + "model M { grid P[i: 4] levels {\n@: rank div 2\nrack: rank div 4\n}\nprocess run on P using Wire() { "
              "shift(8 B) within @\nshift(8 B) across @\nshift(8 B) }\noutput x = within(@, P[1], P[2]) }"},
      {"level of blocks", wire + "model M { grid P[i: 4] levels {\n@: blocks (2)\nrack: blocks (4)\n} }"},
      {"value of a level", wire + "model M { param @: int = 2\ngrid P[i: @] levels { node: rank div @ } }"},
      {"axis", wire + "model M { grid P[@: 4 wrap, b: 3]\nrec r[@, b] over P: int = r[@-1, b] + @ else 0\nprocess run "
                      "on P using Wire() { send 8 B to [@+1, b]\nrecv 8 B from [@-1, b]\nif @ == 1 { compute(@ * 1 us) "
                      "}\nshift(8 B) along @ } }"},
      {"axis that is swept", wire + "model M { grid P[@: 4, b: 3]\nprocess run on P using Wire() { sweep from [NW] "
                                    "tiles 2 { recv from upwind @\nsend 8 B to downwind @\nrecv from upwind (@, "
                                    "b)\nsend 8 B to downwind (@, b) } }\noutput x = diagonal_fills([NW, SE], @, b) }"},
  };
}

std::vector<Place> places_of_values() {
  const auto value = [](const std::string& text) { return "let @ = 3\nlet xs = [1, 2, 3, 4, 5, 6]\nlet y = " + text; };
  return {
      {"operands", value("(@) + @ * @ - @ ^ 2 / @ + (@ - 1) * -@ + @ div 2 mod @")},
      {"a sign after it in parentheses", value("(@) - 1 + (@) + 1")},
      {"elements", value("xs[@] + [@, @][1] + xs[@ - 1]")},
      {"ranges", value("[1..@, @..4, 1..@ by @, @..@ by @, @..9 by *@]")},
      {"comparisons", value("@ == 3 and @ != 4 or not @ < 2")},
      {"if", value("if @ > 1 then @ else @")},
      {"when", value("when {\n  @ > 4: @\n  @ > 3 and true: @\n  else: @\n}")},
      {"arguments", value("max(@, @) + min(@, 1) + abs(@)")},
      {"reduction", value("sum(@ in 1..3 if @ > 1, b in 1..@: @ + b) + argmin(@ in xs: @) + count(@ in xs)")},
      {"list", value("[@ + b for @ in 1..3 if @ > 1, b in 1..@ for c in 1..@]")},
      {"table", "let @ = table { 1 B: 1 us, 2 B: 2 us } linear extend\nlet y = @(1 B) + @(2 B)"},
      {"table of a table", "let @ = 3 us\nlet t = table { 1 B: @, 2 B: @ + 1 us } step\nlet y = t(1 B)"},
      {"flop counts",
       "let y = flops {\n  @ = @ + 1\n  @[1] = @[2] * 2\n  f(@)\n  if a > b @ = 3 else @[1] = 4\n  for k in 1..3, l in "
       "1..k { @ = @ * @ }\n  x = (float) @ + (int) 3\n}"},
      {"loops of flop counts", "let y = flops { for @ in 1..3 { x = y * @ } }"},
      {"function as a value", "fn @(x: int): int = x\nfn f(g: fn(@: int): int): int = g(3)\nlet y = f(@)"},
  };
}

// Where a name is taken: the types of the language; what protocols know, and what follows from them.
const std::map<std::string, std::set<std::string>> taken{
    {"int",
     {"record", "interface", "interface and more", "machine", "model", "model of a study",
      "another name of what is imported"}},
    {"within", {"parameter of a protocol", "time of a step"}},
    {"send", {"protocol", "time of a step", "resource", "one of several resources", "collective in a process"}},
};

bool is_taken(const std::string& word, const char* place) {
  const std::string like = word == "real"                           ? "int"
                           : word == "recv"                         ? "send"
                           : word == "sender" || word == "receiver" ? "within"
                                                                    : word;
  const auto found = taken.find(like);
  return found != taken.end() && found->second.count(place) > 0;
}

void check_all(const std::vector<Place>& places) {
  for (const std::string& word : words_of_grammar()) {
    for (const Place& place : places) {
      const std::string text = with_word(place.module, word);
      CAPTURE(word, place.name, text);
      const Found found = found_in(text);
      CAPTURE(found);
      CHECK(found.empty() != is_taken(word, place.name));
    }
  }
}

}  // namespace

TEST_CASE("the grammar has words that are names elsewhere") {
  const std::vector<std::string> words = words_of_grammar();
  CHECK(words.size() > 60);
  CHECK(std::set(words.begin(), words.end()).count("step") == 1);
}

TEST_CASE("every word of the grammar is a name of declarations", "[long]") { check_all(places_of_declarations()); }
TEST_CASE("every word of the grammar is a name in machines") { check_all(places_of_machines()); }
TEST_CASE("every word of the grammar is a name in processes", "[long]") { check_all(places_of_processes()); }
TEST_CASE("procedures may be called as the statements that look like calls") {
  const std::string own = "procedure compute(n: int) on P { hold(1 B, \"a\")\nrelease(1 B, \"a\") }\n";
  CHECK(found_in(in_process("compute(3)\nhold(1 B, \"a\")", own)) == Found{});
  CHECK(found_in(in_process("compute(1 us)", own)) == Found{"E0301 1 us"});
  CHECK(found_in(in_process("hold(1 us, \"a\")", "procedure hold(t: time, name: string) on P {}")) == Found{});
  CHECK(found_in(in_process("compute(compute)", "param compute: time = 1 us")) == Found{});
}

TEST_CASE("every word of the grammar is a name in values") { check_all(places_of_values()); }

}  // namespace wave::frontend
