// `wave count`: how many messages of which size the processes of a model send, within which level and through which
// resources, to compare with a profile before any time is believed. A time is looked at only for `--busy`.
#include "backend/interpreter/inspection.h"
#include "backend/processes/resource_load.h"
#include "backend/processes/resource_names.h"
#include "cli/evaluation.h"
#include "cli/limits.h"
#include "cli/option_words.h"
#include "cli/options.h"
#include "cli/results.h"
#include "cli/session.h"
#include "cli/verb.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>

namespace wave::cli {
namespace {

using backend::processes::ExactSum;
using backend::processes::MessageTally;
using backend::processes::resource_name;
using backend::processes::resource_of;
using backend::processes::ResourceKey;
using frontend::DiagnosticKind;

struct Command {
  ProcessChoice of;
  bool busy = false;
  Format format;
};

void declare(CLI::App& verb, Command& command, CommonOptions& common) {
  add_model(verb, command.of);
  add_text(verb, "--process", command.of.process, "NAME", "Which process (default: all of them)");
  add_flag(verb, "--busy", command.busy, "Evaluate the times, and show for how much of them resources are busy");
  add_format(verb, command.format);
  add_search(verb, common);
}

// More sizes than that are put together by powers of two.
constexpr std::size_t most_sizes = 24;

double next_power_of_two(double size) { return size <= 1 ? size : std::exp2(std::ceil(std::log2(size))); }

std::int64_t count_cell(__int128 count) {
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  return count > most ? most : static_cast<std::int64_t>(count);
}

// Of a resource, the instance that is busy for the longest time.
struct Busiest {
  std::string name;
  double busy = 0;   // ps, of all its servers
  double share = 0;  // of the time of its servers
};

struct Counted {
  MessageTally tally;
  std::map<ResourceKey, Busiest> busiest;  // with `--busy`
};

class Counts {
 public:
  Counts(Results& results, bool busy) : results_(results), busy_(busy) {}

  void add(const ir::System& system, const frontend::ProcessInfo& process, const Counted& counted) {
    add_totals(process, counted.tally);
    add_classes(system, process, counted.tally);
    add_levels(process, counted.tally);
    add_resources(system, process, counted);
  }

 private:
  struct Row {
    __int128 messages = 0;
    ExactSum bytes;
  };

  void add_totals(const frontend::ProcessInfo& process, const MessageTally& tally) {
    __int128 messages = 0;
    ExactSum bytes;
    for (const auto& [kind, count] : tally) {
      messages += count;
      bytes.add(kind.size, static_cast<unsigned __int128>(count));
    }
    results_.add_record(process.name, {{"messages", count_type(), {}}, {"bytes", data_type(), {}}},
                        "sent by all processes");
    results_.add_row({count_cell(messages), bytes.rounded()});
  }

  void add_classes(const ir::System& system, const frontend::ProcessInfo& process, const MessageTally& tally) {
    const ir::Process& of = system[process.process];
    std::set<double> sizes;
    for (const auto& [kind, count] : tally) sizes.insert(kind.size);
    const bool by_power = sizes.size() > most_sizes;
    std::map<std::tuple<std::string, std::string, std::int64_t, double>, Row> rows;
    for (const auto& [kind, count] : tally) {
      const ir::MessageEnds& ends = system[kind.ends];
      const std::string phase = kind.phase.valid() ? of.phases[kind.phase.index] : "-";
      const std::string protocol =
          ends.name.empty() ? ends.protocols[kind.protocol].name : ends.name + "." + ends.protocols[kind.protocol].name;
      for (const ir::LevelName& level : ends.levels) levels_.emplace(level.number, level.name);
      Row& row = rows[{phase, protocol, kind.within, by_power ? next_power_of_two(kind.size) : kind.size}];
      row.messages += count;
      row.bytes.add(kind.size, static_cast<unsigned __int128>(count));
    }
    results_.add_table(process.name + ".messages",
                       {{"phase", text_type(), {}},
                        {"protocol", text_type(), {}},
                        {"within", text_type(), {}},
                        {by_power ? "size_up_to" : "size", data_type(), {}},
                        {"messages", count_type(), {}},
                        {"bytes", data_type(), {}}},
                       "");
    for (const auto& [key, row] : rows) {
      const auto& [phase, protocol, within, size] = key;
      results_.add_row({phase, protocol, levels_[within], size, count_cell(row.messages), row.bytes.rounded()});
    }
  }

  // Where all share nothing, the totals say it.
  void add_levels(const frontend::ProcessInfo& process, const MessageTally& tally) {
    std::map<std::int64_t, Row> rows;
    for (const auto& [kind, count] : tally) {
      rows[kind.within].messages += count;
      rows[kind.within].bytes.add(kind.size, static_cast<unsigned __int128>(count));
    }
    if (rows.empty() || rows.rbegin()->first == 0) return;
    results_.add_table(process.name + ".levels",
                       {{"within", text_type(), {}}, {"messages", count_type(), {}}, {"bytes", data_type(), {}}},
                       "by the innermost level that both ends share");
    for (const auto& [within, row] : rows)
      results_.add_row({levels_[within], count_cell(row.messages), row.bytes.rounded()});
  }

  void add_resources(const ir::System& system, const frontend::ProcessInfo& process, const Counted& counted) {
    const auto traffic = find_traffic(system, counted.tally);
    if (traffic.empty()) return;
    std::vector<frontend::ColumnInfo> columns{
        {"resource", text_type(), {}}, {"services", count_type(), {}}, {"bytes", data_type(), {}}};
    if (busy_) {
      columns.push_back({"busiest", text_type(), {}});
      columns.push_back({"busy", time_type(), {}});
      columns.push_back({"percent", plain_type(), {}});
    }
    results_.add_table(process.name + ".resources", std::move(columns), "what messages pass through");
    for (const auto& [key, through] : traffic) {
      std::vector<Cell> cells{resource_name(system, key), count_cell(through.services), through.bytes.rounded()};
      if (busy_) {
        const auto found = counted.busiest.find(key);
        const Busiest busiest = found == counted.busiest.end() ? Busiest{} : found->second;
        cells.insert(cells.end(), {busiest.name, busiest.busy, 100 * busiest.share});
      }
      results_.add_row(cells);
    }
  }

  Results& results_;
  const bool busy_;
  std::map<std::int64_t, std::string> levels_{{0, "none"}};
};

// A resource that is busy for a larger part of the time decides how long it is.
constexpr double nearly_always = 0.9;

void warn_of_busy(Session& session, const ir::System& system, const std::map<ResourceKey, Busiest>& found) {
  for (const auto& [key, busiest] : found) {
    if (busiest.share <= nearly_always) continue;
    const ir::Resource& resource = resource_of(system, key);
    auto& d = session.diagnostics().add(
        DiagnosticKind::busy_resource, resource.location,
        fmt::format("`{}` is busy {:.0f} % of the time", busiest.name, std::floor(100 * busiest.share)),
        "this resource", frontend::Severity::warning);
    d.notes.emplace_back("what waits for it decides how long the program takes");
  }
}

// Evaluates the process.
std::map<ResourceKey, Busiest> find_busiest_of(backend::processes::Run& run) {
  std::map<ResourceKey, Busiest> result;
  run.use_network([&](const backend::processes::NetworkInput& input) {
    const double finish = *std::max_element(run.finishes().begin(), run.finishes().end());
    for (const auto& [key, found] : find_busiest(input, finish)) {
      const double whole = finish * static_cast<double>(found.servers);
      result[key] = {instance_name(input, found.instance), found.busy, whole > 0 ? found.busy / whole : 0};
    }
  });
  return result;
}

int execute(const Command& command, const CommonOptions& options, Console& console) {
  Session session(console, options);
  const auto model = load_processes(session, command.of);
  if (!model) return failure;
  Results results;
  results.file = session.name();
  results.model = model->model;
  results.engine = "count";
  Counts counts(results, command.busy);
  for (const auto& process : model->chosen) {
    Counted counted;
    const auto count = [&](backend::processes::Run& run) {
      counted.tally = run.tally();
      if (command.busy && !find_traffic(model->lowered.system, counted.tally).empty())
        counted.busiest = find_busiest_of(run);
    };
    const auto failed =
        backend::inspect_process(model->lowered.system, {}, engine_limits(options), process.process, count);
    if (failed) {
      report(model->lowered.system, model->lowered.words, model->lowered.notes, *failed, session.diagnostics());
    } else {
      counts.add(model->lowered.system, process, counted);
      warn_of_busy(session, model->lowered.system, counted.busiest);
    }
  }
  const bool is_clear = session.settle();
  console.print(written(document_of(results), command.format), Printed::data);
  return is_clear ? success : failure;
}

}  // namespace

Verb count_verb() {
  return make_verb<Command>(
      "count", "Count the messages of a model's processes, to compare with a profile",
      {{"Count the messages of a model by size and protocol", "wave count examples/halo/halo.wave"},
       {"On another grid, as CSV", "wave count examples/halo/halo.wave -D n=4 -D m=4 --format csv"},
       {"Which interfaces are busy, and for how much of the time",
        "wave count examples/max_rate/ping_pong.wave --busy"}},
      declare, execute);
}

}  // namespace wave::cli
