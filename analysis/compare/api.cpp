// See api.h.
#include "analysis/compare/api.h"

#include "analysis/compare/offers.h"
#include "frontend/check/members.h"
#include "frontend/check/modules.h"
#include "frontend/check/type_tools.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace wave::analysis {
namespace {

using namespace frontend;
using Effect = ApiChange::Effect;

template <class List>
auto find_named(const List& list, const std::string& name) {
  return std::find_if(list.begin(), list.end(), [&](const auto& one) { return one.name == name; });
}

bool has(const std::vector<std::string>& texts, const std::string& text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

// Compares what two declarations offer under one name.
class Comparison {
 public:
  Comparison(std::vector<ApiChange>& changes, std::string what) : changes_(changes), what_(std::move(what)) {}

  void compare(const Offer& before, const Offer& after) {
    if (before.kind != after.kind) {
      add(Effect::breaks,
          fmt::format("is {}, was {}", check::with_article(after.kind), check::with_article(before.kind)));
      return;
    }
    compare_types(before, after);
    compare_parameters(before, after);
    compare_values(before, after);
    compare_ends(before.lower, after.lower, "at least", 1);
    compare_ends(before.upper, after.upper, "at most", -1);
    compare_requirements(before, after);
    compare_members(before, after);
  }

  void add(Effect effect, std::string change) { changes_.push_back({effect, what_, std::move(change)}); }

 private:
  void compare_types(const Offer& before, const Offer& after) {
    if (before.type == after.type) return;
    if (before.type.empty()) return add(Effect::adds, fmt::format("is of type {}, which was not said", after.type));
    if (before.words.empty() || after.words.empty())
      return add(Effect::breaks,
                 fmt::format("is of type {}, was {}", after.type.empty() ? "none" : after.type, before.type));
    for (const std::string& word : before.words) {
      if (!has(after.words, word)) add(Effect::breaks, fmt::format("no longer takes the word {}", word));
    }
    for (const std::string& word : after.words) {
      if (!has(before.words, word)) add(Effect::adds, fmt::format("takes the word {}", word));
    }
  }

  void compare_parameters(const Offer& before, const Offer& after) {
    for (const OfferedParameter& one : before.parameters) {
      const auto found = find_named(after.parameters, one.name);
      if (found == after.parameters.end()) {
        add(Effect::breaks, fmt::format("no longer takes {}", one.name));
        continue;
      }
      if (found->type != one.type)
        add(Effect::breaks, fmt::format("takes {} of {}, was {}", one.name, type_text(*found), type_text(one)));
      if (one.default_text && !found->default_text)
        add(Effect::breaks, fmt::format("needs {}, which had a default", one.name));
      else if (!one.default_text && found->default_text)
        add(Effect::adds, fmt::format("has a default of {}", one.name));
      else if (one.default_text != found->default_text)
        add(Effect::other, fmt::format("takes {} for {}, was {}", *found->default_text, one.name, *one.default_text));
    }
    for (const OfferedParameter& one : after.parameters) {
      if (find_named(before.parameters, one.name) != before.parameters.end()) continue;
      if (one.default_text)
        add(Effect::adds, fmt::format("takes {}, which has a default", one.name));
      else
        add(Effect::breaks, fmt::format("needs {}", one.name));
    }
    if (!keeps_order(before, after)) add(Effect::breaks, "takes its arguments in another order");
  }

  // Whether arguments without names mean what they did.
  static bool keeps_order(const Offer& before, const Offer& after) {
    std::vector<std::string> kept;
    for (const OfferedParameter& one : before.parameters) {
      if (find_named(after.parameters, one.name) != after.parameters.end()) kept.push_back(one.name);
    }
    const auto same = [](const std::string& name, const OfferedParameter& one) { return name == one.name; };
    return kept.size() <= after.parameters.size() &&
           std::equal(kept.begin(), kept.end(), after.parameters.begin(), same);
  }
  static std::string type_text(const OfferedParameter& one) { return one.type.empty() ? "any type" : one.type; }

  void compare_values(const Offer& before, const Offer& after) {
    const bool is_given = before.kind == "parameter";
    if (before.has_value && !after.has_value)
      add(Effect::breaks, is_given ? "has no default any more" : "has no body any more");
    else if (!before.has_value && after.has_value)
      add(Effect::adds, is_given ? fmt::format("has the default {}", after.value) : "has a body");
    else if (before.value != after.value)
      add(Effect::other, values_text(before.value, after.value));
  }

  static std::string values_text(const std::string& before, const std::string& after) {
    constexpr std::size_t longest = 60;  // a table is a value, too
    if (before.size() > longest || after.size() > longest) return "has another value";
    return fmt::format("is {}, was {}", after.empty() ? "nothing" : after, before.empty() ? "nothing" : before);
  }

  // `inward`: the sign of a number by which the end would move into the range.
  void compare_ends(const OfferedBound& before, const OfferedBound& after, const char* end, double inward) {
    if (before.text == after.text || (before.number && before.number == after.number)) return;
    if (after.text.empty()) return add(Effect::adds, fmt::format("need no longer be {} {}", end, before.text));
    if (before.text.empty()) return add(Effect::breaks, fmt::format("must be {} {}", end, after.text));
    const bool is_known = before.number && after.number;
    const bool is_wider = is_known && inward * (*after.number - *before.number) < 0;
    add(is_wider ? Effect::adds : Effect::breaks, fmt::format("is {} {}, was {}", end, after.text, before.text));
  }

  void compare_requirements(const Offer& before, const Offer& after) {
    for (const std::string& one : after.requirements) {
      if (!has(before.requirements, one)) add(Effect::breaks, fmt::format("requires {}", one));
    }
    for (const std::string& one : before.requirements) {
      if (!has(after.requirements, one)) add(Effect::adds, fmt::format("no longer requires {}", one));
    }
  }

  void compare_members(const Offer& before, const Offer& after) {
    std::map<std::string, const Offer*> now;
    for (const Offer& one : after.members) now.emplace(one.name, &one);
    std::set<std::string> then;
    for (const Offer& one : before.members) {
      then.insert(one.name);
      Comparison member(changes_, what_ + "." + one.name);
      if (const auto found = now.find(one.name); found != now.end())
        member.compare(one, *found->second);
      else
        member.add(Effect::breaks, fmt::format("{} is gone", one.kind));
    }
    for (const Offer& one : after.members) {
      if (then.count(one.name)) continue;
      // Those who make a record name all its fields, and machines have all that their interface asks for.
      const bool is_asked = one.kind == "parameter" || one.kind == "field" || after.kind == "interface";
      Comparison member(changes_, what_ + "." + one.name);
      if (is_asked && !one.has_value)
        member.add(Effect::breaks, fmt::format("{} is new, and must be given", one.kind));
      else
        member.add(Effect::adds, fmt::format("{} is new", one.kind));
    }
  }

  std::vector<ApiChange>& changes_;
  std::string what_;
};

// What those who import a module find in it, and whether the module declares it itself.
struct Exported {
  const Item* item;
  bool is_own;
};

std::map<std::string, Exported> exported_by(const Api& api) {
  std::map<std::string, Exported> all;
  for (const auto& [prefix, module] : api.modules) {
    for (const std::string& name : names_of(*module)) {
      const Item* item = find_declaration(*module, name);
      if (check::is_any_of<item::Study, item::Unknown>(*item)) continue;
      all.emplace(prefix.empty() ? name : prefix + "." + name, Exported{item, item->module == module});
    }
  }
  return all;
}

void compare_modules(const Api& before, const Api& after, std::vector<ApiChange>& changes) {
  for (const auto& one : before.modules) {
    if (find_named(after.modules, one.name) == after.modules.end())
      changes.push_back({Effect::breaks, one.name, "module is gone"});
  }
  for (const auto& one : after.modules) {
    if (find_named(before.modules, one.name) == before.modules.end())
      changes.push_back({Effect::adds, one.name, "module is new"});
  }
}

// Whether a name is one of a module that only one side has, of which that is said.
bool is_in(const std::vector<ApiChange>& modules, const std::string& what) {
  return std::any_of(modules.begin(), modules.end(),
                     [&](const ApiChange& one) { return what.starts_with(one.what + ".") && one.what != what; });
}

std::string_view text_of(const Api& api, const Api::Named& one) { return api.program->sources.text(one.module->file); }

}  // namespace

std::vector<ApiChange> compare_apis(const Api& before, const Api& after) {
  std::vector<ApiChange> changes;
  compare_modules(before, after, changes);
  const std::vector<ApiChange> modules = changes;
  const auto then = exported_by(before), now = exported_by(after);
  std::set<std::pair<const Item*, const Item*>> compared;  // once, where they are declared if others hand them on
  for (const bool is_own : {true, false}) {
    for (const auto& [name, one] : then) {
      const auto found = now.find(name);
      if (one.is_own != is_own) continue;
      if (found == now.end()) {
        if (!is_in(modules, name))
          changes.push_back({Effect::breaks, name, fmt::format("{} is gone", check::kind_of(*one.item))});
      } else if (compared.emplace(one.item, found->second.item).second) {
        Comparison(changes, name)
            .compare(offer_of(before.program->sources, *one.item),
                     offer_of(after.program->sources, *found->second.item));
      }
    }
  }
  for (const auto& [name, one] : now) {
    if (!then.count(name) && !is_in(modules, name))
      changes.push_back({Effect::adds, name, fmt::format("{} is new", check::kind_of(*one.item))});
  }
  std::stable_sort(changes.begin(), changes.end(), [](const ApiChange& a, const ApiChange& b) {
    return std::tie(a.effect, a.what) < std::tie(b.effect, b.what);
  });
  return changes;
}

frontend::Step step_of(const std::vector<ApiChange>& changes, const Api& before, const Api& after) {
  const auto are_any = [&](Effect effect) {
    return std::any_of(changes.begin(), changes.end(), [&](const ApiChange& one) { return one.effect == effect; });
  };
  if (are_any(Effect::breaks)) return Step::major;
  if (are_any(Effect::adds)) return Step::minor;
  if (are_any(Effect::other)) return Step::patch;
  for (const auto& one : before.modules) {
    const auto found = find_named(after.modules, one.name);
    if (found == after.modules.end() || text_of(before, one) != text_of(after, *found)) return Step::patch;
  }
  return Step::none;
}

}  // namespace wave::analysis
