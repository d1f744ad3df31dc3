// Studies: what is varied, set, shown and plotted of a model.
#include "frontend/ast/walk.h"
#include "frontend/check/declarations.h"
#include "frontend/check/expressions.h"
#include "frontend/check/names.h"
#include "frontend/lower/lower.h"

#include <algorithm>

namespace wave::frontend::check {
namespace {

const Item* param_of(const Item* found) {
  return found && std::holds_alternative<item::Param>(found->node) ? found : nullptr;
}

// The ends of a range of reals without steps, if nothing else needs to be said of its values.
void list_ends(item::Study::Vary& vary, const TypeRef& element) {
  const bool is_real = element && std::holds_alternative<types::Real>(element->kind);
  auto* range = vary.may_be_interval && is_real && vary.values ? std::get_if<expr::Range>(&vary.values->node) : nullptr;
  if (range == nullptr || !range->last || range->step) return;
  expr::List ends;
  ends.elements.push_back(std::move(range->first));
  ends.elements.push_back(std::move(range->last));
  vary.values->node = std::move(ends);
  vary.is_interval = true;
}

bool is_path(const Identifier& name) { return name.text.find('.') != std::string::npos; }

}  // namespace

void Studies::check_study(item::Study& study) {
  const Item* model = names_.find_item_by_path(study.model, "model");
  if (!model) return;
  if (!is_model(*model)) {
    names_.report_wrong_kind(*model, study.model.front().location, "a model");
    return;
  }
  study.model_item = model;
  check_study_of(*model, study);
}

void Studies::check_study_of(const Item& model_item, item::Study& study) {
  const Item* model = &model_item;
  LocalScope scope(context_);
  context_.owner = model;
  context_.in_study = true;
  check_vary(*model, study);
  check_sets(*model, study);
  for (const Identifier& unused : unused_vary(study)) {
    if (may_have_more(*model)) break;
    reports_
        .add(DiagnosticKind::unknown_name, unused.location,
             "`" + unused.text + "` is neither a parameter nor used in a `set`", "nothing depends on it")
        .labels.push_back({model->name.location, "the model is declared here"});
  }
  if (study.show.empty()) show_outputs(*model, study);
  check_shown(study);
}

// Checks what an option adds to a checked study.
void Studies::check_conditions(item::Study& study) {
  const Item* model = study.model_item;
  LocalScope scope(context_);
  context_.owner = model;
  context_.in_study = true;
  for (const item::Study::Vary& vary : study.vary) {
    context_.varied.push_back({vary.name.text, vary.type, vary.name.location});
    if (!is_path(vary.name) && !param_of(names_.member(*model, vary.name.text)))
      context_.locals.push_back({vary.name.text, vary.type, vary.name.location});
  }
  for (const ExprPtr& condition : study.where) expressions_.expect(*condition, bool_type());
}

void Studies::check_vary(const Item& model, item::Study& study) {
  std::set<std::string> known;
  for (item::Study::Vary& vary : study.vary) {
    const TypeRef element = check_values(model, vary);
    vary.type = element ? element : unknown_type();
    if (!known.insert(vary.name.text).second) {
      reports_.add(DiagnosticKind::duplicate_name, vary.name.location, "`" + vary.name.text + "` is varied twice",
                   "again here");
    }
    if (vary.values) require_independent(study, *vary.values);
    const Item* param = param_of(names_.member(model, vary.name.text));
    context_.varied.push_back({vary.name.text, vary.type, param ? param->name.location : vary.name.location});
    if (vary.values && !is_path(vary.name) && !param_of(names_.member(model, vary.name.text)))
      context_.locals.push_back({vary.name.text, vary.type, vary.name.location});
  }
}

// The type of one value; null if it is not known.
TypeRef Studies::check_values(const Item& model, item::Study::Vary& vary) {
  if (names_.asks(vary.name.text, "parameter")) return nullptr;
  refer_to_path(model, vary.name);
  if (const Item* param = param_of(names_.member(model, vary.name.text))) {
    const TypeRef element = declarations_.type_of(*param, vary.name.location);
    list_ends(vary, element);
    const Why why = declared_as(param->name.text, param->name.location, element);
    if (vary.values) expressions_.expect(*vary.values, list_of(element), why);
    return element;
  }
  if (is_path(vary.name) || !vary.values) {
    const TypeRef element = parameter_type(program_, model, vary.name.text, vary.name.location, diagnostics_);
    list_ends(vary, element);
    if (element && vary.values)
      expressions_.expect(*vary.values, list_of(element));
    else if (vary.values)
      expressions_.check(*vary.values);
    return element;
  }
  const TypeRef list = expressions_.check(*vary.values);
  const TypeRef element = element_of(list);
  if (!element && !is_unknown(list)) {
    reports_.add(DiagnosticKind::type_mismatch, vary.values->location,
                 "`vary` needs a list of values, not " + quoted(list), "this is " + quoted(list));
  }
  return element;
}

// `net.L` begins with a parameter of the model. What comes after it depends on the machine.
void Studies::refer_to_path(const Item& model, const Identifier& path) {
  const std::string first = path.text.substr(0, path.text.find('.'));
  const Item* param = param_of(names_.member(model, first));
  Location place = path.location;
  place.end = std::min(place.end, place.begin + static_cast<std::uint32_t>(first.size()));
  if (param) names_.refer(place, param->name.location);
}

// The variables form a product, so no list may depend on another variable.
void Studies::require_independent(const item::Study& study, const Expr& values) {
  const auto* name = std::get_if<expr::Name>(&values.node);
  const auto same = [&](const item::Study::Vary& vary) { return name && vary.name.text == name->text; };
  if (std::any_of(study.vary.begin(), study.vary.end(), same)) {
    reports_
        .add(DiagnosticKind::wrong_study, values.location,
             "the values of one `vary` cannot depend on another, they form a product", "this varies, too")
        .help.push_back("vary both over all their values, and leave out what does not fit with `--where`");
  }
  for_each_child(values, [&](const Expr& child) { require_independent(study, child); });
}

void Studies::check_sets(const Item& model, item::Study& study) {
  for (item::Study::Set& set : study.set) {
    if (names_.asks(set.name.text, "parameter")) continue;
    refer_to_path(model, set.name);
    const Item* param = param_of(names_.member(model, set.name.text));
    if (!param) {
      report_no_parameter(model, set.name);
      expressions_.check(*set.value);
      continue;
    }
    const TypeRef type = declarations_.type_of(*param, set.name.location);
    LocalScope scope(context_);
    context_.locals.push_back({"default", type, param->name.location});
    expressions_.expect(*set.value, type, declared_as(param->name.text, param->name.location, type));
  }
}

void Studies::report_no_parameter(const Item& model, const Identifier& name) {
  if (may_have_more(model)) return;
  std::vector<std::string> names;
  for (const auto& item : *members_of(model)) {
    if (param_of(item.get())) names.push_back(item->name.text);
  }
  Diagnostic& d =
      reports_.add(DiagnosticKind::unknown_name, name.location,
                   "`" + model.name.text + "` has no parameter `" + name.text + "`", "no parameter of this name");
  d.labels.push_back({model.name.location, "the model is declared here"});
  suggest_nearest(d, name.text, names);
}

// The varied names that are no parameters and that no `set` reads.
std::vector<Identifier> Studies::unused_vary(const item::Study& study) const {
  std::vector<Identifier> unused;
  for (const item::Study::Vary& vary : study.vary) {
    for (const LocalName& local : context_.locals) {
      if (local.location == vary.name.location && !local.read) unused.push_back(vary.name);
    }
  }
  return unused;
}

// By default a study shows the outputs that are single values or records.
void Studies::show_outputs(const Item& model, item::Study& study) {
  for (const auto& member : *members_of(model)) {
    const auto* output = std::get_if<item::Output>(&member->node);
    if (!output || !output->indices.empty() ||
        as<types::List>(declarations_.type_of(*member, study.model.front().location)))
      continue;
    const auto* call = std::get_if<expr::Call>(&output->value->node);
    const auto* callee = call ? std::get_if<expr::Name>(&call->callee->node) : nullptr;
    if (callee && callee->text == "breakdown") continue;
    auto name = std::make_unique<Expr>();
    name->location = member->name.location;
    name->node = expr::Name{member->name.text, target::Unresolved{}};
    study.show.push_back({std::nullopt, std::move(name), std::nullopt});
  }
}

void Studies::check_shown(item::Study& study) {
  for (item::Study::Show& show : study.show) {
    const TypeRef type = without_zero(expressions_.check(*show.value));
    if (show.unit) expressions_.check_output_unit(*show.unit, *show.value);
    if (show.name) context_.locals.push_back({show.name->text, type, show.name->location});
  }
  for (item::Study::Plot& plot : study.plot) {
    for (const ExprPtr& y : plot.y) {
      if (y) expressions_.require_numeric(*y, "a plot");
    }
    for (const ExprPtr& x : plot.x) {
      if (x) expressions_.check(*x);
    }
    if (plot.by) require_varied(*plot.by);
    for (const Identifier& scale : plot.scales) {
      if (scale.text == "log" || scale.text == "linear") continue;
      reports_.add(DiagnosticKind::unknown_choice, scale.location, "`" + scale.text + "` is not one of `linear | log`",
                   "a scale is expected here");
    }
  }
  for (item::Study::Measured& measured : study.measured) require_varied(measured.on);
}

void Studies::require_varied(const Identifier& name) {
  if (names_.asks(name.text, "varied")) return;
  std::vector<std::string> names;
  for (const auto& [varied, type, declared] : context_.varied) {
    names.push_back(varied);
    if (varied == name.text) names_.refer(name.location, declared);
  }
  if (std::find(names.begin(), names.end(), name.text) != names.end()) return;
  Diagnostic& d = reports_.add(DiagnosticKind::unknown_name, name.location,
                               "`" + name.text + "` is not varied by this study", "no `vary` of this name");
  suggest_nearest(d, name.text, names);
}

// `total[procs = 4]`: the value at one point of the study.
TypeRef Studies::check_study_index(expr::Index& node) {
  const TypeRef type = expressions_.check(*node.object);
  for (Argument& index : node.indices) {
    TypeRef varied;
    std::vector<std::string> names;
    for (const auto& [name, element, declared] : context_.varied) {
      names.push_back(name);
      if (!index.name || name != index.name->text) continue;
      varied = element;
      names_.refer(index.name->location, declared);
    }
    if (varied) {
      expressions_.expect(*index.value, varied);
      continue;
    }
    expressions_.check(*index.value);
    const Location location = index.name ? index.name->location : index.value->location;
    Diagnostic& d = reports_.add(DiagnosticKind::wrong_index, location, "a point of a study is named by what is varied",
                                 "not varied by this study");
    if (index.name) suggest_nearest(d, index.name->text, names);
  }
  return type;
}

}  // namespace wave::frontend::check
