// See offers.h.
#include "analysis/compare/offers.h"

#include "frontend/check/members.h"
#include "frontend/check/type_tools.h"
#include "frontend/format/signatures.h"
#include "frontend/source/sources.h"

namespace wave::analysis {
namespace {

using namespace frontend;

class Reader {
 public:
  Reader(const Sources& sources, const Item& item) : sources_(sources), item_(item) {
    offer_.kind = check::kind_of(item);
    offer_.name = item.name.text;
  }

  Offer read() && {
    std::visit(*this, item_.node);
    return std::move(offer_);
  }

  void operator()(const item::Param& n) {
    set_type(n.checked_type);
    set_value(n.default_value);
    offer_.lower = bound(n.lower);
    offer_.upper = bound(n.upper);
  }
  void operator()(const item::Let& n) {
    set_type(n.checked_type);
    set_value(n.value);
  }
  void operator()(const item::Function& n) {
    set_parameters(n.parameters, n.checked_type);
    if (const auto* function = check::as<types::Function>(n.checked_type)) set_type(function->result);
    offer_.has_value = n.body != nullptr;
  }
  void operator()(const item::Collective& n) {
    set_parameters(n.parameters);
    offer_.has_value = n.cost != nullptr || n.has_algorithm;
  }
  void operator()(const item::Protocol& n) { set_parameters(n.parameters); }
  void operator()(const item::Procedure& n) {
    set_parameters(n.parameters);
    offer_.type = "on " + std::to_string(n.axes.size()) + (n.axes.size() == 1 ? " axis" : " axes");
  }
  void operator()(const item::Record& n) {
    for (std::size_t i = 0; i < n.fields.size(); ++i) {
      Offer& field = offer_.members.emplace_back();
      field.kind = "field";
      field.name = n.fields[i].first.text;
      if (i < n.checked_types.size() && n.checked_types[i]) field.type = to_string(*n.checked_types[i]);
    }
  }
  void operator()(const item::Recurrence& n) {
    set_type(n.value_type);
    offer_.type += " over " + std::to_string(n.axes.size()) + (n.axes.size() == 1 ? " axis" : " axes");
  }
  void operator()(const item::Output& n) {
    if (n.value) set_type(n.value->type);
    if (n.unit) offer_.value = "in " + n.unit->text;
    for (const Binder& one : n.indices) offer_.type += " for each " + one.name.text;
  }
  void operator()(const item::Interface&) { add_members<item::Function, item::Collective>(); }
  void operator()(const item::Machine&) {
    add_members<item::Param, item::Let, item::Function, item::Collective, item::Resource>();
    for (const Item* one : check::protocols_of(item_)) add(*one);
    for (const std::string& level : check::levels_of(item_)) {
      Offer& offer = offer_.members.emplace_back();
      offer.kind = "level";
      offer.name = level;
    }
    if (const Item* interface = check::interface_of(item_)) offer_.type = interface->name.text;
    add_requirements();
  }
  void operator()(const item::Model&) {
    add_members<item::Param, item::Let, item::Function, item::Recurrence, item::Process, item::Output>();
    add_requirements();
  }
  template <class Other>
  void operator()(const Other&) {}  // a name and nothing else

 private:
  std::string text(Location location) const { return one_line(sources_.text(location)); }

  void set_type(const TypeRef& type) {
    if (!type) return;
    offer_.type = to_string(*type);
    if (const auto* choice = check::as<types::Choice>(type)) offer_.words = choice->words;
  }
  void set_value(const ExprPtr& value) {
    offer_.has_value = value != nullptr;
    if (value) offer_.value = text(value->location);
  }
  void set_parameters(const std::vector<Parameter>& parameters, const TypeRef& checked = nullptr) {
    const auto* function = check::as<types::Function>(checked);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const Parameter& one = parameters[i];
      OfferedParameter& taken = offer_.parameters.emplace_back();
      taken.name = one.name.text;
      if (one.type && function && i < function->parameters.size())
        taken.type = to_string(*function->parameters[i].second);
      else if (one.type)
        taken.type = text(one.type->location);
      if (one.default_value) taken.default_text = text(one.default_value->location);
    }
  }
  OfferedBound bound(const ExprPtr& e) const {
    if (!e) return {};
    const Expr* number = e.get();
    double sign = 1;
    if (const auto* unary = std::get_if<expr::Unary>(&number->node); unary && unary->op == UnaryOperator::negate) {
      sign = -1;
      number = unary->operand.get();
    }
    if (const auto* one = std::get_if<expr::Integer>(&number->node))
      return {text(e->location), sign * static_cast<double>(one->value)};
    if (const auto* one = std::get_if<expr::Number>(&number->node)) return {text(e->location), sign * one->value};
    return {text(e->location), {}};
  }

  void add(const Item& member) { offer_.members.push_back(offer_of(sources_, member)); }
  template <class... Kinds>
  void add_members() {
    const auto add_kind = [&](const std::vector<const Item*>& all) {
      for (const Item* one : all) add(*one);
    };
    (add_kind(check::members_of_kind<Kinds>(item_)), ...);
  }
  void add_requirements() {
    for (const Item* owner : check::with_bases(item_)) {
      for (const auto& member : *check::members_of(*owner)) {
        const auto* require = std::get_if<item::Require>(&member->node);
        if (require && require->condition) offer_.requirements.push_back(text(require->condition->location));
      }
    }
  }

  const Sources& sources_;
  const Item& item_;
  Offer offer_;
};

}  // namespace

Offer offer_of(const Sources& sources, const Item& item) { return Reader(sources, item).read(); }

}  // namespace wave::analysis
