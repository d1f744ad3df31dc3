// `wave count`: how many messages of which size the processes of a model send, to compare with a profile before any
// time is believed. No time is looked at.
#include "backend/interpreter/inspection.h"
#include "cli/evaluation.h"
#include "cli/limits.h"
#include "cli/option_words.h"
#include "cli/options.h"
#include "cli/results.h"
#include "cli/session.h"
#include "cli/verb.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>

namespace wave::cli {
namespace {

using backend::processes::ExactSum;
using backend::processes::MessageTally;

struct Command {
  ProcessChoice of;
  Format format;
};

void declare(CLI::App& verb, Command& command, CommonOptions& common) {
  add_model(verb, command.of);
  add_text(verb, "--process", command.of.process, "NAME", "Which process (default: all of them)");
  add_format(verb, command.format);
  add_search(verb, common);
  add_limits(verb, common);
}

// More sizes than that are put together by powers of two.
constexpr std::size_t most_sizes = 24;

double next_power_of_two(double size) { return size <= 1 ? size : std::exp2(std::ceil(std::log2(size))); }

std::int64_t count_cell(__int128 count) {
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  return count > most ? most : static_cast<std::int64_t>(count);
}

class Counts {
 public:
  explicit Counts(Results& results) : results_(results) {}

  void add(const ir::System& system, const frontend::ProcessInfo& process, const MessageTally& tally) {
    add_totals(process, tally);
    add_classes(system, process, tally);
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
    std::map<std::int64_t, std::string> levels{{0, "none"}};
    for (const auto& [kind, count] : tally) {
      const ir::MessageEnds& ends = system[kind.ends];
      const std::string phase = kind.phase.valid() ? of.phases[kind.phase.index] : "-";
      const std::string protocol =
          ends.name.empty() ? ends.protocols[kind.protocol].name : ends.name + "." + ends.protocols[kind.protocol].name;
      for (const ir::LevelName& level : ends.levels) levels.emplace(level.number, level.name);
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
      results_.add_row({phase, protocol, levels[within], size, count_cell(row.messages), row.bytes.rounded()});
    }
  }

  Results& results_;
};

int execute(const Command& command, const CommonOptions& options, Console& console) {
  Session session(console, options);
  const auto model = load_processes(session, command.of);
  if (!model) return failure;
  Results results;
  results.file = session.name();
  results.model = model->model;
  results.engine = "count";
  Counts counts(results);
  for (const auto& process : model->chosen) {
    MessageTally tally;
    const auto failed = backend::inspect_process(model->lowered.system, {}, engine_limits(options), process.process,
                                                 [&](backend::processes::Run& run) { tally = run.tally(); });
    if (failed) {
      report(model->lowered.system, model->lowered.words, model->lowered.notes, *failed, session.diagnostics());
    } else {
      counts.add(model->lowered.system, process, tally);
    }
  }
  const bool is_clear = session.settle();
  console.print(written(document_of(results), command.format));
  return is_clear ? success : failure;
}

}  // namespace

Verb count_verb() {
  return make_verb<Command>(
      "count", "Count the messages of a model's processes, to compare with a profile",
      {{"Count the messages of a model by size and protocol", "wave count examples/halo/halo.wave"},
       {"On another grid, as CSV", "wave count examples/halo/halo.wave -D n=4 -D m=4 --format csv"}},
      declare, execute);
}

}  // namespace wave::cli
