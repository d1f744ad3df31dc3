// Types as they are written, and when a value may stand for one.
#include "frontend/check/declarations.h"
#include "frontend/check/modules.h"
#include "frontend/check/names.h"

#include <algorithm>
#include <cstdlib>
#include <unordered_set>

namespace wave::frontend::check {
namespace {

// The words that are types of the language.
TypeRef type_word(const std::string& word) {
  if (word == "int") return int_type();
  if (word == "real") return real_type();
  if (word == "bool") return bool_type();
  if (word == "string") return string_type();
  if (word == "order") return order_type();
  if (word == "corner") return corner_type();
  if (word == "level") return level_type();
  return nullptr;
}

const Dimension* dimension_word(const std::string& word) {
  static const Dimension time{1, 0, 0}, data{0, 1, 0}, work{0, 0, 1};
  if (word == "time") return &time;
  if (word == "data") return &data;
  return word == "work" ? &work : nullptr;
}

}  // namespace

TypeRef Types::resolve(const TypeExprPtr& type, const char* what, Location location) {
  if (type) return resolve(*type);
  reports_.add(DiagnosticKind::type_needed, location, std::string(what) + " needs a type",
               "write its type after a colon");
  return unknown_type();
}

TypeRef Types::resolve(const TypeExpr& type) {
  if (const auto* product = std::get_if<type_expr::Product>(&type.node)) return resolve_product(type, *product);
  if (const auto* list = std::get_if<type_expr::List>(&type.node)) {
    return list_of(resolve(list->element, "a list", type.location));
  }
  if (const auto* choice = std::get_if<type_expr::Choice>(&type.node)) {
    types::Choice words;
    std::unordered_set<std::string> seen;
    for (const Identifier& word : choice->words) {
      if (!seen.insert(word.text).second) {
        reports_.add(DiagnosticKind::duplicate_name, word.location, "`" + word.text + "` is among the choices twice",
                     "again here");
        continue;
      }
      words.words.push_back(word.text);
    }
    return make_type(std::move(words));
  }
  if (const auto* table = std::get_if<type_expr::Table>(&type.node)) {
    types::Table kind;
    for (const TypeExprPtr& key : table->keys) kind.keys.push_back(resolve(key, "a key", type.location));
    kind.value = resolve(table->value, "a table", type.location);
    for (const TypeRef& one : kind.keys) {
      if (is_unknown(one) || is_numeric(one)) continue;
      reports_.add(DiagnosticKind::type_mismatch, type.location,
                   "keys of a table are numbers and quantities, not " + quoted(one));
    }
    return make_type(std::move(kind));
  }
  if (const auto* function = std::get_if<type_expr::Function>(&type.node)) {
    types::Function kind;
    for (const auto& [name, written] : function->parameters) {
      kind.parameters.emplace_back(name.text, resolve(written, "a parameter", name.location));
    }
    kind.result = resolve(function->result, "a function", type.location);
    return make_type(std::move(kind));
  }
  const auto& with = std::get<type_expr::With>(type.node);
  const TypeRef base = resolve(with.base, "a requirement", type.location);
  const auto* machine = as<types::Machine>(base);
  if (!machine) {
    if (!is_unknown(base)) {
      reports_.add(DiagnosticKind::not_a_type, type.location,
                   "only an interface or a machine can be asked for parameters in braces", "this is " + quoted(base));
    }
    return unknown_type();
  }
  types::Machine asked = *machine;
  for (const auto& [name, written] : with.parameters) {
    asked.parameters.emplace_back(name.text, resolve(written, "a required parameter", name.location));
  }
  return make_type(std::move(asked));
}

TypeRef Types::resolve_product(const TypeExpr& type, const type_expr::Product& product) {
  if (refuses_axis(type)) return unknown_type();
  if (product.factors.size() == 1) {
    const type_expr::Power& only = product.factors.front();
    if (only.exponent == 1 && only.path.size() == 1) {
      if (const TypeRef word = type_word(only.path.front().text)) return word;
    }
    if (only.exponent == 1 && !only.path.empty() &&
        !(only.path.size() == 1 && dimension_word(only.path.front().text))) {
      return resolve_named(only.path, type.location);
    }
  }
  Dimension dimension;
  for (const type_expr::Power& factor : product.factors) {
    if (factor.path.empty()) continue;
    const std::string name = dotted(factor.path);
    const Dimension* word = dimension_word(name);
    if (!word) {
      reports_.add(DiagnosticKind::not_a_type, factor.path.front().location, "`" + name + "` is not a dimension",
                   "products of types are made of `time`, `data` and `work`");
      return unknown_type();
    }
    const int times = std::min(std::abs(factor.exponent), largest_exponent + 1);
    for (int i = 0; i < times && in_range(dimension); ++i) {
      dimension = factor.exponent > 0 ? dimension * *word : dimension / *word;
    }
  }
  if (!in_range(dimension)) {
    reports_.add(DiagnosticKind::bad_exponent, type.location, "the exponents of this dimension are too large",
                 "a dimension has exponents up to " + std::to_string(largest_exponent));
    return unknown_type();
  }
  return real_type(dimension);
}

TypeRef Types::resolve_named(const std::vector<Identifier>& path, Location location) {
  const Item* item = names_.find_item_by_path(path, "type");
  if (!item) return unknown_type();
  if (std::holds_alternative<item::Record>(item->node)) return make_type(types::Record{item});
  if (is_machine(*item) || is_interface(*item)) return make_type(types::Machine{item, {}});
  if (is_model(*item)) return make_type(types::Model{item});
  reports_
      .add(DiagnosticKind::not_a_type, location,
           "`" + dotted(path) + "` is " + with_article(kind_of(*item)) + ", not a type", "a type is expected here")
      .labels.push_back({item->name.location, "declared here"});
  return unknown_type();
}

const std::vector<TypeRef>& Types::fields_of(const Item& record) {
  auto& node = std::get<item::Record>(mutable_item(record).node);
  if (node.checked_types.size() == node.fields.size()) return node.checked_types;
  ContextSwitch there(context_, record);
  std::vector<TypeRef> found;
  for (const auto& [name, type] : node.fields) found.push_back(resolve(type, "a field", name.location));
  return node.checked_types = std::move(found);
}

// --- agreement ---
namespace {

bool same(const TypeRef& a, const TypeRef& b) { return key_of(a) == key_of(b); }

bool extends(const Item* machine, const Item* base) {
  for (const Item* item : with_bases(*machine)) {
    if (item == base) return true;
  }
  return false;
}

// Whether machines that name the interface may leave it out.
bool has_default(const Item& wanted) {
  if (const auto* collective = std::get_if<item::Collective>(&wanted.node))
    return collective->cost || collective->has_algorithm;
  const auto* function = std::get_if<item::Function>(&wanted.node);
  return function && function->body;
}

}  // namespace

bool Types::agrees(const TypeRef& from, const TypeRef& to) {
  if (is_unknown(from) || is_unknown(to)) return true;
  if (const auto* real = as<types::Real>(to)) {
    if (as<types::Int>(from)) return real->dimension.plain() || is_zero(from);
    return as<types::Real>(from) && dimension_of(from) == real->dimension;
  }
  if (as<types::Order>(to) || as<types::Order>(from)) {
    return element_of(to) && element_of(from) && agrees(element_of(from), element_of(to));
  }
  if (const auto* list = as<types::List>(to)) return as<types::List>(from) && agrees(element_of(from), list->element);
  if (const auto* table = as<types::Table>(to)) {
    const auto* other = as<types::Table>(from);
    if (!other || other->keys.size() != table->keys.size() || !agrees(other->value, table->value)) return false;
    for (std::size_t i = 0; i < table->keys.size(); ++i) {
      if (!agrees(table->keys[i], other->keys[i])) return false;
    }
    return true;
  }
  if (const auto* function = as<types::Function>(to)) {
    const auto* other = as<types::Function>(from);
    if (!other || other->parameters.size() != function->parameters.size()) return false;
    for (std::size_t i = 0; i < function->parameters.size(); ++i) {
      if (!agrees(function->parameters[i].second, other->parameters[i].second)) return false;
    }
    return agrees(other->result, function->result);
  }
  if (const auto* machine = as<types::Machine>(to)) {
    const auto* other = as<types::Machine>(from);
    return other && missing_offer(*other, *machine).empty();
  }
  if (as<types::Int>(to)) return as<types::Int>(from) != nullptr;
  return same(from, to);
}

// A machine offers what an interface asks for if it says so, or if it has every member.
std::string Types::missing_offer(const types::Machine& from, const types::Machine& to) {
  if (from.declaration != to.declaration) {
    if (is_machine(*to.declaration)) {
      if (!extends(from.declaration, to.declaration) && !has_unknown_base(*from.declaration)) {
        return "`" + from.declaration->name.text + "` does not extend `" + to.declaration->name.text + "`";
      }
    } else if (interface_of(*from.declaration) != to.declaration) {
      for (const auto& wanted : *members_of(*to.declaration)) {
        const Item* offered = names_.member(*from.declaration, wanted->name.text);
        const bool derived = is_derived_cost(wanted->name.text) && is_machine(*from.declaration) &&
                             !protocols_of(*from.declaration).empty();
        if (!offered && !derived && !may_have_more(*from.declaration)) return "it has no `" + wanted->name.text + "`";
        if (offered && !differing(*offered, *wanted).empty()) return "its " + differing(*offered, *wanted);
      }
    }
  }
  for (const auto& [name, type] : to.parameters) {
    const Item* item = nullptr;
    TypeRef found;
    for (const auto& [known, known_type] : from.parameters) {
      if (known == name) found = known_type;
    }
    if (!found) {
      item = names_.member(*from.declaration, name);
      if (item ? is_unknown(*item) : has_unknown_base(*from.declaration)) continue;
      if (!item || !std::holds_alternative<item::Param>(item->node)) return "it has no parameter `" + name + "`";
      found = declarations_.type_of(*item, {});
    }
    if (!agrees(found, type)) return "its `" + name + "` is " + quoted(found) + ", not " + quoted(type);
  }
  return "";
}

TypeRef Types::unify_machines(const types::Machine& a, const types::Machine& b) {
  for (const Item* base : with_bases(*a.declaration)) {
    if (extends(b.declaration, base)) return make_type(types::Machine{base, {}});
  }
  const auto offered = [](const types::Machine& m) {
    return is_interface(*m.declaration) ? m.declaration : interface_of(*m.declaration);
  };
  const Item* interface = offered(a);
  if (interface && interface == offered(b)) return make_type(types::Machine{interface, {}});
  return nullptr;
}

TypeRef Types::unify(const TypeRef& a, const TypeRef& b) {
  if (is_unknown(a)) return b;
  if (is_unknown(b)) return a;
  if (is_zero(a) && is_zero(b)) return a;
  if (is_zero(a) || is_zero(b)) {
    const TypeRef& other = is_zero(a) ? b : a;
    return is_numeric(other) ? other : nullptr;
  }
  const auto* machine_a = as<types::Machine>(a);
  const auto* machine_b = as<types::Machine>(b);
  if (machine_a && machine_b && !same(a, b)) return unify_machines(*machine_a, *machine_b);
  if (const auto* list_a = as<types::List>(a)) {
    if (const auto* list_b = as<types::List>(b)) {
      const TypeRef element = unify(list_a->element, list_b->element);
      const bool both = element && agrees(list_a->element, element) && agrees(list_b->element, element);
      return both ? list_of(element) : nullptr;
    }
  }
  if (fits(a, b)) return b;
  return fits(b, a) ? a : nullptr;
}

void Types::report_mismatch(const Expr& e, const TypeRef& found, const TypeRef& expected, const Why& why) {
  const bool numbers = is_numeric(found) && is_numeric(expected);
  DiagnosticKind kind = DiagnosticKind::type_mismatch;
  std::string message = "expected " + quoted(expected) + ", found " + quoted(found);
  std::vector<std::string> help;
  std::vector<std::string> notes;
  if (numbers && dimension_of(found).plain() && !dimension_of(expected).plain()) {
    kind = DiagnosticKind::bare_number;
    message = "a number without a unit where " + quoted(expected) + " is expected";
    help.push_back("give it a unit, as in " + std::string(dimension_of(expected) == Dimension{1, 0, 0}   ? "`5 us`"
                                                          : dimension_of(expected) == Dimension{0, 1, 0} ? "`4 KiB`"
                                                          : dimension_of(expected) == Dimension{0, 0, 1}
                                                              ? "`2 Mflop`"
                                                              : "`0.07 us/B`"));
  } else if (numbers && !(dimension_of(found) == dimension_of(expected))) {
    kind = DiagnosticKind::dimension_mismatch;
    if (dimension_of(expected).plain()) help.push_back("divide by a unit to get a number, as in `s / 1 B`");
  } else if (numbers) {
    help.push_back("`floor`, `ceil` and `round` make an int of a real; `int(x)` takes one that is a whole number");
  }
  if (as<types::Axis>(expected)) help.push_back(names_.axes_around());
  const auto* from = as<types::Machine>(found);
  const auto* to = as<types::Machine>(expected);
  if (from && to) {
    kind = DiagnosticKind::interface_not_met;
    notes.push_back(missing_offer(*from, *to));
    const auto lacks_a_default = [&](const auto& it) {
      return has_default(*it) && !names_.member(*from->declaration, it->name.text);
    };
    const auto& wanted = *members_of(*to->declaration);
    if (is_interface(*to->declaration) && std::any_of(wanted.begin(), wanted.end(), lacks_a_default)) {
      help.push_back("`machine " + from->declaration->name.text + " : " + to->declaration->name.text +
                     "` takes the interface's own where it gives none");
    }
  }
  explain_choices(found, expected, notes, help);
  Diagnostic& d = reports_.add(kind, e.location, message, "this is " + quoted(found));
  if (why.location.known() && !why.text.empty()) d.labels.push_back({why.location, why.text});
  if (from && to) explain_reads(d, *from, *to);
  explain(d, e);
  d.help.insert(d.help.end(), help.begin(), help.end());
  d.notes.insert(d.notes.end(), notes.begin(), notes.end());
}

void Types::report_disagreement(const Expr& left, const Expr& right, const char* what) {
  const TypeRef& a = left.type;
  const TypeRef& b = right.type;
  DiagnosticKind kind = DiagnosticKind::type_mismatch;
  const bool numbers = is_numeric(a) && is_numeric(b);
  const bool bare = numbers && dimension_of(a).plain() != dimension_of(b).plain();
  if (numbers) kind = bare ? DiagnosticKind::bare_number : DiagnosticKind::dimension_mismatch;
  Diagnostic& d =
      reports_.add(kind, right.location, std::string(what) + " " + quoted(a) + " and " + quoted(b) + " do not agree",
                   "this is " + quoted(b));
  d.labels.push_back({left.location, "this is " + quoted(a)});
  explain(d, left);
  explain(d, right);
  if (bare)
    d.help.push_back("a number without a unit has no dimension; only the literal `0` takes that of what it meets");
}

void Types::explain(Diagnostic& d, const Expr& e) {
  constexpr std::size_t most_labels = 6;
  if (d.labels.size() >= most_labels) return;
  if (const auto* binary = std::get_if<expr::Binary>(&e.node)) {
    const bool sum = binary->op == BinaryOperator::add || binary->op == BinaryOperator::subtract;
    if (!is_numeric(e.type)) return;
    explain(d, *binary->left);
    if (!sum) explain(d, *binary->right);
    return;
  }
  if (const auto* unary = std::get_if<expr::Unary>(&e.node)) return explain(d, *unary->operand);
  if (const auto* call = std::get_if<expr::Call>(&e.node)) {
    const Item* item = references_.callee_item(*call->callee);
    if (item && is_numeric(e.type)) {
      d.labels.push_back({item->name.location, "`" + item->name.text + "` gives " + quoted(e.type)});
    }
    return;
  }
  if (const auto* index = std::get_if<expr::Index>(&e.node)) return explain(d, *index->object);
  if (const auto* name = std::get_if<expr::Name>(&e.node)) {
    const Names::Found found = names_.look_up(name->text);
    const Location location = found.declared();
    if (location.known() && !is_unknown(e.type)) {
      const auto* recurrence = as<types::Recurrence>(e.type);
      d.labels.push_back(declared_as(name->text, location, recurrence ? recurrence->value : e.type));
    }
    return;
  }
  if (const auto* node = std::get_if<expr::Member>(&e.node)) {
    const Item* item = nullptr;
    references_.member_type(node->object->type, node->name, &item);
    if (item && is_numeric(e.type)) {
      d.labels.push_back(declared_as(node->name.text, item->name.location, e.type));
    }
  }
}

std::string Types::differing(const Item& offered, const Item& wanted) {
  if (is_unknown(offered) || is_unknown(wanted)) return "";
  const bool callable =
      std::holds_alternative<item::Function>(offered.node) || std::holds_alternative<item::Collective>(offered.node);
  const std::string name = "`" + wanted.name.text + "`";
  if (!callable || offered.node.index() != wanted.node.index()) {
    return name + " is " + with_article(kind_of(offered)) + ", not " + with_article(kind_of(wanted));
  }
  const Signature a = functions_.signature_of(offered);
  const Signature b = functions_.signature_of(wanted);
  if (a.parameters.size() != b.parameters.size()) {
    return name + " takes " + std::to_string(a.parameters.size()) + " arguments, not " +
           std::to_string(b.parameters.size());
  }
  for (std::size_t i = 0; i < a.parameters.size(); ++i) {
    const auto& p = a.parameters[i];
    const auto& q = b.parameters[i];
    if (p.name != q.name) return "parameter of " + name + " is called `" + p.name + "`, not `" + q.name + "`";
    if (p.type && q.type && !agrees(q.type, p.type)) {
      return "parameter `" + p.name + "` of " + name + " is " + quoted(p.type) + ", not " + quoted(q.type);
    }
    if (q.optional && !p.optional) return "parameter `" + p.name + "` of " + name + " has no default";
  }
  if (!agrees(a.result, b.result)) return name + " gives " + quoted(a.result) + ", not " + quoted(b.result);
  return "";
}

}  // namespace wave::frontend::check
