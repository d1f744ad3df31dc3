// Whatever asks for memory: texts, lists, tables, studies, documents of others, LLVM. Each input would take more than
// it may, or as much as its kind can ask for.
#include "tests/folder.h"
#include "tests/studies/runs.h"
#include "tests/texts.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#ifndef WAVE_SANITIZED  // ASan keeps what is freed

using namespace wave;
using test::numbered;
using test::repeated;

namespace {

using Words = std::vector<std::string>;

struct Hostile {
  std::string name;
  std::vector<std::pair<std::string, std::string>> files;
  Words words;
  const char* refused = "E061";  // what it may be refused with, beside a limit
};

Hostile model(const std::string& name, Words words, const std::string& text, const char* refused = "E061") {
  words.push_back(name + ".wave");
  return {name, {{name + ".wave", "wave 1\n" + text}}, std::move(words), refused};
}

Hostile with_file(Hostile one, const std::string& name, std::string text, const Words& words = {},
                  const char* refused = "E061") {
  one.refused = refused;
  one.files.emplace_back(name, std::move(text));
  one.words.insert(one.words.end(), words.begin(), words.end());
  return one;
}

std::string members(const std::string& text) { return "model M {\n" + text + "}\n"; }

void add_texts(std::vector<Hostile>& all) {
  const std::string list = "[" + repeated(9000, [](int) { return "1,"; }) + "1]";
  all.push_back(
      model("lists", {"check"}, repeated(200, [&](int i) { return fmt::format("let l{} = {}\n", i, list); })));
  all.push_back(model("line", {"check"}, "let a = " + repeated(900'000, [](int) { return "x x "; }) + "\n", "E0112"));
  all.push_back(model("comments", {"check"}, numbered(180'000, "/// comment {}\n") + "let a = 1\n"));
  all.push_back(model("string", {"check"}, "let a = \"" + std::string(4'000'000, 'x') + "\"\n"));
  all.push_back(model("brackets", {"check"},
                      numbered(19'000, "let a{} = " + std::string(95, '(') + "1" + std::string(95, ')') + "\n")));
  all.push_back(model("unknown", {"check"}, numbered(150'000, "let a{0} = b{0}\n"), "E0201"));
}

void add_declarations(std::vector<Hostile>& all) {
  all.push_back(model("lets", {"check"}, numbered(160'000, "let a{} = 1 us\n")));
  all.push_back(model("functions", {"check"}, numbered(60'000, "fn f{0}(x: int): int = x + {0}\n")));
  all.push_back(model("outputs", {"run"}, members(numbered(20'000, "  output o{0} = {0}\n"))));
  all.push_back(
      model("parameters", {"run"}, members(numbered(20'000, "  param p{}: int = 1\n") + "  output t = p0\n")));
  all.push_back(model("table", {"run"},
                      "let t = table { " + numbered(90'000, "{0}: {0} us, ") + "90000: 1 us } linear\n" +
                          members("  output o = t(1)\n")));
  all.push_back(
      model("statements", {"run"},
            "import std.machines.loggp { LogGOPSim }\n" +
                members("  grid P[i: 3]\n  process p on P using LogGOPSim() {\n" +
                        numbered(30'000, "    if i == {} {{ compute(1 us) }}\n") + "  }\n  output t = p.time\n")));
}

void add_evaluations(std::vector<Hostile>& all) {
  all.push_back(model(
      "arms", {"run", "--engine", "jit", "--no-cache"},
      members(
          "  param n: int = 100\n  grid P[i: n, j: n]\n  rec f[i, j] over P: real = when {\n" +
          repeated(2000,
                   [](int i) { return fmt::format("    i mod {0} == 1: f[i-1, j] * 0.5 + ln(i + {0}.0)\n", i + 2); }) +
          "    else: 1\n  } else 0\n  output t = f[n, n]\n")));
  all.push_back(model("recurrence", {"run", "--time-limit", "5s"},
                      members("  grid P[i: 100000, j: 100000]\n  rec t[i, j] over P: real =\n    max(t[i-1, j] + 1.5, "
                              "t[i, j-1] * 1.25 + 1 / (i + j)) else 0\n  output o = sum(k in 1..100000: t[k, k])\n")));
  all.push_back(model("samples", {"run", "--samples", "3000000"},
                      members("  param p: time = 5 us ± 1 us\n  output o = p * 2\n")));
  all.push_back(model("copies", {"run"},
                      "import std.machines.loggp { LogGOPSim }\n" +
                          members("  let machines = [LogGOPSim(L = i * 1 us) for i in 1..9000]\n  output o = "
                                  "machines[7].L\n"),
                      "E0"));
}

void add_data(std::vector<Hostile>& all) {
  const std::string plain = members("  param n: int = 1\n  output o = n * 2.5\n");
  all.push_back(with_file(
      model("file", {"run"}, "let t = table \"d.csv\" key a value b linear\n" + members("  output o = t(1)\n")),
      "d.csv", "a,b\n" + numbered(3'000'000, "{0},{0}\n")));
  all.push_back(with_file(model("rows", {"batch"}, plain), "rows.csv", "n\n" + numbered(3'000'000, "{}\n"),
                          {"--columns", "rows.csv", "-o", "out.csv"}, "E0621"));
  all.push_back(with_file(model("measured", {"validate"}, plain), "m.csv", "n,o\n" + numbered(1'000'000, "{0},{0}.5\n"),
                          {"--data", "m.csv"}, "E0621"));
  all.push_back(model(
      "listed",
      {"sweep", "--time-limit", "5s", "-o", "listed.csv", "--vary", "n=[" + numbered(9'000, "{}, ") + "9000]"}, plain));
  all.push_back(
      model("points", {"report", "--vary", "n=1..200000", "-o", "points.html", "--time-limit", "10s"}, plain, "E0"));
  const std::string document =
      R"({"wave": "0.1.0", "verb": "sweep", "file": "diff.wave", "model": "M", "command": [], "inputs": [], "tables":)"
      R"( {"points": {"columns": [{"name": "n", "is": "parameter"}, {"name": "o", "is": "output"}], "rows": [[0, 0])" +
      numbered(1'000'000, ",\n[{0}, {0}]") + "]}}}";
  all.push_back({"diff",
                 {{"diff.wave", "wave 1\n" + plain}, {"a.json", document}, {"b.json", document}},
                 {"diff", "a.json", "b.json"},
                 "E07"});
  all.push_back({"osu",
                 {{"osu.txt", "# OSU MPI Latency Test v5.9\n# Size          Latency (us)\n" +
                                  repeated(2'000'000, [](int i) { return fmt::format("{} {}\n", i + 1, 2 + i); })}},
                 {"fit", "osu", "osu.txt"},
                 "E0717"});
}

std::vector<Hostile> hostile() {
  std::vector<Hostile> all;
  add_texts(all);
  add_declarations(all);
  add_evaluations(all);
  add_data(all);
  return all;
}

}  // namespace

TEST_CASE("hostile inputs take no more memory than the limit and what every run may take") {
  constexpr std::int64_t megabyte = 1'000'000;
  constexpr std::int64_t program = 160 * megabyte;  // its code and that of the libraries, as far as it was looked at
  const std::int64_t reserve =
      (std::int64_t{512} << 20) + (std::int64_t{8} << 20) * std::thread::hardware_concurrency();
  const std::vector<std::int64_t> limits{1, 60, 300};
  const int tried = std::min<int>(test::count_of_trials(1), static_cast<int>(limits.size()));
  std::size_t next = 0;
  const test::Folder folder;
  std::vector<Hostile> inputs = hostile();
  for (Hostile& one : inputs) {
    for (const auto& [name, text] : one.files) folder.write(name, text);
    one.files.clear();  // a process that is started counts what its parent holds
  }
  for (const Hostile& one : inputs) {
    for (int trial = 0; trial < tried; ++trial) {
      const std::int64_t limit = limits[next++ % limits.size()];
      Words words = one.words;
      words.insert(words.end(), {"--memory-limit", fmt::format("{}MB", limit)});
      const test::Finished finished = test::run(folder.path().string(), words);
      INFO(one.name << " with " << limit << " MB: code " << finished.code << ", peak " << finished.peak_bytes / megabyte
                    << " MB, " << finished.cpu_seconds << " s\n"
                    << finished.said.substr(0, 2000));
      CHECK(finished.signal == 0);
      CHECK((finished.code == 0 || finished.said.find("E061") != std::string::npos ||
             finished.said.find(one.refused) != std::string::npos));
      CHECK(finished.peak_bytes <= limit * megabyte + reserve + program);
    }
  }
}

#endif
