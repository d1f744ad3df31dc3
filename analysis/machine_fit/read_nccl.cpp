// Reads the tables of NCCL's tests (nccl-tests, also rccl-tests).
//
//   # nThread 1 nGpus 1 minBytes 8 maxBytes 134217728 step: 2(factor) warmup iters: 5 iters: 20 ...
//   #  Rank  0 Group  0 Pid  3142 on    node01 device  0 [0x07] NVIDIA A100-SXM4-40GB
//   #                                                 out-of-place                   in-place
//   #   size    count  type   redop  root   time  algbw  busbw #wrong   time  algbw  busbw #wrong
//   #    (B)                                (us) (GB/s) (GB/s)          (us) (GB/s) (GB/s)
//          8        2  float    sum    -1  15.21   0.00   0.00      0  14.94   0.00   0.00      0
//
// The time out of place counts. sendrecv_perf is a ring in which each rank sends to the next one and receives from the
// one before, so that on two ranks it is one pair that exchanges. The others are collective operations. Which test it
// was is said by lines of newer versions ("# Collective test starting: all_reduce_perf") or by an echoed command, else
// by an option.
#include "analysis/machine_fit/benchmark_names.h"
#include "analysis/machine_fit/log_reader.h"
#include "base/text.h"
#include "frontend/format/quantities.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace wave::analysis::machine_fit {
namespace {

constexpr int most_gpus = 64;  // of a process

class NcclReader : public LogReader {
 public:
  using LogReader::LogReader;
  void read_comment(const LogLine& line, RunContext& context) override;
  void read_row(const LogLine& line) override;
  // Rows have the words `float` and `sum`.
  bool is_row(const LogLine& line) const override {
    return !refused_ && (line.words.size() == width_ || line.words.size() < 2 || !is_plain_word(line.words[1].text));
  }
  void finish() override;
  void leave() override {
    LogReader::leave();
    from_right_.reset();
    in_us_ = false;
  }

 private:
  void read_rank(const LogLine& line);
  void read_heading(const LogLine& line, RunContext& context);
  bool name_test();
  bool has_wrong(const std::vector<Word>& words) const;
  void complain_of_lone_processes(std::uint32_t begin, std::uint32_t end, std::size_t processes);

  std::string version_, test_;  // "all_reduce"; empty: not said
  std::set<int> ranks_;
  std::set<std::string> hosts_;  // that they are on
  int started_ = 0, gpus_of_each_ = 1;
  std::size_t ranks_listed_ = 0;
  bool ranks_are_complete_ = false;  // a table has come, so that further ranks belong to another run
  std::size_t lone_runs_ = 0;        // lists of rank 0 alone
  LogLine lone_line_ = {};
  std::optional<std::size_t> from_right_;  // of the first time, counted from the end of a row
  std::vector<std::size_t> wrong_;         // of what says how many values were wrong
  bool in_us_ = false;
  bool refused_ = false;
  bool sends_ = false;     // sendrecv_perf
  std::size_t width_ = 0;  // of a row
  MeasuredKind kind_;
};

void NcclReader::read_rank(const LogLine& line) {
  if (ranks_are_complete_) {
    ranks_.clear();
    hosts_.clear();
    ranks_listed_ = 0;
  }
  ranks_are_complete_ = false;
  ranks_.insert(whole_number_at(line.words[2].text, 0));
  const auto on =
      std::find_if(line.words.begin(), line.words.end(), [](const Word& word) { return word.text == "on"; });
  if (on != line.words.end() && std::next(on) != line.words.end()) hosts_.insert(std::string(std::next(on)->text));
  ++ranks_listed_;
  if (ranks_.size() == 1 && *ranks_.begin() == 0) {
    ++lone_runs_;
    lone_line_ = line;
  } else {
    lone_runs_ = 0;
  }
}

void NcclReader::complain_of_lone_processes(std::uint32_t begin, std::uint32_t end, std::size_t processes) {
  auto& d = complaints_.add(begin, end, fmt::format("{} processes ran this test, each on one GPU by itself", processes),
                            "each of them is rank 0");
  d.notes.push_back(
      "nccl-tests was built without MPI and started by a launcher such as mpirun: the processes know "
      "nothing of one another");
  d.help.push_back("build it with `make MPI=1`, or start one process for all GPUs of a node: `all_reduce_perf -g 8`");
}

// What the test is called, and what it measures; false after a complaint.
bool NcclReader::name_test() {
  const std::string name = test_.empty() ? options_.operation : test_;
  table()->test = name;
  sends_ = name == "sendrecv";
  kind_ = {};
  if (ranks_.size() == 1) table()->unused = "one GPU alone exchanges nothing";
  if (sends_) return true;
  if (name.empty()) {
    complaints_.add(fmt::format("`{}` does not say which test it is of", complaints_.file()))
        .help.push_back("say it: `--operation allreduce`");
    return false;
  }
  if (name == "alltoallv") {
    table()->unused = why_unused(name);
    return true;
  }
  const auto* collective = find_collective(Tool::nccl, name, 0);
  table()->processes = ranks_.empty() ? started_ : static_cast<int>(ranks_.size());
  table()->size_is = collective != nullptr ? collective->size_is : SizeIs::same;
  if (test_.empty()) {  // `--operation` may give the name of std.comm
    for (const std::string_view known : {"all_reduce", "all_gather", "alltoall", "gather", "scatter"}) {
      const auto* other = find_collective(Tool::nccl, known, 0);
      if (other->operation == name) table()->size_is = other->size_is;
    }
  }
  kind_ = {BenchmarkMeasure::collective, collective != nullptr ? std::string(collective->operation) : name, true};
  return true;
}

void NcclReader::read_heading(const LogLine& line, RunContext& context) {
  const auto& words = line.words;
  from_right_.reset();
  wrong_.clear();
  in_us_ = false;
  for (std::size_t i = 2; i < words.size(); ++i) {
    const std::string name = lower_case(words[i].text);
    if (name == "time" && !from_right_) from_right_ = words.size() - i;
    if (name == "#wrong") wrong_.push_back(words.size() - i);
  }
  width_ = words.size() - 1;
  if (ranks_listed_ > ranks_.size()) {
    if (ranks_.size() == 1) {
      complain_of_lone_processes(lone_line_.begin, lone_line_.end, ranks_listed_);
    } else {
      complaints_
          .add(line.begin, line.end, "the list of GPUs above this table names a rank twice", "of several runs at once")
          .help.push_back("write the output of each run into a file of its own");
    }
    refused_ = true;
    return;
  }
  ranks_are_complete_ = true;
  begin_table(line, test_, context);
  started_ = context.command.processes * gpus_of_each_;  // where the list of ranks is missing
  context.command = {};
  table()->version = version_;
  table()->library = "NCCL";
  table()->buffers = "device to device";
  if (!ranks_.empty()) {
    std::string& placement = table()->placement;
    if (!placement.empty()) placement += ", ";
    placement += frontend::counted(ranks_.size(), "GPU");
    if (!hosts_.empty()) placement += " on " + frontend::counted(hosts_.size(), "node");
  }
  if (!from_right_) {
    complaints_.add(line.begin, line.end, "this heading has no column of times", "no `time`");
    refused_ = true;
    return;
  }
  refused_ = !name_test();
}

void NcclReader::read_comment(const LogLine& line, RunContext& context) {
  const auto& words = line.words;
  const std::string lower = lower_case(line.text);
  constexpr std::string_view suffix = "_perf";
  const std::string& program = context.command.program;
  if (program.ends_with(suffix) && lower.find("concluded") == std::string::npos) {
    std::string test = lower_case(program.substr(0, program.size() - suffix.size()));
    if (test != test_) lone_runs_ = 0;
    test_ = std::move(test);
    refused_ = false;
  }
  if (program.empty() && ranks_are_complete_ && lower.find("# nthread") != std::string::npos) test_.clear();
  if (const std::size_t at = lower.find("nthread "); at != std::string::npos) {
    const std::size_t gpus = lower.find("ngpus ");
    const int threads = whole_number_at(lower, at + std::string_view("nthread ").size());
    const int on_each =
        gpus == std::string::npos ? 1 : whole_number_at(lower, gpus + std::string_view("ngpus ").size());
    const bool is_sound = threads >= 1 && threads <= most_gpus && on_each >= 1 && on_each <= most_gpus / threads;
    gpus_of_each_ = is_sound ? threads * on_each : 1;
  }
  if (lower.find("nccl-tests version") != std::string::npos && words.size() > 3) version_ = std::string(words[3].text);
  if (words.size() > 2 && lower_case(words[1].text) == "rank") read_rank(line);
  if (words.size() < 4) return;
  const std::string first = lower_case(words[1].text);
  if (first == "size") {
    read_heading(line, context);
  } else if (first == "(b)" && !refused_) {
    in_us_ = lower.find("(us)") != std::string::npos;
    if (in_us_) return;
    complaints_.add(line.begin, line.end, "this heading does not say in which unit times are", "no `(us)`")
        .help.push_back("the tests print `(us)` below `time`");
    refused_ = true;
  }
}

bool NcclReader::has_wrong(const std::vector<Word>& words) const {
  return std::any_of(wrong_.begin(), wrong_.end(),
                     [&](std::size_t from_right) { return is_above_zero(words[words.size() - from_right].text); });
}

void NcclReader::read_row(const LogLine& line) {
  const auto& words = line.words;
  if (!from_right_ || !in_us_ || !table()) return set_stray(line);
  if (!table()->is_used()) return pass_over(line);
  if (words.size() != width_) {
    if (line.is_unfinished && rows_ > 0 && words.size() < width_) return cut_off();
    complaints_.add_short_row(line.begin, line.end, words.size(), width_);
    return;
  }
  if (has_wrong(words)) return leave_out(line, {}, "`#wrong` is above 0");
  const Word& value = words[words.size() - *from_right_];
  const auto size = complaints_.size(words[0]);
  const auto time = complaints_.positive(value, "time");
  ++rows_;
  if (!size || !time) return;
  Sample sample = sample_of(*size, *time, value);
  sample.is_mean = !sends_;  // BenchTime of common.cu: `-a 1`, unless told otherwise
  if (sends_) sample.processes = std::max(static_cast<int>(ranks_.size()), 2);
  if (!sends_ && *size == 0) return leave_out(line, sample, "without data the operation does nothing");
  add(line, kind_, sample);
}

void NcclReader::finish() {
  // Processes that did not know of one another, one after the other. Beside usable tables they are passed over.
  if (lone_runs_ > 1 && rows_ == 0 && complaints_.count() == 0)
    complain_of_lone_processes(lone_line_.begin, lone_line_.end, lone_runs_);
}

}  // namespace

std::unique_ptr<LogReader> nccl_reader(Complaints& complaints, const ReadOptions& options, Timings& timings) {
  return std::make_unique<NcclReader>(Tool::nccl, complaints, options, timings);
}

}  // namespace wave::analysis::machine_fit
