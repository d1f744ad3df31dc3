// See types.h: types as they are written.
#include "frontend/check/loader.h"
#include "frontend/check/names.h"
#include "frontend/check/reports.h"
#include "frontend/check/types.h"

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
  return nullptr;
}

const Dimension* dimension_word(const std::string& word) {
  static const Dimension time{1, 0, 0}, data{0, 1, 0}, work{0, 0, 1};
  if (word == "time") return &time;
  if (word == "data") return &data;
  return word == "work" ? &work : nullptr;
}

}  // namespace

TypeRef Types::resolve(const TypeExprPtr& type, const char* what, Place place) {
  if (type) return resolve(*type);
  reports_.add(DiagnosticKind::type_needed, place, std::string(what) + " needs a type", "write its type after a colon");
  return unknown_type();
}

TypeRef Types::resolve(const TypeExpr& type) {
  if (const auto* product = std::get_if<type_expr::Product>(&type.node)) return resolve_product(type, *product);
  if (const auto* list = std::get_if<type_expr::List>(&type.node)) {
    return list_of(resolve(list->element, "a list", type.place));
  }
  if (const auto* choice = std::get_if<type_expr::Choice>(&type.node)) {
    types::Choice words;
    std::unordered_set<std::string> seen;
    for (const Identifier& word : choice->words) {
      if (!seen.insert(word.text).second) {
        reports_.add(DiagnosticKind::duplicate_name, word.place, "`" + word.text + "` is among the choices twice",
                     "again here");
        continue;
      }
      words.words.push_back(word.text);
    }
    return make_type(std::move(words));
  }
  if (const auto* table = std::get_if<type_expr::Table>(&type.node)) {
    types::Table kind;
    for (const TypeExprPtr& key : table->keys) kind.keys.push_back(resolve(key, "a key", type.place));
    kind.value = resolve(table->value, "a table", type.place);
    for (const TypeRef& one : kind.keys) {
      if (is_unknown(one) || is_numeric(one)) continue;
      reports_.add(DiagnosticKind::type_mismatch, type.place,
                   "keys of a table are numbers and quantities, not " + quoted(one));
    }
    return make_type(std::move(kind));
  }
  if (const auto* function = std::get_if<type_expr::Function>(&type.node)) {
    types::Function kind;
    for (const auto& [name, written] : function->parameters) {
      kind.parameters.emplace_back(name.text, resolve(written, "a parameter", name.place));
    }
    kind.result = resolve(function->result, "a function", type.place);
    return make_type(std::move(kind));
  }
  const auto& with = std::get<type_expr::With>(type.node);
  const TypeRef base = resolve(with.base, "a requirement", type.place);
  const auto* machine = as<types::Machine>(base);
  if (!machine) {
    if (!is_unknown(base)) {
      reports_.add(DiagnosticKind::not_a_type, type.place,
                   "only an interface or a machine can be asked for parameters in braces", "this is " + quoted(base));
    }
    return unknown_type();
  }
  types::Machine asked = *machine;
  for (const auto& [name, written] : with.parameters) {
    asked.parameters.emplace_back(name.text, resolve(written, "a required parameter", name.place));
  }
  return make_type(std::move(asked));
}

TypeRef Types::resolve_product(const TypeExpr& type, const type_expr::Product& product) {
  if (product.factors.size() == 1) {
    const type_expr::Power& only = product.factors.front();
    if (only.exponent == 1 && only.path.size() == 1) {
      if (const TypeRef word = type_word(only.path.front().text)) return word;
    }
    if (only.exponent == 1 && !only.path.empty() &&
        !(only.path.size() == 1 && dimension_word(only.path.front().text))) {
      return resolve_named(only.path, type.place);
    }
  }
  Dimension dimension;
  for (const type_expr::Power& factor : product.factors) {
    if (factor.path.empty()) continue;
    const std::string name = dotted(factor.path);
    const Dimension* word = dimension_word(name);
    if (!word) {
      reports_.add(DiagnosticKind::not_a_type, factor.path.front().place, "`" + name + "` is not a dimension",
                   "products of types are made of `time`, `data` and `work`");
      return unknown_type();
    }
    const int times = std::min(std::abs(factor.exponent), largest_exponent + 1);
    for (int i = 0; i < times && in_range(dimension); ++i) {
      dimension = factor.exponent > 0 ? dimension * *word : dimension / *word;
    }
  }
  if (!in_range(dimension)) {
    reports_.add(DiagnosticKind::bad_exponent, type.place, "the exponents of this dimension are too large",
                 "a dimension has exponents up to " + std::to_string(largest_exponent));
    return unknown_type();
  }
  return real_type(dimension);
}

TypeRef Types::resolve_named(const std::vector<Identifier>& path, Place place) {
  const Item* item = names_.find_item_by_path(path, "type");
  if (!item) return unknown_type();
  if (std::holds_alternative<item::Record>(item->node)) return make_type(types::Record{item});
  if (is_machine(*item) || is_interface(*item)) return make_type(types::Machine{item, {}});
  if (is_model(*item)) return make_type(types::Model{item});
  reports_
      .add(DiagnosticKind::not_a_type, place,
           "`" + dotted(path) + "` is " + with_article(kind_of(*item)) + ", not a type", "a type is expected here")
      .labels.push_back({item->name.place, "declared here"});
  return unknown_type();
}

const std::vector<TypeRef>& Types::fields_of(const Item& record) {
  auto& node = std::get<item::Record>(mutable_item(record).node);
  if (node.checked_types.size() == node.fields.size()) return node.checked_types;
  ContextSwitch there(context_, record);
  std::vector<TypeRef> found;
  for (const auto& [name, type] : node.fields) found.push_back(resolve(type, "a field", name.place));
  return node.checked_types = std::move(found);
}

}  // namespace wave::frontend::check
