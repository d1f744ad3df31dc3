// See log_marks.h.
#include "analysis/machine_fit/log_marks.h"

#include "base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace wave::analysis::machine_fit {
namespace {

constexpr std::size_t widest_marks = 400;  // of titles, headings and what stands before them

template <class Words>
bool is_among(std::string_view word, const Words& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

constexpr std::array<std::string_view, 12> launchers = {"mpirun", "mpiexec", "mpiexec.hydra", "orterun",
                                                        "prun",   "prterun", "mpirun_rsh",    "srun",
                                                        "aprun",  "jsrun",   "ibrun",         "lrun"};
// Options of launchers that say how many processes there are, those that say how they are placed, and those that only
// name the nodes, which differ from run to run.
constexpr std::array<std::string_view, 6> counts = {"-n", "-np", "--n", "--np", "--ntasks", "-tasks"};
constexpr std::array<std::string_view, 12> hosts = {"-host",      "--host",     "-H",           "-hosts",
                                                    "--hosts",    "-w",         "--nodelist",   "-hostfile",
                                                    "--hostfile", "--nodefile", "-machinefile", "--machinefile"};
constexpr std::array<std::string_view, 21> mappings = {
    "--map-by",           "-map-by",     "--bind-to",    "-bind-to",
    "--rank-by",          "-rank-by",    "--cpu-bind",   "--cpu_bind",
    "--distribution",     "-m",          "-N",           "--nodes",
    "--ntasks-per-node",  "-ppn",        "--ppn",        "-npernode",
    "--npernode",         "-npersocket", "--npersocket", "-perhost",
    "--ntasks-per-socket"};
constexpr std::array<std::string_view, 4> glued = {"-n", "-np", "-N", "-ppn"};
constexpr std::array<std::string_view, 8> plain_mappings = {"-bynode", "--bynode", "-bysocket", "--bysocket",
                                                            "-bycore", "--bycore", "-byslot",   "--byslot"};

// The last part of a path, without quotes.
std::string_view file_of(std::string_view word) {
  constexpr std::string_view quotes = "'\"`()";
  while (!word.empty() && quotes.find(word.front()) != std::string_view::npos) word.remove_prefix(1);
  while (!word.empty() && quotes.find(word.back()) != std::string_view::npos) word.remove_suffix(1);
  const std::size_t slash = word.find_last_of('/');
  return slash == std::string_view::npos ? word : word.substr(slash + 1);
}

bool is_benchmark(std::string_view file) {
  return (file.starts_with("osu_") && file.find('.') == std::string_view::npos) || file.starts_with("IMB-") ||
         (file.ends_with("_perf") && file.size() > std::string_view("_perf").size()) || file == "netgauge";
}

int number_of(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  constexpr int most = 1 << 24;  // more processes no machine has
  return error == std::errc() && end == text.data() + text.size() && value > 0 && value <= most ? value : 0;
}

// Reads the option of OSU's programs for the messages before an answer: -W 4, -W4, --window-size=4.
int window_in(const std::vector<Word>& words, std::size_t at) {
  for (; at < words.size(); ++at) {
    for (const std::string_view option : {"-W", "--window-size"}) {
      std::string_view word = words[at].text;
      if (!word.starts_with(option)) continue;
      word.remove_prefix(option.size());
      if (word.empty() && at + 1 < words.size()) return number_of(words[at + 1].text);
      if (word.starts_with('=')) word.remove_prefix(1);
      return number_of(word);
    }
  }
  return 0;
}

// Reads the options of a launcher up to the program.
void read_launch(const std::vector<Word>& words, std::size_t at, bool is_slurm, RunCommand& command) {
  int nodes = 0, on_each = 0;
  for (; at < words.size() && command.program.empty(); ++at) {
    std::string_view word = words[at].text, value;
    if (is_benchmark(file_of(word))) command.program = file_of(word);
    // --ntasks=8, -n8
    const std::size_t equal = word.starts_with("--") ? word.find('=') : std::string_view::npos;
    const std::size_t digit = word.starts_with("--") ? std::string_view::npos : word.find_first_of("0123456789");
    const bool is_glued = digit != std::string_view::npos && is_among(word.substr(0, digit), glued);
    const bool has_own = equal != std::string_view::npos || is_glued;
    if (has_own) {
      value = word.substr(is_glued ? digit : equal + 1);
      word = word.substr(0, is_glued ? digit : equal);
    } else if (at + 1 < words.size()) {
      value = words[at + 1].text;
    }
    const bool is_count = is_among(word, counts), is_mapping = is_among(word, mappings);
    if (is_count) command.processes = number_of(value);
    if (word == "-N" || word == "--nodes") nodes = number_of(value);
    if (word == "--ntasks-per-node") on_each = number_of(value);
    if (is_mapping || is_among(word, plain_mappings)) {
      if (!command.mapping.empty()) command.mapping += ' ';
      command.mapping += word;
      if (is_mapping) command.mapping += " " + std::string(value);
    }
    if (!has_own && (is_count || is_mapping || is_among(word, hosts))) ++at;
  }
  command.window = window_in(words, at);
  constexpr int most_nodes = 1 << 16;
  if (command.processes == 0 && is_slurm && nodes < most_nodes && on_each < most_nodes / 2)
    command.processes = nodes * on_each;
}

}  // namespace

bool is_title_of_osu(std::string_view line) {
  return line.starts_with("# osu ") || line.starts_with("# omb-py ") ||
         (line.starts_with("# mpi ") && line.find(" test") != std::string_view::npos);
}

std::optional<Tool> tool_of(std::string_view line) {
  line = line.substr(0, widest_marks);
  if (line.empty() || (line.front() != '#' && line.find("#repetitions") == std::string_view::npos)) return std::nullopt;
  const std::string text = lower_case(line);
  const auto has = [&](std::string_view part) { return text.find(part) != std::string::npos; };
  if (has("#repetitions") || has("# benchmarking ") || has("intel(r) mpi benchmark") || has("intel (r) mpi benchmark"))
    return Tool::imb;
  if (has("prtt(1,0,s)")) return Tool::netgauge;
  if (has("collective test starting") || has("nccl-tests version") || has("# nthread ") ||
      (has("algbw") && has("busbw")))
    return Tool::nccl;
  if (is_title_of_osu(text)) return Tool::osu;
  const std::size_t word = text.find_first_not_of("# \t");
  const std::string_view rest = word == std::string::npos ? "" : std::string_view(text).substr(word);
  if (rest.starts_with("size ") || rest.starts_with("size\t") || rest.starts_with("avg latency")) return Tool::osu;
  return std::nullopt;
}

std::optional<std::size_t> begin_of_marks(std::string_view line) {
  constexpr std::size_t farthest = 300, most = 8;
  std::size_t at = line.find('#');
  for (std::size_t tried = 0; at < farthest && tried < most; ++tried) {
    // A table of IMB may have a column of groups before its sizes.
    if (tool_of(line.substr(at))) {
      const std::size_t group = lower_case(line.substr(0, at)).find("group ");
      return group == std::string::npos ? at : group;
    }
    at = line.find('#', at + 1);
  }
  return std::nullopt;
}

bool is_plain_word(std::string_view text) {
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  if (text.empty() || !is_letter(text.front())) return false;
  const std::string lower = lower_case(text.substr(0, widest_marks));
  return !lower.starts_with("nan") && lower != "inf" && lower != "infinity";
}

std::optional<RunCommand> command_in(const std::vector<Word>& words) {
  RunCommand command;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view file = file_of(words[i].text);
    if (is_among(file, launchers)) {
      read_launch(words, i + 1, file == "srun", command);
      return command;
    }
    if (!is_benchmark(file)) continue;
    command.program = file;
    command.window = window_in(words, i + 1);
    return command;
  }
  return std::nullopt;
}

int processes_named_in(const std::vector<Word>& words) {
  static constexpr std::array<std::string_view, 10> keys = {"np",    "nprocs", "ntasks",    "nranks", "num_procs",
                                                            "nproc", "ranks",  "processes", "procs",  "process"};
  const auto is_counted = [](const std::string& word) {
    return word.starts_with("process") || word.starts_with("procs") || word.starts_with("ranks") ||
           word.starts_with("tasks");
  };
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].text.size() > widest_marks) return 0;
    const std::string word = lower_case(words[i].text);
    // np=8, np: 8
    const std::size_t mark = word.find_first_of("=:");
    if (mark != std::string::npos && is_among(std::string_view(word).substr(0, mark), keys)) {
      const bool is_last = mark + 1 == word.size();
      const std::string_view value =
          is_last && i + 1 < words.size() ? words[i + 1].text : std::string_view(word).substr(mark + 1);
      if (const int number = number_of(value); number > 0) return number;
    }
    // 8 processes, 8 MPI ranks; but not 8 tasks per node
    const int number = number_of(words[i].text);
    if (number == 0) continue;
    std::size_t at = i + 1;
    if (at < words.size() && lower_case(words[at].text) == "mpi") ++at;
    if (at >= words.size() || !is_counted(lower_case(words[at].text))) continue;
    const std::string after = at + 1 < words.size() ? lower_case(words[at + 1].text) : "";
    if (!after.starts_with("per") && !after.starts_with("each") && words[at].text.find('/') == std::string_view::npos)
      return number;
  }
  return 0;
}

std::string place_named_in(std::string_view line) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 29> phrases = {
      {{"intra node", "on one node"},
       {"on node", "on one node"},
       {"same node", "on one node"},
       {"one node", "on one node"},
       {"1 node", "on one node"},
       {"single node", "on one node"},
       {"within node", "on one node"},
       {"within a node", "on one node"},
       {"inter node", "between nodes"},
       {"off node", "between nodes"},
       {"two nodes", "between nodes"},
       {"2 nodes", "between nodes"},
       {"different nodes", "between nodes"},
       {"across nodes", "between nodes"},
       {"between nodes", "between nodes"},
       {"intra socket", "on one socket"},
       {"on socket", "on one socket"},
       {"same socket", "on one socket"},
       {"one socket", "on one socket"},
       {"1 socket", "on one socket"},
       {"within socket", "on one socket"},
       {"within a socket", "on one socket"},
       {"inter socket", "between sockets"},
       {"cross socket", "between sockets"},
       {"two sockets", "between sockets"},
       {"2 sockets", "between sockets"},
       {"across sockets", "between sockets"},
       {"between sockets", "between sockets"},
       {"different sockets", "between sockets"}}};
  std::string text = lower_case(line.substr(0, widest_marks));
  std::replace_if(text.begin(), text.end(), [](char c) { return c == '-' || c == '_'; }, ' ');
  const auto is_part_of_word = [&](std::size_t at) {
    return at < text.size() && (is_letter(text[at]) || (text[at] >= '0' && text[at] <= '9'));
  };
  for (const auto& [phrase, meaning] : phrases) {
    const std::size_t at = text.find(phrase);
    if (at == std::string::npos || (at > 0 && is_part_of_word(at - 1)) || is_part_of_word(at + phrase.size())) continue;
    return std::string(meaning);
  }
  return "";
}

}  // namespace wave::analysis::machine_fit
