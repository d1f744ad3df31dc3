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
// was is said by lines of newer versions ("# Collective test starting: all_reduce_perf"), else by an option.
#include "analysis/machine_fit/timings.h"

#include <fmt/format.h>

namespace wave::analysis::machine_fit {
namespace {

class NcclReader {
 public:
  NcclReader(std::string_view text, Complaints& complaints, const ReadOptions& options, Timings& timings)
      : text_(text), lines_(text), complaints_(complaints), options_(options), timings_(timings) {}

  void read();

 private:
  void read_comment(const std::vector<Word>& words);
  void read_row(const std::vector<Word>& words);
  void add(const Sample& sample);
  bool is_cut_off() const { return lines_.unfinished() && rows_ > 0; }

  std::string_view text_;
  LineReader lines_;
  Complaints& complaints_;
  const ReadOptions& options_;
  Timings& timings_;

  std::string test_;  // "all_reduce"; empty: not said
  int ranks_ = 0;
  bool ranks_are_complete_ = false;        // a table has come, so that further ranks belong to another run
  std::optional<std::size_t> from_right_;  // of the first time, counted from the end of a row
  bool in_us_ = false;
  bool refused_ = false;
  std::size_t width_ = 0;  // of a row
  std::size_t rows_ = 0;
};

// What std.comm calls it, as far as machines are fitted to it.
std::string collective_of(const std::string& test) {
  if (test == "all_reduce") return "allreduce";
  if (test == "all_gather") return "allgather";
  if (test == "alltoall") return "total_exchange";
  return operation_named(test);
}

void NcclReader::read_comment(const std::vector<Word>& words) {
  const std::string line = lower_case(lines_.line());
  const std::size_t suffix = line.find("_perf");
  if (suffix != std::string::npos) {
    const std::size_t before = line.find_last_of(" /\t", suffix);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    test_ = line.substr(begin, suffix - begin);
    refused_ = false;
  }
  if (words.size() > 2 && lower_case(words[1].text) == "rank") {
    if (ranks_are_complete_) ranks_ = 0;
    ranks_are_complete_ = false;
    ++ranks_;
  }
  if (words.size() < 4) return;
  const std::string first = lower_case(words[1].text);
  if (first == "size") {
    from_right_.reset();
    in_us_ = false;
    for (std::size_t i = 2; i < words.size() && !from_right_; ++i) {
      if (lower_case(words[i].text) == "time") from_right_ = words.size() - i;
    }
    width_ = words.size() - 1;
    ranks_are_complete_ = true;
    if (!from_right_) {
      complaints_.add(lines_.begin(), lines_.end(), "this heading has no column of times", "no `time`");
      refused_ = true;
    }
  } else if (first == "(b)") {
    in_us_ = line.find("(us)") != std::string::npos;
    if (in_us_) return;
    complaints_.add(lines_.begin(), lines_.end(), "this heading does not say in which unit times are", "no `(us)`")
        .help.push_back("the tests print `(us)` below `time`");
    refused_ = true;
  }
}

void NcclReader::add(const Sample& measured) {
  Sample sample = measured;
  if (test_ == "sendrecv" || (test_.empty() && options_.operation == "sendrecv")) {
    sample.place = options_.place.value_or("");
    timings_.of(BenchmarkMeasure::latency).samples.push_back(std::move(sample));
    return;
  }
  std::string operation = test_.empty() ? options_.operation : collective_of(test_);
  if (operation.empty()) operation = test_;
  sample.processes = options_.processes.value_or(ranks_);
  if (operation.empty()) {
    complaints_.add(fmt::format("`{}` does not say which test it is of", complaints_.file()))
        .help.push_back("say it: `--operation allreduce`");
    refused_ = true;
  } else if (sample.processes < 1) {
    complaints_.add(fmt::format("`{}` does not say how many processes took part", complaints_.file()))
        .help.push_back("keep the lines `#  Rank  0 ...`, or say it for each file: `--processes 4,8,16`");
    refused_ = true;
  } else if (sample.size > 0) {
    timings_.of(BenchmarkMeasure::collective, operation).samples.push_back(std::move(sample));
  }
}

void NcclReader::read_row(const std::vector<Word>& words) {
  if (!from_right_ || !in_us_) {
    complaints_
        .add(lines_.begin(), lines_.end(), "numbers without a heading that says what they are",
             "a row before any heading")
        .help.push_back("keep the lines that begin with `#`");
    refused_ = true;
    return;
  }
  if (words.size() != width_) {
    if (is_cut_off() && words.size() < width_) {
      timings_.remark_cut_off(complaints_.file());
    } else {
      complaints_.add_short_row(lines_.begin(), lines_.end(), words.size(), width_);
    }
    return;
  }
  const Word& value = words[words.size() - *from_right_];
  const auto size = complaints_.size(words[0]);
  const auto time = complaints_.positive(value, "time");
  ++rows_;
  if (size && time) add({*size, *time, resolution_of(value.text), 2, complaints_.location(value)});
}

void NcclReader::read() {
  const auto is_row = [this](const std::vector<Word>& words) { return !refused_ && begins_with_number(words); };
  read_lines(
      lines_, complaints_, rows_, [this](const auto& words) { read_comment(words); }, is_row,
      [this](const auto& words) { read_row(words); });
  if (rows_ > 0 || complaints_.count() > 0) return;
  suggest_tool(complaints_.add(fmt::format("`{}` holds no table of NCCL's tests", complaints_.file())), text_,
               Tool::nccl);
}

}  // namespace

void read_nccl(std::string_view text, Complaints& complaints, const ReadOptions& options, Timings& timings) {
  NcclReader(text, complaints, options, timings).read();
}

}  // namespace wave::analysis::machine_fit
