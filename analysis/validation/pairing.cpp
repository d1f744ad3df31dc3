// See pairing.h. Values are compared by classes: all that count as equal are one. What varies by itself is looked up
// among the values that it lists; for everything else the study is asked what it is, at the points that are left.
#include "analysis/validation/pairing.h"

#include "analysis/inputs.h"
#include "analysis/validation/value_classes.h"
#include "frontend/format/quantities.h"
#include "frontend/lower/given.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <type_traits>
#include <utility>
#include <variant>

namespace wave::analysis {
namespace {

using frontend::DiagnosticKind;

// Points at which parameters are asked for, and those of one question.
constexpr std::uint64_t most_combinations = 10'000'000;
constexpr std::size_t most_at_once = std::size_t{1} << 16;

using Class = ValueClasses::Class;
using Key = std::vector<Class>;

// All combinations of one of each list, the first varying slowest.
template <class Value, class Use>
void for_each_choice(const std::vector<std::vector<Value>>& lists, const Use& use) {
  std::vector<Value> chosen;
  const auto choose = [&](const auto& self, std::size_t at) -> void {
    if (at == lists.size()) return use(chosen);
    for (const Value& one : lists[at]) {
      chosen.push_back(one);
      self(self, at + 1);
      chosen.pop_back();
    }
  };
  choose(choose, 0);
}

class Pairer {
 public:
  Pairer(const PointsToPair& study, const MeasuredData& data, frontend::Diagnostics& diagnostics)
      : study_(study), data_(data), diagnostics_(diagnostics), variables_(study.points.variables()) {}

  std::optional<Pairing> run();

 private:
  // Of a column whose parameter varies: by class, the places of its values in the list.
  struct Direct {
    std::size_t parameter = 0, variable = 0;
    std::map<Class, std::vector<std::uint64_t>> places;
  };
  // Rows that say the same of what varies, and by what they say of the rest.
  struct Group {
    std::vector<std::vector<std::uint64_t>> places;  // of each key, where it may be in its list
    std::map<Key, std::vector<std::size_t>> rows;
  };

  void sort_columns();
  bool read_texts();
  bool ask();
  void choose_keys();
  bool is_needed(const frontend::LoweredStudy& lowered, std::size_t variable) const;
  std::vector<Group> groups() const;
  bool check_size(const std::vector<Group>& groups) const;
  bool visit(const std::vector<Group>& groups);
  bool flush();
  std::vector<std::vector<Class>> classes_at(const ResultTable& table, std::size_t point) const;
  std::uint64_t number_of(const std::vector<std::uint64_t>& places) const;
  void keep_selected();
  void drop_idle_keys();
  bool drop_if_idle(std::size_t key);

  const PointsToPair& study_;
  const MeasuredData& data_;
  frontend::Diagnostics& diagnostics_;
  const std::vector<Variable>& variables_;
  std::vector<ValueClasses> classes_;  // by column of the table
  std::vector<Direct> direct_;         // columns whose parameters vary
  std::vector<std::size_t> asked_;     // the others
  std::vector<frontend::AskedParameter> questions_;
  std::unique_ptr<StudyModel> answers_;  // what these are
  std::vector<std::pair<const Group*, std::vector<std::uint64_t>>> pending_;
  Pairing result_;
};

// --- what is asked ---

void Pairer::sort_columns() {
  const auto& parameters = data_.parameters();
  for (std::size_t i = 0; i < parameters.size(); ++i) classes_.emplace_back(parameters[i]);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto found = std::find_if(variables_.begin(), variables_.end(),
                                    [&](const Variable& one) { return one.name == parameters[i].name; });
    if (found == variables_.end()) {
      asked_.push_back(i);
      continue;
    }
    Direct one{i, static_cast<std::size_t>(found - variables_.begin()), {}};
    for (std::size_t at = 0; at < length(*found->listed); ++at) {
      const Class known = classes_[i].of_value(*found->listed, at, found->labels);
      if (known != ValueClasses::none) one.places[known].push_back(at);
    }
    // Two texts may mean one machine.
    const bool is_clear = !is_structure(parameters[i]) || one.places.size() == parameters[i].texts.size();
    if (is_clear)
      direct_.push_back(std::move(one));
    else
      asked_.push_back(i);
  }
}

// Reads the machines, orders and lists that the table names. False, reported, where one is none.
bool Pairer::read_texts() {
  frontend::LateExpressions expressions(study_.of.program, diagnostics_);
  for (const std::size_t i : asked_) {
    const MeasuredParameter& parameter = data_.parameters()[i];
    frontend::AskedParameter one{parameter.name, parameter.type, parameter.heading, {}};
    for (std::size_t k = 0; is_structure(parameter) && k < parameter.texts.size(); ++k) {
      one.among.push_back(expressions.check(&study_.of.model, parameter.name, parameter.texts[k], parameter.type));
      if (one.among.back() == nullptr) return false;
    }
    questions_.push_back(std::move(one));
  }
  return true;
}

bool Pairer::ask() {
  if (asked_.empty()) return true;
  if (!read_texts()) return false;
  auto given = check_given(study_.of.program, study_.of.model, study_.of.given, diagnostics_);
  if (diagnostics_.has_errors()) return false;
  answers_ = StudyModel::make(study_.of.program, study_.study, std::move(given), study_.of.engines, study_.of.threads,
                              study_.of.limits, diagnostics_, frontend::StudyAsks::values_of(questions_));
  return answers_ != nullptr;
}

// Whether what is asked for may depend on a variable. Where a variable shapes the system, only all systems could tell.
bool Pairer::is_needed(const frontend::LoweredStudy& lowered, std::size_t variable) const {
  const ir::DefinitionId definition = lowered.variables[variable].definition;
  for (const auto& output : lowered.model.outputs) {
    if (!output.root.valid()) return true;
    for (const auto& block : lowered.model.system[output.root].blocks) {
      for (const ir::ValueId cell : block.columns) {
        if (reach(lowered.model.system, cell).definitions.contains(definition)) return true;
      }
    }
  }
  return false;
}

void Pairer::choose_keys() {
  std::set<std::uint32_t> keys;
  for (const Direct& one : direct_) keys.insert(static_cast<std::uint32_t>(one.variable));
  if (!asked_.empty()) {
    const bool has_shapes =
        std::any_of(variables_.begin(), variables_.end(), [](const auto& one) { return one.shapes; });
    const auto* const lowered = has_shapes ? nullptr : answers_->system({});
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      if (lowered == nullptr || is_needed(*lowered, i)) keys.insert(static_cast<std::uint32_t>(i));
    }
  }
  result_.keys.assign(keys.begin(), keys.end());
}

// --- where rows may be ---

std::vector<Pairer::Group> Pairer::groups() const {
  std::map<Key, Group> groups;
  for (std::size_t row = 0; row < data_.rows(); ++row) {
    Key said, rest;
    for (const Direct& one : direct_) said.push_back(classes_[one.parameter].of_row(row));
    for (const std::size_t i : asked_) rest.push_back(classes_[i].of_row(row));
    groups[said].rows[rest].push_back(row);
  }
  std::vector<Group> result;
  for (auto& [said, group] : groups) {
    bool is_listed = true;
    for (const std::uint32_t key : result_.keys) {
      auto& places = group.places.emplace_back();
      const auto one = std::find_if(direct_.begin(), direct_.end(), [&](const auto& it) { return it.variable == key; });
      if (one == direct_.end()) {
        for (std::uint64_t at = 0; at < length(*variables_[key].listed); ++at) places.push_back(at);
      } else {
        const auto found = one->places.find(said[static_cast<std::size_t>(one - direct_.begin())]);
        if (found != one->places.end()) places = found->second;
      }
      is_listed = is_listed && !places.empty();
    }
    if (is_listed) result.push_back(std::move(group));
  }
  return result;
}

bool Pairer::check_size(const std::vector<Group>& groups) const {
  std::uint64_t all = 0;
  for (const Group& group : groups) {
    std::uint64_t combinations = 1;
    for (const auto& places : group.places) {
      if (__builtin_mul_overflow(combinations, places.size(), &combinations)) combinations = most_combinations + 1;
    }
    all += std::min(combinations, most_combinations + 1);
    if (all <= most_combinations) continue;
    diagnostics_
        .add(DiagnosticKind::study_too_large, data_.heading(),
             "there are too many points at which these could have been measured", "these measurements")
        .help.push_back(fmt::format("give the table columns for what varies: {} points are looked at, at most",
                                    frontend::grouped(most_combinations)));
    return false;
  }
  return true;
}

// --- what is there ---

std::uint64_t Pairer::number_of(const std::vector<std::uint64_t>& places) const {
  std::uint64_t number = 0;
  for (std::size_t k = 0; k < places.size(); ++k)
    number = number * length(*variables_[result_.keys[k]].listed) + places[k];
  return number;
}

bool Pairer::visit(const std::vector<Group>& groups) {
  bool is_good = true;
  for (const Group& group : groups) {
    for_each_choice(group.places, [&](const std::vector<std::uint64_t>& places) {
      if (asked_.empty()) {
        auto& rows = result_.rows[number_of(places)];
        const auto& all = group.rows.begin()->second;
        rows.insert(rows.end(), all.begin(), all.end());
        return;
      }
      if (!is_good) return;
      pending_.emplace_back(&group, places);
      if (pending_.size() == most_at_once) is_good = flush();
    });
  }
  return is_good && flush();
}

// By question, the classes of what a parameter is at a point; of a machine that several texts mean, all of them.
std::vector<std::vector<Class>> Pairer::classes_at(const ResultTable& table, std::size_t point) const {
  std::vector<std::vector<Class>> all;
  std::size_t at = variables_.size();
  const auto has_value = [&](const ResultColumn& column) {
    return !std::binary_search(column.missing.begin(), column.missing.end(), point);
  };
  for (std::size_t q = 0; q < questions_.size(); ++q) {
    auto& found = all.emplace_back();
    if (questions_[q].among.empty()) {
      const ResultColumn& column = table.columns[at++];
      const Class one =
          has_value(column) ? classes_[asked_[q]].of_value(column.values, point, column.labels) : ValueClasses::none;
      if (one != ValueClasses::none) found.push_back(one);
      continue;
    }
    for (std::size_t k = 0; k < questions_[q].among.size(); ++k) {
      const ResultColumn& column = table.columns[at++];
      if (has_value(column) && std::get<std::vector<std::int64_t>>(column.values)[point] != 0)
        found.push_back(static_cast<Class>(k));
    }
  }
  return all;
}

// Asks what parameters are at the points that were collected. False, reported, where it cannot be told.
bool Pairer::flush() {
  if (pending_.empty()) return true;
  std::vector<ColumnValues> points;
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    const auto key = std::find(result_.keys.begin(), result_.keys.end(), i) - result_.keys.begin();
    points.push_back(std::visit(
        [&](const auto& listed) -> ColumnValues {
          std::remove_cvref_t<decltype(listed)> column;
          for (const auto& [group, places] : pending_) {
            const auto k = static_cast<std::size_t>(key);
            column.push_back(listed[k < places.size() ? static_cast<std::size_t>(places[k]) : 0]);
          }
          return column;
        },
        *variables_[i].listed));
  }
  auto outcome = answers_->evaluate(std::move(points), study_.of.limits);
  if (const auto* const failure = std::get_if<ir::Failure>(&outcome)) {
    const auto& lowered = answers_->lowered();
    report(lowered.system, lowered.words, lowered.notes, *failure, diagnostics_);
    return false;
  }
  const auto& table = std::get<ResultTable>(outcome);
  for (std::size_t point = 0; point < pending_.size(); ++point) {
    const auto& [group, places] = pending_[point];
    for_each_choice(classes_at(table, point), [&](const Key& key) {
      const auto found = group->rows.find(key);
      if (found == group->rows.end()) return;
      auto& rows = result_.rows[number_of(places)];
      rows.insert(rows.end(), found->second.begin(), found->second.end());
    });
  }
  pending_.clear();
  return true;
}

// --- which of these are points ---

std::vector<std::uint64_t> lengths_of(const std::vector<Variable>& variables) {
  std::vector<std::uint64_t> lengths;
  for (const Variable& one : variables) lengths.push_back(length(*one.listed));
  return lengths;
}

void Pairer::keep_selected() {
  const Selection& selection = study_.points.selection();
  if (selection.is_all()) return;
  const Combinations combinations(lengths_of(variables_), result_.keys);
  std::set<std::uint64_t> there;
  for (std::uint64_t point = 0; point < selection.size(); ++point) {
    const std::uint64_t number = combinations.at(selection.place(point));
    if (result_.rows.contains(number)) there.insert(number);
  }
  std::erase_if(result_.rows, [&](const auto& one) { return !there.contains(one.first); });
}

// A variable was asked about that makes no difference to the rows: those of a combination are there whatever it is.
bool Pairer::drop_if_idle(std::size_t key) {
  std::uint64_t stride = 1;
  for (std::size_t k = key + 1; k < result_.keys.size(); ++k) stride *= length(*variables_[result_.keys[k]].listed);
  const std::uint64_t count = length(*variables_[result_.keys[key]].listed);
  std::map<std::uint64_t, std::pair<std::uint64_t, const std::vector<std::size_t>*>> without;
  for (const auto& [number, rows] : result_.rows) {
    auto& [times, known] = without[number / (stride * count) * stride + number % stride];
    if (known != nullptr && *known != rows) return false;
    known = &rows;
    ++times;
  }
  if (std::any_of(without.begin(), without.end(), [&](const auto& one) { return one.second.first != count; }))
    return false;
  std::map<std::uint64_t, std::vector<std::size_t>> left;
  for (const auto& [number, one] : without) left[number] = *one.second;
  result_.rows = std::move(left);
  result_.keys.erase(result_.keys.begin() + static_cast<std::ptrdiff_t>(key));
  return true;
}

void Pairer::drop_idle_keys() {
  for (std::size_t key = result_.keys.size(); key-- > 0;) {
    const auto is_this = [&](const Direct& one) { return one.variable == result_.keys[key]; };
    if (std::none_of(direct_.begin(), direct_.end(), is_this)) drop_if_idle(key);
  }
}

std::optional<Pairing> Pairer::run() {
  sort_columns();
  if (!ask()) return std::nullopt;
  choose_keys();
  const auto all = groups();
  if (!check_size(all) || !visit(all)) return std::nullopt;
  for (auto& [number, rows] : result_.rows) {
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  }
  drop_idle_keys();
  keep_selected();
  std::set<std::size_t> there;
  for (const auto& [number, rows] : result_.rows) there.insert(rows.begin(), rows.end());
  result_.elsewhere = data_.rows() - there.size();
  return std::move(result_);
}

}  // namespace

std::map<std::uint64_t, double> Pairing::means(const MeasuredData& data) const {
  std::map<std::uint64_t, double> result;
  for (const auto& [number, all] : rows) {
    double sum = 0;
    for (const std::size_t row : all) sum += data.measured()[row];
    result[number] = sum / static_cast<double>(all.size());
  }
  return result;
}

std::optional<Pairing> pair_rows(const PointsToPair& study, const MeasuredData& data,
                                 frontend::Diagnostics& diagnostics) {
  return Pairer(study, data, diagnostics).run();
}

}  // namespace wave::analysis
