// See result_difference.h.
#include "cli/studies/result_difference.h"

#include "analysis/inputs.h"
#include "cli/progress.h"
#include "cli/results.h"
#include "frontend/parse/printer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace wave::cli {
namespace {

using frontend::ColumnInfo;
using frontend::DiagnosticKind;

// A number that was written and read again in another unit may differ in its last digits.
constexpr double same_enough = 1e-12;

bool is_same(double a, double b) {
  return a == b || std::fabs(a - b) <= same_enough * std::max(std::fabs(a), std::fabs(b));
}

template <class Value>
const Value* find(const std::vector<std::pair<std::string, Value>>& all, const std::string& name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.first == name; });
  return found == all.end() ? nullptr : &found->second;
}

const Given* find_given(const Side& side, const std::string& path) {
  const auto found =
      std::find_if(side.given.begin(), side.given.end(), [&](const Given& one) { return one.path == path; });
  return found == side.given.end() ? nullptr : &*found;
}

// Parameters whose defaults are made of others follow those.
std::set<std::string> derived_parameters(const frontend::Lowered& lowered) {
  std::set<ir::DefinitionId> definitions;
  for (const auto& one : lowered.parameters) {
    if (one.definition.valid()) definitions.insert(one.definition);
  }
  std::set<std::string> derived;
  for (const auto& one : lowered.parameters) {
    if (!one.definition.valid() || one.given) continue;
    const auto inside = analysis::reach(lowered.system, lowered.system[one.definition].body,
                                        [&](ir::DefinitionId id) { return definitions.count(id) != 0; });
    const auto is_other = [&](ir::DefinitionId id) { return definitions.count(id) != 0; };
    if (std::any_of(inside.definitions.begin(), inside.definitions.end(), is_other)) derived.insert(one.path);
  }
  return derived;
}

class Explanation {
 public:
  Explanation(Session& session, const frontend::Item* model, const EngineSettings& engine, std::uint64_t seed,
              Pair pair, Results& results)
      : session_(session),
        model_(model),
        engine_(engine),
        seed_(seed),
        pair_(std::move(pair)),
        results_(results),
        units_(session.program()) {}

  bool run() {
    if (model_ != nullptr && !take_defaults()) return false;
    add_inputs();
    add_outputs();
    return model_ == nullptr || changed_.empty() || add_parts();
  }

 private:
  // A default that is not the same in both texts is a change like one that -D makes.
  bool take_defaults() {
    const auto now = evaluate_quietly(pair_.after);
    if (now == nullptr) return false;
    derived_ = derived_parameters(now->lowered);
    for (const auto& [path, after] : pair_.parameters_after) {
      const auto* before = find(pair_.parameters_before, path);
      const bool is_given = find_given(pair_.before, path) || find_given(pair_.after, path);
      if (before == nullptr || is_given || is_within_given(path) || derived_.count(path) != 0) continue;
      const auto a = units_.base(before->value), b = units_.base(after.value);
      const bool is_text = !before->value.text.empty() && !after.value.text.empty();
      const bool differs = a && b ? !is_same(*a, *b) : is_text && before->value.text != after.value.text;
      if (!differs) continue;
      pair_.before.given.push_back({path, expression_of(path, before->value, now->lowered)});
      pair_.after.given.push_back({path, expression_of(path, after.value, now->lowered)});
      defaults_.insert(path);
    }
    return true;
  }

  // Of a machine that is not the same in both: its parameters come with it.
  bool is_within_given(const std::string& path) const {
    for (auto dot = path.rfind('.'); dot != std::string::npos && dot > 0; dot = path.rfind('.', dot - 1)) {
      const std::string outer = path.substr(0, dot);
      const Given* before = find_given(pair_.before, outer);
      const Given* after = find_given(pair_.after, outer);
      if ((before ? before->expression : "") != (after ? after->expression : "")) return true;
    }
    return false;
  }

  static std::string expression_of(const std::string& path, const DocumentValue& value,
                                   const frontend::Lowered& lowered) {
    for (const auto& one : lowered.parameters) {
      if (one.path != path || !one.type) continue;
      if (std::holds_alternative<frontend::types::Bool>(one.type->kind) && value.number)
        return *value.number != 0 ? "true" : "false";
      if (std::holds_alternative<frontend::types::String>(one.type->kind)) return frontend::quote(value.text);
    }
    return text_of(value);
  }

  // Failures are not repeated here: they are in the documents.
  std::unique_ptr<EvaluatedSide> evaluate_quietly(const Side& side) {
    const auto overrides = check_overrides(session_, *model_, side.overrides());
    if (session_.diagnostics().has_errors()) {
      session_.diagnostics()
          .add(DiagnosticKind::other_results, {}, fmt::format("the model cannot be evaluated as it was {}", side.name))
          .help.push_back("name the file that the results are of with `--file`");
      return nullptr;
    }
    auto evaluated = evaluate_side(session_, *model_, engine_, side);
    if (evaluated != nullptr) session_.diagnostics() = {};
    return evaluated;
  }

  void add_inputs() {
    std::vector<std::vector<std::string>> rows;
    std::set<std::string> seen;
    const auto add = [&](const std::string& name, const std::string& before, const std::string& after,
                         const std::string& why) {
      if (seen.insert(name).second) rows.push_back({name, before, after, why});
    };
    for (const auto& change : changes_between(pair_.before, pair_.after)) {
      const auto shown = [&](const std::optional<std::string>& given, const auto& parameters) {
        const auto* recorded = find(parameters, change.path);
        if (recorded && (recorded->value.number || !recorded->value.text.empty())) return text_of(recorded->value);
        return given.value_or("as it is");
      };
      add(change.path, shown(change.before, pair_.parameters_before), shown(change.after, pair_.parameters_after),
          defaults_.count(change.path) != 0 ? "its default" : "given");
    }
    for (const auto& [path, after] : pair_.parameters_after) {
      const auto* before = find(pair_.parameters_before, path);
      if (before == nullptr)
        add(path, "", text_of(after.value), "added");
      else if (!(before->value == after.value))
        add(path, text_of(before->value), text_of(after.value), "follows");
    }
    for (const auto& [path, before] : pair_.parameters_before) {
      if (find(pair_.parameters_after, path) == nullptr) add(path, text_of(before.value), "", "removed");
    }
    if (pair_.has_other_text) add("the model's text", "", "", "other");
    if (pair_.has_other_version) add("the program", "", "", "other version");
    results_.add_table(
        "inputs",
        {{"input", text_type(), {}}, {"before", text_type(), {}}, {"after", text_type(), {}}, {"why", text_type(), {}}},
        rows.empty() ? "none differs" : "that differ");
    for (const auto& row : rows) {
      std::vector<Cell> cells;
      for (const auto& text : row) cells.push_back(text);
      results_.add_row(cells);
    }
  }

  // Texts, since each value has its own unit; the numbers of the documents stand in them with all their digits.
  void add_outputs() {
    std::size_t same = 0;
    std::vector<std::vector<std::string>> rows;
    std::vector<double> percents;
    const auto add = [&](const std::string& name, const DocumentValue* before, const DocumentValue* after) {
      const auto a = before ? units_.base(*before) : std::nullopt, b = after ? units_.base(*after) : std::nullopt;
      const bool is_text = before && after && !a && !b && before->text == after->text && before->unit == after->unit;
      if (is_text || (a && b && is_same(*a, *b))) {
        ++same;
        return;
      }
      const auto shown = [](const DocumentValue* value) { return value ? text_of(*value) : std::string(); };
      rows.push_back({name, shown(before), shown(after),
                      a && b && before->unit == after->unit ? difference(*before, *after) : ""});
      percents.push_back(a && b && *a != 0 ? 100 * (*b - *a) / std::fabs(*a) : no_value);
      if (a && b) changed_.push_back({name, *a, *b});
    };
    const auto known_before = by_name(pair_.cells_before), known_after = by_name(pair_.cells_after);
    for (const auto& [name, after] : pair_.cells_after) {
      const auto before = known_before.find(name);
      add(name, before == known_before.end() ? nullptr : before->second, &after);
    }
    for (const auto& [name, before] : pair_.cells_before) {
      if (known_after.count(name) == 0) add(name, &before, nullptr);
    }
    const std::string others = same == 0 ? "" : fmt::format("{} {} the same", grouped(same), same == 1 ? "is" : "are");
    results_.add_table("outputs",
                       {{"output", text_type(), {}},
                        {"before", text_type(), {}},
                        {"after", text_type(), {}},
                        {"change", text_type(), {}},
                        {"percent", plain_type(), {}}},
                       rows.empty()     ? "all are the same"
                       : others.empty() ? "that changed"
                                        : "that changed; " + others);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      std::vector<Cell> cells;
      for (const auto& text : rows[i]) cells.push_back(text);
      cells.push_back(percents[i]);
      results_.add_row(cells);
    }
  }

  static std::map<std::string_view, const DocumentValue*> by_name(
      const std::vector<std::pair<std::string, DocumentValue>>& cells) {
    std::map<std::string_view, const DocumentValue*> all;
    for (const auto& [name, value] : cells) all.emplace(name, &value);
    return all;
  }

  static std::string difference(const DocumentValue& before, const DocumentValue& after) {
    const std::string number = frontend::format_number(*after.number - *before.number, 4);
    return after.unit.empty() ? number : number + " " + after.unit;
  }

  // Of every output that changed: what each change adds, what another text of the model does, and what rounding leaves.
  bool add_parts() {
    const auto now = evaluate_quietly(pair_.after);
    if (now == nullptr) return false;
    MixedSides mixed(pair_.before, pair_.after, seed_);
    if (!mixed.evaluate(session_, *model_, engine_)) return false;
    std::vector<ColumnInfo> columns{{"change", text_type(), {}}};
    std::vector<analysis::Attribution> found;
    std::vector<double> rests;
    std::vector<std::string> unexplained;
    bool is_text_changed = false;
    for (const auto& [name, before, after] : changed_) {
      const auto is_this = [&, &wanted = name](const Number& number) { return number.name == wanted; };
      const auto number = std::find_if(now->numbers.begin(), now->numbers.end(), is_this);
      auto attribution = number == now->numbers.end() ? std::nullopt : mixed.attribute(name);
      if (!attribution) {
        if (name.find('[') == std::string::npos) unexplained.push_back(name);
        continue;
      }
      rests.push_back(analysis::settle(attribution->parts, after - before));
      is_text_changed |= std::fabs(rests.back()) > 1e-9 * std::max(std::fabs(before), std::fabs(after));
      columns.push_back(as_real(number->column, name));
      found.push_back(std::move(*attribution));
    }
    for (const auto& name : unexplained) {
      session_.diagnostics()
          .add(DiagnosticKind::no_breakdown, {}, fmt::format("what makes `{}` change is not found", name), "",
               frontend::Severity::warning)
          .notes.push_back("on every way from one to the other some combination of the changes has no value");
    }
    if (found.empty()) return true;
    write(mixed, std::move(columns), found, rests, is_text_changed);
    return true;
  }

  void write(const MixedSides& mixed, std::vector<ColumnInfo> columns, const std::vector<analysis::Attribution>& found,
             const std::vector<double>& rests, bool is_text_changed) {
    const auto& one = found.front();
    std::string doc = "what explains the change";
    if (mixed.changes().size() > 1) doc += ": what each adds, " + orders_text(one);
    results_.add_table("changes", std::move(columns), doc);
    for (std::size_t i = 0; i < mixed.changes().size(); ++i) {
      std::vector<Cell> row{text_of(mixed.changes()[i])};
      for (const auto& attribution : found) row.push_back(attribution.parts[i]);
      results_.add_row(row);
    }
    std::vector<Cell> row{!is_text_changed       ? "rounding"
                          : pair_.has_other_text ? "the model's text"
                                                 : "the program, or its library"};
    for (const double rest : rests) row.push_back(rest);
    results_.add_row(row);
  }

  struct ChangedOutput {
    std::string name;
    double before = 0, after = 0;  // in base units
  };

  Session& session_;
  const frontend::Item* model_;
  const EngineSettings& engine_;
  const std::uint64_t seed_;
  Pair pair_;
  Results& results_;
  UnitReader units_;
  std::set<std::string> derived_, defaults_;
  std::vector<ChangedOutput> changed_;
};

}  // namespace

std::optional<double> UnitReader::base(const DocumentValue& value) {
  if (!value.number || value.unit.empty()) return value.number;
  const auto [found, is_new] = known_.try_emplace(value.unit);
  if (is_new) {
    frontend::Diagnostics quiet;
    const auto one = frontend::check_expression(program_, nullptr, "a unit", "1 " + value.unit, nullptr, quiet);
    const auto* number = one && !quiet.has_errors() ? std::get_if<frontend::expr::Number>(&one->node) : nullptr;
    if (number) found->second = number->value;
  }
  return found->second ? std::optional(*value.number * *found->second) : std::nullopt;
}

Pair pair_of_runs(const ResultDocument& before, const ResultDocument& after) {
  Pair pair;
  pair.before.name = "before";
  pair.after.name = "after";
  for (const auto& [path, expression] : before.given) pair.before.given.push_back({path, expression});
  for (const auto& [path, expression] : after.given) pair.after.given.push_back({path, expression});
  pair.parameters_before = before.parameters;
  pair.parameters_after = after.parameters;
  const auto cells = [](const ResultDocument& document) {
    std::vector<std::pair<std::string, DocumentValue>> all;
    for (const auto& [name, output] : document.outputs) {
      if (output.cells.empty())
        all.push_back({name, {std::nullopt, output.code.empty() ? output.status : "failed " + output.code, ""}});
      for (const auto& [cell, value] : output.cells) all.push_back({name + cell, value});
    }
    return all;
  };
  pair.cells_before = cells(before);
  pair.cells_after = cells(after);
  pair.has_other_text = before.text != after.text;
  pair.has_other_version = before.version != after.version;
  return pair;
}

bool explain(Session& session, const frontend::Item* model, const EngineSettings& engine, std::uint64_t seed, Pair pair,
             Results& results) {
  return Explanation(session, model, engine, seed, std::move(pair), results).run();
}

}  // namespace wave::cli
