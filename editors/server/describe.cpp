// What is known of a declaration, for people: how it is written, its type, its documentation, the source of its number.
#include "editors/server/features.h"
#include "frontend/ast/operators.h"
#include "frontend/check/type_tools.h"
#include "frontend/format/quantities.h"
#include "frontend/format/signatures.h"

namespace wave::editors {
namespace {

using namespace frontend;

std::string code_block(const std::string& text) { return "```wave\n" + text + "\n```"; }

bool is_known(const TypeRef& type) { return type && !check::is_unknown(type); }

// What a declaration is, where its text does not say it.
std::string word_of(const Declaration& declaration) {
  switch (declaration.kind) {
    case DeclarationKind::item: return "";
    case DeclarationKind::parameter: return "parameter";
    case DeclarationKind::local: return "let";
    case DeclarationKind::variable: return "variable";
    case DeclarationKind::axis: return "axis";
    case DeclarationKind::grid: return "grid";
    case DeclarationKind::level: return "level";
    case DeclarationKind::field: return "field";
    case DeclarationKind::signal: return "signal";
    case DeclarationKind::operation: return "operation";
    case DeclarationKind::varied: return "vary";
    case DeclarationKind::shown: return "show";
    case DeclarationKind::import: return "import";
  }
  return "";
}

std::string with_type(const Analysis& analysis, const Declaration& declaration) {
  std::string text = word_of(declaration) + " " + declaration.name;
  if (declaration.written_type.known())
    text += ": " + one_line(analysis.sources().text(declaration.written_type));
  else if (is_known(declaration.type))
    text += ": " + to_string(*declaration.type);
  return text;
}

std::string owner_of(const Item& item) {
  std::string text;
  if (item.owner) text = "of `" + item.owner->name.text + "`";
  if (item.module) text += (text.empty() ? "in `" : ", in `") + item.module->name + "`";
  return text;
}

// The source of a number, as `from` gives it.
std::string source_of(const Item& item) {
  const auto* param = std::get_if<item::Param>(&item.node);
  return param && param->source ? "from " + *param->source : "";
}

void add_paragraph(std::string& text, const std::string& paragraph) {
  if (!paragraph.empty()) text += (text.empty() ? "" : "\n\n") + paragraph;
}

Json markdown(std::string text) { return {{"kind", "markdown"}, {"value", std::move(text)}}; }

Json hover_of(const View& view, Location place, std::string text) {
  return {{"contents", markdown(std::move(text))}, {"range", view.lines.range(place)}};
}

// `net.L` in the model around it.
std::string value_of_path(const View& view, const Expr& e) {
  if (!view.values) return "";
  const Item* owner = item_at(view.analysis.main(), e.location.begin);
  while (owner && owner->owner) owner = owner->owner;
  const ModelValues* model = owner ? view.values->model(owner->name.text) : nullptr;
  if (!model) return "";
  const auto found = model->parameters.find(std::string(view.analysis.sources().text(e.location)));
  return found == model->parameters.end() ? "" : "value `" + found->second + "` in `" + model->name + "`";
}

// A number, the words of the language, and what else has a type.
Json hover_expression(const View& view, std::uint32_t offset) {
  const Expr* e = expression_at(view.analysis.main(), offset);
  if (!e) return nullptr;
  std::string text;
  if (const auto* number = std::get_if<expr::Number>(&e->node)) {
    text = code_block(one_line(view.analysis.sources().text(e->location)) + ": " + to_string(number->dimension));
    const Item* item = item_at(view.analysis.main(), offset);
    if (item) add_paragraph(text, source_of(*item));
  } else if (const auto* name = std::get_if<expr::Name>(&e->node)) {
    if (std::holds_alternative<target::Builtin>(name->target))
      text = code_block(name->text) + "\n\nfunction of the language";
    else if (is_known(e->type))
      text = code_block(name->text + ": " + to_string(*e->type));
  } else if (const auto* member = std::get_if<expr::Member>(&e->node)) {
    if (is_known(e->type)) text = code_block(member->name.text + ": " + to_string(*e->type));
    add_paragraph(text, value_of_path(view, *e));
  } else if (is_known(e->type)) {
    text = code_block(to_string(*e->type));
  }
  return text.empty() ? Json(nullptr) : hover_of(view, e->location, std::move(text));
}

}  // namespace

std::string describe(const Analysis& analysis, const Item& item) {
  std::string head = signature(analysis.sources(), item);
  const auto* let = std::get_if<item::Let>(&item.node);
  const bool says_no_type = (let && !let->type) || std::holds_alternative<item::Output>(item.node);
  const TypeRef type = type_of(item);
  std::string text = code_block(head);
  if (says_no_type && is_known(type)) add_paragraph(text, "type `" + to_string(*type) + "`");
  add_paragraph(text, item.doc);
  add_paragraph(text, source_of(item));
  add_paragraph(text, owner_of(item));
  return text;
}

std::string describe(const Analysis& analysis, const Declaration& declaration) {
  if (declaration.kind == DeclarationKind::item) return describe(analysis, *declaration.item);
  if (declaration.kind == DeclarationKind::import) {
    std::string text = code_block("import " + (declaration.module ? declaration.module->name : declaration.name));
    if (declaration.module) add_paragraph(text, declaration.module->doc);
    return text;
  }
  std::string text = code_block(with_type(analysis, declaration));
  if (declaration.kind == DeclarationKind::field && declaration.item)
    add_paragraph(text, "of `" + declaration.item->name.text + "`");
  return text;
}

namespace {

std::string paragraph_of(const Remark& remark, bool is_before) {
  std::string text = remark.text.empty() || remark.kind == Remark::Kind::problem ? remark.text
                     : remark.kind == Remark::Kind::value                        ? "value `" + remark.text + "`"
                                                                                 : "`" + remark.text + "`";
  if (!remark.details.empty()) text += (text.empty() ? "" : ": ") + remark.details;
  return (is_before ? "before the text had errors: " : "") + text;
}

// What is known of the value of a name.
std::string value_of(const View& view, const Declaration& declaration, const Expr* e) {
  if (!view.values) return "";
  if (e && std::holds_alternative<expr::Member>(e->node)) {
    const std::string text = value_of_path(view, *e);
    if (!text.empty()) return text;
  }
  if (declaration.place.file != view.analysis.file()) return "";
  const Remark* remark = view.values->at(declaration.place.begin);
  if (remark && remark->begin == declaration.place.begin && !remark->is_written)
    return paragraph_of(*remark, view.values->is_before);
  const Item* item = declaration.kind == DeclarationKind::item ? declaration.item : nullptr;
  const auto* param = item ? std::get_if<item::Param>(&item->node) : nullptr;
  const bool lacks_value = param && !param->default_value && !remark && item->owner &&
                           std::holds_alternative<item::Model>(item->owner->node);
  if (!lacks_value || view.values->is_before) return "";
  return "without a value nothing that reads it is evaluated: give one in a comment, `// wave: -D " + item->name.text +
         "=…`";
}

// What stands at a place that is no name: a message, a comment with values.
Json hover_remark(const View& view, std::uint32_t offset) {
  const Remark* remark = view.values ? view.values->at(offset) : nullptr;
  if (!remark) return nullptr;
  return hover_of(view, {view.analysis.file(), remark->begin, remark->end},
                  paragraph_of(*remark, view.values->is_before));
}

}  // namespace

std::optional<NamedMachine> machine_at(const View& view, std::uint32_t offset) {
  const auto name = view.analysis.at(offset);
  const Declaration* declaration = name ? view.analysis.declaration(name->declared) : nullptr;
  const Item* item = declaration && declaration->kind == DeclarationKind::item ? declaration->item : nullptr;
  if (!item || !item->module || !std::holds_alternative<item::Machine>(item->node)) return std::nullopt;
  return NamedMachine{item->module->key, item->name.text};
}

Json hover(const View& view, std::uint32_t offset) {
  const auto name = view.analysis.at(offset);
  const Declaration* declaration = name ? view.analysis.declaration(name->declared) : nullptr;
  if (!declaration) {
    Json found = hover_expression(view, offset);
    return found.is_null() ? hover_remark(view, offset) : found;
  }
  std::string text = describe(view.analysis, *declaration);
  // A parameter without a type has that of this use.
  const Expr* e = expression_at(view.analysis.main(), offset);
  const bool is_untyped = !declaration->type && !declaration->written_type.known();
  if (is_untyped && declaration->kind == DeclarationKind::parameter && e && is_known(e->type))
    add_paragraph(text, "type `" + to_string(*e->type) + "`");
  add_paragraph(text, value_of(view, *declaration, e));
  return hover_of(view, name->place, std::move(text));
}

}  // namespace wave::editors
