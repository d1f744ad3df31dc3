// See explanations.h.
#include "analysis/explanations.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace wave::analysis {
namespace {

using frontend::DiagnosticKind;

constexpr double rise = 0.01;

// The first line of a statement, and where it stands: `send EW to downwind i (sweep3d.wave:57)`.
std::string source_text(const frontend::Sources& sources, Location location) {
  if (!location.known()) return "";
  std::string text(sources.text(location));
  text = text.substr(0, text.find('\n'));
  return text;
}

void warn(frontend::Diagnostics& diagnostics, const std::vector<const frontend::OutputInfo*>& outputs,
          const std::string& why) {
  std::vector<std::string> names;
  for (const auto* output : outputs) names.push_back(output->name);
  auto& d = diagnostics.add(DiagnosticKind::no_breakdown, outputs.front()->location,
                            fmt::format("where the time of {} goes is not found", frontend::quoted_list(names)),
                            "this output", frontend::Severity::warning);
  for (std::size_t i = 1; i < outputs.size(); ++i) d.labels.push_back({outputs[i]->location, "and this"});
  d.notes.push_back(why);
}

// Why outputs have no breakdown. It is reported once for all outputs with the same reason.
class Unexplained {
 public:
  // False if the output has no breakdown.
  bool check(const frontend::OutputInfo& output, const std::optional<ir::Failure>& failed, const std::string& why_not) {
    if (failed) {
      if (failed->is_limit()) add(output, "it takes more than the output itself: " + failed->detail);
      return false;  // otherwise the output itself has failed
    }
    if (!why_not.empty()) add(output, why_not);
    return why_not.empty();
  }
  void report(frontend::Diagnostics& diagnostics) const {
    for (const auto& [why, outputs] : reasons_) warn(diagnostics, outputs, why);
  }

 private:
  void add(const frontend::OutputInfo& output, const std::string& why) {
    auto found = std::find_if(reasons_.begin(), reasons_.end(), [&](const auto& one) { return one.first == why; });
    if (found == reasons_.end()) found = reasons_.insert(found, {why, {}});
    found->second.push_back(&output);
  }

  std::vector<std::pair<std::string, std::vector<const frontend::OutputInfo*>>> reasons_;
};

RowTable share_table(const frontend::Sources& sources, const Breakdown& breakdown) {
  const frontend::OutputInfo& output = *breakdown.output;
  RowTable table{output.is_breakdown ? output.name : output.name + ".breakdown",
                 output.is_breakdown ? output.doc : "where its time goes",
                 {{"of", text_type(), {}},
                  {"where", text_type(), {}},
                  {"time", time_type(), output.columns[0].unit},
                  {"percent", plain_type(), {}}},
                 {}};
  auto shares = breakdown.shares;
  std::stable_sort(shares.begin(), shares.end(),
                   [](const auto& a, const auto& b) { return std::fabs(a.time) > std::fabs(b.time); });
  const auto percent = [&](double time) { return breakdown.total == 0 ? 0 : 100 * time / breakdown.total; };
  for (const auto& share : shares) {
    const bool is_statement = share.of.kind == Input::Kind::process;
    const std::string name =
        is_statement ? share.of.name + " of " + source_text(sources, share.of.location) : share.of.name;
    table.rows.push_back({name, location_text(sources, share.of.location), share.time, percent(share.time)});
  }
  const bool is_rounding = std::fabs(breakdown.rest) <= 1e-9 * std::fabs(breakdown.total);
  table.rows.push_back({is_rounding ? "rounding" : "rounding and jumps", "", breakdown.rest, percent(breakdown.rest)});
  return table;
}

std::string path_title(const std::string& process, const backend::processes::CriticalPath& path) {
  using Of = backend::processes::CriticalPath::Of;
  const std::string place = fmt::format("process ({})", fmt::join(path.finisher, ", "));
  const char* const tied = path.tied ? "; another path is as long" : "";
  switch (path.of) {
    case Of::finish: return fmt::format("the critical path of `{}`, to the end of {}{}", process, place, tied);
    case Of::phase:
      return fmt::format("the critical paths of `{}`, to where {} leaves the phase less to where it enters it{}",
                         process, place, tied);
    case Of::program: return fmt::format("what {} of `{}` does itself", place, process);
    case Of::rest: break;
  }
  return fmt::format("the critical path of `{}`, to the end of {}, less what it does itself{}", process, place, tied);
}

void add_path(const frontend::Sources& sources, const Breakdown& breakdown, const std::string& process,
              const backend::processes::CriticalPath& path, std::vector<RowTable>& tables) {
  std::map<PathKind, double> kinds;
  std::map<std::pair<std::string, PathKind>, std::pair<std::string, double>> statements;
  std::vector<std::pair<std::string, PathKind>> order;
  for (const auto& term : path.terms) {
    const PathKind kind = kind_of(term);
    kinds[kind] += term.sum;
    const std::pair<std::string, PathKind> key{
        location_text(sources, term.location) + " " + source_text(sources, term.location), kind};
    auto& sum = statements[key];
    if (sum.first.empty()) order.push_back(key);
    sum.first = location_text(sources, term.location);
    sum.second += term.sum;
  }
  const auto percent = [&](double time) { return path.total == 0 ? 0 : 100 * time / path.total; };
  const auto unit = breakdown.output->columns[0].unit;
  RowTable& by_kind = tables.emplace_back(
      RowTable{breakdown.output->name + ".path",
               path_title(process, path),
               {{"kind", text_type(), {}}, {"time", time_type(), unit}, {"percent", plain_type(), {}}},
               {}});
  for (const auto& [kind, time] : kinds) by_kind.rows.push_back({word_of(kind), time, percent(time)});
  RowTable& by_statement = tables.emplace_back(RowTable{breakdown.output->name + ".statements",
                                                        "the same by statement",
                                                        {{"statement", text_type(), {}},
                                                         {"where", text_type(), {}},
                                                         {"kind", text_type(), {}},
                                                         {"time", time_type(), unit},
                                                         {"percent", plain_type(), {}}},
                                                        {}});
  for (const auto& key : order) {
    const auto& [location, time] = statements[key];
    by_statement.rows.push_back(
        {key.first.substr(location.size() + 1), location, word_of(key.second), time, percent(time)});
  }
}

// NaN if it was not found, and infinite if the parameter may change without limit.
double change_of(const Sensitivity& one, const std::optional<double>& change) {
  if (one.failure || one.value == 0) return std::nan("");
  return change.value_or(std::numeric_limits<double>::infinity());
}

void warn_of_limit(frontend::Diagnostics& diagnostics, const Sensitivity& one) {
  if (!one.failure || !one.failure->is_limit()) return;
  const std::string limit = one.failure->kind == ir::FailureKind::time_limit ? "time than the limit leaves"
                                                                             : "memory: " + one.failure->detail;
  warn(diagnostics, {one.output}, fmt::format("how far `{}` may grow takes more {}", one.parameter->path, limit));
}

// Whole numbers, machines and the like cannot grow a little.
void warn_of_steps(frontend::Diagnostics& diagnostics, const std::string& parameter) {
  diagnostics
      .add(DiagnosticKind::no_breakdown, {}, fmt::format("how outputs answer to `{}` is not found", parameter), "",
           frontend::Severity::warning)
      .notes.push_back("it has no derivative: quantities and reals have one, of outputs of dimension time");
}

// The parameter exists, but a condition chooses the machine that has it, or it is one of several.
void refuse_several(frontend::Diagnostics& diagnostics, const std::string& parameter) {
  auto& d = diagnostics.add(DiagnosticKind::no_breakdown, {},
                            fmt::format("how outputs answer to `{}` is not found", parameter));
  d.notes.push_back("the machine or model that it belongs to is not one alone: it is chosen, or made where it is used");
  d.help.push_back(
      "give the model a parameter of its own and hand it on, as in `param L: time = 1 us` and `A(L = L)`, and ask for "
      "that");
}

}  // namespace

std::vector<ExplainedOutput> explain_times(frontend::Lowered& lowered, const frontend::Sources& sources,
                                           const MakeEngine& make_engine, const backend::Limits& limits,
                                           const std::map<std::string, double>& known, bool of_all_times,
                                           frontend::Diagnostics& diagnostics) {
  Unexplained unexplained;
  std::vector<ExplainedOutput> explained;
  for (const Breakdown& one : break_down(lowered, make_engine, limits, {}, known)) {
    if (!one.output->is_breakdown && !of_all_times) continue;
    ExplainedOutput& output = explained.emplace_back(ExplainedOutput{one.output->name, one.output->is_breakdown, {}});
    if (!unexplained.check(*one.output, one.failure, one.why_not)) continue;
    output.tables.push_back(share_table(sources, one));
    if (output.is_breakdown) continue;
    for (const auto& [process, path] : one.paths) add_path(sources, one, process, path, output.tables);
  }
  unexplained.report(diagnostics);
  return explained;
}

std::vector<RowTable> explain_sensitivities(const frontend::Program& program, const frontend::Item& model,
                                            frontend::Lowered& lowered, const std::vector<std::string>& parameters,
                                            const MakeEngine& make_engine, const backend::Limits& limits,
                                            frontend::Diagnostics& diagnostics) {
  const auto found = find_sensitivities(lowered, parameters, rise, make_engine, limits);
  std::vector<RowTable> tables;
  for (const auto& parameter : parameters) {
    frontend::TypeRef type;
    for (const auto& one : lowered.parameters) {
      if (one.path == parameter) type = one.type;
    }
    if (!type) {
      if (parameter_type(program, model, parameter, {}, diagnostics)) refuse_several(diagnostics, parameter);
      continue;
    }
    const auto is_of_this = [&](const Sensitivity& one) { return one.parameter->path == parameter; };
    if (std::none_of(found.begin(), found.end(), is_of_this)) {
      warn_of_steps(diagnostics, parameter);
      continue;
    }
    RowTable& table = tables.emplace_back(
        RowTable{"sensitivity to " + parameter,
                 "by how much less and more it is while the derivative holds; growth that raises the output by 1 %",
                 {{"output", text_type(), {}},
                  {"derivative", plain_type(), {}},
                  {"holds_down_by", type, {}},
                  {"holds_up_by", type, {}},
                  {"may_grow_by", type, {}},
                  {"percent", plain_type(), {}}},
                 {}});
    for (const auto& one : found) {
      if (!is_of_this(one)) continue;
      warn_of_limit(diagnostics, one);
      const double growth = change_of(one, one.growth);
      const auto holds = [&](const std::optional<double>& change) {
        return one.derivative ? change_of(one, change) : std::nan("");
      };
      table.rows.push_back({one.output->name, one.derivative.value_or(std::nan("")), holds(one.straight_down),
                            holds(one.straight_up), growth, 100 * growth / one.value});
    }
  }
  return tables;
}

}  // namespace wave::analysis
