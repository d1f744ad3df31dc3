// `wave count`: how many messages of which size the processes of a model send, within which level and through which
// resources, and which collectives they call, to compare with a profile before any time is believed; or the same rank
// by rank, or pair by pair, to hold it against a recording. A time is looked at only for `--busy`.
#include "backend/interpreter/inspection.h"
#include "backend/processes/path/resource_load.h"
#include "backend/processes/path/resource_names.h"
#include "cli/evaluation.h"
#include "cli/limits.h"
#include "cli/option_words.h"
#include "cli/options.h"
#include "cli/ranks.h"
#include "cli/results.h"
#include "cli/session.h"
#include "cli/verb.h"
#include "ir/walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

namespace wave::cli {
namespace {

using backend::processes::CallClass;
using backend::processes::CallTally;
using backend::processes::Count;
using backend::processes::MessageTally;
using backend::processes::PairCount;
using backend::processes::RankCount;
using backend::processes::resource_name;
using backend::processes::resource_of;
using backend::processes::ResourceKey;
using frontend::DiagnosticKind;

enum class By { everything, rank, pair };
const std::map<std::string, By> ways{{"rank", By::rank}, {"pair", By::pair}};

struct CountCommand {
  ProcessChoice of;
  bool busy = false;
  By by = By::everything;
  std::string ranks;  // "0-3,8"; empty: all
  Format format;
};

void declare(CLI::App& verb, CountCommand& command, CommonOptions& common) {
  add_model(verb, command.of, common);
  add_text(verb, "--process", command.of.process, "NAME", "Which process (default: all of them)");
  const Declared busy =
      add_flag(verb, "--busy", command.busy, "Evaluate the times, and show for how much of them resources are busy");
  add_choice(verb, "--by", command.by, ways, "A line for each rank, or for each pair of sender and receiver, instead")
      .excludes(busy);
  add_ranks(verb, command.ranks);
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
  CallTally calls;
  std::map<ResourceKey, Busiest> busiest;  // with `--busy`
};

// Lines of a table by rank or by pair; more are not for anybody to read.
constexpr std::int64_t most_lines = 1'000'000;
struct TooManyLines {};

class Counts {
 public:
  Counts(Results& results, const frontend::Sources& sources, bool busy)
      : results_(results), sources_(sources), busy_(busy) {}

  void add(const ir::System& system, const frontend::ProcessInfo& process, const Counted& counted) {
    add_totals(system, process, counted.tally);
    add_classes(system, process, counted.tally);
    add_calls(process, counted.calls);
    add_levels(process, counted.tally);
    add_resources(system, process, counted);
  }

  void add(const ir::System& system, const frontend::ProcessInfo& process, const backend::processes::Places& places,
           const std::vector<RankCount>& ranks) {
    std::vector<frontend::ColumnInfo> columns{{"rank", count_type(), {}}};
    for (const ir::Axis& axis : system[system[process.process].space].axes)
      columns.push_back({axis.name, count_type(), {}});
    add_count_columns(columns);
    columns.insert(columns.begin() + static_cast<std::ptrdiff_t>(places.extents.size()) + 3,
                   {{"partners", count_type(), {}}, {"collectives", count_type(), {}}});
    results_.add_table(process.name + ".ranks", std::move(columns), "sent by each process");
    for (const RankCount& rank : ranks) {
      std::vector<Cell> cells{rank.rank};
      for (const std::int64_t coordinate : places.point(rank.rank)) cells.emplace_back(coordinate);
      cells.insert(cells.end(),
                   {count_cell(rank.own.messages), rank.own.bytes.rounded(), rank.partners, count_cell(rank.calls),
                    count_cell(rank.of_collectives.messages), rank.of_collectives.bytes.rounded()});
      results_.add_row(cells);
    }
  }

  void add(const frontend::ProcessInfo& process, const std::vector<PairCount>& pairs) {
    std::vector<frontend::ColumnInfo> columns{{"sender", count_type(), {}}, {"receiver", count_type(), {}}};
    add_count_columns(columns);
    results_.add_table(process.name + ".pairs", std::move(columns), "sent from one process to another");
    for (const PairCount& pair : pairs) {
      results_.add_row({pair.sender, pair.receiver, count_cell(pair.own.messages), pair.own.bytes.rounded(),
                        count_cell(pair.of_collectives.messages), pair.of_collectives.bytes.rounded()});
    }
  }

 private:
  // Of the program's own messages, then of those that algorithms of collectives are made of.
  static void add_count_columns(std::vector<frontend::ColumnInfo>& columns) {
    columns.insert(columns.end(), {{"messages", count_type(), {}},
                                   {"bytes", data_type(), {}},
                                   {"messages_in_collectives", count_type(), {}},
                                   {"bytes_in_collectives", data_type(), {}}});
  }

  void add_totals(const ir::System& system, const frontend::ProcessInfo& process, const MessageTally& tally) {
    const auto add = [&](const std::string& name, const std::string& doc, bool all) {
      Count total;
      for (const auto& [kind, count] : tally) {
        if (all || kind.of_collective) total.add(kind.size, count);
      }
      results_.add_record(name, {{"messages", count_type(), {}}, {"bytes", data_type(), {}}}, doc);
      results_.add_row({count_cell(total.messages), total.bytes.rounded()});
    };
    add(process.name, "sent by all processes", true);
    const auto is_of_collective = [](const ir::Message& message) { return message.context != 0; };
    if (ir::any_statement<ir::Message>(system[process.process], is_of_collective))
      add(process.name + ".in_collectives", "of these by the algorithms of collectives", false);
  }

  void add_calls(const frontend::ProcessInfo& process, const CallTally& calls) {
    if (calls.empty()) return;
    std::set<double> sizes;
    for (const auto& [call, count] : calls) sizes.insert(call.size.value_or(0));
    const bool by_power = sizes.size() > most_sizes;
    CallTally rows;
    for (const auto& [call, count] : calls) {
      CallClass row = call;
      if (by_power && row.size) row.size = next_power_of_two(*row.size);
      rows[row] += count;
    }
    results_.add_table(process.name + ".collectives",
                       {{"collective", text_type(), {}},
                        {by_power ? "size_up_to" : "size", data_type(), {}},
                        {"participants", count_type(), {}},
                        {"calls", count_type(), {}},
                        {"call", text_type(), {}},
                        {"where", text_type(), {}}},
                       "that the program calls, each by all of its participants together");
    for (const auto& [call, count] : rows) {
      const std::string_view text = sources_.text(call.location());
      results_.add_row({call.name, call.size.value_or(0), call.participants, count_cell(count),
                        std::string(text.substr(0, text.find('\n'))), location_text(sources_, call.location())});
    }
  }

  void add_classes(const ir::System& system, const frontend::ProcessInfo& process, const MessageTally& tally) {
    const ir::Process& of = system[process.process];
    std::set<double> sizes;
    for (const auto& [kind, count] : tally) sizes.insert(kind.size);
    const bool by_power = sizes.size() > most_sizes;
    std::map<std::tuple<std::string, std::string, std::int64_t, double>, Count> rows;
    for (const auto& [kind, count] : tally) {
      const ir::MessageEnds& ends = system[kind.ends];
      const std::string phase = kind.phase.valid() ? of.phases[kind.phase.index] : "-";
      const std::string protocol =
          ends.name.empty() ? ends.protocols[kind.protocol].name : ends.name + "." + ends.protocols[kind.protocol].name;
      for (const ir::LevelName& level : ends.levels) levels_.emplace(level.number, level.name);
      rows[{phase, protocol, kind.within, by_power ? next_power_of_two(kind.size) : kind.size}].add(kind.size, count);
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
    std::map<std::int64_t, Count> rows;
    for (const auto& [kind, count] : tally) rows[kind.within].add(kind.size, count);
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
  const frontend::Sources& sources_;
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
  run.use_program([&](const backend::processes::ProgramInput& input) {
    const double finish = *std::max_element(run.finishes().begin(), run.finishes().end());
    for (const auto& [key, found] : find_busiest(input, finish)) {
      const double whole = finish * static_cast<double>(found.servers);
      result[key] = {instance_name(input, found.instance), found.busy, whole > 0 ? found.busy / whole : 0};
    }
  });
  return result;
}

// Throws NoSuchRank and TooManyLines, of the process.
void count_process(const CountCommand& command, const std::set<std::int64_t>& ranks, const ir::System& system,
                   const frontend::ProcessInfo& process, backend::processes::Run& run, Counts& counts,
                   Counted& counted) {
  const backend::processes::Places& places = run.places();
  require_ranks(ranks, places.count());
  if (command.by == By::rank) {
    if (ranks.empty() && places.count() > most_lines) throw TooManyLines();
    return counts.add(system, process, places, run.counts().by_rank(ranks));
  }
  if (command.by == By::pair) {
    const std::vector<PairCount> pairs = run.counts().by_pair(ranks);
    if (pairs.size() > static_cast<std::size_t>(most_lines)) throw TooManyLines();
    return counts.add(process, pairs);
  }
  auto tallies = run.counts().tallies();
  counted.tally = std::move(tallies.messages);
  counted.calls = std::move(tallies.calls);
  if (command.busy && !find_traffic(system, counted.tally).empty()) counted.busiest = find_busiest_of(run);
  counts.add(system, process, counted);
}

int report_too_many_lines(Console& console, const CountCommand& command, const std::string& process) {
  const char* const by = command.by == By::rank ? "rank" : "pair";
  return report_misuse(
      console, fmt::format("`--by {}` would have more than {} lines of `{}`", by, most_lines, process),
      command.ranks.empty() ? "choose some senders with `--ranks`, for example `--ranks 0-99`" : "choose fewer ranks");
}

int execute(const CountCommand& command, const CommonOptions& options, Console& console) {
  const auto ranks = read_ranks(command.ranks, console);
  if (!ranks) return misuse;
  if (!ranks->empty() && command.by == By::everything) {
    return report_misuse(console, "`--ranks` chooses lines of `--by rank` and senders of `--by pair`",
                         "give one of the two as well");
  }
  Session session(console, options);
  const auto model = load_processes(session, command.of);
  if (!model) return failure;
  Results results;
  results.file = session.name();
  results.model = model->model;
  results.engine = "count";
  Counts counts(results, session.sources(), command.busy);
  const ir::System& system = model->lowered.system;
  for (const auto& process : model->chosen) {
    Counted counted;
    const auto count = [&](backend::processes::Run& run) {
      count_process(command, *ranks, system, process, run, counts, counted);
    };
    try {
      const auto failed = backend::inspect_process(system, {}, engine_limits(options), process.process, count);
      if (failed)
        report(system, model->lowered.words, model->lowered.notes, *failed, session.diagnostics());
      else
        warn_of_busy(session, system, counted.busiest);
    } catch (const NoSuchRank& missing) {
      return report_no_such_rank(console, process.name, missing);
    } catch (const TooManyLines&) {
      return report_too_many_lines(console, command, process.name);
    }
  }
  const bool is_clear = session.settle();
  Document document = document_of(results);
  // One table is rows, which other programs read as they are.
  if (command.by != By::everything && document.tables.size() == 1) document.shape = Document::Shape::rows;
  write_document(std::move(document), command.format, "", console);
  return is_clear ? success : failure;
}

}  // namespace

Verb count_verb() {
  return make_verb<CountCommand>(
      "count", "Count the messages of a model's processes, to compare with a profile",
      {{"Count the messages of a model by size and protocol", "wave count examples/halo/halo.wave"},
       {"What each rank sends on another grid, as CSV, to hold against a recording",
        "wave count examples/halo/halo.wave -D n=4 -D m=4 --by rank --format csv"},
       {"Which interfaces are busy, and for how much of the time",
        "wave count examples/max_rate/ping_pong.wave --busy"}},
      declare, execute);
}

}  // namespace wave::cli
