// See recording.h.
#include "analysis/recorded/recording.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

namespace wave::analysis::recorded {

using frontend::DiagnosticKind;
using frontend::Location;

namespace {

// MPI's collectives, and what models call them. What has no name there keeps its own.
const std::map<std::string_view, std::string_view>& collectives() {
  static const std::map<std::string_view, std::string_view> names{
      {"Barrier", "barrier"},         {"Bcast", "broadcast"},     {"Reduce", "reduce"},
      {"Allreduce", "allreduce"},     {"Scan", "scan"},           {"Gather", "gather"},
      {"Scatter", "scatter"},         {"Allgather", "allgather"}, {"Allgatherv", "allgatherv"},
      {"Alltoall", "total_exchange"}, {"Alltoallv", "alltoallv"}, {"Reduce_scatter", "reduce_scatter"},
      {"Iallreduce", "iallreduce"}};
  return names;
}
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

// Bytes that a double holds exactly.
std::optional<double> size_of(std::string_view text) {
  constexpr std::int64_t most = std::int64_t{1} << 53;
  const auto size = number_of<std::int64_t>(text);
  return size && *size >= 0 && *size <= most ? std::optional(static_cast<double>(*size)) : std::nullopt;
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t end = std::min(line.find_first_of(" \t", at), line.size());
    if (end > at) words.push_back(line.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

// One rank.
class Reader {
 public:
  Reader(const frontend::Sources& sources, std::uint32_t file, frontend::Diagnostics& diagnostics)
      : sources_(sources), file_(file), diagnostics_(diagnostics) {}

  // False, with a diagnostic: it cannot be read.
  bool read() {
    frontend::TextLines lines(sources_.text(file_), " \t\r");
    while (lines.next()) {
      here_ = {file_, lines.begin(), lines.end()};
      const std::string_view line = sources_.text(here_);
      if (line.front() == '#' ? !read_remark(words_of(line)) : !read_call(words_of(line), lines.unfinished()))
        return false;
    }
    if (ranks == 0) {
      here_ = {file_, 0, 0};
      return refuse("this is no recording of a rank", "here `#rank 0 of 4` is expected");
    }
    return true;
  }

  std::int64_t rank = 0, ranks = 0;
  Steps steps;
  std::map<std::string, std::size_t> passed_over;
  Location heading;

 private:
  struct Request {
    Step step;              // of a persistent one: what each start begins
    std::size_t began = 0;  // the step
    bool is_step = false;   // whether there is such a step
  };

  bool refuse(const std::string& message, const std::string& label) {
    diagnostics_.add(DiagnosticKind::unreadable_recording, here_, message, label)
        .help.push_back("a recording has a line for each call: `Send 1 2880 0 4/0000 1963 19296`");
    return false;
  }

  bool read_remark(const std::vector<std::string_view>& words) {
    if (words[0] != "#rank") return true;
    const auto own = words.size() == 4 ? number_of<std::int64_t>(words[1]) : std::nullopt;
    const auto all = words.size() == 4 ? number_of<std::int64_t>(words[3]) : std::nullopt;
    constexpr std::int64_t most = 1 << 24;
    if (!own || !all || *all < 1 || *all > most || *own < 0 || *own >= *all || ranks != 0)
      return refuse("which rank this is cannot be read", "as in `#rank 0 of 4`, once");
    rank = *own;
    ranks = *all;
    heading = here_;
    return true;
  }

  bool read_call(const std::vector<std::string_view>& words, bool is_last) {
    if (ranks == 0) return refuse("this is no recording of a rank", "before it `#rank 0 of 4` is expected");
    constexpr std::size_t fields = 7;
    const auto peer = words.size() > 1 ? number_of<std::int64_t>(words[1]) : std::nullopt;
    const auto bytes = words.size() > 2 ? size_of(words[2]) : std::nullopt;
    if (words.size() < fields || !peer || !bytes) {
      return is_last ? refuse("the recording is cut off in this line", "the last one")
                     : refuse("this is no call of a recording", "a call has a name and six fields");
    }
    const bool is_from_anybody = *peer == -2 && is_one_of(words[0], {"Recv", "Irecv", "Recv_init", "Probe", "Iprobe"});
    if (*peer >= ranks || (*peer < -1 && !is_from_anybody))
      return refuse(fmt::format("there is no rank {} of {}", *peer, ranks), "at the other end of this call");
    const std::vector<std::string_view> more(words.begin() + fields, words.end());
    step_ = Step{};
    step_.peer = *peer;
    step_.size = *bytes;
    step_.location = here_;
    return read_call(words[0], words[4], more);
  }

  bool read_call(std::string_view call, std::string_view communicator, const std::vector<std::string_view>& more) {
    using Kind = Step::Kind;
    if (is_one_of(call, {"Send", "Ssend", "Bsend", "Rsend"})) return add(Kind::send);
    if (call == "Recv") {
      for (const std::string_view word : more) {
        if (word.starts_with("from")) step_.peer = rank_of(word.substr(4), ranks);
      }
      return add(Kind::receive);
    }
    if (is_one_of(call, {"Isend", "Issend", "Ibsend", "Irsend"})) return begin(Kind::started_send, more);
    if (call == "Irecv") return begin(Kind::posted_receive, more);
    if (is_one_of(call, {"Send_init", "Ssend_init", "Bsend_init", "Rsend_init", "Recv_init"})) {
      step_.kind = call == "Recv_init" ? Kind::posted_receive : Kind::started_send;
      if (more.empty()) return refuse("this call has no request", "as in `q6`, behind its fields");
      requests_[std::string(more[0])] = {step_, 0, false};
      return true;
    }
    if (is_one_of(call, {"Start", "Startall"})) return start(more);
    if (call.starts_with("Wait") || call.starts_with("Test")) return wait(more);
    if (call == "Sendrecv") return exchange(more);
    if (const auto found = collectives().find(call); found != collectives().end()) {
      step_.kind = Kind::collective;
      step_.peer = -1;
      // There is no size, or there is one for each part.
      if (is_one_of(call, {"Barrier", "Alltoallv", "Allgatherv"})) step_.size = -1;
      step_.name = found->second;
      const auto participants = number_of<std::int64_t>(communicator.substr(0, communicator.find('/')));
      if (!participants) return refuse("the communicator of this call cannot be read", "as in `4/0000`");
      step_.participants = *participants;
      steps.push_back(step_);
      return true;
    }
    ++passed_over[std::string(call.substr(0, 40))];
    return true;
  }

  bool add(Step::Kind kind) {
    step_.kind = kind;
    if (step_.peer >= 0) steps.push_back(step_);
    return true;
  }
  // Operations with MPI_PROC_NULL are none.
  void begin(Step::Kind kind, Request& request) {
    step_.kind = kind;
    request = {step_, steps.size(), step_.peer != -1};
    if (request.is_step) steps.push_back(step_);
  }
  bool begin(Step::Kind kind, const std::vector<std::string_view>& more) {
    if (more.empty()) return refuse("this call has no request", "as in `q6`, behind its fields");
    begin(kind, requests_[std::string(more[0])]);
    return true;
  }
  bool start(const std::vector<std::string_view>& more) {
    for (const std::string_view name : more) {
      const auto found = requests_.find(std::string(name));
      if (found == requests_.end()) return refuse("this request is not known", "it has not been made before");
      step_ = found->second.step;
      step_.location = here_;
      begin(step_.kind, found->second);
    }
    return true;
  }
  // Of a request that ended, `q6:2880` or `q7:from3:8`.
  bool wait(const std::vector<std::string_view>& more) {
    Step wait{Step::Kind::wait};
    wait.location = here_;
    for (const std::string_view word : more) {
      const std::size_t colon = std::min(word.find(':'), word.size());
      const auto found = requests_.find(std::string(word.substr(0, colon)));
      if (found == requests_.end() || !found->second.is_step) continue;
      Step& began = steps[found->second.began];
      if (began.kind == Step::Kind::posted_receive) {
        std::string_view rest = word.substr(std::min(colon + 1, word.size()));
        if (rest.starts_with("from")) {
          const std::size_t next = std::min(rest.find(':'), rest.size());
          began.peer = rank_of(rest.substr(4, next - 4), ranks);
          rest = rest.substr(std::min(next + 1, rest.size()));
        }
        began.size = size_of(rest).value_or(began.size);
      }
      wait.ended.push_back(found->second.began);
      found->second.is_step = false;  // it is not under way any more
    }
    if (!wait.ended.empty()) steps.push_back(std::move(wait));
    return true;
  }
  bool exchange(const std::vector<std::string_view>& more) {
    step_.kind = Step::Kind::exchange;
    for (const std::string_view word : more) {
      if (word.starts_with("from")) step_.from = rank_of(word.substr(4), ranks);
      if (word.starts_with("got")) step_.received = size_of(word.substr(3)).value_or(0);
    }
    if (step_.peer >= 0 || step_.from >= 0) steps.push_back(step_);
    return true;
  }

  const frontend::Sources& sources_;
  const std::uint32_t file_;
  frontend::Diagnostics& diagnostics_;
  Location here_;
  Step step_;
  std::map<std::string, Request> requests_;
};

std::string ranks_text(const std::vector<std::int64_t>& ranks) {
  constexpr std::size_t most = 10;
  const std::vector<std::int64_t> some(ranks.begin(),
                                       ranks.begin() + static_cast<std::ptrdiff_t>(std::min(ranks.size(), most)));
  return fmt::format("{} {}{}", ranks.size() == 1 ? "rank" : "ranks", join_texts(some, ", "),
                     ranks.size() > most ? " and more" : "");
}

}  // namespace

std::optional<Recording> read_recording(const frontend::Sources& sources, const std::vector<std::uint32_t>& files,
                                        frontend::Diagnostics& diagnostics) {
  const auto refuse = [&](Location where, const std::string& message, const std::string& label, const char* help) {
    diagnostics.add(DiagnosticKind::unreadable_recording, where, message, label).help.push_back(help);
    return std::nullopt;
  };
  constexpr const char* apart = "put the files of each run into a folder of its own";
  Recording recording;
  std::map<std::int64_t, Steps> found;
  std::int64_t ranks = 0;
  for (const std::uint32_t file : files) {
    Reader reader(sources, file, diagnostics);
    if (!reader.read()) return std::nullopt;
    if (ranks == 0) ranks = reader.ranks;
    if (reader.ranks != ranks)
      return refuse(reader.heading, "recordings of different runs", fmt::format("other files are of {} ranks", ranks),
                    apart);
    if (!found.try_emplace(reader.rank, std::move(reader.steps)).second)
      return refuse(reader.heading, "a rank that is there twice", "another file is of the same rank", apart);
    for (const auto& [call, count] : reader.passed_over) recording.passed_over[call] += count;
  }
  constexpr std::size_t most_named = 10;
  std::vector<std::int64_t> missing;
  for (std::int64_t rank = 0; rank < ranks && missing.size() <= most_named; ++rank) {
    if (found.count(rank) == 0) missing.push_back(rank);
  }
  if (files.empty() || !missing.empty()) {
    const Location whole = files.empty() ? Location{} : Location{files.front(), 0, 0};
    const std::string message = files.empty() ? "a recording without ranks"
                                              : fmt::format("{} of the recording {} missing", ranks_text(missing),
                                                            missing.size() == 1 ? "is" : "are");
    return refuse(whole, message, fmt::format("of {} ranks", ranks),
                  "record the run again, or copy the files of all ranks into one folder");
  }
  for (auto& [rank, steps] : found) recording.ranks.push_back(std::move(steps));
  return recording;
}

// --- names of collectives ---

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

struct Mark {
  std::string name;
  std::size_t number = 1;
};

std::optional<Mark> mark_of(std::string_view text) {
  const auto words = words_of(text);
  if (words.size() > 2 || words.empty()) return std::nullopt;
  Mark mark{std::string(words[0]), 1};
  for (const auto& [call, name] : collectives()) {
    if (words[0] == call) mark.name = name;
  }
  if (words.size() == 1) return mark;
  const auto number = number_of<std::size_t>(words[1]);
  if (!number || *number == 0) return std::nullopt;
  mark.number = *number;
  return mark;
}

// The step, or nothing if there are fewer.
std::optional<std::size_t> find(const Steps& steps, const Mark& mark) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].kind == Step::Kind::collective && steps[i].name == mark.name && ++count == mark.number) return i;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Recording> section_of(const Recording& recording, const std::string& section, Location whole,
                                    frontend::Diagnostics& diagnostics) {
  const auto dots = section.find("..");
  const auto refuse = [&](const std::string& message, const std::string& label) {
    diagnostics.add(DiagnosticKind::unreadable_recording, whole, message, label)
        .help.push_back(
            "a section is between two calls of collectives: `--section \"barrier 1..allreduce 3\"`, or `barrier..`");
    return std::nullopt;
  };
  if (dots == std::string::npos) return refuse(fmt::format("`{}` is no section of a recording", section), "of this");
  const std::string before = trim(section.substr(0, dots)), behind = trim(section.substr(dots + 2));
  const auto from = mark_of(before), to = mark_of(behind);
  if ((!from && !before.empty()) || (!to && !behind.empty()))
    return refuse(fmt::format("`{}` is no section of a recording", section), "of this");
  Recording result;
  result.passed_over = recording.passed_over;
  for (std::size_t rank = 0; rank < recording.ranks.size(); ++rank) {
    const Steps& steps = recording.ranks[rank];
    const auto first = from ? find(steps, *from) : std::nullopt, last = to ? find(steps, *to) : std::nullopt;
    for (const auto& [mark, place] : {std::pair(from, first), std::pair(to, last)}) {
      if (mark && !place)
        return refuse(fmt::format("rank {} has no call {} of `{}`", rank, mark->number, mark->name),
                      "in this recording");
    }
    const std::size_t begin = from ? *first + 1 : 0, end = to ? *last : steps.size();
    if (begin > end)
      return refuse(fmt::format("the section ends before it begins, at rank {}", rank), "in this recording");
    result.ranks.push_back(part_of(steps, begin, end));
  }
  return result;
}

}  // namespace wave::analysis::recorded
