// Sides at the values of their parameters: what comes out, and where the difference is made.
#include "cli/studies/comparison.h"

#include "analysis/breakdown.h"
#include "analysis/compare/changes.h"
#include "cli/limits.h"
#include "cli/progress.h"
#include "cli/results.h"
#include "cli/studies/sides.h"
#include "cli/studies/study_session.h"
#include "cli/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace wave::cli {
namespace {

using analysis::Breakdown;
using analysis::Input;
using frontend::ColumnInfo;
using frontend::DiagnosticKind;

std::string source_line(const frontend::Sources& sources, frontend::Location location) {
  const std::string text(sources.text(location));
  return text.substr(0, text.find('\n'));
}

// Those that were asked for by name, or all.
std::vector<Number> choose_numbers(Session& session, const EvaluatedSide& side, const std::vector<std::string>& show) {
  if (show.empty()) return side.numbers;
  std::vector<Number> chosen;
  std::vector<std::string> names;
  for (const auto& one : side.lowered.outputs) names.push_back(one.name);
  for (const auto& clause : show) {
    for (const auto& name : split_list(clause)) {
      const auto before = chosen.size();
      for (const auto& number : side.numbers) {
        if (number.output->name == name || number.name == name) chosen.push_back(number);
      }
      if (chosen.size() > before) continue;
      auto& d = session.diagnostics().add(DiagnosticKind::no_column, {},
                                          fmt::format("`{}` is no output that is a number", name));
      if (!suggest_nearest(d, name, names)) d.help.push_back("the outputs are " + frontend::quoted_list(names));
    }
  }
  return chosen;
}

double number_in(const EvaluatedSide& side, const std::string& name) {
  const auto found = side.values.find(name);
  return found == side.values.end() ? no_value : found->second;
}

std::string text_of_value(const EvaluatedSide& side, const Number& number) {
  const auto found = side.values.find(number.name);
  if (found != side.values.end()) return number_text(found->second, number.column);
  const auto failed = side.failures.find(number.output->name);
  return failed == side.failures.end() || failed->second.empty() ? "none" : fmt::format("failed ({})", failed->second);
}

using EvaluatedSides = std::vector<std::unique_ptr<EvaluatedSide>>;

// For people one table, each number in its own unit.
void add_number_texts(const ComparedSides& sides, const EvaluatedSides& evaluated, const std::vector<Number>& numbers,
                      Results& results) {
  std::vector<ColumnInfo> columns{{"output", text_type(), {}}, {sides.all.front().name, text_type(), {}}};
  for (std::size_t i = 1; i < sides.all.size(); ++i) {
    for (const auto& name : {sides.all[i].name, sides.column_of(i, "difference"), sides.column_of(i, "ratio")})
      columns.push_back({name, text_type(), {}});
  }
  results.add_table("outputs", std::move(columns), "");
  for (const auto& number : numbers) {
    const double a = number_in(*evaluated.front(), number.name);
    std::vector<Cell> row{number.name, text_of_value(*evaluated.front(), number)};
    for (std::size_t i = 1; i < sides.all.size(); ++i) {
      const double b = number_in(*evaluated[i], number.name);
      const bool both = std::isfinite(a) && std::isfinite(b);
      row.push_back(text_of_value(*evaluated[i], number));
      row.push_back(both ? number_text(b - a, number.column) : "");
      row.push_back(both ? frontend::format_number(ratio(a, b), 4) : "");
    }
    results.add_row(row);
  }
}

// Of the other sides, each with its difference from the first and its ratio to it.
std::vector<ColumnInfo> columns_of_sides(const ComparedSides& sides, const ColumnInfo& number) {
  std::vector<ColumnInfo> columns;
  for (const Side& side : sides.all) {
    if (sides.are_two() || &side == &sides.all.front()) columns.push_back(as_real(number, side.name));
  }
  for (std::size_t i = 1; i < sides.all.size(); ++i) {
    if (!sides.are_two()) columns.push_back(as_real(number, sides.all[i].name));
    columns.push_back(as_real(number, sides.column_of(i, "difference")));
    columns.push_back({sides.column_of(i, "ratio"), plain_type(), {}});
  }
  return columns;
}

// `values`: by side.
void add_cells(const std::vector<double>& values, std::vector<Cell>& row) {
  const double a = values.front();
  row.push_back(a);
  for (std::size_t i = 1; i < values.size(); ++i) {
    for (const double value : {values[i], values[i] - a, ratio(a, values[i])}) row.push_back(value);
  }
}

// For programs a record each.
void add_numbers(const Comparison& command, const ComparedSides& sides, const EvaluatedSides& evaluated,
                 const std::vector<Number>& numbers, Results& results) {
  if (command.format.is_for_people()) return add_number_texts(sides, evaluated, numbers, results);
  for (const auto& number : numbers) {
    results.add_record(number.name, columns_of_sides(sides, number.column), number.output->doc);
    std::vector<double> values;
    for (const auto& side : evaluated) values.push_back(number_in(*side, number.name));
    std::vector<Cell> row;
    add_cells(values, row);
    results.add_row(row);
  }
}

// Where there is none the side says why not, once.
std::vector<Breakdown> break_side_down(Session& session, const frontend::Item& model, const Comparison& command,
                                       const Side& side, frontend::Lowered& lowered) {
  frontend::Diagnostics quiet;  // whatever is wrong has been reported with the outputs themselves
  const auto overrides = check_overrides(session, model, side.overrides());
  lowered = lower_model(session.program(), model, overrides, quiet, {.literals = true});
  const analysis::MakeEngine engines = [&](const ir::System& system) {
    return open_engine(session, command.of.engine, system);
  };
  return analysis::break_down(lowered, engines, engine_limits(session.options()));
}

// False: it is not there, and why has been said.
bool is_found(Session& session, const Breakdown& one, const Side& side) {
  std::string why = one.why_not;
  if (one.failure) {
    if (!one.failure->is_limit()) return false;  // the output itself has failed, which has been said
    why = "it takes more than the output itself: " + one.failure->detail;
  }
  if (why.empty()) return true;
  session.diagnostics()
      .add(DiagnosticKind::no_breakdown, one.output->location,
           fmt::format("where the difference of `{}` is made is not found", one.output->name), "this output",
           frontend::Severity::warning)
      .notes.push_back(fmt::format("on the side {}: {}", side.name, why));
  return false;
}

// A side with its breakdowns, which look at its system.
struct BrokenDown {
  frontend::Lowered lowered;
  std::vector<Breakdown> breakdowns;
};

void add_all_parts(Session& session, const Comparison& command, const TwoSides& sides, const BrokenDown& first,
                   const BrokenDown& second, const std::string& prefix, const std::vector<Number>& numbers,
                   Results& results) {
  for (const Breakdown& one : first.breakdowns) {
    const auto is_same = [&](const Breakdown& other) { return other.output->name == one.output->name; };
    const auto other = std::ranges::find_if(second.breakdowns, is_same);
    const auto is_asked = [&](const Number& number) { return number.name == one.output->name; };
    if (other == second.breakdowns.end() || std::none_of(numbers.begin(), numbers.end(), is_asked)) continue;
    if (one.total == other->total) continue;
    if (!is_found(session, one, sides.first) || !is_found(session, *other, sides.second)) continue;
    add_parts(session.sources(), one, *other, prefix + one.output->name, sides.first, sides.second, command.format,
              results);
  }
}

// For people one for both sides and their difference; for programs the usual one.
std::optional<frontend::Unit> shared_unit(const Breakdown& first, const Breakdown& second, Format format) {
  const auto& asked = first.output->columns[0].unit;
  if (asked || !format.is_for_people()) return asked;
  const double larger = std::max(std::fabs(first.total), std::fabs(second.total));
  const std::string name = frontend::readable_scale(frontend::Dimension{1, 0, 0}, larger).unit;
  return frontend::Unit{{{{name, {}}, 1}}, {}, name};
}

}  // namespace

std::string number_text(double value, const ColumnInfo& column) {
  const auto dimension = dimension_of(column.type).value_or(frontend::Dimension{});
  return frontend::format_quantity(value, dimension, column.unit, dimension.plain() ? plain_digits : table_digits);
}

void add_parts(const frontend::Sources& sources, const Breakdown& first, const Breakdown& second,
               const std::string& name, const Side& first_side, const Side& second_side, Format format,
               Results& results) {
  const auto both = analysis::match(first, second);
  const double whole = second.total - first.total;
  const auto unit = shared_unit(first, second, format);
  const auto percent = [&](double time) { return whole == 0 || time == 0 ? 0 : 100 * time / whole; };
  results.add_table(name + ".parts",
                    {{"of", text_type(), {}},
                     {"where", text_type(), {}},
                     {first_side.name, time_type(), unit},
                     {second_side.name, time_type(), unit},
                     {"difference", time_type(), unit},
                     {"percent", plain_type(), {}}},
                    fmt::format("where the difference of `{}` is made", first.output->name));
  const auto is_alike = [](const analysis::PartOfBoth& part) { return part.difference == 0; };
  const auto alike = std::count_if(both.parts.begin(), both.parts.end(), is_alike);
  double same = 0;
  for (const auto& part : both.parts) {
    if (is_alike(part)) same += part.first;
    if (is_alike(part) && alike > 1) continue;
    const bool is_statement = part.of.kind == Input::Kind::process;
    const std::string what =
        is_statement ? part.of.name + " of " + source_line(sources, part.of.location) : part.of.name;
    results.add_row({what, location_text(sources, part.of.location), part.first, part.second, part.difference,
                     percent(part.difference)});
  }
  if (alike > 1) {
    results.add_row({fmt::format("{} that are the same", alike), "", same, same, 0.0, 0.0});
  }
  const bool is_rounding = std::fabs(both.rest) <= 1e-9 * std::fabs(whole);
  results.add_row({is_rounding ? "rounding" : "rounding and jumps", "", both.rest_first, both.rest_second, both.rest,
                   percent(both.rest)});
  const auto kinds = analysis::match_paths(first, second);
  if (kinds.empty()) return;
  results.add_table(name + ".path",
                    {{"process", text_type(), {}},
                     {"kind", text_type(), {}},
                     {first_side.name, time_type(), unit},
                     {second_side.name, time_type(), unit},
                     {"difference", time_type(), unit},
                     {"percent", plain_type(), {}}},
                    "the same by kind, along the critical paths");
  for (const auto& kind : kinds) {
    results.add_row({kind.process, analysis::word_of(kind.kind), kind.first, kind.second, kind.second - kind.first,
                     percent(kind.second - kind.first)});
  }
}

void add_changes(const MixedSides& mixed, const std::vector<Number>& of, const std::string& table, Results& results) {
  std::vector<ColumnInfo> columns{{"change", text_type(), {}}};
  std::vector<std::optional<analysis::Attribution>> found;
  for (const auto& number : of) {
    found.push_back(mixed.attribute(number.name));
    if (found.back()) columns.push_back(as_real(number.column, number.name));
  }
  const auto known = std::find_if(found.begin(), found.end(), [](const auto& one) { return one.has_value(); });
  if (known == found.end()) return;
  const analysis::Attribution& first = **known;
  const std::string doc = "what each change adds, " + (mixed.changes().size() == 1 ? "alone" : orders_text(first));
  results.add_table(table, std::move(columns), doc);
  for (std::size_t i = 0; i < mixed.changes().size(); ++i) {
    std::vector<Cell> row{text_of(mixed.changes()[i])};
    for (const auto& one : found) {
      if (one) row.push_back(one->parts[i]);
    }
    results.add_row(row);
  }
  const auto has_rest = [](const auto& one) { return one && one->rest != 0; };
  if (std::none_of(found.begin(), found.end(), has_rest)) return;
  std::vector<Cell> row{"rounding"};
  for (const auto& one : found) {
    if (one) row.push_back(one->rest);
  }
  results.add_row(row);
}

namespace {

// Where the differences of the others from the first come from.
bool add_reasons(Session& session, const frontend::Item& model, const Comparison& command, const ComparedSides& sides,
                 const std::vector<Number>& numbers, Results& results) {
  const auto break_down = [&](std::size_t side) {
    auto one = std::make_unique<BrokenDown>();
    one->breakdowns = break_side_down(session, model, command, sides.all[side], one->lowered);
    return one;
  };
  const auto first = break_down(0);
  for (std::size_t i = 1; i < sides.all.size(); ++i) {
    const TwoSides both = sides.with(i);
    add_all_parts(session, command, both, *first, *break_down(i), sides.column_of(i, ""), numbers, results);
    MixedSides mixed(both.first, both.second, command.seed);
    // One change alone makes all of the difference.
    if (mixed.changes().size() < 2) continue;
    if (!mixed.evaluate(session, model, command.of.engine)) return false;
    add_changes(mixed, numbers, sides.column_of(i, "changes"), results);
  }
  return true;
}

}  // namespace

bool compare_values(Session& session, const frontend::Item& model, const Comparison& command,
                    const ComparedSides& sides, Results& results) {
  EvaluatedSides evaluated;
  for (const Side& side : sides.all) {
    evaluated.push_back(evaluate_side(session, model, command.of.engine, side));
    if (evaluated.back() == nullptr) return false;
    const bool is_first = evaluated.size() == 1;
    if (is_first && command.of.show.empty() && outputs_to_show(session, model).empty())
      return false;  // says what is left out
  }
  const auto numbers = choose_numbers(session, *evaluated.front(), command.of.show);
  if (numbers.empty() && !session.diagnostics().has_errors()) {
    session.diagnostics().add(DiagnosticKind::no_column, model.name.location,
                              "the model has no output that is a number", "this model");
  }
  if (numbers.empty()) return false;
  add_numbers(command, sides, evaluated, numbers, results);
  return command.no_breakdown || add_reasons(session, model, command, sides, numbers, results);
}

// Shows the sides beside each other at every point of a study.
namespace {

using frontend::ColumnInfo;
using frontend::DiagnosticKind;

constexpr std::uint64_t most_compared = 1'000'000;

}  // namespace

bool compare_points(Session& session, const Comparison& command, const ComparedSides& sides, Results& results) {
  const auto both = StudySides::open(session, command.of, sides, command.of.vary);
  if (both == nullptr) return false;
  results.model = both->model().name.text;
  const auto& variables = both->variables();
  for (const auto& variable : variables) {
    if (variable.listed) continue;
    report_unlisted(variable, "over what?", fmt::format("write `--vary \"{}=1..64\"`", variable.name),
                    session.diagnostics());
    return false;
  }
  const analysis::Product product(variables, both->selection());
  if (product.size() > most_compared) {
    session.diagnostics()
        .add(DiagnosticKind::study_too_large, {},
             fmt::format("{} points are too many to be shown beside each other", grouped(product.size())))
        .help.push_back(fmt::format("{} at most; `wave sweep` takes more, once for each side", grouped(most_compared)));
    return false;
  }
  const auto points = product.points(0, product.size());
  const auto values = [&] {
    ProgressLine line(session.console(), "points", static_cast<double>(product.size()));
    return both->evaluate(points, [&](std::size_t done) { line.advance(static_cast<double>(done)); });
  }();
  if (!values) return false;
  for (std::size_t i = 0; i < sides.all.size(); ++i)
    report_failed_points(session, values->failed[i], product.size(), sides.all[i]);
  for (std::size_t k = 0; k < both->numbers().size(); ++k) {
    const Number& number = both->numbers()[k];
    std::vector<ColumnInfo> columns;
    for (const auto& variable : variables) columns.push_back(column_of(variable));
    for (auto& column : columns_of_sides(sides, number.column)) columns.push_back(std::move(column));
    results.add_table(number.name, std::move(columns), "");
    for (std::size_t row = 0; row < product.size(); ++row) {
      std::vector<Cell> cells;
      for (std::size_t i = 0; i < variables.size(); ++i) cells.push_back(cell_of(variables[i], points[i], row));
      std::vector<double> of_sides;
      for (const auto& side : values->of) of_sides.push_back(side[k][row]);
      add_cells(of_sides, cells);
      results.add_row(cells);
    }
  }
  return true;
}

}  // namespace wave::cli
