// The output of benchmarks in the layouts of the tools, written for these tests.
#include "tests/unit/machine_fit/benchmarks.h"

#include <catch2/catch.hpp>

using namespace wave::tests;
using fit::BenchmarkMeasure;
using fit::Tool;

namespace {

using Texts = std::vector<std::string>;

const fit::Series& only(const Read& read, BenchmarkMeasure measure) {
  for (const auto& one : read.problems) UNSCOPED_INFO(one);
  REQUIRE(read.problems.empty());
  const auto* found = read.timings.find(measure);
  REQUIRE(found != nullptr);
  return *found;
}

}  // namespace

TEST_CASE("OSU latencies of old and new versions") {
  for (const char* heading : {"# OSU MPI Latency Test v3.1.1\n# Size            Latency (us)\n",
                              "# OSU MPI Latency Test v5.6.3\n# Size          Latency (us)\n",
                              "# OSU MPI Latency Test v7.4\n# Datatype: MPI_CHAR.\n# Size       Avg Latency(us)\n",
                              "\xEF\xBB\xBF# OSU MPI-CUDA Latency Test v7.0\r\n# Size          Latency (us)\r\n",
                              "srun: job 17 started\n\n# OSU MPI Latency Test v7.4\n# Size       Avg Latency(us)\n"}) {
    CAPTURE(heading);
    const auto found =
        read(Tool::osu, std::string(heading) + "0                       1.27\r\n8  1.25\n\n4194304  360.5\n");
    const auto& series = only(found, BenchmarkMeasure::latency);
    REQUIRE(series.samples.size() == 3);
    CHECK(series.samples[0].size == 0);
    CHECK(series.samples[2].size == 4194304);
    CHECK(series.samples[2].time == 360.5);
    CHECK(series.samples[1].resolution == Approx(0.005));
  }
}

TEST_CASE("rows behind a table that another tool's heading has ended are passed over") {
  const auto found = read(Tool::osu,
                          "# OSU MPI Bi-Directional Bandwidth Test v5.6.3\n# Size      Bandwidth (MB/s)\n1   2.00\n"
                          "#    Intel(R) MPI Benchmarks 2021.3, MPI-1 part\n"
                          "# OSU MPI Bi-Directional Bandwidth Test v5.6.3\n2   4.00\n"
                          "#    Intel(R) MPI Benchmarks 2021.3, MPI-1 part\n4   8.00\n"
                          "# OSU MPI Latency Test v5.6.3\n# Size          Latency (us)\n8  1.25\n16  1.30\n");
  CHECK(only(found, BenchmarkMeasure::latency).samples.size() == 2);
}

TEST_CASE("OSU bandwidths and message rates are times between messages") {
  const auto bandwidth = read(Tool::osu,
                              "# OSU MPI Bandwidth Test v7.4\n# Datatype: MPI_CHAR.\n# Size      Bandwidth (MB/s)\n1   "
                              "                    2.00\n4096   8192.00\n");
  const auto& gaps = only(bandwidth, BenchmarkMeasure::gap);
  CHECK(gaps.samples[0].time == Approx(0.5));
  CHECK(gaps.samples[1].time == Approx(0.5));
  const auto rate = read(Tool::osu,
                         "# OSU MPI Multiple Bandwidth / Message Rate Test v5.7\n# [ pairs: 4 ] [ window size: 64 ]\n# "
                         "Size                  MB/s        Messages/s\n1   8.00   8000000.00\n");
  CHECK(only(rate, BenchmarkMeasure::gap).samples[0].time == Approx(0.5));
}

TEST_CASE("OSU collectives need their number of processes, and count until the last one is done") {
  const std::string text =
      "# OSU MPI Allreduce Latency Test v6.2\n# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  "
      "Iterations\n4     10.00   9.00   12.00  1000\n";
  fit::ReadOptions options;
  options.processes = 8;
  const auto found = read(Tool::osu, text, options);
  const auto& series = only(found, BenchmarkMeasure::collective);
  CHECK(series.operation == "allreduce");
  CHECK(series.samples[0].time == 12);
  CHECK(series.samples[0].processes == 8);
  CHECK(read(Tool::osu, text).problems == Texts{"`data` does not say how many processes took part"});
  const auto barrier =
      read(Tool::osu, "# OSU MPI Barrier Latency Test v5.8\n# Avg Latency(us)\n             8.32\n", options);
  CHECK_FALSE(only(barrier, BenchmarkMeasure::collective).sized);
  CHECK(barrier.timings.series[0].samples[0].time == 8.32);
}

TEST_CASE("what is wrong in OSU output is told with its place") {
  const std::string start = "# OSU MPI Latency Test v5.6.3\n# Size          Latency (us)\n";
  CHECK(read(Tool::osu, start + "1 1.00\n2 nan\n").problems ==
        Texts{"4:3: a time has to be a positive number (this is no number)"});
  CHECK(read(Tool::osu, start + "1 -1.00\n").problems ==
        Texts{"3:3: a time has to be a positive number (this is negative)"});
  CHECK(read(Tool::osu, start + "1    0.00\n").problems ==
        Texts{"3:6: a time has to be a positive number (this is zero)"});
  CHECK(read(Tool::osu, start + "1 1e999\n").problems ==
        Texts{"3:3: a time has to be a positive number (this is no number)"});
  CHECK(read(Tool::osu, start + "-1 1.00\n").problems ==
        Texts{"3:1: a size has to be a whole number of bytes (this is negative)"});
  CHECK(read(Tool::osu, start + "1.5 1.00\n").problems ==
        Texts{"3:1: a size has to be a whole number of bytes (this is not whole)"});
  CHECK(read(Tool::osu, start + "1\n2 1.00\n").problems ==
        Texts{"3:1: a row has 1 columns where 2 are expected (this row)"});
  CHECK(read(Tool::osu, "1 1.00\n").problems ==
        Texts{"1:1: numbers without a heading that says what they are (a row before any heading)"});
  CHECK(read(Tool::osu, "# Size Latency\n1 1.00\n").problems ==
        Texts{"1:1: this heading does not say in which unit times or bandwidths are (no `(us)` and no `MB/s`)"});
  CHECK(read(Tool::osu, "# OSU MPI Bi-Directional Bandwidth Test v5.6.2\n# Size      Bandwidth (MB/s)\n1  2.10\n")
            .problems == Texts{"1:1: a machine is not fitted to this test (this one)"});
  CHECK(read(Tool::osu, "# OSU MPI Latency Test v5.6.3\n# Size      Bandwidth (MB/s)\n1  2.10\n").problems ==
        Texts{"2:1: this heading belongs to another test than the title above it (of another test)"});
  CHECK(read(Tool::osu, "").problems == Texts{"`data` holds no result of the OSU micro-benchmarks"});
}

TEST_CASE("a last line that is cut off is left out, and that is said") {
  const std::string start = "# OSU MPI Latency Test v5.6.3\n# Size          Latency (us)\n1 1.00\n2 1.10\n";
  for (const char* rest : {"4", "4 1.2", "4 12"}) {
    const auto found = read(Tool::osu, start + rest);
    CHECK(only(found, BenchmarkMeasure::latency).samples.size() == 2);
    CHECK(found.timings.remarks == Texts{"data: the last line is cut off, and left out"});
  }
  CHECK(only(read(Tool::osu, start + "4 1.20"), BenchmarkMeasure::latency).samples.size() == 3);
  for (const char* rest : {"4,1.3", "4,1.", "4,12"}) {
    CHECK(only(read(Tool::csv, std::string("size [B],time [us]\n1,1.00\n2,1.25\n") + rest), BenchmarkMeasure::latency)
              .samples.size() == 2);
  }
  CHECK(only(read(Tool::csv, "size [B],time [us]\n1,1\n2,2\n4,3."), BenchmarkMeasure::latency).samples.size() == 2);
  CHECK(only(read(Tool::csv, "size [B],time [us]\n1,1\n2,2\n4,3"), BenchmarkMeasure::latency).samples.size() == 3);
  const auto table = read(Tool::csv, "size [B],time [us]\n1,1\n2,2\n4");
  CHECK(only(table, BenchmarkMeasure::latency).samples.size() == 2);
}

TEST_CASE("IMB: a ping-pong and collectives, as a whole run prints them") {
  const std::string text =
      "#----------------------------------------------------------------\n#    Intel(R) MPI Benchmarks 2021.7, MPI-1 "
      "part\n"
      "# Date                  : Thu Jun 20 11:35:05 2024\n# List of Benchmarks to run:\n# PingPong\n"
      "#---------------------------------------------------\n# Benchmarking PingPong \n# #processes = 2 \n# ( 6 "
      "additional processes waiting in MPI_Barrier)\n"
      "#---------------------------------------------------\n       #bytes #repetitions      t[usec]   Mbytes/sec\n"
      "            0         1000         1.66         0.00\n            8         1000         1.70         4.83\n"
      "#-----\n# Benchmarking Sendrecv \n# #processes = 2 \n#-----\n       #bytes #repetitions  t_min[usec]  "
      "t_max[usec]  t_avg[usec]   Mbytes/sec\n"
      "            0         1000         4.38         4.38         4.38         0.00\n"
      "#-----\n# Benchmarking Allreduce \n# #processes = 4 \n#-----\n       #bytes #repetitions  t_min[usec]  "
      "t_max[usec]  t_avg[usec]\n"
      "            0         1000         0.03         0.05         0.03\n            4         1000         9.41      "
      "   9.58         9.50\n"
      "      4194304 out-of-mem.; needed X=   0.5 GB; use flag \"-mem X\" or MAX_MEM_USAGE>=X (IMB_mem_info.h)\n"
      "# Benchmarking Barrier \n# #processes = 4 \n #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n         1000 "
      "       22.93        22.95        22.94\n";
  const auto found = read(Tool::imb, text);
  CHECK(found.problems == Texts{});
  REQUIRE(found.timings.series.size() == 3);
  CHECK(found.timings.series[0].measure == BenchmarkMeasure::latency);
  REQUIRE(found.timings.series[0].samples.size() == 2);
  CHECK(found.timings.series[0].samples[1].time == 1.7);
  CHECK(found.timings.series[1].operation == "allreduce");
  REQUIRE(found.timings.series[1].samples.size() == 1);  // the series without data has no effect
  CHECK(found.timings.series[1].samples[0].time == 9.58);
  CHECK(found.timings.series[1].samples[0].processes == 4);
  CHECK(found.timings.series[2].operation == "barrier");
  CHECK(found.timings.series[2].samples[0].time == 22.95);
  CHECK(found.timings.remarks == Texts{"data: passed over, no machine is fitted to them: Sendrecv"});
}

TEST_CASE("what is wrong in IMB output is told with its place") {
  const std::string start = "# Benchmarking PingPong\n# #processes = 2\n #bytes #repetitions t[usec] Mbytes/sec\n";
  CHECK(read(Tool::imb, start + " 8 1000 nan 0.00\n").problems ==
        Texts{"4:9: a time has to be a positive number (this is no number)"});
  CHECK(read(Tool::imb, start + " 8 1000\n 16 1000 1.00 0.00\n").problems ==
        Texts{"4:2: a row has 2 columns where 4 are expected (this row)"});
  CHECK(read(Tool::imb, "#bytes #repetitions t[usec] Mbytes/sec\n 8 1000 1.00 0.00\n").problems ==
        Texts{"1:1: this heading belongs to no benchmark (without a line `# Benchmarking ...` before it)"});
  CHECK(read(Tool::imb, "# Benchmarking PingPong\n #bytes #repetitions t[msec]\n 8 1000 1.00\n").problems ==
        Texts{"2:2: this heading has no times in microseconds (neither `t[usec]` nor `t_max[usec]`)"});
  CHECK(read(Tool::imb,
             "# Benchmarking Bcast\n #bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n 8 1000 1.00 1.00 1.00\n")
            .problems ==
        Texts{"2:2: `Bcast` without its number of processes (no line `# #processes = ...` before it)"});
  CHECK(read(Tool::imb, "# OSU MPI Latency Test v5.6.3\n# Size Latency (us)\n1 1.00\n").problems ==
        Texts{"`data` holds no result of a ping-pong or a collective operation of IMB-MPI1"});
}

TEST_CASE("Netgauge: round trips, overheads and gaps; its own fits are not read") {
  const std::string text =
      "# size n PRTT(1,0,s) PRTT(n,0,s) PRTT(n,PRTT(1,0,s),s) L o_s o_r g G lsqu(g,G)\n"
      "# to get o: plot \"./loggp.out\" using 1:(($5-$3)/($2-1)-$3)\n"
      "1 10 14.000000 23.000000 156.000000 7.000000 0.980000 1.140000 -nan -nan -nan\n"
      "2 10 14.200000 23.200000 158.000000 7.000000 0.990000 1.150000 0.934486 0.012832 -nan\n"
      "2 10 14.200000 23.200000 158.000000 7.000000 0.990000 1.150000 1.064050 0.000339 0.178781\n"
      "4 10 14.400000 14.000000 158.000000 7.000000 -0.010000 1.150000 0.934486 0.012832 -nan\n";
  const auto found = read(Tool::netgauge, text);
  CHECK(found.problems == Texts{});
  const auto& latency = only(found, BenchmarkMeasure::latency);
  REQUIRE(latency.samples.size() == 3);
  CHECK(latency.samples[0].time == 7);
  CHECK(only(found, BenchmarkMeasure::gap).samples.size() == 2);
  CHECK(only(found, BenchmarkMeasure::gap).samples[0].time == Approx(1));
  CHECK(only(found, BenchmarkMeasure::send_overhead).samples.size() == 2);
  CHECK(only(found, BenchmarkMeasure::receive_overhead).samples.size() == 3);
  CHECK(found.timings.remarks ==
        Texts{"data: left out, being no positive differences of measured times: 2 overheads or gaps, in line 6"});
  CHECK(read(Tool::netgauge, "1 10 14.0 23.0 156.0 7.0 0.98 1.14\n").problems ==
        Texts{"`data` holds no table of Netgauge's LogGP test"});
  CHECK(read(Tool::netgauge, "# size n PRTT(1,0,s)\n1 1 14.0 23.0 156.0 7.0 0.98 1.14\n").problems ==
        Texts{"2:3: a stream of one message tells no gap (at least 2 are needed)"});
}

TEST_CASE("tables with commas have units in their headings") {
  const auto found =
      read(Tool::csv, "\xEF\xBB\xBFsize [KiB], time [ms] ,remark\r\n# a comment\r\n1,0.5,x\r\n2,0.6,y\r\n");
  const auto& series = only(found, BenchmarkMeasure::latency);
  REQUIRE(series.samples.size() == 2);
  CHECK(series.samples[0].size == 1024);
  CHECK(series.samples[0].time == 500);
  CHECK(series.samples[0].resolution == Approx(50));
  CHECK(found.timings.remarks == Texts{"data: column 3 is passed over, its heading is none that is known"});
}

TEST_CASE("tables of collectives have a column of processes") {
  const auto found =
      read(Tool::csv, "n,size [B],time [us],operation\n2,8,5,broadcast\n4,8,10,broadcast\n4,8,11,allreduce\n");
  CHECK(found.problems == Texts{});
  REQUIRE(found.timings.series.size() == 2);
  CHECK(found.timings.series[0].operation == "broadcast");
  CHECK(found.timings.series[0].samples[1].processes == 4);
  const auto barrier = read(Tool::csv, "n,time [us]\n2,5\n4,10\n");
  CHECK_FALSE(only(barrier, BenchmarkMeasure::collective).sized);
}

TEST_CASE("what is wrong in a table is told with its place") {
  CHECK(read(Tool::csv, "size [B],time\n1,1\n").problems ==
        Texts{"1:10: the column of `time` has no unit (without a unit)"});
  CHECK(read(Tool::csv, "size [us],time [us]\n1,1\n").problems ==
        Texts{"1:7: `size` is a size, and this is no unit of one (`B`, say)"});
  CHECK(read(Tool::csv, "size [B],time [us],time [ms]\n1,1,1\n").problems ==
        Texts{"1:20: there are two columns of `time` (the second one)"});
  CHECK(read(Tool::csv, "size [B],time [us]\n1,nan\n").problems ==
        Texts{"2:3: a time has to be a positive number (this is no number)"});
  CHECK(read(Tool::csv, "size [B],time [us]\n1,-1\n").problems ==
        Texts{"2:3: a time has to be a positive number (this is negative)"});
  CHECK(read(Tool::csv, "size [B],time [us]\nx,1\n").problems ==
        Texts{"2:1: a size has to be a whole number of bytes, not negative (this is no number)"});
  CHECK(read(Tool::csv, "size [B],time [us]\n1,1,1\n2,2\n").problems ==
        Texts{"2:5: a row of 3 cells below a header of 2 (too much)"});
  CHECK(read(Tool::csv, "1,2\n").problems == Texts{"1:1: the first line does not name the columns (numbers)"});
  CHECK(read(Tool::csv, "time [us]\n1\n").problems == Texts{"1:1: there is no column of `size` (the columns)"});
  CHECK(read(Tool::csv, "").problems == Texts{"`data` is empty"});
  CHECK(read(Tool::csv, "size [B],time [us]\n").problems == Texts{"`data` has no rows"});
  CHECK(read(Tool::csv, "n,size [B],time [us]\n0,1,1\n").problems ==
        Texts{"2:1: a number of processes has to be a whole number from 1 on (this is not)"});
}

TEST_CASE("times that nothing takes are refused") {
  CHECK(read(Tool::csv, "size [B],time [us]\n1,1e-300\n2,1\n3,1e17\n").problems ==
        Texts{"2:3: no message takes such a time (shorter than a femtosecond or longer than thirty years)",
              "4:3: no message takes such a time (shorter than a femtosecond or longer than thirty years)"});
  const auto bandwidth = read(Tool::osu, "# OSU MPI Bandwidth Test v7.4\n# Size      Bandwidth (MB/s)\n1  1e300\n");
  CHECK(bandwidth.problems.size() == 1);
  CHECK(bandwidth.timings.series.empty());
}

TEST_CASE("the output of another tool is recognised") {
  wave::frontend::Sources sources;
  wave::frontend::Diagnostics diagnostics;
  const auto file = sources.add("data", "# OSU MPI Latency Test v5.6.3\n# Size Latency (us)\n1 1.00\n");
  fit::Timings timings;
  fit::read_timings(Tool::netgauge, sources, file, {}, timings, diagnostics);
  REQUIRE(diagnostics.all().size() == 1);
  CHECK(diagnostics.all()[0].help.back() == "it looks like the output of the OSU micro-benchmarks: `wave fit osu ...`");
}
