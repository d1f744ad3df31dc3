// See verb_commands.h.
#include "tests/studies/verb_commands.h"

#include "tests/folder.h"
#include "tests/texts.h"

#include <fmt/format.h>

namespace wave::test {
namespace {

// Of the usual model: `before` stands before its declarations, `members` among those of the model, `value` is what the
// output `o` is a multiple of.
std::string model(const std::string& before, const std::string& members, const std::string& value) {
  return "wave 1\nimport std.machines.loggp { LogGOPSim }\n" + before + R"(
fn price(s: data): time = 1 us + s * 1 ns/B

machine A extends LogGOPSim {
  override param L: time = 1 us
}

model M {
  param n: int = 1 in 1..
  param w: time = 1 us in 0 us..
  param net: LogGOPSim = A()
  grid P[i: 2]
)" + members +
         R"(
  process p on P using net {
    compute(n * 1 us)
    send 8 B to [i+1]
    recv from [i-1]
  }
  let work = flops { for k in 1..n { x[k] = y[k] + 1; } }
  output o = )" +
         value + R"( * w
  output t = p.time
}

test "one" { expect M(n = 1).o == 1 us }

study s of M {
  vary n in 1..4
  show o
}
)";
}

// As `wave run` writes it; what it was made from need not be there.
std::string result(const std::string& rows) {
  return R"({"wave": "0.1.0", "verb": "sweep", "file": "m.wave", "model": "M", "command": [], "inputs": [],)"
         R"( "tables": {"points": {"columns": [{"name": "n", "is": "parameter"},)"
         R"( {"name": "o", "unit": "s", "is": "output"}], "rows": [[1, 0])" +
         rows + "]}}}";
}

std::string collectives(int processes, int sizes) {
  std::string text = "operation,processes,size [B],time [us]\n";
  for (const char* operation : {"allreduce", "broadcast", "reduce", "allgather", "scan", "gather", "scatter"}) {
    for (int p = 2; p < 2 + processes; ++p) {
      for (int s = 1; s < 1 + sizes; ++s)
        text += fmt::format("{},{},{},{}\n", operation, p, 97 * s, 1 + 0.3 * p + 0.001 * s * (7 * s % 11));
    }
  }
  return text;
}

std::string benchmark(const std::string& name) {
  return contents_of(WAVE_SOURCE_DIR "/tests/cli/fixtures/benchmarks/" + name);
}

std::string nccl() {
  std::string text;
  for (int ranks = 2; ranks <= 8; ranks *= 2) {
    for (int rank = 0; rank < ranks; ++rank)
      text += fmt::format("#  Rank  {0} Group  0 Pid {0} on h{0} device  0\n", rank);
    text +=
        "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw "
        "#wrong\n#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  "
        "(GB/s)  (GB/s)\n";
    for (int size = 8; size <= (8 << 20); size *= 4) {
      const double time = 15 * ranks + size * 1e-4;
      text += fmt::format(
          "{:>12} {:>13}     float     sum      -1 {:>8.2f}    0.00    0.00      0 {:>8.2f}    0.00    0.00      0\n",
          size, size / 4, time, 1.01 * time);
    }
  }
  return text;
}

}  // namespace

Files usual_files() {
  return {{"run/r00000.txt", "#rank 0 of 2\nSend 1 8 0 2/0000 1 1\n"},
          {"run/r00001.txt", "#rank 1 of 2\nRecv 0 8 0 2/0000 1 1\n"},
          {"m.wave", model("", "", "n")},
          {"rows.csv", "n\n1\n2\n"},
          {"measured.csv", "n,o [us]\n1,1\n2,2.1\n3,2.9\n"},
          {"a.json", result(",\n[2, 1]")},
          {"b.json", result(",\n[2, 2]")},
          {"osu.txt", benchmark("osu_latency.txt")},
          {"imb.txt", benchmark("imb.txt")},
          {"netgauge.txt", benchmark("netgauge.txt")},
          {"nccl.txt", nccl()},
          {"all.csv", collectives(3, 5)},
          {"1.part", ""},
          {"wave.toml", "[project]\nname = \"p\"\nversion = \"0.1.0\"\nedition = 1\nfolders = [\"modules\"]\n"},
          {"modules/part.wave", "wave 1\n/// A number.\nlet number = 1\n"}};
}

std::vector<VerbCommand> verb_commands() {
  const std::string vary = "n=1..4";
  return {
      {{"run", "m.wave"}, {"m.wave"}, "evaluate"},
      {{"batch", "m.wave", "--columns", "rows.csv", "-o", "out.csv"}, {"m.wave", "rows.csv"}, "evaluate"},
      {{"check", "m.wave"}, {"m.wave"}, "lower"},
      {{"check", "m.wave", "--against", "run"}, {"m.wave"}, "lower"},
      {{"record", "--source"}, {}, ""},
      {{"infer", "run", "-o", "out.wave"}, {}, ""},
      {{"test", "m.wave"}, {"m.wave"}, "evaluate"},
      {{"fmt", "m.wave"}, {"m.wave"}, "parse"},
      {{"doc", "m.wave"}, {"m.wave"}, "check"},
      {{"doc", "--html", "site", "modules"}, {"modules/part.wave"}, ""},
      {{"explain"}, {}, ""},
      {{"cost", "m.wave"}, {"m.wave"}, "check"},
      {{"count", "m.wave"}, {"m.wave"}, "lower"},
      {{"flops", "m.wave"}, {"m.wave"}, "lower"},
      {{"trace", "m.wave", "-o", "out.json"}, {"m.wave"}, "lower"},
      {{"sweep", "m.wave", "--vary", vary, "-o", "out.csv"}, {"m.wave"}, "evaluate"},
      {{"sweep", "m.wave", "--columns", "rows.csv"}, {"m.wave", "rows.csv"}, "evaluate"},
      {{"merge", "1.part", "-o", "out.csv"}, {"1.part"}, ""},
      {{"fit", "m.wave", "--data", "measured.csv", "--params", "w", "--show", "o", "-o", "out.wave"},
       {"m.wave", "measured.csv"},
       "evaluate"},
      {{"fit", "osu", "osu.txt", "-o", "out.wave"}, {"osu.txt"}, ""},
      {{"fit", "imb", "imb.txt"}, {"imb.txt"}, ""},
      {{"fit", "netgauge", "netgauge.txt"}, {"netgauge.txt"}, ""},
      {{"fit", "nccl", "nccl.txt", "--operation", "allreduce"}, {"nccl.txt"}, ""},
      {{"fit", "csv", "all.csv"}, {"all.csv"}, ""},
      {{"fit", "auto", "osu.txt", "--explain"}, {"osu.txt"}, ""},
      {{"validate", "m.wave", "--data", "measured.csv", "--show", "o", "-o", "out.csv"},
       {"m.wave", "measured.csv"},
       "evaluate"},
      {{"optimize", "m.wave", "--minimize", "o", "--over", vary, "-o", "out.csv"}, {"m.wave"}, "evaluate"},
      {{"find", "m.wave", "--over", vary, "--where", "o > 2 us", "-o", "out.csv"}, {"m.wave"}, "evaluate"},
      {{"compare", "m.wave", "--with", "n=2", "--show", "o"}, {"m.wave"}, "evaluate"},
      {{"diff", "a.json", "b.json", "--file", "m.wave"}, {"a.json", "b.json", "m.wave"}, "check"},
      {{"diff", "--api", "m.wave", "m.wave"}, {"m.wave"}, "check"},
      {{"report", "m.wave", "--data", "measured.csv", "-o", "out.html"}, {"m.wave", "measured.csv"}, "evaluate"},
      {{"new", "fresh"}, {}, ""},
      {{"lock"}, {"wave.toml"}, ""},
      {{"complete", "--", "run", "m.wave", "-D", "n"}, {"m.wave"}, "check"},
  };
}

std::vector<HeavyModel> heavy_models() {
  const std::string many_ones = "[" + repeated(2000, [](int) { return "1,"; }) + "1]";
  const std::string collectives = repeated(1500, [](int) { return "    allreduce(n * 8 B)\n"; });
  const auto process = [&](int i) {
    return fmt::format("  process q{0} on P using net {{\n{1}  }}\n  output q{0}_time = q{0}.time\n", i, collectives);
  };
  return {
      {"parse", model(repeated(900, [&](int i) { return fmt::format("let l{} = {}\n", i, many_ones); }), "", "n")},
      {"check", model(numbered(90'000, "fn f{0}(x) = x + 1\nlet a{0} = f{0}(1)\n"), "", "n")},
      {"lower", model("", repeated(20, process), "n")},
      {"evaluate", model("", "  rec f[i in 1..400000000]: real = f[i-1] * 0.5 + ln(i) else 0\n",
                         "sum(k in 1..n: f[k * 100000000])")},
  };
}

std::vector<HeavyCommand> heavy_commands() {
  const std::string slow = model("", "", "sum(k in 1..100000: ln(n + k))");
  const std::string listed = model("", "  output listed[k in 1..5000000] = k * n\n", "n");
  const std::string talk = model("", "", "n");
  const auto with = [](std::string text, const std::string& old, const std::string& other) {
    return text.replace(text.find(old), old.size(), other);
  };
  const std::string endless = with(talk, "    compute(n * 1 us)\n",
                                   "    repeat 2000000000 { compute(i * 1 ns) send 8 B to [i+1] recv from [i-1] }\n");
  const std::string costly = with(talk, "time = 1 us\n}", "time = sum(k in 1..2000000000: ln(k)) * 1 us\n}");
  const std::string counted = with(talk, "for k in 1..n {", "for i in 1..10000000 { for k in i..i*i {");
  const std::string counted_twice = with(counted, "= y[k] + 1; }", "= y[k] + 1; } }");
  const std::string tested =
      with(talk, "expect M(n = 1).o == 1 us", "expect M(n = k).o == k * 1 us for k in 1..100000000");
  const std::string measured =
      "n,o [us]\n" + repeated(20'000, [](int i) { return fmt::format("{},{}\n", i + 1, i + 2); });
  const std::string document = result(numbered(600'000, ",\n[{0}, {0}]"));
  const std::string many = "n=1..100000";
  Words parts{"merge"};
  parts.insert(parts.end(), 2000, "1.part");
  return {
      {"rows of an output", {{"m.wave", listed}}, {"run", "m.wave", "--format", "json"}},
      {"rows of a batch",
       {{"m.wave", slow}, {"rows.csv", "n\n" + numbered(100'000, "{}\n")}},
       {"batch", "m.wave", "--columns", "rows.csv"}},
      {"cases of a test", {{"m.wave", tested}}, {"test", "m.wave"}},
      {"pages of the library", {}, {"doc", "--html", "site", "std"}},
      {"a cost", {{"m.wave", costly}}, {"cost", "m.wave"}},
      {"messages that are counted", {{"m.wave", endless}}, {"count", "m.wave", "--busy"}},
      {"operations that are counted", {{"m.wave", counted_twice}}, {"flops", "m.wave"}},
      {"a timeline", {{"m.wave", endless}}, {"trace", "m.wave", "-o", "out.json"}},
      {"points of a study", {{"m.wave", slow}}, {"sweep", "m.wave", "--vary", many, "-o", "out.csv"}},
      {"parts of a study", {}, parts},
      {"measured collectives", {{"all.csv", collectives(88, 11)}}, {"fit", "csv", "all.csv", "-o", "out.wave"}},
      {"measurements that are fitted",
       {{"m.wave", slow}, {"measured.csv", measured}},
       {"fit", "m.wave", "--data", "measured.csv", "--params", "w", "--show", "o", "-o", "out.wave"}},
      {"measurements",
       {{"m.wave", slow}, {"measured.csv", measured}},
       {"validate", "m.wave", "--data", "measured.csv", "--show", "o"}},
      {"points to choose from",
       {{"m.wave", slow}},
       {"optimize", "m.wave", "--minimize", "o", "--over", many, "-o", "out.csv"}},
      {"points to look at",
       {{"m.wave", slow}},
       {"find", "m.wave", "--over", many, "--where", "o > 2 us", "-o", "out.csv"}},
      {"a crossover",
       {{"m.wave", slow}},
       {"compare", "m.wave", "--with", "w=2 us", "--show", "o", "--crossover", many}},
      {"points beside each other",
       {{"m.wave", slow}},
       {"compare", "m.wave", "--with", "w=2 us", "--show", "o", "--vary", many}},
      {"documents", {{"a.json", document}, {"b.json", document}}, {"diff", "a.json", "b.json", "--file", "m.wave"}},
      {"points of a page", {{"m.wave", slow}}, {"report", "m.wave", "--vary", many, "-o", "out.html"}},
  };
}

}  // namespace wave::test
