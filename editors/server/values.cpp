// Evaluates the models, machines and tests of a document.
#include "editors/server/values.h"

#include "analysis/expectations.h"
#include "backend/limits.h"
#include "editors/server/analysis.h"
#include "editors/server/evaluating.h"
#include "frontend/check/members.h"
#include "frontend/format/quantities.h"
#include "frontend/source/patience.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace wave::editors {
namespace {

using namespace frontend;

constexpr std::size_t longest_text = 80;
constexpr std::size_t most_shown = 5;  // elements of a list

// The time of a document, shared among its parts.
class Budget {
 public:
  Budget(const EvaluationLimits& limits, std::size_t parts, const std::atomic<bool>& stop)
      : whole_(limits_of(limits, stop)), left_(std::max<std::size_t>(parts, 1)) {}

  // For the next part: what is left, shared equally with those that are still to come.
  backend::Limits next() {
    backend::Limits limits = whole_;
    if (limits.deadline) {
      backend::set_time_limit(limits, std::max(0.0, backend::seconds_left(whole_) / static_cast<double>(left_)));
      limits.time_budget_seconds = whole_.time_budget_seconds;
    }
    left_ = std::max<std::size_t>(left_ - 1, 1);
    return limits;
  }

 private:
  backend::Limits whole_;
  std::size_t left_;
};

std::string shortened(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  }
  if (text.size() <= longest_text) return text;
  std::size_t end = longest_text;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // a character stays whole
  return text.substr(0, end) + "…";
}

// A value that is written as a number or a word, and nothing else.
bool is_literal(const ExprPtr& value) {
  if (!value) return false;
  if (const auto* sign = std::get_if<expr::Unary>(&value->node)) return is_literal(sign->operand);
  return std::holds_alternative<expr::Integer>(value->node) || std::holds_alternative<expr::Number>(value->node) ||
         std::holds_alternative<expr::Boolean>(value->node) || std::holds_alternative<expr::String>(value->node);
}

bool is_written(const Item& item) {
  const auto* let = std::get_if<item::Let>(&item.node);
  const auto* param = std::get_if<item::Param>(&item.node);
  const auto* output = std::get_if<item::Output>(&item.node);
  return (let && is_literal(let->value)) || (param && is_literal(param->default_value)) ||
         (output && output->indices.empty() && is_literal(output->value));
}

// The evaluation of what was lowered of one model or machine, or of what stands outside of them.
class Evaluated {
 public:
  // `owner`: the model or machine; null for what stands outside of them.
  Evaluated(const Program& program, const Item* owner, const Lowered& lowered, const backend::Limits& limits,
            Values& values)
      : program_(program),
        items_(owner ? *check::members_of(*owner) : program.main().items),
        lowered_(lowered),
        seconds_(limits.time_budget_seconds),
        values_(values),
        engine_(engine_of(lowered.system)),
        evaluation_(engine_->start({}, limits)) {}

  void add_outputs(ModelValues& model) {
    for (const OutputInfo& output : lowered_.outputs) {
      if (output.failed || !output.root.valid()) continue;
      const Shown shown = value_of(output);
      model.outputs.emplace_back(output.name, shown.text);
      add_value(shown, output.location);
    }
    for (const ParameterInfo& parameter : lowered_.parameters) {
      if (!parameter.definition.valid()) continue;
      const auto outcome = evaluation_->evaluate(parameter.definition);
      const auto* rows = std::get_if<backend::Rows>(&outcome);
      if (rows && !rows->cells.empty())
        model.parameters[parameter.path] = cell({parameter.path, parameter.type, {}}, rows->cells.front());
    }
  }

  void add_observations() {
    for (const Observation& one : lowered_.observations) {
      switch (one.kind) {
        case Observation::Kind::value: add_value(one.info); break;
        case Observation::Kind::order: add_order(one.info); break;
        case Observation::Kind::message: add_message(one.info); break;
      }
    }
  }

  // How recurrences and processes were evaluated, as far as they were.
  void add_schedules() {
    for (const backend::EventReport& report : evaluation_->reports()) {
      const Item* item = declaration_of(report.event);
      if (!item) continue;
      add({Remark::Kind::recurrence, 0, 0, item->location.end,
           fmt::format("{} cells, {}", backend::count_text(report.cells), report.schedule)},
          item->name.location);
    }
  }

 private:
  struct Shown {
    std::string text, details;
    bool is_missing = false;
  };

  std::string cell(const ColumnInfo& column, const ir::Scalar& value) const {
    return cell_text(column, value, lowered_.words);
  }

  std::string row(const OutputInfo& info, const backend::Rows& rows, std::size_t at) const {
    const ir::Scalar* cells = &rows.cells[at * rows.columns];
    if (rows.columns == 1) return cell(info.columns[0], cells[0]);
    std::string text;
    for (std::size_t i = 0; i < rows.columns; ++i)
      text += fmt::format("{}{} {}", i == 0 ? "" : ", ", info.columns[i].name, cell(info.columns[i], cells[i]));
    return text;
  }

  Shown value_of(const OutputInfo& info) {
    const auto outcome = evaluation_->evaluate(info.root);
    if (const auto* failure = std::get_if<ir::Failure>(&outcome)) return explained(*failure);
    const auto& rows = std::get<backend::Rows>(outcome);
    if (is_one_row(info.shape)) return {rows.count() > 0 ? row(info, rows, 0) : "", ""};
    std::string text = "[";
    const std::size_t count = rows.count();
    for (std::size_t at = 0; at < std::min(count, most_shown); ++at) {
      const bool is_last = at + 1 == std::min(count, most_shown);
      const std::string between = at == 0                         ? ""
                                  : is_last && count > most_shown ? ", …, "
                                  : rows.columns > 1              ? "; "
                                                                  : ", ";
      text += between + row(info, rows, is_last ? count - 1 : at);
    }
    return {text + "]", count > most_shown ? counted(count, "value") : ""};
  }

  Shown explained(const ir::Failure& failure) const {
    if (failure.kind == ir::FailureKind::time_limit)
      return {"", fmt::format("not evaluated within {}", backend::duration_text(seconds_))};
    Diagnostics diagnostics;
    report(lowered_.system, lowered_.words, lowered_.notes, failure, diagnostics);
    if (diagnostics.all().empty()) return {};
    const Diagnostic& d = diagnostics.all().front();
    return {"no value: " + std::string(code_of(d.kind)), std::string(code_of(d.kind)) + ": " + d.message, true};
  }

  void add(Remark remark, Location place) {
    if (place.file != program_.main().file || (remark.text.empty() && remark.details.empty())) return;
    remark.begin = place.begin;
    remark.end = place.end;
    remark.text = shortened(std::move(remark.text));
    values_.remarks.push_back(std::move(remark));
  }

  void add_value(const OutputInfo& info) {
    const bool is_given = std::any_of(lowered_.parameters.begin(), lowered_.parameters.end(),
                                      [&](const auto& one) { return one.given && one.path == info.name; });
    Shown shown = value_of(info);
    if (shown.is_missing) shown.text.clear();  // that of the outputs is enough beside the text
    add_value(std::move(shown), info.location, is_given);
  }

  void add_value(Shown shown, Location name, bool is_given = false) {
    const auto same = [&](const auto& item) { return item->name.location == name; };
    const auto found = std::find_if(items_.begin(), items_.end(), same);
    if (found == items_.end()) return;  // of a machine that this one extends
    const bool written = is_written(**found) && !is_given;
    Remark remark{Remark::Kind::value, 0, 0, 0, std::move(shown.text), std::move(shown.details), written};
    remark.until = (*found)->location.end;
    add(std::move(remark), name);
  }

  void add_order(const OutputInfo& info) {
    const auto outcome = evaluation_->evaluate(info.root);
    const auto* rows = std::get_if<backend::Rows>(&outcome);
    if (!rows || rows->count() == 0) return;
    const auto sweeps = static_cast<std::size_t>(rows->cells[0].integer);
    const auto fills = static_cast<std::size_t>(rows->cells[1].integer);
    add({Remark::Kind::order, 0, 0, 0, counted(sweeps, "sweep") + ", " + counted(fills, "full fill"),
         "as `sweeps` and `full_fills` count them"},
        info.location);
  }

  void add_message(const OutputInfo& info) {
    const auto outcome = evaluation_->evaluate(info.root);
    const auto* rows = std::get_if<backend::Rows>(&outcome);
    if (!rows || rows->count() == 0) return;
    const auto text = [&](std::size_t column) { return cell(info.columns[column], rows->cells[column]); };
    add({Remark::Kind::message, 0, 0, 0, fmt::format("{}, {}", text(4), text(3)),
         fmt::format("{} between processes that share nothing: `send` {}, `recv` {}, `total` {}", text(0), text(1),
                     text(2), text(3))},
        info.location);
  }

  // The recurrence or process of that name; null for one of another module.
  const Item* declaration_of(const std::string& event) const {
    for (const auto& one : lowered_.system.events) {
      if (one.name == event) return declaration_around(one.location);
    }
    for (const auto& one : lowered_.system.processes) {
      if (one.name == event) return declaration_around(one.location);
    }
    return nullptr;
  }

  const Item* declaration_around(Location place) const {
    const Item* found = nullptr;
    const auto look = [&](const Item& item) {
      const bool is_it =
          std::holds_alternative<item::Recurrence>(item.node) || std::holds_alternative<item::Process>(item.node);
      const bool holds =
          item.location.file == place.file && item.location.begin <= place.begin && place.end <= item.location.end;
      if (is_it && holds) found = &item;
    };
    for (const auto& item : program_.main().items) {
      look(*item);
      if (const auto* members = check::members_of(*item)) {
        for (const auto& member : *members) look(*member);
      }
    }
    return found;
  }

  const Program& program_;
  const std::vector<std::unique_ptr<Item>>& items_;
  const Lowered& lowered_;
  double seconds_;
  Values& values_;
  std::unique_ptr<backend::Engine> engine_;
  std::unique_ptr<backend::Evaluation> evaluation_;
};

void run_tests(const Program& program, const backend::Limits& limits, Values& values) {
  Diagnostics ignored;
  const auto lowered = lower_tests(program, ignored, lowering_options(limits));
  const auto engine = engine_of(lowered.system);
  const auto evaluation = engine->start({}, limits);
  for (const TestInfo& test : lowered.tests) {
    Diagnostics diagnostics;
    TestResult result{test.name, test.location.begin, false, ""};
    result.has_passed = analysis::run_test(lowered, test, *evaluation, diagnostics) == analysis::Verdict::passed;
    if (backend::is_over(limits)) return;  // nothing is known of it
    if (!diagnostics.all().empty()) {
      const Diagnostic& first = diagnostics.all().front();
      result.message = first.message;
      for (const std::string& note : first.notes) result.message += "\n" + note;
    }
    values.tests.push_back(std::move(result));
  }
}

template <class Node>
std::vector<const Item*> items_of(const Module& module) {
  std::vector<const Item*> all;
  for (const auto& item : module.items) {
    if (std::holds_alternative<Node>(item->node)) all.push_back(item.get());
  }
  return all;
}

}  // namespace

const ModelValues* Values::model(const std::string& name) const {
  const auto found = std::find_if(models.begin(), models.end(), [&](const auto& one) { return one.name == name; });
  return found == models.end() ? nullptr : &*found;
}

const Remark* Values::at(std::uint32_t offset) const {
  const Remark* found = nullptr;
  for (const Remark& one : remarks) {
    const bool holds = one.begin <= offset && offset <= one.end;
    if (holds && (!found || one.end - one.begin < found->end - found->begin)) found = &one;
  }
  return found;
}

bool Evaluator::load(const EvaluatedText& document) {
  Diagnostics diagnostics;
  // It is kept only if it is read to the end.
  std::unique_ptr<Program> program = std::move(program_);
  const bool is_read = finishes_within(limits_.reading_seconds(), [&] {
    if (program && name_ == document.name && imports_ == document.imports)
      reload(*program, document.search, *document.text, diagnostics);
    else
      program = frontend::load(document.name, document.search, diagnostics, document.text.get());
  });
  if (!is_read) return false;
  program_ = std::move(program);
  name_ = document.name;
  imports_ = document.imports;
  if (!diagnostics.has_errors()) return true;
  // Errors in other modules are reported only where these are read, so all of them are read again next time.
  const std::uint32_t file = program_->main().file;
  const auto is_elsewhere = [&](const Diagnostic& d) {
    return d.labels.empty() || d.labels.front().location.file != file;
  };
  if (std::any_of(diagnostics.all().begin(), diagnostics.all().end(), is_elsewhere)) program_.reset();
  return false;
}

std::optional<Values> Evaluator::evaluate(const EvaluatedText& document, const std::atomic<bool>& stop) {
  if (!load(document)) return std::nullopt;
  try {
    return values_of(document, stop);
  } catch (const GivenUp&) {  // in reading what is given to parameters, which may load modules
    program_.reset();
    throw;
  }
}

Values Evaluator::values_of(const EvaluatedText& document, const std::atomic<bool>& stop) {
  Values values;
  const auto models = items_of<item::Model>(program_->main()), machines = items_of<item::Machine>(program_->main());
  const bool has_lets = !items_of<item::Let>(program_->main()).empty();
  const bool has_tests = !items_of<item::Test>(program_->main()).empty();
  Budget budget(limits_, models.size() + machines.size() + has_lets + has_tests, stop);
  Given given(document);
  for (const auto* items : {&models, &machines}) {
    for (const Item* item : *items) {
      if (stop) return values;
      const backend::Limits limits = budget.next();
      const auto overrides = given.for_item(*program_, *item);
      Diagnostics ignored;
      const auto lowered = lower_model(*program_, *item, overrides, ignored, lowering_options(limits));
      Evaluated evaluated(*program_, item, lowered, limits, values);
      ModelValues all{item->name.text, item->name.location.begin, item->location.end, {}, {}};
      evaluated.add_outputs(all);
      evaluated.add_observations();
      evaluated.add_schedules();
      if (items == &models) values.models.push_back(std::move(all));
    }
  }
  if (has_lets) {
    const backend::Limits limits = budget.next();
    Diagnostics ignored;
    const auto lowered = observe_globals(*program_, ignored, lowering_options(limits));
    Evaluated(*program_, nullptr, lowered, limits, values).add_observations();
  }
  given.add_problems(values);
  if (has_tests) run_tests(*program_, budget.next(), values);
  // A procedure or a model may have been evaluated with several values: the first count.
  const auto key = [](const Remark& one) { return std::tuple(one.begin, one.end, one.kind); };
  std::stable_sort(values.remarks.begin(), values.remarks.end(),
                   [&](const Remark& a, const Remark& b) { return key(a) < key(b); });
  const auto same = [&](const Remark& a, const Remark& b) { return key(a) == key(b); };
  values.remarks.erase(std::unique(values.remarks.begin(), values.remarks.end(), same), values.remarks.end());
  return values;
}

}  // namespace wave::editors
