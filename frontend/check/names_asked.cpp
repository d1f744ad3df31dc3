// What can be seen from the place that a probe asks about.
#include "frontend/check/declarations.h"
#include "frontend/check/members.h"
#include "frontend/check/modules.h"
#include "frontend/check/names.h"

#include <algorithm>
#include <utility>

namespace wave::frontend::check {
namespace {

bool holds(Location around, Location place) {
  return around.file == place.file && around.begin <= place.begin && place.end <= around.end;
}

// Which parameter the argument at `place` is for.
Probe::Call describe(const Signature& signature, const std::vector<Argument>& arguments, Location place) {
  const auto& parameters = signature.parameters;
  Probe::Call call{signature, {}, parameters.size()};
  std::size_t position = 0;
  for (const Argument& argument : arguments) {
    const auto named = [&](const auto& parameter) { return argument.name && parameter.name == argument.name->text; };
    const std::size_t index =
        argument.name
            ? static_cast<std::size_t>(std::find_if(parameters.begin(), parameters.end(), named) - parameters.begin())
            : position++;
    if (holds(argument.value->location, place)) {
      call.active = std::min(index, parameters.size());
    } else if (index < parameters.size()) {
      call.given.push_back(parameters[index].name);
    }
  }
  return call;
}

}  // namespace

// Of a member: what the calls around it take is not expected of it, but of the whole.
bool Names::asks_member(const std::string& name, const TypeRef& object, const Module* module,
                        const std::vector<std::string>& of_process) {
  if (!asks(name, "member")) return false;
  probe_->of_process = of_process;
  probe_->object = object;
  probe_->module = module;
  return true;
}

bool Names::asks(const std::string& name, const char* wanted, const TypeRef& expected) {
  if (!probe_ || name != probe_->word) return false;
  if (probe_->is_answered) return true;
  probe_->is_answered = true;  // before anything is checked for the answer, which may meet the word again
  probe_->wanted = wanted;
  probe_->expected = expected;
  probe_->owner = context_.owner;
  const auto* machine = context_.process ? as<types::Machine>(context_.process->net) : nullptr;
  probe_->machine = machine ? machine->declaration : nullptr;
  probe_->names = visible();
  for (const OpenCall& open : open_calls)
    probe_->calls.push_back(describe(*open.signature, *open.arguments, probe_->place));
  return true;
}

TypeRef Names::type_if_value(const Item* item) {
  const bool is_value = item && is_any_of<item::Param, item::Let, item::Function, item::Output, item::Recurrence,
                                          item::Collective, item::Process>(*item);
  return is_value ? parts_.declarations.type_of(*item, item->name.location) : nullptr;
}

std::vector<Probe::Visible> Names::visible() {
  std::vector<Probe::Visible> names;
  std::set<std::string> seen;
  const auto add = [&](const std::string& name, TypeRef type, const Item* item, const Module* module) {
    if (!name.empty() && seen.insert(name).second) names.push_back({name, std::move(type), item, module});
  };
  const std::vector<LocalName> locals(context_.locals.begin(), context_.locals.end());
  for (auto local = locals.rbegin(); local != locals.rend(); ++local) add(local->name, local->type, nullptr, nullptr);
  if (const Item* owner = context_.owner) {
    for (const std::string& name : member_names(*owner)) {
      const Item* item = member(*owner, name);
      add(name, type_if_value(item), item, nullptr);
    }
  }
  const auto scope = scopes_.find(context_.module);
  if (scope == scopes_.end()) return names;
  std::vector<std::pair<std::string, Binding>> bindings(scope->second.begin(), scope->second.end());
  std::sort(bindings.begin(), bindings.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [name, binding] : bindings) {
    if (!binding.missing) add(name, type_if_value(binding.item), binding.item, binding.module);
  }
  return names;
}

}  // namespace wave::frontend::check
