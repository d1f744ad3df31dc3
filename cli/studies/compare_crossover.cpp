// Finds the values of a parameter at which one side overtakes the other.
#include "analysis/compare/crossing.h"
#include "cli/progress.h"
#include "cli/results.h"
#include "cli/studies/comparison.h"
#include "cli/studies/sides.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace wave::cli {
namespace {

using analysis::ColumnValues;
using analysis::Smaller;
using analysis::Stretch;
using analysis::TwoValues;
using frontend::ColumnInfo;
using frontend::DiagnosticKind;
namespace types = frontend::types;

// All values of a range are evaluated if that takes no longer than this, and if there are no more.
constexpr double seconds_for_all = 10;
constexpr std::uint64_t most_for_all = 20'000'000;
// Of a range of reals.
constexpr std::size_t points_of_reals = 1025;
constexpr double tolerance = 1e-12;
constexpr std::size_t most_combinations = 1000;
// Numbers that are kept so that they need not be found again for another output.
constexpr std::size_t most_kept = 50'000'000;

// Where both sides meet, neighbours differ by no more than this part of their size. Otherwise one side jumps.
bool is_jump(const TwoValues& before, const TwoValues& after) {
  const auto jumps = [](double a, double b) { return std::fabs(a - b) > 1e-6 * std::max(std::fabs(a), std::fabs(b)); };
  return jumps(before.first, after.first) || jumps(before.second, after.second);
}

class Crossover {
 public:
  Crossover(Session& session, const TwoSides& sides, StudySides& both, std::size_t along, Results& results)
      : session_(session),
        sides_(sides),
        both_(both),
        along_(along),
        variable_(both.variables()[along]),
        results_(results) {}

  bool run() {
    for (std::size_t i = 0; i < both_.variables().size(); ++i) {
      if (i != along_) others_.push_back(both_.variables()[i]);
    }
    const analysis::Product product(others_);
    if (product.size() > most_combinations) {
      session_.diagnostics()
          .add(DiagnosticKind::study_too_large, {},
               fmt::format("{} crossovers are too many to be looked for", grouped(product.size())))
          .help.push_back(fmt::format("vary less beside `{}`", variable_.name));
      return false;
    }
    combinations_ = product.points(0, product.size());
    count_ = others_.empty() ? 1 : static_cast<std::size_t>(product.size());
    for (std::size_t number = 0; number < both_.numbers().size(); ++number) {
      const bool is_real = std::holds_alternative<types::Real>(variable_.type->kind);
      if (!(is_real ? look<double>(number) : look<std::int64_t>(number))) return false;
    }
    say_why_none(failed_first_, sides_.first);
    say_why_none(failed_second_, sides_.second);
    return true;
  }

 private:
  void say_why_none(const std::vector<analysis::FailedRows>& failed, const Side& side) {
    if (failed.empty()) return;
    const auto& one = failed.front();
    session_.diagnostics()
        .add(one.kind(), {}, one.message(), "", frontend::Severity::warning)
        .notes.push_back(fmt::format("on the side {}, at one of the values without a result", side.name));
  }

  template <class Value>
  std::vector<Value> listed() const {
    auto values = std::get<std::vector<Value>>(*variable_.listed);
    std::sort(values.begin(), values.end());
    return values;
  }

  // Values that were evaluated for one output are kept for the others.
  template <class Value>
  struct Known {
    std::vector<Value> at;
    StudySides::Values values;
  };

  template <class Value>
  bool look(std::size_t number) {
    std::vector<std::vector<Stretch<Value>>> found;
    std::uint64_t looked_at = 0;
    for (std::size_t combination = 0; combination < count_; ++combination) {
      bool is_stopped = false;
      const analysis::EvaluateSides<Value> evaluate = [&](std::span<const Value> values) {
        const auto* known = values_at<Value>(combination, values);
        is_stopped |= known == nullptr;
        std::vector<TwoValues> result;
        for (std::size_t i = 0; known != nullptr && i < values.size(); ++i) {
          result.push_back({known->values.of[0][number][i], known->values.of[1][number][i]});
        }
        return result;
      };
      found.push_back(find<Value>(evaluate, looked_at));
      if (is_stopped) return false;
    }
    write<Value>(number, found, looked_at);
    return true;
  }

  template <class Value>
  std::vector<Stretch<Value>> find(const analysis::EvaluateSides<Value>& evaluate, std::uint64_t& looked_at) {
    const auto values = listed<Value>();
    if constexpr (std::is_same_v<Value, double>) {
      const bool is_geometric = values.front() > 0 && values.back() / values.front() >= 100;
      auto points = analysis::spread_points(values.front(), values.back(), points_of_reals, is_geometric);
      points.insert(points.end(), values.begin(), values.end());
      auto result = analysis::find_crossings(points, tolerance, evaluate);
      looked_at += result.looked_at;
      return result.stretches;
    } else {
      const auto begin = std::chrono::steady_clock::now();
      std::uint64_t first_left = 0;
      const auto may_go_on = [&](std::uint64_t left) {
        first_left = std::max(first_left, left);
        return first_left <= most_for_all && seconds_since(begin) < seconds_for_all / static_cast<double>(count_);
      };
      auto result = analysis::find_crossings(values.front(), values.back(), values, evaluate, may_go_on);
      looked_at += result.looked_at;
      return result.stretches;
    }
  }

  template <class Value>
  const Known<Value>* values_at(std::size_t combination, std::span<const Value> values) {
    auto& all = known_values<Value>()[combination];
    for (const auto& one : all) {
      if (std::equal(one->at.begin(), one->at.end(), values.begin(), values.end())) return one.get();
    }
    std::vector<ColumnValues> columns;
    std::size_t other = 0;
    for (std::size_t i = 0; i < both_.variables().size(); ++i) {
      if (i == along_) {
        columns.emplace_back(std::vector<Value>(values.begin(), values.end()));
        continue;
      }
      std::visit(
          [&](const auto& of) {
            columns.emplace_back(std::remove_cvref_t<decltype(of)>(values.size(), of[combination]));
          },
          combinations_[other++]);
    }
    auto found = both_.evaluate(columns);
    if (!found) return nullptr;
    if (failed_first_.empty()) failed_first_ = found->failed[0];
    if (failed_second_.empty()) failed_second_ = found->failed[1];
    kept_ += 2 * both_.numbers().size() * values.size();
    if (kept_ > most_kept) {
      for (auto& [of, known] : known_values<Value>()) known.clear();
      kept_ = 0;
    }
    all.push_back(std::make_unique<Known<Value>>(Known<Value>{{values.begin(), values.end()}, std::move(*found)}));
    return all.back().get();
  }

  template <class Value>
  auto& known_values() {
    if constexpr (std::is_same_v<Value, double>)
      return known_reals_;
    else
      return known_integers_;
  }

  std::string name_of(Smaller which) const {
    switch (which) {
      case Smaller::first: return sides_.first.name;
      case Smaller::second: return sides_.second.name;
      case Smaller::equal: return "equal";
      case Smaller::unknown: return "no value";
    }
    return "";
  }

  std::string value_text(std::int64_t value) const { return fmt::format("{}", value); }
  std::string value_text(double value) const {
    const auto dimension = dimension_of(variable_.type).value_or(frontend::Dimension{});
    return frontend::format_quantity(value, dimension, variable_.unit, plain_digits);
  }

  // "by 3.2 %".
  static std::string lead(const TwoValues& sides) {
    const double larger = std::max(std::fabs(sides.first), std::fabs(sides.second));
    return fmt::format("{} %", frontend::format_number(100 * std::fabs(sides.first - sides.second) / larger, 2));
  }

  // One line about the stretches of one combination.
  template <class Value>
  std::string summary(const std::vector<Stretch<Value>>& stretches, const char* better) const {
    if (stretches.size() == 1) {
      const auto& all = stretches.front();
      if (all.which == Smaller::unknown) return "no value anywhere";
      if (all.which == Smaller::equal) return "equal throughout";
      return fmt::format("{} is {} throughout: by {} at {}, by {} at {}", name_of(all.which), better,
                         lead(all.at_begin), value_text(all.begin), lead(all.at_end), value_text(all.end));
    }
    std::string text;
    for (std::size_t i = 1; i < stretches.size(); ++i) {
      const auto& one = stretches[i];
      text += text.empty() ? "" : ", ";
      if (one.which == Smaller::equal)
        text += fmt::format("equal at {}", value_text(one.begin));
      else if (one.which == Smaller::unknown)
        text += fmt::format("no value from {} on", value_text(one.begin));
      else
        text += fmt::format("{} is {} from {} on", name_of(one.which), better, value_text(one.begin));
      if constexpr (std::is_same_v<Value, double>) {
        const auto& before = stretches[i - 1];
        const bool both = one.which != Smaller::unknown && before.which != Smaller::unknown;
        if (both && is_jump(before.at_end, one.at_begin)) text += " (a jump)";
      }
    }
    return text;
  }

  // How many values were evaluated and, if not all, what may have been missed.
  template <class Value>
  std::string searched(const std::string& output, std::uint64_t looked_at) const {
    const auto values = listed<Value>();
    double all = 0;
    if constexpr (!std::is_same_v<Value, double>) {
      all =
          (static_cast<double>(values.back()) - static_cast<double>(values.front()) + 1) * static_cast<double>(count_);
      if (static_cast<double>(looked_at) == all) return fmt::format("all {} values looked at: ", grouped(looked_at));
    }
    session_.console().remark(fmt::format(
        "`{}`: not all values were looked at; what comes and goes between two of them may be missed\n", output));
    if (all > 0) return fmt::format("{} of {} values looked at: ", grouped(looked_at), frontend::format_number(all, 3));
    return fmt::format("{} values looked at: ", grouped(looked_at));
  }

  template <class Value>
  void write(std::size_t number, const std::vector<std::vector<Stretch<Value>>>& found, std::uint64_t looked_at) {
    const Number& of = both_.numbers()[number];
    const bool is_time = dimension_of(of.column.type) == frontend::Dimension{1, 0, 0};
    const char* better = is_time ? "faster" : "smaller";
    const std::string doc = searched<Value>(of.name, looked_at) +
                            (count_ == 1 ? summary(found.front(), better)
                                         : fmt::format("which side is {}, along {}", better, variable_.name));
    std::vector<ColumnInfo> columns;
    for (const auto& other : others_) columns.push_back(column_of(other));
    const ColumnInfo value = column_of(variable_);
    columns.push_back({value.name + " from", value.type, value.unit});
    columns.push_back({value.name + " to", value.type, value.unit});
    columns.push_back({better, text_type(), {}});
    for (const char* where : {"from", "to"}) {
      for (const auto* side : {&sides_.first, &sides_.second})
        columns.push_back(as_real(of.column, fmt::format("{} {}", side->name, where)));
    }
    results_.add_table(of.name + ".crossover", std::move(columns), doc);
    for (std::size_t combination = 0; combination < found.size(); ++combination) {
      for (const auto& stretch : found[combination]) {
        std::vector<Cell> row;
        for (std::size_t i = 0; i < others_.size(); ++i)
          row.push_back(cell_of(others_[i], combinations_[i], combination));
        row.push_back(stretch.begin);
        row.push_back(stretch.end);
        row.push_back(name_of(stretch.which));
        for (const auto& sides : {stretch.at_begin, stretch.at_end}) {
          row.push_back(sides.first);
          row.push_back(sides.second);
        }
        results_.add_row(row);
      }
    }
  }

  Session& session_;
  const TwoSides& sides_;
  StudySides& both_;
  const std::size_t along_;
  const analysis::Variable& variable_;
  Results& results_;
  std::vector<analysis::Variable> others_;
  std::vector<ColumnValues> combinations_;  // of the others' values
  std::size_t count_ = 1;
  std::size_t kept_ = 0;
  std::vector<analysis::FailedRows> failed_first_, failed_second_;  // of the first values where any failed
  std::map<std::size_t, std::vector<std::unique_ptr<Known<std::int64_t>>>> known_integers_;
  std::map<std::size_t, std::vector<std::unique_ptr<Known<double>>>> known_reals_;
};

}  // namespace

bool find_crossover(Session& session, const Comparison& command, const std::string& crossover, const TwoSides& sides,
                    Results& results) {
  const Given asked = split_given(crossover);
  std::vector<std::string> vary = command.of.vary;
  const auto is_varied = [&](const std::string& clause) { return split_given(clause).path == asked.path; };
  if (std::none_of(vary.begin(), vary.end(), is_varied) && command.of.study.empty()) vary.push_back(crossover);
  const auto both = StudySides::open(session, command.of, {{sides.first, sides.second}}, vary);
  if (both == nullptr) return false;
  results.model = both->model().name.text;
  const auto& variables = both->variables();
  const auto along =
      std::find_if(variables.begin(), variables.end(), [&](const auto& one) { return one.name == asked.path; });
  if (along == variables.end()) {
    std::vector<std::string> names;
    for (const auto& one : variables) names.push_back(one.name);
    session.diagnostics()
        .add(DiagnosticKind::wrong_study, {}, fmt::format("the study does not vary `{}`", asked.path))
        .help.push_back("it varies " + frontend::quoted_list(names));
    return false;
  }
  const bool is_number = along->labels.empty() && (std::holds_alternative<types::Int>(along->type->kind) ||
                                                   std::holds_alternative<types::Real>(along->type->kind));
  for (const auto& variable : variables) {
    const bool is_along = &variable == &*along;
    if (variable.listed && (!is_along || (is_number && analysis::length(*variable.listed) >= 2))) continue;
    auto& d = session.diagnostics().add(
        DiagnosticKind::wrong_study, variable.location,
        is_along && !is_number ? fmt::format("along `{}` nothing overtakes: its values are no numbers", variable.name)
                               : fmt::format("`{}` needs a range", variable.name),
        is_along ? "the crossover is looked for along this" : "this varies, too");
    const bool is_real = std::holds_alternative<types::Real>(variable.type->kind);
    if (is_number) {
      d.help.push_back(is_real ? fmt::format("give both ends: `--crossover \"{}=[1 us, 100 us]\"`", variable.name)
                               : fmt::format("write `--crossover \"{}=1..65536\"`", variable.name));
    }
    return false;
  }
  return Crossover(session, sides, *both, static_cast<std::size_t>(along - variables.begin()), results).run();
}

}  // namespace wave::cli
