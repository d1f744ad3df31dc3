// See machine_question.h.
#include "analysis/machine_fit/machine_question.h"

#include "analysis/machine_fit/machine_names.h"
#include "base/digest.h"
#include "base/measures.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "frontend/format/quantities.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace wave::analysis::machine_fit {
namespace {

constexpr std::string_view any_tool = "auto";

std::optional<double> microseconds(const std::string& text) {
  if (text == "0" || text == "0us" || text == "0 us") return 0;
  constexpr double in_a_second = 1e6;
  if (text.size() > 2 && text.compare(text.size() - 2, 2, "ns") == 0) {
    const auto scaled = parse_seconds(text.substr(0, text.size() - 2) + "us");
    return scaled ? std::optional(*scaled * in_a_second / 1000) : std::nullopt;
  }
  const auto seconds = parse_seconds(text);
  if (!seconds || !std::isfinite(*seconds)) return std::nullopt;
  return *seconds * in_a_second;
}

std::optional<WrongQuestion> read_assumptions(const MachineQuestion& question, FitOptions& options) {
  for (const auto& one : question.assumptions) {
    const std::size_t equal = one.find('=');
    const auto value = equal == std::string::npos ? std::nullopt : microseconds(one.substr(equal + 1));
    if (!value)
      return WrongQuestion{fmt::format("`--assume` takes a parameter and a time, not `{}`", one),
                           "for example `--assume o=1.2us`"};
    const std::string name = one.substr(0, equal);
    for (const auto& other : options.assumptions) {
      if (other.name == name) return WrongQuestion{fmt::format("`{}` is assumed twice", name), ""};
    }
    options.assumptions.push_back({name, *value});
  }
  return std::nullopt;
}

std::optional<WrongQuestion> read_protocols(const MachineQuestion& question, FitOptions& options) {
  std::size_t at = 0;
  while (!question.protocols.empty() && at <= question.protocols.size()) {
    const std::size_t comma = std::min(question.protocols.find(',', at), question.protocols.size());
    const std::string word = question.protocols.substr(at, comma - at);
    if (word == "eager")
      options.protocols.push_back(ProtocolKind::eager);
    else if (word == "rendezvous")
      options.protocols.push_back(ProtocolKind::rendezvous);
    else
      return WrongQuestion{fmt::format("`--protocol` takes `eager` and `rendezvous`, not `{}`", word),
                           "one word for each segment: `--protocol eager,eager,rendezvous`"};
    at = comma + 1;
  }
  const auto& kinds = options.protocols;
  if (!kinds.empty() && kinds.front() == ProtocolKind::rendezvous) {
    return WrongQuestion{"the smallest messages cannot be the ones with a handshake",
                         "`--protocol` begins with `eager`"};
  }
  if (!std::is_sorted(kinds.begin(), kinds.end())) {
    return WrongQuestion{"where a handshake has begun, all larger messages have it", "put `eager` before `rendezvous`"};
  }
  if (kinds.size() > static_cast<std::size_t>(most_segments))
    return WrongQuestion{fmt::format("there are more than {} segments", most_segments), ""};
  if (!kinds.empty() && question.segments > 0 && static_cast<std::size_t>(question.segments) != kinds.size()) {
    return WrongQuestion{
        fmt::format("`--protocol` names {} segments, and `--segments` says {}", kinds.size(), question.segments), ""};
  }
  if (question.segments > 0) options.segments = static_cast<std::size_t>(question.segments);
  return std::nullopt;
}

std::optional<double> size_of(std::string text) {
  while (!text.empty() && text.front() == ' ') text.erase(0, 1);
  while (!text.empty() && text.back() == ' ') text.pop_back();
  if (text == "0" || text == "0 B" || text == "0B") return 0;
  const auto bytes = parse_bytes(text);
  return bytes ? std::optional(static_cast<double>(*bytes)) : std::nullopt;
}

std::optional<WrongQuestion> read_range(const MachineQuestion& question, std::optional<SizeRange>& range) {
  if (question.sizes.empty()) return std::nullopt;
  const std::size_t dots = question.sizes.find("..");
  const auto from = dots == std::string::npos ? std::nullopt : size_of(question.sizes.substr(0, dots));
  const auto to = dots == std::string::npos ? std::nullopt : size_of(question.sizes.substr(dots + 2));
  if (!from || !to || *from > *to)
    return WrongQuestion{fmt::format("`--sizes` takes a range of sizes, not `{}`", question.sizes),
                         "for example `--sizes \"0 B..64 KiB\"`"};
  range = SizeRange{*from, *to};
  return std::nullopt;
}

std::optional<WrongQuestion> check_name(const std::string& name) {
  if (name.empty() || is_machine_name(name)) return std::nullopt;
  return WrongQuestion{fmt::format("`{}` is no name for a machine", name),
                       "it begins with a capital, has letters, digits and `_`, and is no unit"};
}

std::string command_text(const MachineQuestion& question) {
  std::string text = "wave fit";
  std::string within;
  for (std::size_t i = 0; i < question.files.size(); ++i) {
    if (i < question.within.size() && question.within[i] != within) {
      within = question.within[i];
      text += " --within " + shell_word(within);
    }
    text += " " + shell_word(question.files[i]);
  }
  if (!question.protocols.empty()) text += " --protocol " + shell_word(question.protocols);
  if (question.segments > 0) text += fmt::format(" --segments {}", question.segments);
  for (const auto& one : question.assumptions) text += " --assume " + shell_word(one);
  if (!question.processes.empty()) text += fmt::format(" --processes {}", join_texts(question.processes, ","));
  if (question.is_absolute) text += " --errors absolute";
  if (!question.tables.empty()) text += fmt::format(" --tables {}", join_texts(question.tables, ","));
  if (!question.pairs.empty()) text += fmt::format(" --pairs {}", join_texts(question.pairs, ","));
  if (question.keep_outliers) text += " --keep-outliers";
  if (!question.operation.empty()) text += " --operation " + shell_word(question.operation);
  if (!question.sizes.empty()) text += " --sizes " + shell_word(question.sizes);
  if (question.confidence != MachineQuestion().confidence) text += fmt::format(" --confidence {}", question.confidence);
  if (!question.name.empty()) text += " --name " + shell_word(question.name);
  return text + " -o " + shell_word(question.output);
}

void keep_sizes(Timings& timings, const SizeRange& range) {
  for (auto& series : timings.series) {
    if (!series.sized) continue;
    std::erase_if(series.samples,
                  [&](const Sample& sample) { return sample.size < range.from || sample.size > range.to; });
  }
}

std::optional<WrongQuestion> keep_pairs(Timings& timings, const std::vector<int>& wanted) {
  std::set<int> measured;
  for (auto& series : timings.series) {
    for (const Sample& sample : series.samples) measured.insert(sample.pairs);
    std::erase_if(series.samples, [&](const Sample& sample) {
      return std::find(wanted.begin(), wanted.end(), sample.pairs) == wanted.end();
    });
  }
  const auto unknown = std::find_if(wanted.begin(), wanted.end(), [&](int pairs) { return !measured.contains(pairs); });
  if (unknown == wanted.end()) return std::nullopt;
  return WrongQuestion{fmt::format("`--pairs` asks for {}, of which there are no times", *unknown),
                       measured.empty() ? "" : fmt::format("there are times of {}", join_texts(measured, ", "))};
}

// The tools of the tables that are used, as people call them, in the order in which they were read.
std::vector<std::string> tools_of(const Timings& timings) {
  std::vector<std::string> tools;
  for (const auto& table : timings.tables) {
    const std::string name(long_name(table.tool));
    if (table.is_used() && std::find(tools.begin(), tools.end(), name) == tools.end()) tools.push_back(name);
  }
  return tools;
}

// What a file is, of which nobody has said it.
void remark_found(const std::string& file, std::size_t first, Timings& timings) {
  std::vector<std::string> tools;
  for (std::size_t i = first; i < timings.tables.size(); ++i) {
    const std::string name(long_name(timings.tables[i].tool));
    if (std::find(tools.begin(), tools.end(), name) == tools.end()) tools.push_back(name);
  }
  if (tools.empty())
    timings.remarks.push_back(fmt::format("{}: not used, no table of a benchmark was found in it", file));
  else if (timings.tables[first].tool == Tool::csv)
    timings.remarks.push_back(fmt::format("{}: {}", file, tools.front()));
  else
    timings.remarks.push_back(fmt::format(
        "{}: {} of {}", file, frontend::counted(timings.tables.size() - first, "table"), join_texts(tools, ", ")));
}

}  // namespace

bool is_kind_of_benchmark(const std::string& word) { return word == any_tool || tool_named(word).has_value(); }

std::optional<WrongQuestion> read_question(const MachineQuestion& question, FitPlan& plan) {
  FitOptions& options = plan.options;
  if (question.files.size() < 2) {
    return WrongQuestion{fmt::format("`wave fit {}` without a file", question.files.front()),
                         fmt::format("`wave fit {} FILE... -o machine.wave`", question.files.front())};
  }
  for (const int p : question.processes) {
    if (p < 1) return WrongQuestion{"a number of processes is at least 1", ""};
  }
  for (const auto& level : question.within) {
    // Those for each table of a file are read with it.
    if (level.find(',') == std::string::npos && !level_of_place(level))
      return WrongQuestion{fmt::format("`--within {}`: this is no level that a fit knows", level), help_on_levels()};
  }
  options.probability = question.confidence;
  options.keep_outliers = question.keep_outliers;
  if (question.is_absolute) options.noise = Noise::constant;
  if (auto wrong = check_name(question.name)) return wrong;
  if (auto wrong = read_assumptions(question, options)) return wrong;
  if (auto wrong = read_protocols(question, options)) return wrong;
  return read_range(question, plan.sizes);
}

void read_benchmark(const MachineQuestion& question, std::size_t index, const std::string& name, std::string text,
                    frontend::Sources& sources, Timings& timings, frontend::Diagnostics& diagnostics) {
  if (text.size() > most_bytes_of_benchmark) {
    const auto most = static_cast<double>(most_bytes_of_benchmark);
    diagnostics.add(frontend::DiagnosticKind::unusable_benchmark, {},
                    fmt::format("`{}` is larger than {}", name,
                                frontend::format_quantity(most, frontend::Dimension{0, 1, 0}, std::nullopt, 4)));
    return;
  }
  const auto file = sources.add(name, std::move(text));
  ReadOptions read;
  read.reading = question.reading;
  read.operation = question.operation;
  if (index < question.within.size() && !question.within[index].empty()) read.place = question.within[index];
  auto tool = tool_named(question.files.front());
  if (!tool && recognised(sources.text(file)) == Tool::csv) tool = Tool::csv;
  const std::size_t first = timings.tables.size();
  read_tables(tool, sources, file, read, timings, diagnostics);
  if (question.files.front() == any_tool) remark_found(name, first, timings);
}

std::optional<WrongQuestion> keep_asked(const MachineQuestion& question, const FitPlan& plan,
                                        const frontend::Sources& sources, Timings& timings,
                                        frontend::Diagnostics& diagnostics) {
  TableChoice choice{question.tables, question.processes, question.pairs, {}, 0};
  const auto without_pairs = [&] {
    return std::count_if(timings.tables.begin(), timings.tables.end(),
                         [](const LogTable& table) { return table.pairs == 0; });
  };
  const auto before = without_pairs();
  if (question.within.size() > 1) choice.within.assign(question.within.begin() + 1, question.within.end());
  if (auto wrong = use_tables(choice, question.files.size() - 1, sources, timings, diagnostics)) return wrong;
  if (diagnostics.has_errors()) return std::nullopt;
  if (plan.sizes) keep_sizes(timings, *plan.sizes);
  // Where tables have taken these numbers, they do not choose among times.
  const bool are_taken = without_pairs() < before;
  if (!question.pairs.empty() && !are_taken) {
    if (auto wrong = keep_pairs(timings, question.pairs)) return wrong;
  }
  compare_populations(timings, "wave fit " + question.files.front(), sources, diagnostics);
  return std::nullopt;
}

std::optional<WrongQuestion> check_options_of_pairs(const MachineQuestion& question) {
  const std::array<std::pair<const char*, bool>, 6> options = {{
      {"--assume", !question.assumptions.empty()},
      {"--protocol", !question.protocols.empty()},
      {"--segments", question.segments > 0},
      {"--keep-outliers", question.keep_outliers},
      {"--errors absolute", question.is_absolute},
      {"--confidence", question.confidence != MachineQuestion().confidence},
  }};
  for (const auto& [option, is_given] : options) {
    if (is_given)
      return WrongQuestion{
          fmt::format("`{}` is for times of one pair, and these are of several pairs or places", option),
          "leave it out, or fit the files of one pair by themselves"};
  }
  return std::nullopt;
}

std::optional<MachineFit> fit_asked(const MachineQuestion& question, FitPlan plan, const Timings& timings,
                                    frontend::Sources& sources, frontend::Diagnostics& diagnostics) {
  for (std::size_t i = 0; i < question.assumptions.size(); ++i) {
    const std::string& text = question.assumptions[i];
    plan.options.assumptions[i].location = {sources.add("--assume", text), 0, static_cast<std::uint32_t>(text.size())};
  }
  return fit_machine(timings, plan.options, diagnostics);
}

Provenance provenance_of(const MachineQuestion& question, const Timings& timings, const frontend::Sources& sources,
                         const std::string& version) {
  Provenance provenance;
  provenance.name = question.name.empty() ? machine_name_of(question.output) : question.name;
  provenance.tools = tools_of(timings);
  provenance.files.assign(question.files.begin() + 1, question.files.end());
  // What comes after them are options.
  for (std::size_t file = 0; file + 1 < question.files.size(); ++file) {
    provenance.digests.push_back(hexadecimal(digest(sources.text(static_cast<std::uint32_t>(file)))));
  }
  provenance.command = command_text(question);
  provenance.version = version;
  return provenance;
}

}  // namespace wave::analysis::machine_fit
