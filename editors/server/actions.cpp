// Code actions: what the help of a diagnostic names, as an edit; and small changes that keep what a model means.
#include "editors/server/questions.h"
#include "frontend/ast/walk.h"
#include "frontend/check/members.h"
#include "frontend/check/modules.h"
#include "frontend/check/type_tools.h"
#include "frontend/format/signatures.h"

#include <algorithm>

namespace wave::editors {
namespace {

using namespace frontend;

constexpr std::size_t most_actions = 50;

struct Edit {
  std::uint32_t begin, end;
  std::string text;
};

class Actions {
 public:
  Actions(const Asking& asking, const Lines& lines) : asking_(asking), lines_(lines) {}

  void add(const std::string& title, const char* kind, const std::vector<Edit>& edits, bool is_preferred = false) {
    if (all_.size() == most_actions) return;
    Json changes = Json::array();
    for (const Edit& edit : edits)
      changes.push_back({{"range", lines_.range(edit.begin, edit.end)}, {"newText", edit.text}});
    Json one = {{"title", title}, {"kind", kind}, {"edit", {{"changes", {{asking_.uri, std::move(changes)}}}}}};
    if (is_preferred) one["isPreferred"] = true;
    all_.push_back(std::move(one));
  }
  Json result() && { return std::move(all_); }

 private:
  const Asking& asking_;
  const Lines& lines_;
  Json all_ = Json::array();
};

constexpr const char* quick_fix = "quickfix";
constexpr const char* extraction = "refactor.extract";
constexpr const char* rewriting = "refactor.rewrite";

std::string text_at(const Asking& asking, Location location) {
  return asking.text.substr(std::min<std::size_t>(location.begin, asking.text.size()), location.end - location.begin);
}

// What the diagnostics between these offsets propose.
std::vector<Diagnostic> diagnostics_at(const Asking& asking, std::uint32_t begin, std::uint32_t end) {
  std::vector<Diagnostic> found;
  for (const Diagnostic& d : asking.analysis.diagnostics().sorted()) {
    const auto touches = [&](Location place) {
      return place.file == asking.analysis.file() && place.begin <= end && begin <= place.end;
    };
    const bool is_fixed_here =
        std::any_of(d.fixes.begin(), d.fixes.end(), [&](const Fix& fix) { return touches(fix.place); });
    if (is_fixed_here || (!d.labels.empty() && touches(d.labels.front().location))) found.push_back(d);
  }
  return found;
}

void add_fixes(Actions& actions, const Asking& asking, const Diagnostic& d) {
  for (const Fix& fix : d.fixes) {
    if (fix.place.file != asking.analysis.file()) continue;
    const std::string before = text_at(asking, fix.place);
    const std::string title = before.empty()     ? "Insert `" + one_line(fix.text) + "`"
                              : fix.text.empty() ? "Remove `" + one_line(before) + "`"
                                                 : "Replace `" + one_line(before) + "` by `" + one_line(fix.text) + "`";
    actions.add(title, quick_fix, {{fix.place.begin, fix.place.end, fix.text}}, d.fixes.size() == 1);
  }
}

void add_imports(Actions& actions, const Asking& asking, const Lines& lines, const Diagnostic& d) {
  if (d.kind != DiagnosticKind::unknown_name) return;
  const std::string name = text_at(asking, d.labels.front().location);
  if (name.empty() || word_at(name, 0).second != name.size()) return;
  for (const std::string& from : standard_modules_with(name)) {
    const NewImport line = new_import(asking, lines, from, name);
    actions.add("Import `" + name + "` from `" + from + "`", quick_fix, {{line.at, line.at, line.text}});
  }
}

std::string indentation_at(const Asking& asking, const Lines& lines, std::uint32_t offset) {
  const std::uint32_t begin = lines.line_begin(lines.line_of(offset));
  const std::size_t end = std::min(asking.text.find_first_not_of(" \t", begin), asking.text.size());
  return asking.text.substr(begin, end - begin);
}

// The beginning of the first line of a declaration, where another one can stand before it.
std::uint32_t before_item(const Asking& asking, const Lines& lines, const Item& item) {
  std::uint32_t line = lines.line_of(item.location.begin);
  // Its documentation belongs to it.
  const auto is_documentation = [&](std::uint32_t one) {
    const std::uint32_t begin = lines.line_begin(one);
    const std::string text = asking.text.substr(begin, lines.line_end(one) - begin);
    const std::size_t word = text.find_first_not_of(" \t");
    return word != std::string::npos && text.compare(word, 3, "///") == 0;
  };
  while (line > 0 && is_documentation(line - 1)) --line;
  return lines.line_begin(line);
}

// The member of a machine or model around an offset, before which a `let` or a `param` may stand; an item of the module
// otherwise.
const Item* place_of_declaration(const Asking& asking, std::uint32_t offset) {
  return item_at(asking.analysis.main(), offset);
}

// A line of its own before the declaration around. Nothing if that does not begin its line.
std::optional<Edit> line_before(const Asking& asking, const Lines& lines, const Item& item, const std::string& line) {
  const std::string indent = indentation_at(asking, lines, item.location.begin);
  if (lines.line_begin(lines.line_of(item.location.begin)) + indent.size() != item.location.begin) return std::nullopt;
  const std::uint32_t at = before_item(asking, lines, item);
  return Edit{at, at, indent + line + "\n"};
}

// A number that stands for values of this type.
std::string example_of(const TypeRef& type) {
  return check::as<types::Bool>(type) ? "false" : check::as<types::String>(type) ? "\"\"" : "0";
}

bool can_be_written(const TypeRef& type) {
  return type && !check::is_unknown(type) &&
         (check::is_numeric(type) || check::as<types::Bool>(type) || check::as<types::String>(type));
}

void add_parameter(Actions& actions, Asking& asking, const Lines& lines, const Diagnostic& d) {
  const Location place = d.labels.front().location;
  const std::string name = text_at(asking, place);
  const Item* around = place_of_declaration(asking, place.begin);
  const bool in_owner = around && around->owner && check::is_any_of<item::Machine, item::Model>(*around->owner);
  if (!in_owner || name.empty() || word_at(name, 0).second != name.size()) return;
  const Location whole = around->location;
  const auto probe = ask_about(asking, place);
  // What was found before is gone: the document has been read again.
  const Item* same = item_at(asking.analysis.main(), whole.begin);
  if (!probe || probe->wanted != "value" || !same) return;
  const TypeRef type = can_be_written(probe->expected) ? check::without_zero(probe->expected) : check::real_type();
  const std::string line = "param " + name + ": " + to_string(*type) + " = " + example_of(type);
  if (const auto edit = line_before(asking, lines, *same, line))
    actions.add("Declare the parameter `" + name + "`", quick_fix, {*edit});
}

// --- changes that keep the meaning ---

std::string fresh_name(const Asking& asking, const std::string& wanted) {
  std::string name = wanted;
  for (int i = 2; asking.text.find(name) != std::string::npos && i < 1000; ++i) name = wanted + std::to_string(i);
  return name;
}

// Whether the expression means the same where a member may stand: nothing in it is known only further inside.
bool stands_alone(const Expr& e, const Analysis& analysis, const Item& item) {
  bool alone = true;
  for (const Occurrence& one : analysis.occurrences(analysis.file())) {
    const bool is_inside = e.location.begin <= one.place.begin && one.place.end <= e.location.end;
    const Declaration* declared = is_inside ? analysis.declaration(one.declared) : nullptr;
    const bool is_declared_inside = e.location.begin <= one.declared.begin && one.declared.end <= e.location.end &&
                                    one.declared.file == e.location.file;
    if (!declared || is_declared_inside || declared->kind == DeclarationKind::item ||
        declared->kind == DeclarationKind::field || declared->kind == DeclarationKind::import)
      continue;
    alone = alone && declared->item != &item;
    alone = alone && declared->kind != DeclarationKind::axis;
  }
  return alone;
}

void add_extraction(Actions& actions, const Asking& asking, const Lines& lines, std::uint32_t begin,
                    std::uint32_t end) {
  for (const Expr* e : expressions_at(asking.analysis.main(), begin)) {
    if (e->location.begin != begin || e->location.end != end || !e->type || check::is_unknown(e->type)) continue;
    const Item* item = place_of_declaration(asking, begin);
    if (!item || !stands_alone(*e, asking.analysis, *item) || check::is_interface(item->owner ? *item->owner : *item))
      return;
    const std::string name = fresh_name(asking, "value");
    const auto edit = line_before(asking, lines, *item, "let " + name + " = " + text_at(asking, e->location));
    if (edit) actions.add("Extract into `let " + name + "`", extraction, {*edit, {begin, end, name}});
    return;
  }
}

// A number in a model or machine becomes a parameter with this default.
void add_parameter_of_literal(Actions& actions, const Asking& asking, const Lines& lines, std::uint32_t offset) {
  const Expr* e = expression_at(asking.analysis.main(), offset);
  const bool is_literal =
      e && (std::holds_alternative<expr::Number>(e->node) || std::holds_alternative<expr::Integer>(e->node));
  const Item* item = is_literal ? place_of_declaration(asking, offset) : nullptr;
  const bool in_owner = item && item->owner && check::is_any_of<item::Machine, item::Model>(*item->owner);
  if (!in_owner || std::holds_alternative<item::Param>(item->node) || !can_be_written(e->type)) return;
  const std::string name = fresh_name(asking, "parameter");
  const std::string line =
      "param " + name + ": " + to_string(*check::without_zero(e->type)) + " = " + text_at(asking, e->location);
  if (const auto edit = line_before(asking, lines, *item, line))
    actions.add("Turn `" + text_at(asking, e->location) + "` into a parameter", extraction,
                {*edit, {e->location.begin, e->location.end, name}});
}

// `let a = e` becomes `let a: time = e`.
void add_type(Actions& actions, const Asking& asking, std::uint32_t offset) {
  for (const Declaration& one : asking.analysis.declarations(asking.analysis.file())) {
    if (one.place.begin > offset || offset > one.place.end) continue;
    const auto* let = one.kind == DeclarationKind::item ? std::get_if<item::Let>(&one.item->node) : nullptr;
    const bool is_untyped = let ? !let->type : one.kind == DeclarationKind::local && !one.written_type.known();
    if (!is_untyped || !one.type || check::is_unknown(one.type)) continue;
    const std::string type = to_string(*check::without_zero(one.type));
    actions.add("Write the type `" + type + "`", rewriting, {{one.place.end, one.place.end, ": " + type}});
  }
}

}  // namespace

Json code_actions(Asking& asking, std::uint32_t begin, std::uint32_t end) {
  const Lines lines(asking.text, asking.project.encoding);
  Actions actions(asking, lines);
  const std::vector<Diagnostic> found = diagnostics_at(asking, begin, end);
  for (const Diagnostic& d : found) {
    add_fixes(actions, asking, d);
    add_imports(actions, asking, lines, d);
  }
  if (begin < end) add_extraction(actions, asking, lines, begin, end);
  add_parameter_of_literal(actions, asking, lines, begin);
  add_type(actions, asking, begin);
  // Last, and once, because it asks about another text.
  const auto unknown =
      std::find_if(found.begin(), found.end(), [](const auto& d) { return d.kind == DiagnosticKind::unknown_name; });
  if (unknown != found.end()) add_parameter(actions, asking, lines, *unknown);
  return std::move(actions).result();
}

}  // namespace wave::editors
