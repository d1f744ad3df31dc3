// What may be written at a place: names, members, arguments, units, modules, words of choices and of the language.
#include "editors/server/completion_context.h"
#include "editors/server/questions.h"
#include "frontend/ast/operators.h"
#include "frontend/check/members.h"
#include "frontend/check/modules.h"
#include "frontend/check/type_tools.h"
#include "frontend/parse/units.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace wave::editors {
namespace {

using namespace frontend;
using Kind = CompletionContext::Kind;

// CompletionItemKind of the protocol.
enum Symbol {
  method = 2,
  function = 3,
  field = 5,
  variable = 6,
  class_ = 7,
  interface = 8,
  module = 9,
  property = 10,
  unit = 11,
  keyword = 14,
  enum_member = 20,
  constant = 21,
  record = 22,
  event = 23
};

int symbol_of(const Item& item) {
  using namespace check;
  if (is_any_of<item::Machine, item::Model>(item)) return class_;
  if (is_interface(item)) return interface;
  if (is_any_of<item::Record>(item)) return record;
  if (is_any_of<item::Function, item::Collective, item::Procedure>(item)) return function;
  if (is_any_of<item::Param>(item)) return property;
  if (is_any_of<item::Let>(item)) return constant;
  if (is_any_of<item::Process, item::Protocol>(item)) return method;
  return variable;
}

// What is offered first, which is what fits.
enum class Rank { argument, fitting, near, far, word };

class Completions {
 public:
  Completions(const Asking& asking, const CompletionContext& context, const Lines& lines)
      : asking_(asking), context_(context), lines_(lines), range_(lines.range(context.begin, context.end)) {}

  void add(const std::string& label, int symbol, Rank rank, const std::string& detail = {},
           const std::string& documentation = {}, const std::string& text = {},
           const std::optional<NewImport>& import = {}) {
    if (label.empty() || items_.size() == most_items || !seen_.insert(label).second) return;
    Json one = {{"label", label},
                {"kind", symbol},
                {"sortText", std::to_string(static_cast<int>(rank)) + label},
                {"textEdit", {{"range", range_}, {"newText", text.empty() ? label : text}}}};
    if (!detail.empty()) one["detail"] = detail;
    if (import) {
      const Json range = lines_.range(import->at, import->at);
      one["additionalTextEdits"] = Json::array({{{"range", range}, {"newText", import->text}}});
    }
    if (!documentation.empty()) one["documentation"] = {{"kind", "markdown"}, {"value", documentation}};
    items_.push_back(std::move(one));
  }

  void add_item(const Item& item, const std::string& name, Rank rank) {
    const TypeRef type = type_of(item);
    add(name, symbol_of(item), rank, type && !check::is_unknown(type) ? to_string(*type) : check::kind_of(item),
        describe(asking_.analysis, item));
  }
  void add_words(const std::vector<std::string_view>& words) {
    for (const std::string_view word : words) add(std::string(word), keyword, Rank::word);
  }

  Json result() && { return {{"isIncomplete", items_.size() == most_items}, {"items", std::move(items_)}}; }
  bool has(const std::string& label) const { return seen_.count(label) > 0; }
  const Lines& lines() const { return lines_; }
  const Asking& asking() const { return asking_; }
  const CompletionContext& context() const { return context_; }

 private:
  static constexpr std::size_t most_items = 1000;
  const Asking& asking_;
  const CompletionContext& context_;
  const Lines& lines_;
  Json range_;
  Json items_ = Json::array();
  std::set<std::string> seen_;
};

// Whether a value of one type may stand where the other is expected, or a call may give one.
bool fits(TypeRef type, const TypeRef& expected) {
  if (!type || !expected || check::is_unknown(type) || check::is_unknown(expected)) return false;
  if (const auto* function = check::as<types::Function>(type); function && !check::as<types::Function>(expected))
    type = function->result;
  if (!type) return false;
  if (check::as<types::Axis>(type) && !check::as<types::Axis>(expected)) type = check::int_type();
  if (check::is_numeric(type) && check::is_numeric(expected)) {
    const bool is_whole = !check::as<types::Int>(expected) || check::as<types::Int>(type);
    return is_whole && check::dimension_of(type) == check::dimension_of(expected);
  }
  if (check::as<types::Machine>(type) && check::as<types::Machine>(expected)) return true;
  return type->kind.index() == expected->kind.index() && check::key_of(type) == check::key_of(expected);
}

bool gives_value(const Item& item, const TypeRef& expected) {
  const auto* machine = check::as<types::Machine>(expected);
  const auto* model = check::as<types::Model>(expected);
  if (model) return &item == model->declaration;
  if (!machine || !check::is_machine(item)) return false;
  return !check::is_interface(*machine->declaration) || check::interface_of(item) == machine->declaration;
}

// --- what an answer of the front end offers ---

void add_members(Completions& all, const Probe& probe) {
  if (probe.module) {
    for (const std::string& name : names_of(*probe.module))
      all.add_item(*find_declaration(*probe.module, name), name, Rank::near);
    return;
  }
  const TypeRef& object = probe.object;
  if (const auto* of = check::as<types::Record>(object)) {
    const auto& node = std::get<item::Record>(of->declaration->node);
    for (std::size_t i = 0; i < node.fields.size(); ++i) {
      const TypeRef type = i < node.checked_types.size() ? node.checked_types[i] : nullptr;
      all.add(node.fields[i].first.text, field, Rank::near, type ? to_string(*type) : "");
    }
  }
  for (const std::string& name : probe.of_process) all.add(name, property, Rank::near);
  if (check::as<types::Place>(object)) all.add("rank", property, Rank::near, "int");
  const auto* machine = check::as<types::Machine>(object);
  const auto* model = check::as<types::Model>(object);
  const Item* declaration = machine ? machine->declaration : model ? model->declaration : nullptr;
  if (!declaration) return;
  for (const std::string& name : check::member_names(*declaration)) {
    const Item* item = check::find_member(*declaration, name);
    const bool is_readable = item && check::is_any_of<item::Param, item::Let, item::Function, item::Collective,
                                                      item::Recurrence, item::Output, item::Process>(*item);
    if (is_readable) all.add_item(*item, name, Rank::near);
  }
  if (!machine) return;
  for (const auto& [name, type] : machine->parameters)
    all.add(name, property, Rank::near, type ? to_string(*type) : "");
  const bool derives = check::is_machine(*declaration) && !check::protocols_of(*declaration).empty();
  for (const char* name : {"send", "recv", "total"}) {
    if (derives) all.add(name, function, Rank::near, "time", "follows from the protocols of the machine");
  }
}

void add_visible(Completions& all, const Probe& probe, const std::function<bool(const Item&)>& is_wanted) {
  for (const Probe::Visible& one : probe.names) {
    if (one.module) all.add(one.name, module, Rank::far, one.module->name, one.module->doc);
    if (one.item && is_wanted(*one.item)) all.add_item(*one.item, one.name, Rank::near);
  }
}

void add_types(Completions& all, const Probe& probe) {
  for (const char* word : {"int", "real", "bool", "string", "time", "data", "work", "order", "corner", "level", "axis"})
    all.add(word, keyword, Rank::near, "type of the language");
  add_visible(all, probe, [](const Item& item) {
    return check::is_any_of<item::Record, item::Interface, item::Machine, item::Model>(item);
  });
}

// Arguments that the innermost call still lacks.
void add_arguments(Completions& all, const Probe& probe) {
  if (probe.calls.empty() || !all.context().begins_argument) return;
  const Probe::Call& call = probe.calls.back();
  for (const auto& parameter : call.signature.parameters) {
    if (std::find(call.given.begin(), call.given.end(), parameter.name) != call.given.end()) continue;
    const Declaration* declaration = all.asking().analysis.declaration(parameter.declared());
    all.add(parameter.name + " =", property, Rank::argument,
            (parameter.type ? to_string(*parameter.type) : "") + (parameter.optional ? "" : ", needed"),
            declaration ? describe(all.asking().analysis, *declaration) : "", parameter.name + " = ");
  }
}

void add_words_of_type(Completions& all, const TypeRef& expected) {
  if (const auto* choice = check::as<types::Choice>(expected)) {
    for (const std::string& word : choice->words) all.add(word, enum_member, Rank::argument, to_string(*expected));
  }
  if (check::as<types::Corner>(expected) || check::as<types::Order>(expected)) {
    for (const char* corner : {"NW", "NE", "SW", "SE"}) all.add(corner, enum_member, Rank::fitting, "corner");
  }
  if (check::as<types::Bool>(expected)) all.add_words({"true", "false"});
}

void add_levels(Completions& all) {
  all.add("none", enum_member, Rank::near, "level");
  for (const auto& module : all.asking().analysis.program().modules) {
    for (const Declaration& one : all.asking().analysis.declarations(module->file)) {
      if (one.kind == DeclarationKind::level) all.add(one.name, enum_member, Rank::near, "level");
    }
  }
}

void add_machines_elsewhere(Completions& all, const Probe& probe) {
  for (const MachineElsewhere& one : machines_elsewhere(all.asking(), all.lines(), probe)) {
    const std::string& name = one.machine.name;
    std::string detail = one.from;
    for (const std::string& needed : one.machine.needed) detail += (detail == one.from ? ", needs " : ", ") + needed;
    all.add(all.has(name) ? name + " of " + one.from : name, class_, Rank::near, detail, one.machine.doc, one.text,
            one.import);
  }
}

void add_values(Completions& all, const Probe& probe) {
  const bool is_net = probe.wanted == "net";  // of a process
  const auto suits = [&](const TypeRef& type) {
    return fits(type, probe.expected) || (is_net && check::as<types::Machine>(type));
  };
  add_arguments(all, probe);
  add_words_of_type(all, probe.expected);
  if (check::as<types::Level>(probe.expected)) add_levels(all);
  for (const Probe::Visible& one : probe.names) {
    if (one.module) {
      all.add(one.name, module, Rank::far, one.module->name, one.module->doc);
    } else if (one.item) {
      const bool is_value =
          !check::is_any_of<item::Interface, item::Protocol, item::Levels, item::Resource, item::Procedure>(*one.item);
      const bool is_fitting = suits(one.type) || gives_value(*one.item, probe.expected);
      if (is_value) all.add_item(*one.item, one.name, is_fitting ? Rank::fitting : Rank::near);
    } else {
      all.add(one.name, variable, suits(one.type) ? Rank::fitting : Rank::near,
              one.type && !check::is_unknown(one.type) ? to_string(*one.type) : "");
    }
  }
  if (is_net || check::as<types::Machine>(probe.expected)) add_machines_elsewhere(all, probe);
  for (const std::string& name : function_names()) all.add(name, function, Rank::far, "function of the language");
  all.add_words({"if", "when", "not"});
}

void add_collectives(Completions& all, const Probe& probe) {
  add_visible(all, probe, [](const Item& item) { return check::is_any_of<item::Procedure, item::Collective>(item); });
  if (!probe.machine) return;
  for (const std::string& name : check::member_names(*probe.machine)) {
    const Item* item = check::find_member(*probe.machine, name);
    if (item && check::is_any_of<item::Collective>(*item)) all.add_item(*item, name, Rank::near);
  }
}

// Declarations of this kind around the place.
void add_declared(Completions& all, std::uint32_t offset, DeclarationKind kind) {
  const Analysis& analysis = all.asking().analysis;
  const Item* around = item_at(analysis.main(), offset);
  for (const Declaration& one : analysis.declarations(analysis.file())) {
    if (one.kind == kind && around && one.item && (one.item == around || one.item->owner == around->owner))
      all.add(one.name, event, Rank::near, "", describe(analysis, one));
  }
}

void add_answer(Completions& all, const Probe& probe, std::uint32_t offset) {
  const std::string& wanted = probe.wanted;
  const auto items = [&](auto is_wanted) { add_visible(all, probe, is_wanted); };
  if (wanted == "member") add_members(all, probe);
  if (wanted == "value" || wanted == "net") add_values(all, probe);
  if (wanted == "type") add_types(all, probe);
  if (wanted == "statement") add_collectives(all, probe);
  if (wanted == "interface") items(check::is_interface);
  if (wanted == "machine") {
    items(check::is_machine);
    add_machines_elsewhere(all, probe);
  }
  if (wanted == "model") items(check::is_model);
  if (wanted == "grid") items([](const Item& item) { return check::is_any_of<item::Grid>(item); });
  if (wanted == "resource") items([](const Item& item) { return check::is_any_of<item::Resource>(item); });
  if (wanted == "parameter") items([](const Item& item) { return check::is_any_of<item::Param>(item); });
  if (wanted == "level") add_levels(all);
  if (wanted == "axis") {
    for (const Probe::Visible& one : probe.names) {
      if (check::as<types::Axis>(one.type)) all.add(one.name, variable, Rank::near, "axis");
    }
  }
  if (wanted == "handle") add_declared(all, offset, DeclarationKind::operation);
  if (wanted == "signal") add_declared(all, offset, DeclarationKind::signal);
  if (wanted == "varied") add_declared(all, offset, DeclarationKind::varied);
}

// --- imports and units ---

// The names by which files in the same folder are imported.
std::vector<std::string> models_beside(const Asking& asking) {
  constexpr std::size_t most_entries = 10'000;
  namespace fs = std::filesystem;
  const fs::path path = path_of_uri(asking.uri);
  std::vector<std::string> names;
  std::error_code error;
  std::size_t entries = 0;
  for (fs::directory_iterator entry(path.parent_path(), error), end; !error && entry != end; entry.increment(error)) {
    if (++entries > most_entries) break;
    const fs::path& file = entry->path();
    const std::string name = file.stem().string();
    const bool is_name = word_at(name, 0).second == name.size();
    if (file.extension() == ".wave" && file.filename() != path.filename() && is_name) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

void add_modules(Completions& all) {
  const std::string& path = all.context().path;
  std::set<std::string> next;
  for (const auto& [name, text] : standard_library()) {
    if (!name.starts_with(path)) continue;
    const std::string rest = name.substr(path.size());
    next.insert(rest.substr(0, rest.find('.')));
    // Whole names, too, where nothing has been typed that would be in their way.
    if (path.empty()) all.add(name, module, Rank::near);
  }
  for (const std::string& word : next) all.add(word, module, Rank::fitting);
  if (!path.empty()) return;
  for (const std::string& name : models_beside(all.asking())) all.add(name, module, Rank::near);
}

Dimension expected_dimension(Asking& asking, const CompletionContext& context) {
  const auto probe = ask(asking, {context.number_begin, context.end, {"\1", "\1" + context.lacking}});
  return probe && probe->expected ? check::dimension_of(probe->expected) : Dimension{};
}

void add_units(Completions& all, Dimension wanted) {
  for (const UnitInfo& one : all_units()) {
    const bool is_fitting = !wanted.plain() && one.dimension == wanted;
    all.add(std::string(one.name), unit, is_fitting ? Rank::fitting : Rank::near, to_string(one.dimension));
  }
  // The usual unit of a quotient, such as a rate.
  const Dimension rate{-1, 1, 0}, inverse_rate{1, -1, 0}, work_rate{-1, 0, 1};
  if (wanted == rate) all.add("GB/s", unit, Rank::argument, to_string(wanted));
  if (wanted == inverse_rate) all.add("us/B", unit, Rank::argument, to_string(wanted));
  if (wanted == work_rate) all.add("Gflop/s", unit, Rank::argument, to_string(wanted));
}

// The word as it stands; with what its line lacks, first if nothing follows on it; as a statement, first where one
// begins.
Gap gap_at(const CompletionContext& context, const Lines& lines) {
  const bool ends_line = lines.line_end(lines.line_of(context.end)) == context.end;
  std::vector<std::string> variants{"\1"};
  if (!context.lacking.empty()) variants.insert(ends_line ? variants.begin() : variants.end(), "\1" + context.lacking);
  const auto& words = words_of(context.around);
  const bool is_step = context.begins_statement && std::find(words.begin(), words.end(), "compute") != words.end();
  variants.insert(is_step ? variants.begin() : variants.end(), "\1()");
  if (ends_line && context.around.empty()) variants.emplace_back("\1 {}");  // what a machine extends
  return {context.begin, context.end, std::move(variants)};
}

}  // namespace

Json completion(Asking& asking, std::uint32_t offset) {
  const CompletionContext context = completion_context(asking.text, offset);
  const Lines lines(asking.text, asking.project.encoding);
  Completions all(asking, context, lines);
  switch (context.kind) {
    case Kind::nothing: break;
    case Kind::import: add_modules(all); break;
    case Kind::imported: {
      const std::uint32_t begin = lines.line_begin(lines.line_of(context.begin));
      const std::uint32_t end = lines.line_end(lines.line_of(context.begin));
      const std::string import = "import " + context.path + " as imported_here\nlet found_there = imported_here.\1";
      if (const auto probe = ask(asking, {begin, end, {import}})) add_members(all, *probe);
      break;
    }
    case Kind::unit: add_units(all, expected_dimension(asking, context)); break;
    case Kind::next_unit: add_units(all, {}); break;
    case Kind::name: {
      if (context.begins_statement) all.add_words(words_of(context.around));
      if (const auto probe = ask(asking, gap_at(context, lines))) add_answer(all, *probe, context.begin);
      break;
    }
  }
  return std::move(all).result();
}

}  // namespace wave::editors
