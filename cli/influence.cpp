// See influence.h.
#include "cli/influence.h"

#include "analysis/breakdown.h"
#include "analysis/inputs.h"
#include "analysis/sensitivity.h"
#include "cli/evaluation.h"
#include "cli/formats/readable.h"
#include "cli/limits.h"
#include "cli/results.h"
#include "cli/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace wave::cli {
namespace {

using analysis::Breakdown;
using analysis::Input;
using analysis::PathKind;
using frontend::DiagnosticKind;

constexpr double rise = 0.01;

// The first line of a statement, and where it stands: `send EW to downwind i (sweep3d.wave:57)`.
std::string source_text(const frontend::Sources& sources, Location location) {
  if (!location.known()) return "";
  std::string text(sources.text(location));
  text = text.substr(0, text.find('\n'));
  return text;
}
frontend::Lowered lower_with_literals(Session& session, const frontend::Item& model,
                                      const std::vector<std::string>& given) {
  // All errors were reported with the outputs themselves.
  frontend::Diagnostics quiet;
  const auto overrides = check_overrides(session, model, given);
  return lower_model(session.program(), model, overrides, quiet, {true, false});
}

void warn(Session& session, const std::vector<const frontend::OutputInfo*>& outputs, const std::string& why) {
  std::vector<std::string> names;
  for (const auto* output : outputs) names.push_back(output->name);
  auto& d =
      session.diagnostics().add(DiagnosticKind::no_breakdown, outputs.front()->location,
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
  void report(Session& session) const {
    for (const auto& [why, outputs] : reasons_) warn(session, outputs, why);
  }

 private:
  void add(const frontend::OutputInfo& output, const std::string& why) {
    auto found = std::find_if(reasons_.begin(), reasons_.end(), [&](const auto& one) { return one.first == why; });
    if (found == reasons_.end()) found = reasons_.insert(found, {why, {}});
    found->second.push_back(&output);
  }

  std::vector<std::pair<std::string, std::vector<const frontend::OutputInfo*>>> reasons_;
};

void add_shares(Results& results, const frontend::Sources& sources, const Breakdown& breakdown,
                const std::string& name_of_table) {
  results.add_table(name_of_table,
                    {{"of", text_type(), {}},
                     {"where", text_type(), {}},
                     {"time", time_type(), breakdown.output->columns[0].unit},
                     {"percent", plain_type(), {}}},
                    breakdown.output->is_breakdown ? breakdown.output->doc : "where its time goes");
  auto shares = breakdown.shares;
  std::stable_sort(shares.begin(), shares.end(),
                   [](const auto& a, const auto& b) { return std::fabs(a.time) > std::fabs(b.time); });
  const auto percent = [&](double time) { return breakdown.total == 0 ? 0 : 100 * time / breakdown.total; };
  for (const auto& share : shares) {
    const bool is_statement = share.of.kind == Input::Kind::process;
    const std::string name =
        is_statement ? share.of.name + " of " + source_text(sources, share.of.location) : share.of.name;
    results.add_row({name, location_text(sources, share.of.location), share.time, percent(share.time)});
  }
  const bool is_rounding = std::fabs(breakdown.rest) <= 1e-9 * std::fabs(breakdown.total);
  results.add_row({is_rounding ? "rounding" : "rounding and jumps", "", breakdown.rest, percent(breakdown.rest)});
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

void add_path(Results& results, const frontend::Sources& sources, const Breakdown& breakdown,
              const std::string& process, const backend::processes::CriticalPath& path) {
  const std::string doc = path_title(process, path);
  std::map<PathKind, double> kinds;
  std::map<std::pair<std::string, PathKind>, std::pair<std::string, double>> statements;
  std::vector<std::pair<std::string, PathKind>> order;
  for (const auto& term : path.terms) {
    const PathKind kind = analysis::kind_of(term);
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
  results.add_table(breakdown.output->name + ".path",
                    {{"kind", text_type(), {}}, {"time", time_type(), unit}, {"percent", plain_type(), {}}}, doc);
  for (const auto& [kind, time] : kinds) results.add_row({analysis::word_of(kind), time, percent(time)});
  results.add_table(breakdown.output->name + ".statements",
                    {{"statement", text_type(), {}},
                     {"where", text_type(), {}},
                     {"kind", text_type(), {}},
                     {"time", time_type(), unit},
                     {"percent", plain_type(), {}}},
                    "the same by statement");
  for (const auto& key : order) {
    const auto& [location, time] = statements[key];
    results.add_row(
        {key.first.substr(location.size() + 1), location, analysis::word_of(key.second), time, percent(time)});
  }
}

// NaN if it was not found, and infinite if the parameter may change without limit.
double change_of(const analysis::Sensitivity& one, const std::optional<double>& change) {
  if (one.failure || one.value == 0) return std::nan("");
  return change.value_or(std::numeric_limits<double>::infinity());
}

void warn_of_limit(Session& session, const analysis::Sensitivity& one) {
  if (!one.failure || !one.failure->is_limit()) return;
  const std::string limit = one.failure->kind == ir::FailureKind::time_limit ? "time than the limit leaves"
                                                                             : "memory: " + one.failure->detail;
  warn(session, {one.output}, fmt::format("how far `{}` may grow takes more {}", one.parameter->path, limit));
}

// Outputs that are single real numbers, so that they need not be evaluated again.
std::map<std::string, double> times_of(const Results& results) {
  std::map<std::string, double> known;
  for (const OutputTable& output : results.outputs) {
    if (!output.is_whole() || output.shape != frontend::RowsShape::single || output.columns.size() != 1) continue;
    const auto* const values = std::get_if<std::vector<double>>(&output.columns[0].cells.values);
    if (values && values->size() == 1) known[output.name] = values->front();
  }
  return known;
}

// Whole numbers, machines and the like cannot grow a little.
void warn_of_steps(Session& session, const std::string& parameter) {
  session.diagnostics()
      .add(DiagnosticKind::no_breakdown, {}, fmt::format("how outputs answer to `{}` is not found", parameter), "",
           frontend::Severity::warning)
      .notes.push_back("it has no derivative: quantities and reals have one, of outputs of dimension time");
}

// The parameter exists, but a condition chooses the machine that has it, or it is one of several.
void refuse_several(Session& session, const std::string& parameter) {
  auto& d = session.diagnostics().add(DiagnosticKind::no_breakdown, {},
                                      fmt::format("how outputs answer to `{}` is not found", parameter));
  d.notes.push_back("the machine or model that it belongs to is not one alone: it is chosen, or made where it is used");
  d.help.push_back(
      "give the model a parameter of its own and hand it on, as in `param L: time = 1 us` and `A(L = L)`, and ask for "
      "that");
}

}  // namespace

void add_breakdowns(Session& session, const frontend::Item& model, const ExplainedModel& of, bool of_all_times,
                    Results& results) {
  if (!of_all_times && !results.has_breakdowns) return;
  auto lowered = lower_with_literals(session, model, of.overrides);
  const auto limits = engine_limits(session.options());
  Unexplained unexplained;
  const auto known = times_of(results);
  for (const Breakdown& one : analysis::break_down(lowered, engine_maker(session, of.engine), limits, {}, known)) {
    const auto& name = one.output->name;
    if (!one.output->is_breakdown && !of_all_times) continue;
    const bool is_found = unexplained.check(*one.output, one.failure, one.why_not);
    if (one.output->is_breakdown) {
      const auto same = [&](const OutputTable& output) { return output.name == name; };
      const auto location =
          std::find_if(results.outputs.begin(), results.outputs.end(), same) - results.outputs.begin();
      if (is_found) {
        add_shares(results, session.sources(), one, name);
        results.outputs[static_cast<std::size_t>(location)] = std::move(results.outputs.back());
        results.outputs.pop_back();
      } else if (OutputTable& output = results.outputs[static_cast<std::size_t>(location)]; output.is_whole()) {
        output.failed = code_of(DiagnosticKind::no_breakdown);
      }
    } else if (is_found) {
      add_shares(results, session.sources(), one, name + ".breakdown");
      for (const auto& [process, path] : one.paths) add_path(results, session.sources(), one, process, path);
    }
  }
  unexplained.report(session);
}

void add_sensitivities(Session& session, const frontend::Item& model, const ExplainedModel& of,
                       const std::vector<std::string>& parameters, Results& results) {
  auto lowered = lower_with_literals(session, model, of.overrides);
  const auto found = analysis::find_sensitivities(lowered, parameters, rise, engine_maker(session, of.engine),
                                                  engine_limits(session.options()));
  for (const auto& parameter : parameters) {
    frontend::TypeRef type;
    for (const auto& one : lowered.parameters) {
      if (one.path == parameter) type = one.type;
    }
    if (!type) {
      if (parameter_type(session.program(), model, parameter, {}, session.diagnostics()))
        refuse_several(session, parameter);
      continue;
    }
    const auto is_of_this = [&](const analysis::Sensitivity& one) { return one.parameter->path == parameter; };
    if (std::none_of(found.begin(), found.end(), is_of_this)) {
      warn_of_steps(session, parameter);
      continue;
    }
    results.add_table(
        "sensitivity to " + parameter,
        {{"output", text_type(), {}},
         {"derivative", plain_type(), {}},
         {"holds_down_by", type, {}},
         {"holds_up_by", type, {}},
         {"may_grow_by", type, {}},
         {"percent", plain_type(), {}}},
        "by how much less and more it is while the derivative holds; growth that raises the output by 1 %");
    for (const auto& one : found) {
      if (!is_of_this(one)) continue;
      warn_of_limit(session, one);
      const double growth = change_of(one, one.growth);
      const auto holds = [&](const std::optional<double>& change) {
        return one.derivative ? change_of(one, change) : std::nan("");
      };
      results.add_row({one.output->name, one.derivative.value_or(std::nan("")), holds(one.straight_down),
                       holds(one.straight_up), growth, 100 * growth / one.value});
    }
  }
}

void remark_on_unused(Console& console, const frontend::Lowered& lowered) {
  const bool is_given = std::any_of(lowered.parameters.begin(), lowered.parameters.end(),
                                    [](const frontend::ParameterInfo& one) { return one.given; });
  if (!is_given) return;
  for (const analysis::UnusedParameter& one : analysis::unused_parameters(lowered)) {
    if (one.given) console.remark(fmt::format("`-D {}` changes no output: {}\n", one.path, one.why));
  }
}

void remark_on_unused(Console& console, analysis::StudyModel& study) {
  const auto& variables = study.variables();
  if (std::any_of(variables.begin(), variables.end(), [](const auto& one) { return one.shapes; })) return;
  const frontend::LoweredStudy* const lowered = study.system({});
  if (lowered == nullptr) return;
  const auto used = analysis::looked_at(lowered->model, false);
  for (const frontend::StudyVariable& one : lowered->variables) {
    if (!one.definition.valid() || used.count(one.definition) != 0) continue;
    console.remark(fmt::format("`{}` varies and changes nothing that is shown\n", one.name));
  }
}

Document list_unused(const frontend::Lowered& lowered) {
  std::vector<std::string> paths, reasons;
  for (const auto& one : analysis::unused_parameters(lowered)) {
    paths.push_back(one.path);
    reasons.push_back(one.why);
  }
  Document document;
  OutputTable& table = document.tables.emplace_back();
  table.rows = paths.size();
  table.columns = {word_column("parameter", paths), word_column("why", reasons)};
  document.data = [](const std::vector<OutputTable>&) {
    DataWriter data;
    data.begin_object(Layout::lines).key("unused").rows(0, true).end_object();
    return data.take();
  };
  document.page = [](const std::vector<OutputTable>& tables) {
    if (tables.front().rows == 0) return Passages{{"every parameter is looked at by an output\n"}};
    ReadableTable text = readable(tables.front(), table_digits);
    text.header.clear();
    return Passages{{"", std::move(text)}};
  };
  return document;
}

}  // namespace wave::cli
