// Goes through a log, and gives each of its lines to the reader of the tool that printed it. See log_reader.h.
#include "analysis/machine_fit/log_reader.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace wave::analysis::machine_fit {

LogTable& LogReader::begin_table(const LogLine& line, std::string test, const RunContext& context) {
  table_ = timings_.tables.size();
  LogTable& table = timings_.tables.emplace_back();
  table.tool = tool_;
  table.file = complaints_.file_number();
  table.test = std::move(test);
  table.mapping = context.command.mapping;
  table.placement = context.placement;
  table.heading = complaints_.location(line.begin, line.end);
  table.first_line = table.last_line = complaints_.line(line.begin);
  return table;
}

void LogReader::extend(const LogLine& line) {
  const std::uint32_t number = complaints_.line(line.begin);
  table()->first_line = std::min(table()->first_line, number);
  table()->last_line = std::max(table()->last_line, number);
}

void LogReader::add(const LogLine& line, const MeasuredKind& kind, Sample sample) {
  extend(line);
  table()->rows.push_back({std::move(sample), table()->kind_of(kind), 0, complaints_.line(line.begin)});
}

void LogReader::leave_out(const LogLine& line, const Sample& sample, const std::string& reason) {
  extend(line);
  ++rows_;
  table()->leave_out(sample, complaints_.line(line.begin), reason);
}

Sample LogReader::sample_of(double size, double time, const Word& word) const {
  return {size, time, resolution_of(word.text), 2, complaints_.location(word)};
}

bool LogReader::is_cut_off(const LogLine& line, const Word& value) const {
  return line.is_unfinished && rows_ > 0 && value.end == line.end && decimals_of(value.text) < decimals_;
}

namespace {

std::string nothing_found(Tool tool, const std::string& file) {
  switch (tool) {
    case Tool::osu: return fmt::format("`{}` holds no result of the OSU micro-benchmarks", file);
    case Tool::imb:
      return fmt::format("`{}` holds no result of a ping-pong or a collective operation of IMB-MPI1", file);
    case Tool::netgauge: return fmt::format("`{}` holds no table of Netgauge's LogGP test", file);
    case Tool::nccl: return fmt::format("`{}` holds no table of NCCL's tests", file);
    case Tool::csv: break;
  }
  return "";
}

constexpr std::size_t most_tables = 4000;  // of a file

class LogWalk {
 public:
  LogWalk(std::optional<Tool> tool, std::string_view text, Complaints& complaints, const ReadOptions& options,
          Timings& timings)
      : tool_(tool),
        text_(text),
        complaints_(complaints),
        timings_(timings),
        current_(tool),
        first_(timings.tables.size()) {
    if (asks(Tool::osu)) readers_[Tool::osu] = osu_reader(complaints, options, timings);
    if (asks(Tool::imb)) readers_[Tool::imb] = imb_reader(complaints, options, timings);
    if (asks(Tool::netgauge)) readers_[Tool::netgauge] = netgauge_reader(complaints, options, timings);
    if (asks(Tool::nccl)) readers_[Tool::nccl] = nccl_reader(complaints, options, timings);
  }

  void walk() {
    LineReader lines(text_);
    while (!complaints_.too_many() && lines.next()) {
      const LogLine line{lines.line(), lines.words(), lines.begin(), lines.end(), lines.unfinished()};
      if (begins_with_number(line.words)) {
        if (!read_row(line)) return;
      } else if (!read_text(line)) {
        return;
      }
    }
    for (auto& [tool, reader] : readers_) reader->finish();
    report();
  }

 private:
  bool asks(Tool tool) const { return !tool_ || *tool_ == tool; }

  LogReader* reader() {
    const auto found = current_ ? readers_.find(*current_) : readers_.end();
    return found == readers_.end() ? nullptr : found->second.get();
  }

  // False after a complaint that ends the file.
  bool read_row(const LogLine& line) {
    LogReader* const own = reader();
    if (own == nullptr || !own->is_row(line)) {
      return read_text(line);
    }
    if (own->rows() >= most_samples) {
      complaints_.add_too_many_rows(line.begin, line.end);
      return false;
    }
    own->read_row(line);
    return true;
  }

  // False after a complaint that ends the file.
  bool read_text(const LogLine& line) {
    if (const auto tool = tool_of(line.text)) enter(*tool, line);
    read_command(line);
    if (std::string place = place_named_in(line.text); !place.empty()) context_.placement = std::move(place);
    const bool is_heading = line.text.front() == '#' || tool_of(line.text).has_value();
    if (LogReader* const own = reader(); own != nullptr && is_heading) own->read_comment(line, context_);
    if (timings_.tables.size() - first_ <= most_tables) return true;
    complaints_.add(line.begin, line.end, fmt::format("more than {} tables", most_tables),
                    "the first that is too many");
    return false;
  }

  // The benchmark itself may name its program after the shell has echoed the command.
  void read_command(const LogLine& line) {
    auto command = command_in(line.words);
    if (line.text.find("concluded") != std::string_view::npos) return;
    if (!command) {  // IMB's comments speak of its own processes
      const int processes = line.text.front() == '#' && current_ == Tool::imb ? 0 : processes_named_in(line.words);
      if (processes > 0) context_.command.processes = processes;
    } else if (command->processes == 0 && command->mapping.empty()) {
      context_.command.program = command->program;
      if (command->window > 0) context_.command.window = command->window;
    } else {
      context_.command = std::move(*command);
    }
  }

  void enter(Tool tool, const LogLine& line) {
    if (current_ == tool) return;
    if (LogReader* const own = reader()) own->leave();
    current_ = tool;
    if (!asks(tool)) foreign_.try_emplace(tool, complaints_.line(line.begin));
  }

  void report() {
    std::size_t rows = 0;
    for (const auto& [tool, reader] : readers_) rows += reader->rows();
    const bool has_tables = timings_.tables.size() > first_ && rows > 0;
    const LogLine* stray = nullptr;
    for (const auto& [tool, reader] : readers_) {
      if (reader->stray()) stray = &*reader->stray();
    }
    if (stray != nullptr && !has_tables && complaints_.count() == 0) {
      complaints_
          .add(stray->begin, stray->end, "numbers without a heading that says what they are",
               "a row before any heading")
          .help.push_back("keep the lines that begin with `#`, such as `# Size          Latency (us)`");
    } else if (stray != nullptr) {
      timings_.remarks.push_back(fmt::format("{}:{}: numbers without a heading are passed over", complaints_.file(),
                                             complaints_.line(stray->begin)));
    }
    if (!tool_) return;
    if (timings_.tables.size() == first_ && complaints_.count() == 0) {
      auto& d = complaints_.add(nothing_found(*tool_, complaints_.file()));
      if (*tool_ == Tool::netgauge)
        d.help.push_back(
            "it begins with `# size n PRTT(1,0,s) ...` and is written by `netgauge -x loggp -o FILE`; what appears on "
            "the screen is not read");
      suggest_tool(d, text_, *tool_);
      return;
    }
    for (const auto& [tool, line] : foreign_) {
      timings_.remarks.push_back(fmt::format("{}:{}: tables of {} are passed over; `wave fit auto` reads them, too",
                                             complaints_.file(), line, long_name(tool)));
    }
  }

  const std::optional<Tool> tool_;
  const std::string_view text_;
  Complaints& complaints_;
  Timings& timings_;
  std::map<Tool, std::unique_ptr<LogReader>> readers_;
  std::optional<Tool> current_;
  const std::size_t first_;  // of the tables of this file
  std::map<Tool, std::uint32_t> foreign_;
  RunContext context_;
};

}  // namespace

void read_log(std::optional<Tool> tool, std::string_view text, Complaints& complaints, const ReadOptions& options,
              Timings& timings) {
  LogWalk(tool, text, complaints, options, timings).walk();
}

}  // namespace wave::analysis::machine_fit
