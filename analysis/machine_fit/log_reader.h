// What the readers of logs have in common. A log is read line by line; each tool's reader is given the lines from one
// of its titles or headings to those of another tool.
#pragma once

#include "analysis/machine_fit/log_marks.h"
#include "analysis/machine_fit/timings.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wave::analysis::machine_fit {

struct LogLine {
  std::string_view text;
  std::vector<Word> words;
  std::uint32_t begin = 0, end = 0;
  bool is_unfinished = false;  // the last one, without an end
};

// What was said before a table about how it was started.
struct RunContext {
  RunCommand command;
  std::string placement;
};

class LogReader {
 public:
  LogReader(Tool tool, Complaints& complaints, const ReadOptions& options, Timings& timings)
      : tool_(tool), complaints_(complaints), options_(options), timings_(timings) {}
  virtual ~LogReader() = default;

  // A line that begins with `#` or holds a heading; `context` is of the run that it belongs to. A reader takes the
  // command out of it once a run has begun, since the next one may have another.
  virtual void read_comment(const LogLine& line, RunContext& context) = 0;
  virtual void read_row(const LogLine& line) = 0;
  // Whether a line that begins with a number is a row, and not a text of something else.
  virtual bool is_row(const LogLine& line) const = 0;
  // The file ends.
  virtual void finish() {}
  // No row of the present table follows: another tool's begin.
  virtual void leave() { table_.reset(); }

  std::size_t rows() const { return rows_; }
  // The first row that stands before any heading.
  const std::optional<LogLine>& stray() const { return stray_; }

 protected:
  // Begins a table at this line, with what the context says.
  LogTable& begin_table(const LogLine& line, std::string test, const RunContext& context);
  const LogTable* table() const { return table_ ? &timings_.tables[*table_] : nullptr; }
  LogTable* table() { return table_ ? &timings_.tables[*table_] : nullptr; }
  // A row of the present table.
  void add(const LogLine& line, const MeasuredKind& kind, Sample sample);
  void leave_out(const LogLine& line, const Sample& sample, const std::string& reason);
  // A row of a table that is not used.
  void pass_over(const LogLine& line) {
    if (table()) extend(line);  // it may have been left for one of another tool
  }
  Sample sample_of(double size, double time, const Word& word) const;
  void set_stray(const LogLine& line) {
    if (!stray_) stray_ = line;
  }
  void cut_off() { timings_.remark_cut_off(complaints_.file()); }
  // Whether the last number of the file has lost digits.
  bool is_cut_off(const LogLine& line, const Word& value) const;

  const Tool tool_;
  Complaints& complaints_;
  const ReadOptions& options_;
  Timings& timings_;
  std::size_t rows_ = 0;
  std::size_t decimals_ = 0;  // of the row before

 private:
  void extend(const LogLine& line);

  std::optional<std::size_t> table_;
  std::optional<LogLine> stray_;
};

std::unique_ptr<LogReader> osu_reader(Complaints& complaints, const ReadOptions& options, Timings& timings);
std::unique_ptr<LogReader> imb_reader(Complaints& complaints, const ReadOptions& options, Timings& timings);
std::unique_ptr<LogReader> netgauge_reader(Complaints& complaints, const ReadOptions& options, Timings& timings);
std::unique_ptr<LogReader> nccl_reader(Complaints& complaints, const ReadOptions& options, Timings& timings);

}  // namespace wave::analysis::machine_fit
