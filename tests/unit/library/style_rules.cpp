#include "style_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <regex>
#include <set>

namespace wave::library {
namespace {

namespace item = frontend::item;
using frontend::Item;
using frontend::Module;

// The text of a declaration without comments and strings, so that only its own numbers and names are left.
std::string code_of(std::string_view text) {
  std::string code;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text.compare(at, 2, "//") == 0) {
      while (at < text.size() && text[at] != '\n') ++at;
      code += '\n';
    } else if (text[at] == '"') {
      for (++at; at < text.size() && text[at] != '"'; ++at) {
        if (text[at] == '\\') ++at;
      }
      code += "\"\"";
    } else {
      code += text[at];
    }
  }
  return code;
}

// The numbers in the code that need a source: all except 0, 1 and, where `pairs_are_free`, 2. `1 KiB` is a number that
// needs one, `1 B` is not.
std::vector<std::string> numbers_in(const std::string& code, bool pairs_are_free) {
  static const std::regex number(R"((^|[^A-Za-z_0-9.])(\d+(?:\.\d+)?(?:e[+-]?\d+)?) ?([A-Za-z]+)?)");
  static const std::set<std::string> multiples{"KiB", "MiB", "GiB", "TiB", "kB", "MB", "GB", "TB"};
  std::vector<std::string> found;
  for (std::sregex_iterator at(code.begin(), code.end(), number), end; at != end; ++at) {
    const std::string digits = (*at)[2];
    const std::string unit = (*at)[3];
    const bool is_free =
        digits == "0" || (digits == "1" && !multiples.count(unit)) || (digits == "2" && pairs_are_free);
    if (!is_free) found.push_back(unit.empty() ? digits : digits + " " + unit);
  }
  return found;
}

bool begins_with(const std::string& text, const std::string& head) { return text.rfind(head, 0) == 0; }

bool is_overriding(const Item& it) {
  return std::visit(
      [](const auto& node) {
        if constexpr (requires { node.is_override; })
          return node.is_override;
        else
          return false;
      },
      it.node);
}

class Checker {
 public:
  Checker(const frontend::Sources& sources, const Module& module, const StyleGuide& guide)
      : sources_(sources), module_(module), guide_(guide) {}

  std::vector<std::string> run() {
    if (module_.doc.empty()) complain("", "the module has no documentation before `wave 1`");
    for (const auto& it : module_.items) declaration(*it, nullptr);
    return findings_;
  }

 private:
  void complain(const std::string& name, const std::string& what) {
    findings_.push_back(name.empty() ? fmt::format("{}: {}", module_.name, what)
                                     : fmt::format("{}: `{}` {}", module_.name, name, what));
  }

  std::string qualified(const Item& it, const Item* owner) const {
    return owner ? owner->name.text + "." + it.name.text : it.name.text;
  }

  void declaration(const Item& it, const Item* owner) {
    if (it.name.text.empty() || std::holds_alternative<item::Test>(it.node)) return;
    const std::string name = qualified(it, owner);
    const bool is_grid = std::holds_alternative<item::Grid>(it.node);
    if (it.doc.empty() && !is_overriding(it) && !is_grid) complain(name, "has no documentation");
    if (const auto* record = std::get_if<item::Record>(&it.node)) fields(name, it, *record);
    names(it, name);
    if (const auto* param = std::get_if<item::Param>(&it.node)) return parameter(name, *param);
    if (const auto* model = std::get_if<item::Model>(&it.node)) return members(it, model->members);
    if (const auto* interface = std::get_if<item::Interface>(&it.node)) return members(it, interface->members);
    if (const auto* machine = std::get_if<item::Machine>(&it.node)) {
      validity(it, *machine);
      return members(it, machine->members);
    }
    numbers(it, owner, name);
  }

  void members(const Item& owner, const std::vector<std::unique_ptr<Item>>& members) {
    for (const auto& member : members) declaration(*member, &owner);
  }

  void fields(const std::string& name, const Item& it, const item::Record& record) {
    for (const auto& [field, type] : record.fields) {
      const bool is_named = it.doc.find("`" + field.text + "`") != std::string::npos;
      if (!is_named) complain(name, fmt::format("does not say what its field `{}` is", field.text));
    }
  }

  bool names_a_key(const std::string& text) const {
    const auto names_it = [&](const std::string& key) { return text.find(key) != std::string::npos; };
    return std::any_of(guide_.source_keys.begin(), guide_.source_keys.end(), names_it);
  }

  void parameter(const std::string& name, const item::Param& param) {
    if (param.default_value) {
      const auto text = sources_.text(param.default_value->location);
      const std::vector<std::string> needing = numbers_in(code_of(text), false);
      if (!needing.empty() && !param.source)
        complain(name, fmt::format("does not say where its {} is from", needing.front()));
    }
    if (!param.source) return;
    const std::string& source = *param.source;
    const auto begins_it = [&](const std::string& key) { return begins_with(source, key + ", ") || source == key; };
    const bool is_known = std::any_of(guide_.source_keys.begin(), guide_.source_keys.end(), begins_it) ||
                          begins_with(source, "an assumption: ") || begins_with(source, "a choice: ");
    if (!is_known) complain(name, fmt::format("has a source that is not in STYLE.md: \"{}\"", source));
  }

  // A comment may cite an equation only of a source that the declaration, its model or its module names.
  void numbers(const Item& it, const Item* owner, const std::string& name) {
    const std::vector<std::string> needing = numbers_in(code_of(sources_.text(it.location)), true);
    if (needing.empty()) return;
    static const std::regex citation(R"([Ee]qs? \(|[Tt]ables? \d|[Ss]ections? \d|[Ff]igs?\. \d|[Ll]isting \d)");
    const bool names_source = names_a_key(it.doc) || it.doc.find("ssumption") != std::string::npos ||
                              it.doc.find("choice") != std::string::npos;
    const bool cites =
        std::regex_search(it.doc, citation) && ((owner && names_a_key(owner->doc)) || names_a_key(module_.doc));
    if (!names_source && !cites) complain(name, fmt::format("does not say where its {} is from", needing.front()));
  }

  void validity(const Item& it, const item::Machine& machine) {
    const bool says = it.doc.find("Valid for") != std::string::npos;
    const bool inherits =
        machine.base.size() == 1 && std::any_of(module_.items.begin(), module_.items.end(), [&](const auto& other) {
          return other->name.text == machine.base.front().text && other->doc.find("Valid for") != std::string::npos;
        });
    if (!says && !inherits) complain(it.name.text, "does not say what it is `Valid for`");
  }

  // ---- names ----

  void names(const Item& it, const std::string& name) {
    const std::string& word = it.name.text;
    const bool is_capital = std::isupper(static_cast<unsigned char>(word.front()));
    const bool is_type =
        std::holds_alternative<item::Model>(it.node) || std::holds_alternative<item::Machine>(it.node) ||
        std::holds_alternative<item::Record>(it.node) || std::holds_alternative<item::Interface>(it.node);
    if (is_type) {
      if (!is_capital) complain(name, "does not begin with a capital");
      return;
    }
    if (std::holds_alternative<item::Grid>(it.node)) return;
    const auto symbol = symbol_of(word);
    if (symbol == guide_.symbols.end()) {
      if (std::any_of(word.begin(), word.end(), [](unsigned char c) { return std::isupper(c); })) {
        complain(name, "has capitals, and is no symbol of STYLE.md");
      }
      unit_suffix(name, word);
      return;
    }
    const std::string type = written_type(it);
    if (!type.empty() && type != symbol->second) {
      complain(name, fmt::format("is of type {}, and STYLE.md's `{}` of type {}", type, symbol->first, symbol->second));
    }
  }

  // The symbol that the name equals, or extends with a subscript (`W_pre`).
  std::map<std::string, std::string>::const_iterator symbol_of(const std::string& word) const {
    const auto whole = guide_.symbols.find(word);
    return whole != guide_.symbols.end() ? whole : guide_.symbols.find(word.substr(0, word.find('_')));
  }

  void unit_suffix(const std::string& name, const std::string& word) {
    static const std::array<const char*, 12> units{"_ps", "_ns", "_us", "_ms",    "_seconds", "_bytes",
                                                   "_kb", "_mb", "_gb", "_flops", "_mflops",  "_hz"};
    for (const std::string unit : units) {
      const bool ends_so = word.size() > unit.size() && word.compare(word.size() - unit.size(), unit.size(), unit) == 0;
      if (ends_so) complain(name, "ends in a unit");
    }
  }

  std::string written_type(const Item& it) const {
    const frontend::TypeExpr* type = nullptr;
    if (const auto* param = std::get_if<item::Param>(&it.node)) type = param->type.get();
    if (const auto* function = std::get_if<item::Function>(&it.node)) type = function->result.get();
    if (!type) return "";
    std::string text(sources_.text(type->location));
    text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
    return text;
  }

  const frontend::Sources& sources_;
  const Module& module_;
  const StyleGuide& guide_;
  std::vector<std::string> findings_;
};

}  // namespace

std::vector<std::string> style_findings(const frontend::Sources& sources, const Module& module,
                                        const StyleGuide& guide) {
  return Checker(sources, module, guide).run();
}

std::vector<std::string> names_to_test(const Module& module) {
  std::vector<std::string> names;
  for (const auto& it : module.items) {
    const bool is_tested =
        std::holds_alternative<item::Model>(it->node) || std::holds_alternative<item::Machine>(it->node);
    if (is_tested) names.push_back(it->name.text);
  }
  return names;
}

bool is_tested_by(const std::string& test_file, const std::string& module, const std::string& name) {
  const std::string code = code_of(test_file);
  std::string path = module;
  for (std::size_t at = 0; (at = path.find('.', at)) != std::string::npos; at += 2) path.replace(at, 1, "\\.");
  const bool imports =
      std::regex_search(code, std::regex("import " + path + R"((\s*\{[^}]*\b)" + name + R"(\b|\s*\n|\s+as\s))"));
  const bool uses = std::regex_search(code, std::regex(R"(\b)" + name + R"(\s*\()"));
  return imports && uses && code.find("test \"\"") != std::string::npos;
}

}  // namespace wave::library
