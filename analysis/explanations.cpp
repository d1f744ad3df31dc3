// See explanations.h.
#include "analysis/explanations.h"

#include "analysis/value_text.h"
#include "base/text.h"
#include "frontend/format/quantities.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

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

struct NamedTime {
  std::string name, where;
  double time = 0;
};

// What has the same name at the same place is one row: a literal that a line has twice, say. Times are on a quantum, so
// their sums are exact.
std::vector<NamedTime> times_by_name(const frontend::Sources& sources, const std::vector<Share>& shares) {
  std::vector<NamedTime> times;
  std::map<std::pair<std::string, std::string>, std::size_t> known;
  for (const Share& share : shares) {
    const bool is_statement = share.of.kind == Input::Kind::process;
    const std::string name =
        is_statement ? share.of.name + " of " + source_text(sources, share.of.location) : share.of.name;
    const std::string where = location_text(sources, share.of.location);
    const auto [found, is_new] = known.try_emplace({name, where}, times.size());
    if (is_new) times.push_back({name, where, 0});
    times[found->second].time += share.time;
  }
  return times;
}

RowTable share_table(const frontend::Sources& sources, const Breakdown& breakdown) {
  const frontend::OutputInfo& output = *breakdown.output;
  RowTable table{output.is_breakdown ? output.name : output.name + ".breakdown",
                 output.is_breakdown ? output.doc : "where its time goes",
                 {{"of", text_type(), {}},
                  {"where", text_type(), {}},
                  {"time", time_type(), output.columns[0].unit},
                  {"percent", plain_type(), {}}},
                 {}};
  std::vector<NamedTime> times = times_by_name(sources, breakdown.shares);
  std::stable_sort(times.begin(), times.end(),
                   [](const auto& a, const auto& b) { return std::fabs(a.time) > std::fabs(b.time); });
  const auto percent = [&](double time) { return breakdown.total == 0 ? 0 : 100 * time / breakdown.total; };
  for (const NamedTime& one : times) table.rows.push_back({one.name, one.where, one.time, percent(one.time)});
  const bool is_rounding = std::fabs(breakdown.rest) <= 1e-9 * std::fabs(breakdown.total);
  table.rows.push_back({is_rounding ? "rounding" : "rounding and jumps", "", breakdown.rest, percent(breakdown.rest)});
  return table;
}

std::string path_title(const PathOfProcess& one) {
  using Of = backend::processes::CriticalPath::Of;
  const auto& path = one.path;
  const std::string place = fmt::format("process ({})", join_texts(path.finisher, ", "));
  std::string end = path.tied ? "; another path is as long" : "";
  if (one.times != 1) end += fmt::format("; counted {} times", frontend::format_number(one.times, 4));
  switch (path.of) {
    case Of::finish: return fmt::format("the critical path of `{}`, to the end of {}{}", one.process, place, end);
    case Of::phase:
      return fmt::format("the critical paths of `{}`, to where {} leaves the phase less to where it enters it{}",
                         one.process, place, end);
    case Of::program: return fmt::format("what {} of `{}` does itself{}", place, one.process, end);
    case Of::rest: break;
  }
  return fmt::format("the critical path of `{}`, to the end of {}, less what it does itself{}", one.process, place,
                     end);
}

// The tables of an output's critical paths. With several processes, rows say whose they are.
class PathTables {
 public:
  PathTables(const frontend::Sources& sources, const Breakdown& breakdown)
      : sources_(sources), has_several_(breakdown.paths.size() > 1) {
    const auto unit = breakdown.output->columns[0].unit;
    kinds_ = {breakdown.output->name + ".path",
              "",
              {{"kind", text_type(), {}}, {"time", time_type(), unit}, {"percent", plain_type(), {}}},
              {}};
    statements_ = {breakdown.output->name + ".statements",
                   "the same by statement",
                   {{"statement", text_type(), {}},
                    {"where", text_type(), {}},
                    {"kind", text_type(), {}},
                    {"time", time_type(), unit},
                    {"percent", plain_type(), {}}},
                   {}};
    for (RowTable* table : {&kinds_, &statements_}) {
      if (has_several_) table->columns.insert(table->columns.begin(), {"process", text_type(), {}});
    }
    for (const PathOfProcess& one : breakdown.paths) add(one);
  }

  void hand_over(std::vector<RowTable>& tables) {
    tables.push_back(std::move(kinds_));
    tables.push_back(std::move(statements_));
  }

 private:
  void add(const PathOfProcess& one) {
    kinds_.doc += (kinds_.doc.empty() ? "" : "; ") + path_title(one);
    std::map<PathKind, double> kinds;
    std::map<std::pair<std::string, PathKind>, std::pair<std::string, double>> statements;
    std::vector<std::pair<std::string, PathKind>> order;
    for (const auto& term : one.path.terms) {
      const PathKind kind = kind_of(term);
      kinds[kind] += term.sum;
      const std::pair<std::string, PathKind> key{
          location_text(sources_, term.location) + " " + source_text(sources_, term.location), kind};
      auto& sum = statements[key];
      if (sum.first.empty()) order.push_back(key);
      sum.first = location_text(sources_, term.location);
      sum.second += term.sum;
    }
    const auto percent = [&](double time) { return one.path.total == 0 ? 0 : 100 * time / one.path.total; };
    for (const auto& [kind, time] : kinds) add_row(kinds_, one, {word_of(kind), time, percent(time)});
    for (const auto& key : order) {
      const auto& [location, time] = statements[key];
      add_row(statements_, one,
              {key.first.substr(location.size() + 1), location, word_of(key.second), time, percent(time)});
    }
  }

  void add_row(RowTable& table, const PathOfProcess& one, std::vector<Cell> row) const {
    if (has_several_) row.insert(row.begin(), one.process);
    table.rows.push_back(std::move(row));
  }

  const frontend::Sources& sources_;
  bool has_several_;
  RowTable kinds_, statements_;
};

// NaN if it was not found, and infinite if the parameter may change without limit.
double change_of(const Sensitivity& one, const std::optional<double>& change) {
  if (one.failure || (one.value == 0 && one.derivative.value_or(0) == 0)) return std::nan("");
  return change.value_or(std::numeric_limits<double>::infinity());
}

void warn_of_limit(frontend::Diagnostics& diagnostics, const Sensitivity& one) {
  if (!one.failure || !one.failure->is_limit()) return;
  const std::string limit = one.failure->kind == ir::FailureKind::time_limit ? "time than the limit leaves"
                                                                             : "memory: " + one.failure->detail;
  const std::string what = one.derivative
                               ? fmt::format("how far `{}` may change", one.parameter->path)
                               : fmt::format("how `{}` answers to `{}`", one.output->name, one.parameter->path);
  diagnostics
      .add(DiagnosticKind::no_breakdown, one.output->location, what + " is not found", "this output",
           frontend::Severity::warning)
      .notes.push_back("that takes more " + limit);
}

void warn_of_jump(frontend::Diagnostics& diagnostics, const Sensitivity& one) {
  auto& d = diagnostics.add(DiagnosticKind::no_breakdown, one.output->location,
                            fmt::format("how `{}` answers to `{}` is not found", one.output->name, one.parameter->path),
                            "this output", frontend::Severity::warning);
  const std::string& parameter = one.parameter->path;
  d.notes.push_back(one.is_endless ? fmt::format("its slope has no bounds at this value of `{}`", parameter)
                                   : fmt::format("it jumps at this value of `{}`, or has none beside it", parameter));
  if (one.why_not.empty() || one.is_endless) return;
  d.notes.push_back(fmt::format("`{}` has no derivative along the critical path: {}", parameter, one.why_not));
  if (one.where.known()) d.labels.push_back({one.where, "here"});
}

// Whole numbers, machines and the like cannot grow a little.
void warn_of_steps(frontend::Diagnostics& diagnostics, const std::string& parameter) {
  diagnostics
      .add(DiagnosticKind::no_breakdown, {}, fmt::format("how outputs answer to `{}` is not found", parameter), "",
           frontend::Severity::warning)
      .notes.push_back(
          "there is no derivative: outputs that are single quantities or reals have one, by quantities and "
          "reals");
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

void warn_of(frontend::Diagnostics& diagnostics, const Sensitivity& one) {
  warn_of_limit(diagnostics, one);
  if (!one.failure && !one.derivative) warn_of_jump(diagnostics, one);
}

frontend::Dimension dimension_of_output(const Sensitivity& one) {
  return std::get<frontend::types::Real>(one.output->columns[0].type->kind).dimension;
}

using OfOneParameter = std::vector<const Sensitivity*>;

// Outputs of one dimension are a table, since a column has one unit. Times come first.
std::vector<OfOneParameter> by_dimension(const OfOneParameter& all) {
  std::vector<OfOneParameter> groups;
  for (const Sensitivity* one : all) {
    const auto is_alike = [&](const auto& group) {
      return dimension_of_output(*group.front()) == dimension_of_output(*one);
    };
    const auto group = std::find_if(groups.begin(), groups.end(), is_alike);
    (group == groups.end() ? groups.emplace_back() : *group).push_back(one);
  }
  std::stable_partition(groups.begin(), groups.end(), [](const auto& group) {
    return dimension_of_output(*group.front()) == frontend::Dimension{1, 0, 0};
  });
  return groups;
}

// The unit that all of these outputs ask for.
std::optional<frontend::Unit> asked_unit(const OfOneParameter& group) {
  const auto& first = group.front()->output->columns[0].unit;
  const bool is_one = first && std::all_of(group.begin(), group.end(), [&](const Sensitivity* one) {
                        const auto& unit = one->output->columns[0].unit;
                        return unit && unit->text == first->text;
                      });
  return is_one ? first : std::nullopt;
}

std::vector<Cell> sensitivity_row(const Sensitivity& one) {
  const double none = std::nan(""), derivative = one.derivative.value_or(none);
  const auto holds = [&](const std::optional<double>& change) {
    return one.derivative ? change_of(one, change) : none;
  };
  const auto percent = [&](double change) { return one.value == 0 ? none : 100 * change / std::fabs(one.value); };
  const double elasticity = one.total == 0 ? none : derivative * one.value / one.total;
  const double down = holds(one.straight_down), up = holds(one.straight_up), growth = change_of(one, one.growth);
  return {one.output->name, derivative, elasticity, down, percent(down), up, percent(up), growth, percent(growth)};
}

RowTable sensitivity_table(const OfOneParameter& group, const frontend::TypeRef& type) {
  const Sensitivity& first = *group.front();
  const Ratio ratio{dimension_of_output(first), dimension_of(type).value_or(frontend::Dimension{}), asked_unit(group),
                    first.value};
  RowTable table{"sensitivity to " + first.parameter->path,
                 "derivative; % for 1 %: elasticity; how much less and more it may be meanwhile; growth for 1 % more",
                 {{"output", text_type(), {}},
                  ratio_column("derivative", ratio),
                  {"elasticity", plain_type(), {}},
                  {"holds_down_by", type, {}},
                  {"down_percent", plain_type(), {}},
                  {"holds_up_by", type, {}},
                  {"up_percent", plain_type(), {}},
                  {"may_grow_by", type, {}},
                  {"percent", plain_type(), {}}},
                 {}};
  for (const Sensitivity* one : group) table.rows.push_back(sensitivity_row(*one));
  return table;
}

}  // namespace

std::vector<ExplainedOutput> explain_times(frontend::Lowered& lowered, const frontend::Sources& sources,
                                           const MakeEngine& make_engine, const backend::Limits& limits,
                                           const std::map<std::string, double>& known, bool of_all_times,
                                           frontend::Diagnostics& diagnostics) {
  Unexplained unexplained;
  std::vector<ExplainedOutput> explained;
  for (const Breakdown& one : break_down(lowered, make_engine, limits, known)) {
    if (!one.output->is_breakdown && !of_all_times) continue;
    ExplainedOutput& output = explained.emplace_back(ExplainedOutput{one.output->name, one.output->is_breakdown, {}});
    if (!unexplained.check(*one.output, one.failure, one.why_not)) continue;
    output.tables.push_back(share_table(sources, one));
    if (output.is_breakdown) continue;
    if (!one.paths.empty()) PathTables(sources, one).hand_over(output.tables);
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
    std::vector<const Sensitivity*> of_this;
    for (const Sensitivity& one : found) {
      if (one.parameter->path == parameter) of_this.push_back(&one);
    }
    if (of_this.empty()) {
      warn_of_steps(diagnostics, parameter);
      continue;
    }
    for (const Sensitivity* one : of_this) warn_of(diagnostics, *one);
    const auto groups = by_dimension(of_this);
    for (const auto& group : groups) {
      RowTable& table = tables.emplace_back(sensitivity_table(group, type));
      if (&group != &groups.front()) table.name += ", of " + to_string(dimension_of_output(*group.front()));
    }
  }
  return tables;
}

}  // namespace wave::analysis
