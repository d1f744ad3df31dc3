// `wave count`: how many messages of which size the processes of a model send, to hold against a profile before any time
// is believed. No time is looked at.
#include "backend/interpreter/inspection.h"
#include "cli/evaluation.h"
#include "cli/limits.h"
#include "cli/model_processes.h"
#include "cli/verbs.h"

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
using frontend::ColumnInfo;
using frontend::TypeRef;
namespace types = frontend::types;

// More sizes than that are put together by powers of two.
constexpr std::size_t most_sizes = 24;

TypeRef make_type(frontend::Type type) { return std::make_shared<const frontend::Type>(std::move(type)); }
TypeRef text_type() { return make_type({types::String{}}); }
TypeRef count_type() { return make_type({types::Int{}}); }
TypeRef data_type() { return make_type({types::Real{{0, 1, 0}}}); }

double next_power_of_two(double size) { return size <= 1 ? size : std::exp2(std::ceil(std::log2(size))); }

ir::Scalar count_of(__int128 count) {
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  return ir::Scalar::of(count > most ? most : static_cast<std::int64_t>(count));
}

class Tables {
 public:
  explicit Tables(Results& results) : results_(results) {}

  // What `results` points to; it must outlive it.
  std::vector<std::unique_ptr<frontend::OutputInfo>> infos;

  void add(const ir::System& system, const frontend::ProcessInfo& process, const MessageTally& tally) {
    add_totals(process, tally);
    add_classes(system, process, tally);
  }

 private:
  struct Row {
    __int128 messages = 0;
    ExactSum bytes;
  };

  ir::Scalar word(const std::string& text) {
    results_.words.push_back(text);
    return ir::Scalar::of(static_cast<std::int64_t>(results_.words.size()) - 1);
  }

  OutputResult& output(const std::string& name, frontend::RowsShape shape, std::vector<ColumnInfo> columns,
                       const std::string& doc) {
    infos.push_back(std::make_unique<frontend::OutputInfo>());
    frontend::OutputInfo& info = *infos.back();
    info.name = name;
    info.doc = doc;
    info.shape = shape;
    info.columns = std::move(columns);
    OutputResult result;
    result.info = &info;
    result.rows.columns = info.columns.size();
    results_.outputs.push_back(std::move(result));
    return results_.outputs.back();
  }

  void add_totals(const frontend::ProcessInfo& process, const MessageTally& tally) {
    __int128 messages = 0;
    ExactSum bytes;
    for (const auto& [kind, count] : tally) {
      messages += count;
      bytes.add(kind.size, static_cast<unsigned __int128>(count));
    }
    auto& output_of = output(process.name, frontend::RowsShape::record,
                             {{"messages", count_type(), {}}, {"bytes", data_type(), {}}}, "sent by all processes");
    output_of.rows.cells = {count_of(messages), ir::Scalar::of(bytes.rounded())};
  }

  void add_classes(const ir::System& system, const frontend::ProcessInfo& process, const MessageTally& tally) {
    const ir::Process& of = system[process.process];
    std::set<double> sizes;
    for (const auto& [kind, count] : tally) sizes.insert(kind.size);
    const bool by_power = sizes.size() > most_sizes;
    std::map<std::tuple<std::string, std::string, bool, double>, Row> rows;
    for (const auto& [kind, count] : tally) {
      const ir::MessageEnds& ends = system[kind.ends];
      const std::string phase = kind.phase.valid() ? of.phases[kind.phase.index] : "-";
      const std::string protocol = ends.name.empty() ? ends.protocols[kind.protocol].name
                                                     : ends.name + "." + ends.protocols[kind.protocol].name;
      Row& row = rows[{phase, protocol, kind.local, by_power ? next_power_of_two(kind.size) : kind.size}];
      row.messages += count;
      row.bytes.add(kind.size, static_cast<unsigned __int128>(count));
    }
    auto& output_of = output(process.name + ".messages", frontend::RowsShape::records,
                             {{"phase", text_type(), {}}, {"protocol", text_type(), {}}, {"node", text_type(), {}},
                              {by_power ? "size_up_to" : "size", data_type(), {}}, {"messages", count_type(), {}},
                              {"bytes", data_type(), {}}}, "");
    for (const auto& [key, row] : rows) {
      const auto& [phase, protocol, local, size] = key;
      for (const ir::Scalar cell : {word(phase), word(protocol), word(local ? "same" : "other"), ir::Scalar::of(size),
                                    count_of(row.messages), ir::Scalar::of(row.bytes.rounded())}) {
        output_of.rows.cells.push_back(cell);
      }
    }
  }

  Results& results_;
};

}  // namespace

int execute(const CountCommand& command, const CommonOptions& options, Console& console) {
  Session session(console, options);
  const auto model = load_processes(session, command.of);
  if (!model) return failure;
  Results results;
  results.file = session.name();
  results.model = model->model;
  results.words = model->lowered.words;
  results.engine = "count";
  Tables tables(results);
  for (const auto& process : model->chosen) {
    MessageTally tally;
    const auto failed = backend::inspect_process(model->lowered.system, {}, engine_limits(options), process.process,
                                                 [&](backend::processes::Run& run) { tally = run.tally(); });
    if (failed) {
      report(model->lowered.system, model->lowered.words, model->lowered.notes, *failed, session.diagnostics());
    } else {
      tables.add(model->lowered.system, process, tally);
    }
  }
  const bool is_clear = session.settle();
  console.print(render(results, command.format));
  return is_clear ? success : failure;
}

}  // namespace wave::cli
