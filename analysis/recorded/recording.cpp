// See recording.h.
#include "analysis/recorded/recording.h"

#include "analysis/recorded/words.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

namespace wave::analysis::recorded {

using frontend::DiagnosticKind;
using frontend::Location;

namespace {

std::string ranks_text(const std::vector<std::int64_t>& ranks) {
  constexpr std::size_t most = 10;
  const std::vector<std::int64_t> some(ranks.begin(),
                                       ranks.begin() + static_cast<std::ptrdiff_t>(std::min(ranks.size(), most)));
  return fmt::format("{} {}{}", ranks.size() == 1 ? "rank" : "ranks", join_texts(some, ", "),
                     ranks.size() > most ? " and more" : "");
}

}  // namespace

bool read_ranks(const frontend::Sources& sources, const std::vector<std::uint32_t>& files,
                frontend::Diagnostics& diagnostics, std::size_t most_bytes,
                const std::function<std::size_t(RankRecording)>& use) {
  const auto refuse = [&](Location where, const std::string& message, const std::string& label, const char* help) {
    diagnostics.add(DiagnosticKind::unreadable_recording, where, message, label).help.push_back(help);
    return false;
  };
  constexpr const char* apart = "put the files of each run into a folder of its own";
  std::set<std::int64_t> found;
  std::int64_t ranks = 0;
  std::map<std::string, std::string> parameters;
  for (const std::uint32_t file : files) {
    auto rank = read_rank(sources, file, diagnostics, most_bytes);
    if (!rank) return false;
    if (ranks == 0) {
      ranks = rank->ranks;
      parameters = rank->parameters;
    }
    if (rank->ranks != ranks)
      return refuse(rank->heading, "recordings of different runs", fmt::format("other files are of {} ranks", ranks),
                    apart);
    if (rank->parameters != parameters)
      return refuse(rank->heading, "recordings of different runs", "other files have other parameters", apart);
    if (!found.insert(rank->rank).second)
      return refuse(rank->heading, "a rank that is there twice", "another file is of the same rank", apart);
    const std::size_t kept = use(std::move(*rank));
    most_bytes -= std::min(most_bytes, kept);
  }
  constexpr std::size_t most_named = 10;
  std::vector<std::int64_t> missing;
  for (std::int64_t rank = 0; rank < ranks && missing.size() <= most_named; ++rank) {
    if (found.count(rank) == 0) missing.push_back(rank);
  }
  if (!files.empty() && missing.empty()) return true;
  const Location whole = files.empty() ? Location{} : Location{files.front(), 0, 0};
  const std::string message = files.empty() ? "a recording without ranks"
                                            : fmt::format("{} of the recording {} missing", ranks_text(missing),
                                                          missing.size() == 1 ? "is" : "are");
  return refuse(whole, message, fmt::format("of {} ranks", ranks),
                "record the run again, or copy the files of all ranks into one folder");
}

std::optional<Recording> read_recording(const frontend::Sources& sources, const std::vector<std::uint32_t>& files,
                                        frontend::Diagnostics& diagnostics, std::size_t most_bytes) {
  std::map<std::int64_t, RankRecording> found;
  const bool is_whole = read_ranks(sources, files, diagnostics, most_bytes, [&](RankRecording rank) {
    const std::size_t bytes = bytes_of_steps(rank);
    found.emplace(rank.rank, std::move(rank));
    return bytes;
  });
  if (!is_whole) return std::nullopt;
  Recording recording;
  recording.parameters = found.begin()->second.parameters;
  recording.grids = found.begin()->second.grids;
  for (auto& [number, rank] : found) {
    recording.ranks.push_back(std::move(rank.steps));
    recording.times.push_back(std::move(rank.times));
    recording.phases.push_back(std::move(rank.phases));
    for (const auto& [call, count] : rank.passed_over) recording.passed_over[call] += count;
  }
  return recording;
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
  const auto number = whole_number_of(words[1]);
  if (!number || *number < 1) return std::nullopt;
  mark.number = static_cast<std::size_t>(*number);
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

Recording without_ranks(const Recording& recording) {
  Recording result;
  result.passed_over = recording.passed_over;
  result.parameters = recording.parameters;
  result.grids = recording.grids;
  return result;
}

// The steps of all rounds of a phase. Waits end what began in the same round. Nothing: there is none.
std::optional<Steps> steps_of_phase(const Steps& steps, const std::vector<PhaseSteps>& phases, std::string_view name) {
  std::optional<Steps> result;
  for (const PhaseSteps& phase : phases) {
    if (phase.name != name) continue;
    if (!result) result.emplace();
    const std::size_t before = result->size();
    for (Step& step : part_of(steps, phase.begin, phase.end)) {
      for (std::size_t& ended : step.ended) ended += before;
      result->push_back(std::move(step));
    }
  }
  return result;
}

}  // namespace

std::optional<Recording> section_of(const Recording& recording, const std::string& section, Location whole,
                                    frontend::Diagnostics& diagnostics) {
  const auto dots = section.find("..");
  const auto refuse = [&](const std::string& message, const std::string& label) {
    diagnostics.add(DiagnosticKind::unreadable_recording, whole, message, label)
        .help.push_back(
            "a section is between two calls of collectives: `--section \"barrier 1..allreduce 3\"`, or `barrier..`; or "
            "a phase of the program: `--section \"phase solve\"`");
    return std::nullopt;
  };
  Recording result = without_ranks(recording);
  if (const std::string phase = trim(section); phase.starts_with("phase ")) {
    const std::string name = trim(phase.substr(6));
    for (std::size_t rank = 0; rank < recording.ranks.size(); ++rank) {
      auto steps = steps_of_phase(recording.ranks[rank], recording.phases[rank], name);
      if (!steps) return refuse(fmt::format("rank {} has no phase `{}`", rank, name), "in this recording");
      result.ranks.push_back(std::move(*steps));
    }
    return result;
  }
  if (dots == std::string::npos) return refuse(fmt::format("`{}` is no section of a recording", section), "of this");
  const std::string before = trim(section.substr(0, dots)), behind = trim(section.substr(dots + 2));
  const auto from = mark_of(before), to = mark_of(behind);
  if ((!from && !before.empty()) || (!to && !behind.empty()))
    return refuse(fmt::format("`{}` is no section of a recording", section), "of this");
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
