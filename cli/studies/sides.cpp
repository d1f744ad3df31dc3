// See sides.h.
#include "cli/studies/sides.h"

#include "cli/limits.h"
#include "cli/progress.h"
#include "cli/results.h"
#include "cli/studies/evaluated_points.h"
#include "cli/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>

namespace wave::cli {
namespace {

using frontend::DiagnosticKind;
namespace types = frontend::types;

// A side may be written on several lines.
std::string trim_with_line_ends(const std::string& text) { return trim(text, " \t\n"); }

// The colon after the name of a side; npos where there is none. Names come before any `=`.
std::size_t end_of_name(const std::string& with) {
  const auto colon = with.find(':');
  if (colon == std::string::npos || colon == 0) return std::string::npos;
  return with.find_first_of("=(\"[") < colon ? std::string::npos : colon;
}

std::vector<Number> numbers_of(const frontend::Lowered& lowered) {
  std::vector<Number> numbers;
  for (const auto& info : lowered.outputs) {
    if (info.is_breakdown || !is_one_row(info.shape)) continue;
    for (const auto& column : info.columns) {
      const std::string name = value_name(info.shape, info.name, column.name);
      if (is_number(column)) numbers.push_back({name, column, &info});
    }
  }
  return numbers;
}

void take(std::map<std::string, double>& values, const OutputTable& table) {
  if (table.rows == 0 || !is_one_row(table.shape)) return;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const auto& column = table.columns[i];
    if (!is_number(table.declared[i])) continue;
    const std::string name = value_name(table.shape, table.name, column.column.name);
    values[name] =
        std::visit([](const auto& cells) { return static_cast<double>(cells.front()); }, column.cells.values);
  }
}

}  // namespace

bool is_number(const frontend::ColumnInfo& column) { return column.type && !is_text(column.type); }

frontend::ColumnInfo as_real(const frontend::ColumnInfo& column, const std::string& name) {
  const bool is_real = dimension_of(column.type).has_value();
  return {name, is_real ? column.type : std::make_shared<const frontend::Type>(frontend::Type{types::Real{}}),
          column.unit};
}

std::vector<std::string> Side::overrides() const {
  std::vector<std::string> texts;
  for (const auto& one : given) texts.push_back(one.text());
  return texts;
}

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> parts{""};
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\' && i + 1 < text.size())
        parts.back() += text[i++];
      else if (c == '"')
        in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if (c == ')' || c == ']' || c == '}') {
      --depth;
    } else if (c == ',' && depth == 0) {
      parts.emplace_back();
      continue;
    }
    parts.back() += text[i];
  }
  for (auto& part : parts) part = trim_with_line_ends(part);
  return parts;
}

Given split_given(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos) return {trim_with_line_ends(text), ""};
  return {trim_with_line_ends(text.substr(0, equals)), trim_with_line_ends(text.substr(equals + 1))};
}

std::optional<Side> read_side(Session& session, const std::string& with, const std::vector<std::string>& shared) {
  Side side;
  const auto colon = end_of_name(with);
  side.name = colon == std::string::npos ? "" : trim_with_line_ends(with.substr(0, colon));
  const std::string list = trim_with_line_ends(colon == std::string::npos ? with : with.substr(colon + 1));
  if (!list.empty()) {
    for (const auto& part : split_list(list)) {
      const Given given = split_given(part);
      const auto same = [&](const Given& one) { return one.path == given.path; };
      const bool is_again = std::any_of(side.given.begin(), side.given.end(), same);
      if (given.path.empty() || given.expression.empty() || is_again) {
        const std::uint32_t file = session.program().sources.add("--with", with);
        auto& d = session.diagnostics().add(
            is_again ? DiagnosticKind::repeated_override : DiagnosticKind::malformed_override,
            {file, 0, static_cast<std::uint32_t>(with.size())},
            is_again ? fmt::format("`{}` is given twice", given.path) : fmt::format("`{}` gives no value", part),
            "one side of the comparison");
        d.help.push_back(
            "a side is written `--with \"net=XT4(), mk=5\"`, or with a name of its own `--with \"new machine: "
            "net=XT4()\"`");
        return std::nullopt;
      }
      side.given.push_back(given);
    }
  }
  for (const auto& one : shared) {
    const Given given = split_given(one);
    const auto same = [&](const Given& known) { return known.path == given.path; };
    if (std::none_of(side.given.begin(), side.given.end(), same)) side.given.push_back(given);
  }
  return side;
}

std::vector<Change> changes_between(const Side& first, const Side& second) {
  std::map<std::string, Change> changes;
  for (const auto& one : first.given) changes[one.path].before = one.expression;
  for (const auto& one : second.given) changes[one.path].after = one.expression;
  std::vector<Change> result;
  for (auto& [path, change] : changes) {
    change.path = path;
    if (change.before != change.after) result.push_back(std::move(change));
  }
  return result;
}

std::string text_of(const Change& change) {
  return fmt::format("{}: {} → {}", change.path, change.before.value_or("as it is"), change.after.value_or("as it is"));
}

std::string orders_text(const analysis::Attribution& attribution) {
  const bool is_one = attribution.orders == 1;
  if (attribution.is_sampled) {
    return fmt::format("averaged over {} drawn orders{}", attribution.orders,
                       attribution.has_gaps ? " in which nothing fails" : "");
  }
  if (!attribution.has_gaps && attribution.orders == 2) return "averaged over both orders";
  if (!attribution.has_gaps)
    return is_one ? "alone" : fmt::format("averaged over all {} orders", grouped(attribution.orders));
  return is_one ? "in the one order in which no combination fails"
                : fmt::format("averaged over the {} orders in which no combination fails", grouped(attribution.orders));
}

std::unique_ptr<EvaluatedSide> evaluate_side(Session& session, const frontend::Item& model,
                                             const EngineSettings& settings, const Side& side) {
  const auto overrides = check_overrides(session, model, side.overrides());
  if (session.diagnostics().has_errors()) return nullptr;
  auto evaluated = std::make_unique<EvaluatedSide>();
  frontend::Diagnostics found;
  evaluated->lowered = lower_model(session.program(), model, overrides, found);
  const bool some_output = std::any_of(evaluated->lowered.outputs.begin(), evaluated->lowered.outputs.end(),
                                       [](const auto& output) { return output.root.valid(); });
  const auto engine = some_output ? open_engine(session, settings, evaluated->lowered.system) : nullptr;
  if (engine != nullptr) {
    // Collected separately, to be reported for this side.
    frontend::Diagnostics before = std::move(session.diagnostics());
    session.diagnostics() = {};
    evaluated->results = evaluate_outputs(session, settings, evaluated->lowered, *engine);
    for (const auto& one : session.diagnostics().all()) found.add(one.kind, {}, "") = one;
    session.diagnostics() = std::move(before);
  }
  for (auto one : found.all()) {
    one.notes.push_back(fmt::format("on the side {}", side.name));
    session.diagnostics().add(one.kind, {}, "") = std::move(one);
  }
  if (engine == nullptr) return nullptr;
  evaluated->numbers = numbers_of(evaluated->lowered);
  for (const auto& output : evaluated->results.outputs) {
    if (output.is_whole())
      take(evaluated->values, output);
    else
      evaluated->failures[output.name] = output.failed;
  }
  return evaluated;
}

Side MixedSides::mixed(const analysis::Mix& mix) const {
  Side side = first_;
  for (std::size_t i = 0; i < mix.size(); ++i) {
    if (!mix[i]) continue;
    std::erase_if(side.given, [&](const Given& one) { return one.path == changes_[i].path; });
    if (changes_[i].after) side.given.push_back({changes_[i].path, *changes_[i].after});
  }
  return side;
}

bool MixedSides::evaluate(Session& session, const frontend::Item& model, const EngineSettings& settings) {
  const auto limits = engine_limits(session.options());
  ProgressLine line(session.console(), "combinations", static_cast<double>(orders_.mixes().size()));
  for (const auto& mix : orders_.mixes()) {
    const auto overrides = check_overrides(session, model, mixed(mix).overrides());
    if (session.diagnostics().has_errors()) return false;
    frontend::Diagnostics quiet;  // a mix that is no model has no values
    const auto lowered = lower_model(session.program(), model, overrides, quiet);
    values_.emplace_back();
    line.advance(static_cast<double>(values_.size()));
    const auto engine = open_engine(session, settings, lowered.system);
    if (engine == nullptr) return false;
    const auto evaluation = engine->start({}, limits);
    for (const auto& info : lowered.outputs) {
      if (!info.root.valid() || info.is_breakdown) continue;
      const auto outcome = evaluation->evaluate(info.root);
      if (const auto* failure = std::get_if<ir::Failure>(&outcome)) {
        if (!failure->is_limit()) continue;
        report(lowered.system, lowered.words, lowered.notes, *failure, session.diagnostics());
        return false;
      }
      take(values_.back(), table_of(info, std::get<backend::Rows>(outcome), lowered.words));
    }
  }
  return true;
}

std::optional<analysis::Attribution> MixedSides::attribute(const std::string& number) const {
  std::vector<double> values;
  for (const auto& mix : values_) {
    const auto found = mix.find(number);
    values.push_back(found == mix.end() ? std::numeric_limits<double>::quiet_NaN() : found->second);
  }
  return orders_.attribute(values);
}

namespace {

using analysis::ColumnValues;
using analysis::FailedRows;
using analysis::ResultColumn;
using frontend::DiagnosticKind;

std::optional<OpenStudy> open_side(Session& session, StudyChoice choice, const Side& side,
                                   const StudyQuestion& question) {
  choice.overrides = side.overrides();
  return question.vary.empty() ? open_study(session, choice) : ask_study(session, choice, question);
}

}  // namespace

std::unique_ptr<StudySides> StudySides::open(Session& session, const StudyChoice& choice, const ComparedSides& sides,
                                             const std::vector<std::string>& vary) {
  StudyQuestion question{vary, choice.show};
  if (!vary.empty() && question.show.empty()) {
    // Once, so that what is left out is said once.
    const auto* model = choose_model(session, choice.model);
    if (model == nullptr) return nullptr;
    question.show = outputs_to_show(session, *model);
    if (question.show.empty()) return nullptr;
  }
  std::vector<OpenStudy> opened;
  for (const Side& side : sides.all) {
    auto one = open_side(session, choice, side, question);
    if (!one) return nullptr;
    opened.push_back(std::move(*one));
  }
  std::unique_ptr<StudySides> all(new StudySides(session, std::move(opened)));
  if (!all->vary_the_same(sides) || !all->find_numbers() || !all->choose_common_points()) return nullptr;
  return all;
}

// What has no place on one side is not compared.
bool StudySides::choose_common_points() {
  analysis::Selection common = selection();
  for (std::size_t i = 1; i < sides_.size(); ++i) common = in_both(common, sides_[i].points->selection());
  if (!common.is_all() && common.size() == 0) {
    session_.diagnostics()
        .add(DiagnosticKind::wrong_study, {}, "the sides have no point in common")
        .help.push_back("`--where` holds at other points on each side: ask for what holds on all of them");
    return false;
  }
  sides_.front().points->select(std::move(common));
  return true;
}

bool StudySides::vary_the_same(const ComparedSides& names) {
  const auto& ours = variables();
  for (std::size_t side = 1; side < sides_.size(); ++side) {
    const auto& others = sides_[side].points->variables();
    for (std::size_t i = 0; i < ours.size(); ++i) {
      if (i < others.size() && ours[i].name == others[i].name && ours[i].listed == others[i].listed &&
          ours[i].labels == others[i].labels) {
        continue;
      }
      session_.diagnostics()
          .add(DiagnosticKind::wrong_study, ours[i].location,
               fmt::format("`{}` varies over other values on the side {}", ours[i].name, names.all[side].name),
               "the list depends on what a side gives")
          .help.push_back("list the values themselves");
      return false;
    }
    if (ours.size() != others.size()) return false;
  }
  return true;
}

bool StudySides::find_numbers() {
  const auto& shown = sides_.front().points->shown();
  const auto is_everywhere = [&](std::size_t i) {
    return std::ranges::all_of(sides_, [&](const OpenStudy& side) { return i < side.points->shown().size(); });
  };
  for (std::size_t i = 0; i < shown.size() && is_everywhere(i); ++i) {
    const frontend::ColumnInfo column{shown[i].name, shown[i].type, shown[i].unit};
    if (!is_number(column)) continue;
    numbers_.push_back({shown[i].name, column, nullptr});
    columns_.push_back(i);
  }
  if (!numbers_.empty()) return true;
  session_.diagnostics().add(DiagnosticKind::no_column, {}, "nothing that is shown is a number");
  return false;
}

std::optional<std::vector<std::vector<double>>> StudySides::evaluate(OpenStudy& side,
                                                                     std::span<const ColumnValues> points,
                                                                     std::vector<FailedRows>& failed,
                                                                     const std::function<void(std::size_t)>& progress) {
  auto table = evaluate_points(session_, *side.points, {points.begin(), points.end()}, progress);
  if (!table) return std::nullopt;
  std::vector<const ResultColumn*> found;
  for (const auto& column : table->columns) {
    if (!column.varied) found.push_back(&column);
  }
  std::vector<std::vector<double>> values;
  for (const std::size_t at : columns_) {
    std::vector<double> column = std::visit(
        [](const auto& from) { return std::vector<double>(from.begin(), from.end()); }, found.at(at)->values);
    for (const std::size_t row : found.at(at)->missing) column[row] = std::numeric_limits<double>::quiet_NaN();
    values.push_back(std::move(column));
  }
  failed = std::move(table->failed);
  return values;
}

std::optional<StudySides::Values> StudySides::evaluate(std::span<const ColumnValues> points,
                                                       const std::function<void(std::size_t)>& progress) {
  Values values;
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    auto of = evaluate(sides_[i], points, values.failed.emplace_back(), progress);
    if (!of) return std::nullopt;
    values.of.push_back(std::move(*of));
  }
  return values;
}

frontend::ColumnInfo column_of(const analysis::Variable& variable) {
  return {variable.name, variable.labels.empty() ? variable.type : text_type(), variable.unit};
}

Cell cell_of(const analysis::Variable& variable, const ColumnValues& values, std::size_t row) {
  if (const auto* reals = std::get_if<std::vector<double>>(&values)) return (*reals)[row];
  const std::int64_t value = std::get<std::vector<std::int64_t>>(values)[row];
  if (!variable.labels.empty()) return variable.labels.at(static_cast<std::size_t>(value));
  if (std::holds_alternative<frontend::types::Bool>(variable.type->kind)) return value != 0;
  return value;
}

void report_failed_points(Session& session, const std::vector<FailedRows>& failed, std::size_t points,
                          const Side& side) {
  if (failed.empty()) return;
  auto& d =
      session.diagnostics().add(failed.front().kind(), {}, failed.front().message(), "", frontend::Severity::warning);
  d.notes.push_back(
      fmt::format("{} of {} points fail on the side {}", grouped(count_rows(failed)), grouped(points), side.name));
}

}  // namespace wave::cli
