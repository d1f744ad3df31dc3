// Whatever something has put before each line of a log, its tables are read as without it, and from the same lines.
// tests/cli/fit_readings.transcript has the readings of single logs.
#include "analysis/machine_fit/benchmark_names.h"
#include "analysis/machine_fit/log_lines.h"
#include "analysis/machine_fit/log_marks.h"
#include "analysis/machine_fit/machine_question.h"
#include "tests/unit/machine_fit/benchmarks.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <functional>
#include <sstream>

using namespace wave::tests;
using fit::Tool;

namespace {

struct Log {
  Tool tool;
  std::string text;
};

const std::string nccl_columns =
    "#                                                              out-of-place                       in-place\n"
    "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw "
    "#wrong\n"
    "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)\n";

const Log logs[] = {
    {Tool::osu,
     "# OSU MPI Latency Test v7.4\n# Datatype: MPI_CHAR.\n# Size       Avg Latency(us)\n"
     "1                       1.22\n16                      1.23\n1024                    1.45\n"
     "# OSU MPI Multiple Bandwidth / Message Rate Test v7.4\n# [ pairs: 2 ] [ window size: 64 ]\n"
     "# Size                  MB/s        Messages/s\n1   8.00   8000000.00\n2   16.00   8000000.00\n"},
    {Tool::imb,
     "#    Intel(R) MPI Benchmarks 2021.7, MPI-1 part\n# Benchmarking PingPong \n# #processes = 2 \n"
     "       #bytes #repetitions      t[usec]   Mbytes/sec\n"
     "            0         1000         1.66         0.00\n            8         1000         1.70         4.83\n"
     "# Benchmarking Barrier \n# #processes = 4 \n #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n"
     "         1000        22.93        22.95        22.94\n"},
    {Tool::nccl,
     "# Collective test starting: sendrecv_perf\n#  Rank  0 Group  0 Pid 1 on a device  0\n"
     "#  Rank  1 Group  0 Pid 2 on b device  0\n" +
         nccl_columns +
         "        1024           256     float     sum      -1    15.21    0.00    0.00      0    14.94    "
         "0.00    0.00      0\n"},
    {Tool::netgauge,
     "# size n PRTT(1,0,s) PRTT(n,0,s) PRTT(n,PRTT(1,0,s),s) L o_s o_r g G lsqu(g,G)\n"
     "1 10 14.000000 23.000000 156.000000 7.000000 0.980000 1.140000 -nan -nan -nan\n"
     "2 10 14.200000 23.200000 158.000000 7.000000 0.990000 1.150000 0.934486 0.012832 -nan\n"}};

// What is put before line number k of a log.
using Label = std::function<std::string(int)>;
const std::vector<Label> labels = {
    [](int) { return "[1,0]<stdout>:"; },
    [](int) { return "[1,0]<stdout>: "; },
    [](int) { return "[prterun-node01-1234@1,0]<stdout>: "; },
    [](int) { return "0: "; },
    [](int) { return "  0: "; },
    [](int) { return "[0] "; },
    [](int) { return "node01: "; },
    [](int) { return "[node01:mpi_rank_0] "; },
    [](int) { return "launcher-0  | "; },
    [](int) { return "[pod/osu-launcher-x7k2p/osu] "; },
    [](int k) { return fmt::format("2026-11-30 14:20:{:02},{:03} INFO bench: ", k, 7 * k); },
    [](int k) { return fmt::format("2026-11-30T14:20:{:02}.{:07}Z ", k, 12345 * k); },
    [](int k) { return fmt::format("[14:20:{:02}] ", k); },
    [](int k) { return fmt::format("Nov {} 14:20:{:02} node01 bench[123]: ", k < 3 ? 9 : 10, k); },
    [](int k) { return fmt::format("{} Nov 30 14:20:{:02} 2026<stdout>:", k < 4 ? "Mon" : "Tue", k); },
    [](int k) { return fmt::format("{} 14:20:{:02}.000123 4711 osu.cc:12] ", k == 5 ? "W1130" : "I1130", k); },
    [](int k) { return fmt::format("1732976{:03}.{:06} ", k, 31 * k); },
    [](int k) { return fmt::format("[{:5}.{:06}] ", k, k); },
    [](int k) { return fmt::format("{:6}\t", k + 1); },
    [](int k) { return fmt::format("{} - benchmark - ", k % 2 == 0 ? "INFO" : "WARNING"); },
};

std::string with_labels(const std::string& text, const Label& label) {
  std::istringstream lines(text);
  std::string result;
  int k = 0;
  for (std::string line; std::getline(lines, line); ++k) result += label(k) + line + "\n";
  return result;
}

// "one thing at 8 B: 1.5, line 4", for each time.
std::vector<std::string> reading(Tool tool, const std::string& text) {
  const Read found = read(tool, text);
  for (const auto& one : found.problems) UNSCOPED_INFO(one);
  CHECK(found.problems.empty());
  std::vector<std::string> rows;
  for (const auto& table : found.timings.tables) {
    for (const auto& row : table.rows)
      rows.push_back(fmt::format("{} {} {} {} {} {} {}", table.test, static_cast<int>(table.kinds[row.kind].measure),
                                 row.sample.size, row.sample.time, row.sample.processes, row.sample.pairs, row.line));
  }
  return rows;
}

std::string cleaned(const std::string& text) { return std::string(fit::CleanLog(text).text()); }

}  // namespace

TEST_CASE("a label before each line changes nothing of what is read") {
  for (const auto& log : logs) {
    const auto expected = reading(log.tool, log.text);
    REQUIRE(!expected.empty());
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const std::string labelled = with_labels(log.text, labels[i]);
      CAPTURE(i, labelled);
      CHECK(reading(log.tool, labelled) == expected);
      // Lines of other programs stand before it, without a label.
      auto later = reading(log.tool, "module load mpi\n" + labelled);
      CHECK(later.size() == expected.size());
    }
  }
}

TEST_CASE("escape sequences change nothing of what is read") {
  for (const auto& log : logs) {
    const auto expected = reading(log.tool, log.text);
    CHECK(reading(log.tool, with_labels(log.text, [](int) { return "\x1b[32m\x1b[0m"; })) == expected);
    CHECK(reading(log.tool, with_labels(log.text, [](int) { return "\x1b[1m[0]\x1b[0m "; })) == expected);
    CHECK(reading(log.tool, with_labels(log.text, [](int) { return "\x1b]0;a title\x07"; })) == expected);
  }
  CHECK(cleaned("a\x1b[1;31mb\x1b") == "ab");
  CHECK(cleaned("a\x1b]8;;http://x\x1b\\b\x1b(Bc") == "abc");
  CHECK(cleaned("a\x1b]0;no end\nb") == "a\nb");
}

TEST_CASE("places in a cleaned log are places in the file") {
  const std::string text =
      "0: \x1b[1m# OSU MPI Latency Test v7.4\x1b[0m\n0: # Size          Latency (us)\n0: 1   \x1b[31mnan\x1b[0m\n";
  CHECK(read(Tool::osu, text).problems ==
        std::vector<std::string>{"3:13: a time has to be a positive number (this is no number)"});
}

TEST_CASE("lines of several ranks come one rank after the other") {
  CHECK(cleaned("0: # OSU MPI Latency Test v7.4\n1: # OSU MPI Latency Test v7.4\n0: a\n1: b\n10: c\n0: d\n") ==
        "# OSU MPI Latency Test v7.4\na\nd\n# OSU MPI Latency Test v7.4\nb\nc\n");
  // Hosts whose names have nothing in common.
  CHECK(cleaned("alpha: # OSU MPI Latency Test v7.4\nbeta: # OSU MPI Latency Test v7.4\nalpha: a\nbeta: b\n") ==
        "# OSU MPI Latency Test v7.4\na\n# OSU MPI Latency Test v7.4\nb\n");
  // A second run does not mix with the first.
  CHECK(
      cleaned("+ srun -l -n 2 osu_latency\n1: # OSU MPI Latency Test v7.4\n0: a\n1: b\n+ srun -l -n 2 osu_bw\n0: # OSU "
              "MPI Bandwidth Test v7.4\n1: c\n0: d\n") ==
      "+ srun -l -n 2 osu_latency\n# OSU MPI Latency Test v7.4\nb\na\n+ srun -l -n 2 osu_bw\n# OSU MPI Bandwidth Test "
      "v7.4\nd\nc\n");
  // What stands between tables stays there.
  CHECK(cleaned("intra-node\n0: # OSU MPI Latency Test v7.4\n1: x\ninter-node\n0: # OSU MPI Latency Test v7.4\n") ==
        "intra-node\n# OSU MPI Latency Test v7.4\ninter-node\n# OSU MPI Latency Test v7.4\nx\n");
  // What follows the last line with a label stays behind all of them, and a heading without one begins a run.
  CHECK(cleaned("1: warning\n0: # OSU MPI Latency Test v7.4\n1: x\n0: a\n# OSU MPI Latency Test v7.4\n1   1.20\n") ==
        "warning\nx\n# OSU MPI Latency Test v7.4\na\n# OSU MPI Latency Test v7.4\n1   1.20\n");
  CHECK(cleaned("0: # OSU MPI Latency Test v7.4\n1: x\n0: a\ndone\n+ srun -l -n 2 osu_bw\n0: b\n") ==
        "# OSU MPI Latency Test v7.4\na\nx\ndone\n+ srun -l -n 2 osu_bw\nb\n");
  // A line that is cut off does not become whole by moving.
  CHECK(cleaned("0: # OSU MPI Latency Test v7.4\n1: x\n0: 4 1.2") == "# OSU MPI Latency Test v7.4\nx\n");
}

TEST_CASE("what stands before a heading only by chance is no label") {
  const std::string start = "# Size          Latency (us)\n1   1.20\n2   1.30\n4   1.40\n";
  for (const char* title :
       {"12 # OSU MPI Latency Test v5.9\n", "Running # OSU MPI Latency Test v5.9\n", "1 2 # OSU MPI Latency Test\n"}) {
    CAPTURE(title);
    const Read found = read(Tool::osu, title + start);
    CHECK(found.problems.empty());
    REQUIRE(found.timings.series.size() == 1);
    CHECK(found.timings.series[0].samples.size() == 3);
  }
}

TEST_CASE("echoed commands say how many processes there are, and where") {
  const auto command = [](const std::string& text) {
    fit::LineReader lines(text);
    REQUIRE(lines.next());
    const auto found = fit::command_in(lines.words());
    return found ? fmt::format("{}, {}, {}", found->program, found->processes, found->mapping) : "none";
  };
  CHECK(command("+ srun -n 12 osu_allreduce") == "osu_allreduce, 12, ");
  CHECK(command("$ mpirun -np 4 --map-by ppr:2:node --bind-to core ./osu_bcast -f") ==
        "osu_bcast, 4, --map-by ppr:2:node --bind-to core");
  CHECK(command("# mpiexec.hydra -n 8 -ppn 4 $HOME/IMB-MPI1 Bcast") == "IMB-MPI1, 8, -ppn 4");
  CHECK(command("+ srun -N2 -n16 osu_bw") == "osu_bw, 16, -N 2");
  CHECK(command("srun --nodes=2 --ntasks-per-node=4 ./run.sh") == ", 8, --nodes 2 --ntasks-per-node 4");
  CHECK(command("running '/opt/nccl_perf_runs/build/all_reduce_perf' -b 8") == "all_reduce_perf, 0, ");
  CHECK(command("aprun -n 32 -N 16 osu_alltoall -x 10 -i 100") == "osu_alltoall, 32, -N 16");
  // Which nodes they are on differs from run to run.
  CHECK(command("mpirun -np 2 -H n1,n2 --map-by node osu_latency") == "osu_latency, 2, --map-by node");
  CHECK(command("srun -n 2 --nodelist=n[3-4] osu_latency") == "osu_latency, 2, ");
  CHECK(command("srun: job 17 has been allocated resources") == "none");
  CHECK(command("the folder nccl_perf_runs") == "none");
  const auto processes = [](const std::string& text) {
    fit::LineReader lines(text);
    REQUIRE(lines.next());
    return fit::processes_named_in(lines.words());
  };
  CHECK(processes("=== 16 processes ===") == 16);
  CHECK(processes("np=8") == 8);
  CHECK(processes("NTASKS: 24") == 24);
  CHECK(processes("on 32 MPI ranks") == 32);
  CHECK(processes("2 nodes with 8 tasks per node") == 0);
  CHECK(processes("2 more processes have sent help message") == 0);
  CHECK(fit::place_named_in("=== Intra-Node ===") == "on one node");
  CHECK(fit::place_named_in("two nodes") == "between nodes");
  CHECK(fit::place_named_in("on node01") == "");
}

TEST_CASE("sizes of the same collective mean the same, whichever tool prints them") {
  const auto size_is = [](Tool tool, const char* name, int version = 0) {
    const auto* found = fit::find_collective(tool, name, version);
    REQUIRE(found != nullptr);
    return found->size_is;
  };
  using fit::SizeIs;
  for (const char* name : {"all_gather", "alltoall", "gather", "scatter"})
    CHECK(size_is(Tool::nccl, name) == SizeIs::whole);
  for (const char* name : {"all_reduce", "broadcast", "reduce", "reduce_scatter"})
    CHECK(size_is(Tool::nccl, name) == SizeIs::same);
  for (const char* name : {"allgather", "alltoall", "gather", "scatter", "reduce_scatter", "allreduce", "bcast"})
    CHECK(size_is(Tool::osu, name) == SizeIs::same);
  CHECK(size_is(Tool::imb, "reduce_scatter", 2018) == SizeIs::same);
  CHECK(size_is(Tool::imb, "reduce_scatter", 2019) == SizeIs::part);
  CHECK(size_is(Tool::imb, "reduce_scatter", 2021) == SizeIs::part);
  CHECK(size_is(Tool::imb, "allgather", 2021) == SizeIs::same);
  CHECK(fit::depends_on_version(Tool::imb, "reduce_scatter"));
  CHECK(fit::find_collective(Tool::osu, "allgatherv", 0) == nullptr);
}

namespace {

const std::string osu_latencies = "# OSU MPI Latency Test v7.4\n# Size Latency (us)\n1 1.00\n2 1.01\n4 1.02\n";
const std::string osu_allreduce =
    "# OSU MPI Allreduce Latency Test v7.4\n# Size Avg Latency(us)\n1 10.00\n2 10.10\n4 10.20\n";

// What a question of one file finds: its timings, and what is wrong, each with its help.
struct Answer {
  fit::Timings timings;
  std::vector<std::string> problems;
};

Answer ask(fit::MachineQuestion question, const std::string& text) {
  question.files.push_back("data");
  if (!question.within.empty()) question.within.insert(question.within.begin(), "");
  wave::frontend::Sources sources;
  wave::frontend::Diagnostics diagnostics;
  Answer answer;
  fit::read_benchmark(question, 1, "data", text, sources, answer.timings, diagnostics);
  const auto wrong = fit::keep_asked(question, {}, sources, answer.timings, diagnostics);
  if (wrong) answer.problems.push_back(wrong->message);
  for (const auto& one : diagnostics.all()) {
    answer.problems.push_back(one.message);
    for (const auto& help : one.help) answer.problems.push_back(help);
  }
  return answer;
}

fit::MachineQuestion question_of(const char* kind) {
  fit::MachineQuestion question;
  question.files = {kind};
  return question;
}

}  // namespace

TEST_CASE("what stands before the first heading makes no table of a log") {
  for (const char* before : {"[1,0]<stdout>:\n", "2026-11-30 14:20:23,000 [INFO] start, of 2\n",
                             "modules: gcc, openmpi [default]\n", "message sizes, times and processes: see below\n"}) {
    CAPTURE(before);
    CHECK(fit::recognised(before + osu_latencies) == Tool::osu);
  }
}

TEST_CASE("tables are recognised in each of their formats") {
  for (const char* table : {"size [B],time [us]\n1,1.5\n", "bytes,us_median\n1,1.5\n", "size [B];time [us]\n1;1.5\n",
                            "size [B]\ttime [us]\n1\t1.5\n",
                            "{\"size [B]\": 1, \"time [us]\": 1.5}\n{\"size [B]\": 2, \"time [us]\": 1.6}\n",
                            "[{\"bytes\": 1, \"time_us\": 1.5}]\n", "# a comment\nprocesses,time [us]\n2,1.5\n"}) {
    CAPTURE(table);
    CHECK(fit::recognised(table) == Tool::csv);
  }
  CHECK(fit::recognised("PARAMETER size\nPOINTS ( 1 ) ( 2 )\nMETRIC time\nDATA 1.5\nDATA 1.6\n") == Tool::csv);
  CHECK(fit::recognised("name,value\na,1\n") == std::nullopt);
}

TEST_CASE("a number of processes that the log says is not overridden") {
  auto question = question_of("osu");
  question.processes = {8};
  const auto said = ask(question, "+ srun -n 16 osu_allreduce\n" + osu_allreduce);
  REQUIRE(said.problems.size() == 2);
  CHECK(said.problems[0] == "`--processes` says 8, and the file says 16");
  CHECK(ask(question, "+ srun -n 8 osu_allreduce\n" + osu_allreduce).problems.empty());
  const auto unsaid = ask(question, osu_allreduce);
  CHECK(unsaid.problems.empty());
  CHECK(unsaid.timings.tables[0].processes == 8);
}

TEST_CASE("an echoed command says the window of a stream") {
  const std::string stream = "# OSU MPI Bandwidth Test v7.4\n# Size Bandwidth (MB/s)\n1 2.00\n";
  const auto window = [&](const std::string& command) {
    const Read found = read(Tool::osu, command + stream);
    REQUIRE(found.timings.series.size() == 1);
    return found.timings.series[0].samples[0].window;
  };
  CHECK(window("") == 64);
  for (const char* options : {"-W 4", "-W4", "-x 10 --window-size 4", "--window-size=4"}) {
    CAPTURE(options);
    CHECK(window(fmt::format("+ srun -n 2 osu_bw {}\n", options)) == 4);
    CHECK(window(fmt::format("$ ./osu_bw {}\n", options)) == 4);
  }
  CHECK(window("+ srun -W 4 -n 2 osu_bw\n") == 64);
}

TEST_CASE("pairs are said of the tables that are asked for") {
  const std::string text =
      osu_latencies + "# OSU MPI Multi Latency Test v7.4\n# Size Latency (us)\n1 2.00\n2 2.01\n4 2.02\n";
  auto question = question_of("osu");
  question.pairs = {16};
  const auto both = ask(question, text);
  CHECK(both.problems.empty());
  CHECK(both.timings.tables[1].pairs == 16);
  question.tables = {1};
  CHECK(ask(question, text).problems == std::vector<std::string>{"`--pairs` asks for 16, of which there are no times"});
}

TEST_CASE("IMB with several groups at once") {
  const std::string columns = "#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n4 1000 1.0 1.2 1.1\n";
  const Read unsaid = read(Tool::imb, "# Benchmarking Multi-Reduce_scatter\n# #processes = 4\n" + columns);
  REQUIRE(unsaid.timings.tables.size() == 1);
  CHECK(unsaid.timings.tables[0].unused.starts_with("sizes of this benchmark were all the data before 2019"));
  const Read groups = read(Tool::imb,
                           "# Benchmarking PingPong\n# #processes = 2\n#bytes #repetitions t[usec] Mbytes/sec\n"
                           "8 1000 1.67 4.83\n# Benchmarking Multi-Allreduce\n"
                           "# ( 2 groups of 4 processes each running simultaneous )\n" +
                               columns);
  CHECK(groups.problems.empty());
  CHECK(groups.timings.series.size() == 1);
  CHECK(groups.timings.tables[1].unused == "several groups at once share what passes their messages on");
}

TEST_CASE("lines that were sorted by their labels keep their numbers") {
  std::string text =
      "0: # OSU MPI Latency Test v7.4\n0: # Size Latency (us)\n1: # OSU MPI Latency Test v7.4\n"
      "1: # Size Latency (us)\n";
  for (int k = 1; k <= 2000; ++k) text += fmt::format("0: {} 1.50\n1: {} 1.50\n", k, k);
  const Read found = read(Tool::osu, text);
  REQUIRE(found.timings.tables.size() == 2);
  for (std::uint32_t table = 0; table < 2; ++table) {
    for (std::uint32_t k = 0; k < 2000; k += 100) CHECK(found.timings.tables[table].rows[k].line == 5 + 2 * k + table);
  }
}

TEST_CASE("runs on one GPU beside others are passed over") {
  const std::string row = "64 16 float none -1 21.22 0.00 0.00 0 21.07 0 0 0\n";
  const std::string start = "# Collective test starting: all_gather_perf\n";
  const auto alone = [&](int pid) {
    return start + fmt::format("#  Rank  0 Group  0 Pid  {} on    node01 device  0\n", pid) + nccl_columns + row;
  };
  const std::string two = start +
                          "#  Rank  0 Group  0 Pid  1 on    node01 device  0\n"
                          "#  Rank  1 Group  0 Pid  1 on    node01 device  1\n" +
                          nccl_columns + row;
  const Read found = read(Tool::nccl, two + alone(2) + alone(3));
  CHECK(found.problems.empty());
  CHECK(found.timings.series.size() == 1);
  CHECK(read(Tool::nccl, alone(2) + alone(3)).problems.size() == 1);
}

TEST_CASE("which nodes a run was on makes no other kind of it") {
  const auto run = [](const char* before) { return before + osu_latencies; };
  const auto hosts = ask(question_of("osu"),
                         run("+ mpirun -np 2 -H n1,n2 osu_latency\n") + run("+ mpirun -np 2 -H n3,n4 osu_latency\n"));
  CHECK(hosts.problems.empty());
  // Levels are suggested where words say them, and once they are said the runs go together.
  const std::string mapped =
      run("+ srun -n 2 --map-by core osu_latency\n") + run("+ srun -n 2 --map-by node osu_latency\n");
  const auto refused = ask(question_of("osu"), mapped);
  REQUIRE(refused.problems.size() == 3);
  CHECK(refused.problems[2].find("--within") == std::string::npos);
  const auto worded = ask(question_of("osu"), run("=== intra-node ===\n") + run("=== inter-node ===\n"));
  REQUIRE(worded.problems.size() == 4);
  CHECK(worded.problems[3].find("--within node,none data") != std::string::npos);
  auto question = question_of("osu");
  question.within = {"node"};
  CHECK(ask(question, mapped).problems.empty());
}
