// See rank_recording.h.
#include "analysis/recorded/rank_recording.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <variant>

namespace wave::analysis::recorded {

using frontend::DiagnosticKind;

const std::map<std::string_view, std::string_view>& collectives() {
  static const std::map<std::string_view, std::string_view> names{
      {"Barrier", "barrier"},         {"Bcast", "broadcast"},     {"Reduce", "reduce"},
      {"Allreduce", "allreduce"},     {"Scan", "scan"},           {"Gather", "gather"},
      {"Scatter", "scatter"},         {"Allgather", "allgather"}, {"Allgatherv", "allgatherv"},
      {"Alltoall", "total_exchange"}, {"Alltoallv", "alltoallv"}, {"Reduce_scatter", "reduce_scatter"},
      {"Iallreduce", "iallreduce"}};
  return names;
}

std::string_view collective_of(std::string_view name) {
  std::string_view best = name;
  std::size_t longest = 0;
  for (const auto& [call, known] : collectives()) {
    const bool is_ending =
        name.size() > known.size() && name.ends_with(known) && name[name.size() - known.size() - 1] == '_';
    if ((name != known && !is_ending) || known.size() <= longest) continue;
    longest = known.size();
    best = known;
  }
  return best;
}

namespace {

bool is_one_of(std::string_view call, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), call) != names.end();
}

template <class Number>
std::optional<Number> number_of(std::string_view text) {
  Number result{};
  const auto end = std::from_chars(text.data(), text.data() + text.size(), result);
  if (text.empty() || end.ec != std::errc() || end.ptr != text.data() + text.size()) return std::nullopt;
  return result;
}

// A rank of `ranks`, or nobody.
std::int64_t rank_of(std::string_view text, std::int64_t ranks) {
  const auto rank = number_of<std::int64_t>(text);
  return rank && *rank >= 0 && *rank < ranks ? *rank : -1;
}

// Bytes that a double holds exactly, or -1 for those that are data.
std::optional<double> size_of(std::string_view text) {
  constexpr std::int64_t most = std::int64_t{1} << 53;
  if (text == "data") return -1;
  const auto size = number_of<std::int64_t>(text);
  return size && *size >= 0 && *size <= most ? std::optional(static_cast<double>(*size)) : std::nullopt;
}

std::optional<double> duration_of(std::string_view text) {
  const auto duration = number_of<double>(text);
  return duration && std::isfinite(*duration) ? std::optional(std::max(*duration, 0.0)) : std::nullopt;
}

// The parts of a text between two of a mark.
std::vector<std::string_view> parts_of(std::string_view text, char mark) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(mark, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

// The mean of what is written as SUM:LEAST:MOST:HISTOGRAM, or as one number.
std::optional<double> mean_of(std::string_view text) {
  const auto parts = parts_of(text, ':');
  const auto sum = duration_of(parts[0]);
  if (parts.size() < 4 || !sum) return sum;
  double count = 0;
  for (const std::string_view bucket : parts_of(parts[3], ',')) {
    const std::size_t times = std::min(bucket.find('x'), bucket.size() - 1);
    count += static_cast<double>(number_of<std::uint32_t>(bucket.substr(times + 1)).value_or(0));
  }
  return count > 0 ? std::optional(*sum / count) : std::nullopt;
}

// A line.
struct Call {
  std::string_view name;
  std::int64_t peer = -1;
  double bytes = 0;
  std::string_view communicator;
  std::vector<std::string_view> more;  // but for what is about times and places in the program
  Times times;
  Location location;
};
struct Block;
using Part = std::variant<Call, Block>;
struct Block {
  std::uint64_t count = 1;
  double bytes = 0;  // that it takes when it is unfolded
  std::vector<Part> parts;
  Location location;
};

// In memory, when it has been read.
double bytes_of(const Call& call) {
  return static_cast<double>(sizeof(Step) + sizeof(Times) + sizeof(PhaseSteps) +
                             call.more.size() * sizeof(std::size_t));
}

// Does what calls say, one after the other.
class Player {
 public:
  explicit Player(RankRecording& result) : result_(result) {}

  // What is wrong with the call, and what is expected; empty: nothing is.
  using Trouble = std::pair<std::string, std::string>;

  Trouble play(const Call& call) {
    call_ = &call;
    step_ = Step{};
    step_.peer = call.peer;
    step_.size = call.bytes;
    step_.location = call.location;
    if (!call.more.empty() && call.more[0] == "open") {
      if (open_.size() == most_open)
        return {fmt::format("more than {} requests are open", most_open), "this is one more"};
      open_.emplace_back();
    }
    const std::size_t before = result_.steps.size();
    Trouble trouble = play_kind();
    since_ += call.times.since_ns;
    cpu_ = cpu_ < 0 || call.times.cpu_ns < 0 ? -1 : cpu_ + call.times.cpu_ns;
    for (std::size_t i = before; i < result_.steps.size(); ++i) {
      result_.times.push_back({since_, i == before ? call.times.inside_ns : 0, cpu_});
      since_ = cpu_ = 0;
    }
    return trouble;
  }

  void begin_phase(std::string name) { phases_.push_back({std::move(name), result_.steps.size(), 0}); }
  // False: it has not begun.
  bool end_phase(const std::string& name) {
    const auto found =
        std::find_if(phases_.rbegin(), phases_.rend(), [&](const PhaseSteps& one) { return one.name == name; });
    if (found == phases_.rend()) return false;
    found->end = result_.steps.size();
    result_.phases.push_back(std::move(*found));
    phases_.erase(std::next(found).base());
    return true;
  }

 private:
  struct Request {
    Step step;              // of a persistent one: what each start begins
    std::size_t began = 0;  // the step
    bool is_step = false;   // whether there is such a step
  };
  // As all requests have them. `o` and a number is a place among those that are open.
  struct Open {
    std::size_t began = 0;
    bool is_step = false, is_over = false;
  };
  static constexpr std::size_t most_open = std::size_t{1} << 20;

  static Trouble none() { return {}; }

  Trouble play_kind() {
    using Kind = Step::Kind;
    const std::string_view name = call_->name;
    if (is_one_of(name, {"Send", "Ssend", "Bsend", "Rsend"})) return add(Kind::send);
    if (is_one_of(name, {"Recv", "Mrecv"})) {
      for (const std::string_view word : call_->more) {
        if (word.starts_with("from")) step_.peer = rank_of(word.substr(4), result_.ranks);
      }
      return add(Kind::receive);
    }
    if (is_one_of(name, {"Isend", "Issend", "Ibsend", "Irsend"})) return begin(Kind::started_send);
    if (is_one_of(name, {"Irecv", "Imrecv"})) return begin(Kind::posted_receive);
    if (is_one_of(name, {"Send_init", "Ssend_init", "Bsend_init", "Rsend_init", "Recv_init"})) {
      step_.kind = name == "Recv_init" ? Kind::posted_receive : Kind::started_send;
      if (call_->more.empty()) return no_request();
      requests_[std::string(call_->more[0])] = {step_, 0, false};
      return none();
    }
    if (is_one_of(name, {"Start", "Startall"})) return start();
    if (name.starts_with("Wait") || name.starts_with("Test")) return end(true);
    if (is_one_of(name, {"Request_free", "Unseen"})) return end(false);
    if (name == "Sendrecv") return exchange();
    if (const auto found = collectives().find(name); found != collectives().end()) return collective(found->second);
    ++result_.passed_over[std::string(name.substr(0, 40))];
    return none();
  }

  static Trouble no_request() { return {"this call has no request", "as in `q6`, behind its fields"}; }

  Trouble add(Step::Kind kind) {
    step_.kind = kind;
    if (step_.peer >= 0) result_.steps.push_back(step_);
    return none();
  }
  Trouble begin(Step::Kind kind) {
    step_.kind = kind;
    if (call_->more.empty() && step_.peer == -1) return none();
    if (call_->more.empty()) return no_request();
    if (call_->more[0] == "open") {
      open_.back() = {result_.steps.size(), step_.peer != -1, false};
      if (open_.back().is_step) result_.steps.push_back(step_);
    } else {
      begin(requests_[std::string(call_->more[0])]);
    }
    return none();
  }
  // Operations with MPI_PROC_NULL are none.
  void begin(Request& request) {
    request = {step_, result_.steps.size(), step_.peer != -1};
    if (request.is_step) result_.steps.push_back(step_);
  }
  Trouble start() {
    for (const std::string_view name : call_->more) {
      const auto found = requests_.find(std::string(name));
      if (found == requests_.end()) return {"this request is not known", "it has not been made before"};
      step_ = found->second.step;
      step_.location = call_->location;
      begin(found->second);
    }
    return none();
  }

  // Of requests that ended, `q6:2880`, `q7:from3:8` or `o0:2880`.
  Trouble end(bool is_wait) {
    Step wait{Step::Kind::wait};
    wait.location = call_->location;
    bool has_open = false;
    for (const std::string_view word : call_->more) {
      const std::size_t colon = std::min(word.find(':'), word.size());
      const std::string_view name = word.substr(0, colon), rest = word.substr(std::min(colon + 1, word.size()));
      if (const auto place = name.starts_with("o") ? number_of<std::size_t>(name.substr(1)) : std::nullopt) {
        if (*place >= open_.size())
          return {fmt::format("there is no request {} here", name),
                  fmt::format("{} are open before this call", open_.size())};
        Open& open = open_[*place];
        if (is_wait && open.is_step) end_one(wait, open.began, rest);
        open.is_step = false;
        open.is_over = has_open = true;
        continue;
      }
      const auto found = requests_.find(std::string(name));
      if (found == requests_.end() || !found->second.is_step) continue;
      if (is_wait) end_one(wait, found->second.began, rest);
      found->second.is_step = false;  // it is not under way any more
    }
    if (has_open) std::erase_if(open_, [](const Open& open) { return open.is_over; });
    if (!wait.ended.empty()) result_.steps.push_back(std::move(wait));
    return none();
  }
  void end_one(Step& wait, std::size_t step, std::string_view rest) {
    Step& began = result_.steps[step];
    if (began.kind == Step::Kind::posted_receive) {
      if (rest.starts_with("from")) {
        const std::size_t next = std::min(rest.find(':'), rest.size());
        began.peer = rank_of(rest.substr(4, next - 4), result_.ranks);
        rest = rest.substr(std::min(next + 1, rest.size()));
      }
      began.size = size_of(rest).value_or(began.size);
    }
    wait.ended.push_back(step);
  }

  Trouble exchange() {
    step_.kind = Step::Kind::exchange;
    for (const std::string_view word : call_->more) {
      if (word.starts_with("from")) step_.from = rank_of(word.substr(4), result_.ranks);
      if (word.starts_with("got")) step_.received = size_of(word.substr(3)).value_or(0);
    }
    if (step_.peer >= 0 || step_.from >= 0) result_.steps.push_back(step_);
    return none();
  }
  Trouble collective(std::string_view name) {
    step_.kind = Step::Kind::collective;
    step_.peer = -1;
    // There is no size, or there is one for each part.
    if (is_one_of(call_->name, {"Barrier", "Alltoallv", "Allgatherv"})) step_.size = -1;
    step_.name = name;
    const auto participants = number_of<std::int64_t>(call_->communicator.substr(0, call_->communicator.find('/')));
    if (!participants) return {"the communicator of this call cannot be read", "as in `4/0000`"};
    step_.participants = *participants;
    result_.steps.push_back(step_);
    return none();
  }

  RankRecording& result_;
  const Call* call_ = nullptr;
  Step step_;
  std::map<std::string, Request> requests_;
  std::vector<Open> open_;  // from the oldest
  std::vector<PhaseSteps> phases_;
  double since_ = 0, cpu_ = 0;  // of calls that are no steps
};

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
    const auto own = words.size() == 4 ? number_of<std::int64_t>(words[1]) : std::nullopt;
    const auto all = words.size() == 4 ? number_of<std::int64_t>(words[3]) : std::nullopt;
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
    constexpr std::uint64_t most = std::uint64_t{1} << 53;
    const auto count = words.size() == 3 && words[2] == "{" ? number_of<std::uint64_t>(words[1]) : std::nullopt;
    if (!count || *count == 0 || *count > most)
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
      for (std::uint64_t i = 0; i < loop->count; ++i) {
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
    const auto peer = words.size() > 1 ? number_of<std::int64_t>(words[1]) : std::nullopt;
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
  Player player_{result};
};

}  // namespace

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t end = std::min(line.find_first_of(" \t", at), line.size());
    if (end > at) words.push_back(line.substr(at, end - at));
    at = end + 1;
  }
  return words;
}
std::optional<std::int64_t> whole_number_of(std::string_view text) { return number_of<std::int64_t>(text); }

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
