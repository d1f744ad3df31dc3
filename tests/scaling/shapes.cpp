// See shapes.h.
#include "tests/scaling/shapes.h"

#include "tests/texts.h"

#include <fmt/format.h>

namespace wave::test {
namespace {

// A file `m.wave` with these lines after the first, for a command.
Input file(std::vector<std::string> words, const std::string& text) {
  words.push_back("{}/m.wave");
  return {std::move(words), {{"m.wave", "wave 1\n" + text}}};
}

std::string model(const std::string& members) { return "model M {\n" + members + "}\n"; }

std::string process(const std::string& statements) {
  return "import std.machines.loggp { LogGOPSim }\n" +
         model("  grid P[i: 3]\n  process p on P using LogGOPSim() {\n" + statements + "  }\n  output t = p.time\n");
}

using Write = std::function<std::string(int)>;

Shape checked(const std::string& name, const Write& text, bool is_refused = false) {
  return {name, [text](int n) { return file({"check"}, text(n)); }, 200, is_refused};
}

Shape run(const std::string& name, const Write& text) {
  return {name, [text](int n) { return file({"run", "--engine", "interpreter"}, text(n)); }};
}

Write in_model(const Write& members, const std::string& rest = "  output o = 1\n") {
  return [members, rest](int n) { return model(members(n) + rest); };
}

void add_texts(std::vector<Shape>& all) {
  all.push_back(checked("comments", each("// comment {}\n")));
  all.push_back(checked("empty lines", each("\n")));
  all.push_back(checked("one long comment", [](int n) { return "// " + copies(n, "word ") + "\n"; }));
  all.push_back(checked("one long string", [](int n) { return "test \"" + copies(n, "word ") + "\" { }\n"; }));
  all.push_back(checked("one long name", [](int n) { return "let " + copies(n, "name") + " = 1\n"; }));
  all.push_back(checked("documentation", each("/// documentation {0}\nlet a{0} = 1\n")));
  all.push_back(checked("errors in one line", [](int n) { return "let a = " + copies(n, "x x ") + "\n"; }, true));
  all.push_back(checked("errors in lines", each("let a{} = )\n"), true));
  all.push_back(checked("characters without a meaning", [](int n) { return copies(n, "$ ") + "\n"; }, true));
  all.push_back(checked("unknown names", each("let a{0} = unknown{0}\n"), true));
  all.push_back(checked("a name declared again", each("let a = {}\n"), true));
  all.push_back(checked("wrong dimensions", each("let a{} = 1 us + 1 B\n"), true));
  all.push_back(checked("wrong units", each("let a{} = 1 parsec\n"), true));
  all.push_back({"formatting of comments",
                 [](int n) { return file({"fmt", "--check"}, each("// comment {}\n")(n) + "let a = 1\n"); }});
  all.push_back({"formatting of comments at line ends",
                 [](int n) { return file({"fmt", "--check"}, each("let a{0} = {0}  // comment\n")(n)); }});
  all.push_back({"formatting", [](int n) { return file({"fmt", "--check"}, each("let a{} = 1\n")(n)); }});
  all.push_back(
      {"documentation of what is declared", [](int n) { return file({"doc"}, each("/// One.\nlet a{} = 1\n")(n)); }});
}

void add_declarations(std::vector<Shape>& all) {
  all.push_back(checked("lets", each("let a{} = 1\n")));
  all.push_back(checked("lets that read one", [](int n) { return "let a = 1\n" + each("let b{} = a + 1\n")(n); }));
  all.push_back(checked("lets that read the one before", [](int n) {
    return "let a0 = 1\n" + repeated(n, [](int i) { return fmt::format("let a{} = a{} + 1\n", i + 1, i); });
  }));
  all.push_back(checked("functions", each("fn f{0}(x: int): int = x + {0}\n")));
  all.push_back(checked("functions without types", [](int n) {
    return repeated(n, [](int i) { return fmt::format("fn f{0}(x) = x + 1\nlet a{0} = f{0}(1)\n", i); });
  }));
  all.push_back(checked("arguments of one function", [](int n) {
    return "fn f(" + each("p{}: int, ")(n) + "q: int): int = q\nlet a = f(" + copies(n, "1, ") + "1)\n";
  }));
  all.push_back(checked("records", each("type R{0} {{ a: int, b: time }}\nlet r{0} = R{0}(a = 1, b = 1 us)\n")));
  all.push_back(checked("fields of one record", [](int n) {
    return "type R { " + each("f{}: int, ")(n) + "last: int }\nlet r = R(" + each("f{} = 1, ")(n) + "last = 1)\n";
  }));
  all.push_back(checked("words of one choice", [](int n) {
    return "fn f(x: first" + each(" | word{}")(n) + "): int = if x == first then 1 else 2\n";
  }));
  all.push_back(checked("machines", [](int n) {
    return "import std.machines.loggp { LogGOPSim }\n" +
           each("machine M{} extends LogGOPSim {{ override param L: time = 1 us }}\n")(n);
  }));
  all.push_back(checked("members of one machine", [](int n) {
    return "import std.machines.loggp { LogGOPSim }\nmachine M extends LogGOPSim {\n" + each("  let a{} = L\n")(n) +
           "}\n";
  }));
  all.push_back(checked("models", each("model M{} {{ output o = 1 }}\n")));
  all.push_back(checked("lets of one model", in_model(each("  let a{} = 1\n"))));
  all.push_back(checked("grids", in_model(each("  grid P{0}[i: {0} + 1]\n"))));
  all.push_back(checked("procedures", in_model(each("  procedure p{}(s: data) on R[i: n] {{ send s to [i+1] }}\n"))));
  all.push_back({"modules",
                 [](int n) {
                   Input all = file({"check"}, each("import \"./part{}.wave\"\n")(n));
                   for (int i = 0; i < n; ++i)
                     all.files.emplace_back(fmt::format("part{}.wave", i), "wave 1\nlet a = 1\n");
                   return all;
                 },
                 50});
  all.push_back({"names from one module", [](int n) {
                   Input all = file({"check"}, "import \"./part.wave\" { " + each("a{}, ")(n) + "last }\n" +
                                                   each("let b{0} = a{0}\n")(n));
                   all.files.emplace_back("part.wave", "wave 1\n" + each("let a{} = 1\n")(n) + "let last = 1\n");
                   return all;
                 }});
  all.push_back({"tests", [](int n) { return file({"test"}, each("test \"{0}\" {{ expect {0} == {0} }}\n")(n)); }});
  all.push_back({"expectations of one test",
                 [](int n) { return file({"test"}, "test \"t\" {\n" + each("  expect {0} == {0}\n")(n) + "}\n"); }});
}

void add_expressions(std::vector<Shape>& all) {
  all.push_back(
      run("one list", [](int n) { return "let l = [" + copies(n, "1, ") + "1]\n" + model("  output o = l[1]\n"); }));
  all.push_back(run("one list of records", [](int n) {
    return "type R { a: int }\nlet l = [" + each("R(a = {}), ")(n) + "R(a = 1)]\n" + model("  output o = l[1].a\n");
  }));
  all.push_back({"operators in a row",
                 [](int n) { return file({"run"}, model("  output o = 1" + copies(n, " + 1") + "\n")); }, 100});
  all.push_back(run("arms", [](int n) {
    return model("  param k: int = 3\n  output o = when {\n" + each("    k == {0}: {0}\n")(n) + "    else: 0\n  }\n");
  }));
  all.push_back(run("arguments of a maximum", [](int n) {
    return model("  param k: int = 1\n  output o = max(" + each("k + {}, ")(n) + "1)\n");
  }));
  all.push_back(run("points of a table", [](int n) {
    return "let t = table { " + each("{0}: {0} us, ")(n) + fmt::format("{0}: {0} us", n) + " } linear\n" +
           model("  output o = t(1)\n");
  }));
  all.push_back({"rows of a table from a file", [](int n) {
                   Input all =
                       file({"run"}, "let t = table \"d.csv\" key a value b linear\n" + model("  output o = t(1)\n"));
                   all.files.emplace_back("d.csv", "a,b\n" + each("{0},{0}\n")(n));
                   return all;
                 }});
  all.push_back(run("parameters", in_model(each("  param p{}: int = 1\n"))));
  all.push_back(run("outputs", in_model(each("  output o{0} = {0}\n"), "")));
  all.push_back(run("requirements", in_model(each("  require {} >= 0, \"no\"\n"))));
  all.push_back(
      run("recurrences",
          in_model(each("  rec r{0}[k in 1..3]: int = r{0}[k-1] + 1 else 0\n  output o{0} = r{0}[3]\n"), "")));
  all.push_back(run("branches of one recurrence", [](int n) {
    return model("  rec r[k in 1..3]: real = max(" + each("r[k-1] + {}.0, ")(n) + "0.0) else 0.0\n  output o = r[3]\n");
  }));
  all.push_back(run("references of one recurrence", [](int n) {
    return model("  rec r[k in 1..3]: real = max(" + each("r[k-{}-1], ")(n) +
                 "0.0) + 1.0 else 0.0\n  output o = r[3]\n");
  }));
  all.push_back(run("local lets of one recurrence", [](int n) {
    return model("  rec r[k in 1..3]: real =\n    let a0 = r[k-1] + 1.0\n" +
                 repeated(n, [](int i) { return fmt::format("    let a{} = max(a{}, 1.0) + 1.0\n", i + 1, i); }) +
                 fmt::format("    a{}\n    else 0.0\n  output o = r[3]\n", n));
  }));
}

void add_processes(std::vector<Shape>& all) {
  all.push_back(run("computations", [](int n) { return process(copies(n, "    compute(1 us)\n")); }));
  all.push_back(
      run("messages", [](int n) { return process(copies(n, "    send 8 B to [i+1]\n    recv from [i-1]\n")); }));
  all.push_back(run("messages under names", [](int n) {
    return process(
        each("    isend 8 B to [i+1] as s{0}\n    irecv from [i-1] as r{0}\n    wait s{0}\n    wait r{0}\n")(n));
  }));
  all.push_back(run("phases", [](int n) { return process(each("    phase \"{}\" {{ compute(1 us) }}\n")(n)); }));
  all.push_back(run("conditions", [](int n) { return process(each("    if i == {} {{ compute(1 us) }}\n")(n)); }));
  all.push_back(run("loops", [](int n) { return process(copies(n, "    repeat 2 { compute(1 us) }\n")); }));
  all.push_back(run("names in a process", [](int n) { return process(each("    let a{} = 1 us\n")(n)); }));
  all.push_back(run("collectives", [](int n) { return process(copies(n, "    barrier()\n")); }));
}

void add_commands(std::vector<Shape>& all) {
  const auto plain = model("  param k: int = 1\n  param w: time = 1 us\n  output o = k * w\n");
  const auto with_many = [](int n, std::vector<std::string> words, const char* option, const std::string& word) {
    Input all = file(std::move(words), in_model(each("  param p{}: int = 1\n"))(n));
    for (int i = 0; i < n; ++i) {
      all.words.emplace_back(option);
      all.words.push_back(fmt::format(fmt::runtime(word), i));
    }
    return all;
  };
  all.push_back({"parameters given", [=](int n) { return with_many(n, {"run"}, "-D", "p{}=2"); }});
  all.push_back({"clauses that show",
                 [=](int n) { return with_many(n, {"sweep", "--vary", "p0=1..2"}, "--show", "a{0} = o + {0}"); }, 100});
  all.push_back({"clauses that choose",
                 [=](int n) { return with_many(n, {"sweep", "--vary", "p0=1..2"}, "--where", "p{} == 1"); }, 100});
  all.push_back({"points of a study", [=](int n) {
                   Input all = file({"sweep"}, plain);
                   all.words.insert(all.words.end(), {"--vary", fmt::format("k=1..{}", n)});
                   return all;
                 }});
  all.push_back({"values of a list", [=](int n) {
                   Input all = file({"sweep"}, plain);
                   all.words.insert(all.words.end(), {"--vary", "k=[" + each("{}, ")(n) + "1000000]"});
                   return all;
                 }});
  all.push_back({"rows of a batch", [=](int n) {
                   Input all = file({"batch"}, plain);
                   all.words.insert(all.words.end(), {"--columns", "{}/rows.csv"});
                   all.files.emplace_back("rows.csv", "k,w [us]\n" + each("{0},{0}.5\n")(n));
                   return all;
                 }});
  all.push_back({"columns of a batch", [=](int n) {
                   Input all = file({"batch"}, in_model(each("  param p{}: int = 1\n"))(n));
                   all.words.insert(all.words.end(), {"--columns", "{}/rows.csv"});
                   all.files.emplace_back(
                       "rows.csv", each("p{},")(n - 1) + fmt::format("p{}\n", n - 1) + copies(n - 1, "1,") + "1\n");
                   return all;
                 }});
  all.push_back({"wrong cells of a batch",
                 [=](int n) {
                   Input all = file({"batch"}, plain);
                   all.words.insert(all.words.end(), {"--columns", "{}/rows.csv"});
                   all.files.emplace_back("rows.csv", "k,w [us]\n" + each("x{0},{0}.5\n")(n));
                   return all;
                 },
                 200, true});
  all.push_back({"measurements",
                 [=](int n) {
                   Input all = file({"validate"}, plain);
                   all.words.insert(all.words.end(), {"--data", "{}/rows.csv"});
                   all.files.emplace_back("rows.csv", "k,o [us]\n" + repeated(n, [](int i) {
                                                        return fmt::format("{},{}\n", i + 1, i + 2);
                                                      }));
                   return all;
                 },
                 6000});  // more than are compared with each other for a ranking
  all.push_back(
      {"rows of two results", [=](int n) {
         Input all{{"diff", "{}/a.json", "{}/b.json", "--file", "{}/m.wave"}, {{"m.wave", "wave 1\n" + plain}}};
         for (const char* const name : {"a.json", "b.json"}) {
           all.files.emplace_back(
               name, R"({"wave": "0.1.0", "verb": "sweep", "file": "m.wave", "model": "M", "command": [], "inputs": [],
        "tables": {"points": {"columns": [{"name": "k", "is": "parameter"}, {"name": "o", "unit": "s", "is": "output"}],
        "rows": [[0, 0])" +
                         each(",\n[{0}, {0}]")(n) + "]}}}");
         }
         return all;
       }});
  all.push_back({"output of a benchmark", [=](int n) {
                   Input all{{"fit", "osu", "{}/osu.txt"}, {}};
                   all.files.emplace_back(
                       "osu.txt", "# OSU MPI Latency Test v5.9\n# Size          Latency (us)\n" +
                                      repeated(n, [](int i) { return fmt::format("{} {}\n", i + 1, 2 + 0.01 * i); }));
                   return all;
                 }});
}

}  // namespace

std::vector<Shape> shapes() {
  std::vector<Shape> all;
  add_texts(all);
  add_declarations(all);
  add_expressions(all);
  add_processes(all);
  add_commands(all);
  return all;
}

}  // namespace wave::test
