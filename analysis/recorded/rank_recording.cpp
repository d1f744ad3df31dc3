// See rank_recording.h.
#include "analysis/recorded/rank_recording.h"

#include "analysis/recorded/call_player.h"
#include "analysis/recorded/words.h"
#include "base/text.h"

#include <fmt/format.h>

#include <variant>

namespace wave::analysis::recorded {

using frontend::DiagnosticKind;

namespace {

// A loop, of calls and loops.
struct Block;
using Part = std::variant<Call, Block>;
struct Block {
  std::int64_t count = 1;
  double bytes = 0;  // that it takes when it is unfolded
  std::vector<Part> parts;
  Location location;
};

// In memory, when it has been read.
double bytes_of(const Call& call) {
  return static_cast<double>(sizeof(Step) + sizeof(Times) + sizeof(PhaseSteps) +
                             call.more.size() * sizeof(std::size_t));
}

// The text of one rank.
class Reader {
 public:
  Reader(const frontend::Sources& sources, std::uint32_t file, frontend::Diagnostics& diagnostics,
         std::size_t most_bytes)
      : sources_(sources), file_(file), diagnostics_(diagnostics), most_bytes_(static_cast<double>(most_bytes)) {}

  // False, with a diagnostic: it cannot be read.
  bool read() {
    frontend::TextLines lines(sources_.text(file_), " \t\r");
    while (lines.next()) {
      here_ = {file_, lines.begin(), lines.end()};
      if (!read_line(sources_.text(here_), lines.unfinished())) return false;
    }
    if (!open_loops_.empty()) {
      here_ = open_loops_.back().location;
      return refuse("this loop has no end", "a line `}` is missing behind it", a_loop);
    }
    if (result.ranks == 0) {
      here_ = {file_, 0, 0};
      return refuse("this is no recording of a rank", "here `#rank 0 of 4` is expected");
    }
    return true;
  }

  RankRecording result;

 private:
  static constexpr std::size_t most_nested = 64;
  static constexpr const char* a_loop = "a loop is `repeat 250 {`, its calls, and `}`";

  bool refuse(const std::string& message, const std::string& label,
              const char* help = "a recording has a line for each call: `Send 1 2880 0 4/0000 1963 19296`") {
    diagnostics_.add(DiagnosticKind::unreadable_recording, here_, message, label).help.push_back(help);
    return false;
  }

  bool read_line(std::string_view line, bool is_last) {
    const auto words = words_of(line);
    if (line.front() == '#') return read_remark(words);
    if (result.ranks == 0) return refuse("this is no recording of a rank", "before it `#rank 0 of 4` is expected");
    if (words[0] == "repeat") return begin_loop(words);
    if (words[0] == "}" && words.size() == 1) return end_loop();
    if (is_one_of(words[0], {"Phase", "End"})) {
      Call mark;
      mark.name = words[0];
      mark.location = here_;
      mark.more = {without_blanks_around(line.substr(words[0].size()))};
      return take(std::move(mark));
    }
    auto call = call_of(words, is_last);
    return call && take(std::move(*call));
  }

  bool read_remark(const std::vector<std::string_view>& words) {
    if (words[0] == "#rank") return read_rank(words);
    if (is_one_of(words[0], {"#cut", "#dropped"})) result.is_cut = true;
    if (words[0] == "#param" && words.size() > 1) {
      const std::vector<std::string> value(words.begin() + 2, words.end());
      result.parameters[std::string(words[1])] = join_texts(value, " ");
    }
    if (words[0] == "#node" && words.size() > 1) result.node = rank_of(words[1], result.ranks);
    if (words[0] == "#cart") return read_grid(words);
    return true;
  }
  bool read_rank(const std::vector<std::string_view>& words) {
    const auto own = words.size() == 4 ? whole_number_of(words[1]) : std::nullopt;
    const auto all = words.size() == 4 ? whole_number_of(words[3]) : std::nullopt;
    constexpr std::int64_t most = 1 << 24;
    if (!own || !all || *all < 1 || *all > most || *own < 0 || *own >= *all || result.ranks != 0)
      return refuse("which rank this is cannot be read", "as in `#rank 0 of 4`, once");
    result.rank = *own;
    result.ranks = *all;
    result.heading = here_;
    return true;
  }
  // `#cart 4/0000 2x2 periodic 01 at 1,0`
  bool read_grid(const std::vector<std::string_view>& words) {
    const auto trouble = [&] {
      return refuse("this grid cannot be read", "as in `#cart 4/0000 2x2 periodic 01 at 1,0`");
    };
    constexpr std::size_t most_axes = 64;
    if (words.size() != 7 || words[3] != "periodic" || words[5] != "at") return trouble();
    CartesianGrid grid;
    grid.communicator = words[1];
    for (const std::string_view text : parts_of(words[2], 'x')) grid.extents.push_back(rank_of(text, result.ranks + 1));
    for (const std::string_view text : parts_of(words[6], ',')) grid.place.push_back(rank_of(text, result.ranks));
    for (const char wraps : words[4]) grid.wraps.push_back(wraps == '1');
    const std::size_t axes = grid.extents.size();
    if (axes > most_axes || grid.place.size() != axes || grid.wraps.size() != axes) return trouble();
    for (std::size_t i = 0; i < axes; ++i) {
      if (grid.place[i] < 0 || grid.extents[i] <= grid.place[i]) return trouble();
    }
    result.grids.push_back(std::move(grid));
    return true;
  }

  bool begin_loop(const std::vector<std::string_view>& words) {
    constexpr std::int64_t most = std::int64_t{1} << 53;
    const auto count = words.size() == 3 && words[2] == "{" ? whole_number_of(words[1]) : std::nullopt;
    if (!count || *count < 1 || *count > most)
      return refuse("this loop cannot be read", "as in `repeat 250 {`", a_loop);
    if (open_loops_.size() == most_nested)
      return refuse(fmt::format("loops in more than {} loops", most_nested), "this is one more",
                    "write what is repeated by one loop as one");
    Block loop;
    loop.count = *count;
    loop.location = here_;
    open_loops_.push_back(std::move(loop));
    return true;
  }
  bool end_loop() {
    if (open_loops_.empty())
      return refuse("a loop ends that has not begun", "before it `repeat 250 {` is expected", a_loop);
    Block loop = std::move(open_loops_.back());
    open_loops_.pop_back();
    loop.bytes *= static_cast<double>(loop.count);
    return take(std::move(loop));
  }

  // Into the loop around it, or as what comes next.
  bool take(Part part) {
    const auto* const call = std::get_if<Call>(&part);
    const double bytes = call != nullptr ? bytes_of(*call) : std::get<Block>(part).bytes;
    if (!open_loops_.empty()) {
      open_loops_.back().bytes += bytes;
      open_loops_.back().parts.push_back(std::move(part));
      return true;
    }
    bytes_ += bytes;
    if (bytes_ > most_bytes_) {
      if (call == nullptr) here_ = std::get<Block>(part).location;
      return refuse("the recording has too many calls for this memory", "up to here",
                    "raise `--memory-limit`, or record a shorter run");
    }
    return play(part);
  }
  // NOLINTNEXTLINE(misc-no-recursion): as deep as loops are in each other, which is bounded.
  bool play(const Part& part) {
    if (const auto* const loop = std::get_if<Block>(&part)) {
      if (loop->parts.empty()) return true;
      for (std::int64_t i = 0; i < loop->count; ++i) {
        for (const Part& one : loop->parts) {
          if (!play(one)) return false;
        }
      }
      return true;
    }
    const Call& call = std::get<Call>(part);
    here_ = call.location;
    if (call.name == "Phase") {
      player_.begin_phase(std::string(call.more[0]));
      return true;
    }
    if (call.name == "End") {
      return player_.end_phase(std::string(call.more[0])) ||
             refuse("a phase ends that has not begun", "before it `Phase` and its name are expected");
    }
    const auto [trouble, label] = player_.play(call);
    return trouble.empty() || refuse(trouble, label);
  }

  std::optional<Call> call_of(const std::vector<std::string_view>& words, bool is_last) {
    constexpr std::size_t fields = 7;
    Call call;
    const auto peer = words.size() > 1 ? whole_number_of(words[1]) : std::nullopt;
    const auto bytes = words.size() > 2 ? size_of(words[2]) : std::nullopt;
    if (words.size() < fields || !peer || !bytes) {
      is_last ? refuse("the recording is cut off in this line", "the last one")
              : refuse("this is no call of a recording", "a call has a name and six fields");
      return std::nullopt;
    }
    const bool is_from_anybody =
        *peer == -2 && is_one_of(words[0], {"Recv", "Irecv", "Recv_init", "Probe", "Iprobe", "Mprobe", "Improbe"});
    if (*peer >= result.ranks || (*peer < -1 && !is_from_anybody)) {
      refuse(fmt::format("there is no rank {} of {}", *peer, result.ranks), "at the other end of this call");
      return std::nullopt;
    }
    call.name = words[0];
    call.peer = *peer;
    call.bytes = *bytes;
    call.communicator = words[4];
    call.times.since_ns = duration_of(words[5]).value_or(0);
    call.times.inside_ns = duration_of(words[6]).value_or(0);
    call.location = here_;
    for (std::size_t i = fields; i < words.size(); ++i) {
      const std::string_view word = words[i];
      if (word.starts_with("since="))
        call.times.since_ns = mean_of(word.substr(6)).value_or(call.times.since_ns);
      else if (word.starts_with("inside="))
        call.times.inside_ns = mean_of(word.substr(7)).value_or(call.times.inside_ns);
      else if (word.starts_with("cpu="))
        call.times.cpu_ns = mean_of(word.substr(4)).value_or(-1);
      else if (word.find('=') == std::string_view::npos && word.front() != '@')
        call.more.push_back(word);
    }
    return call;
  }

  const frontend::Sources& sources_;
  const std::uint32_t file_;
  frontend::Diagnostics& diagnostics_;
  const double most_bytes_;
  double bytes_ = 0;
  Location here_;
  std::vector<Block> open_loops_;
  CallPlayer player_{result};
};

}  // namespace

std::optional<RankRecording> read_rank(const frontend::Sources& sources, std::uint32_t file,
                                       frontend::Diagnostics& diagnostics, std::size_t most_bytes) {
  Reader reader(sources, file, diagnostics, most_bytes);
  if (!reader.read()) return std::nullopt;
  return std::move(reader.result);
}

std::size_t bytes_of_steps(const RankRecording& recording) {
  std::size_t bytes = recording.phases.size() * sizeof(PhaseSteps);
  for (const Step& step : recording.steps)
    bytes += sizeof(Step) + sizeof(Times) + step.ended.size() * sizeof(std::size_t);
  return bytes;
}

}  // namespace wave::analysis::recorded
