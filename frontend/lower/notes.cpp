// Remembers what the message of a failure at a site will need: the types of the operands, to show them with their
// units, and where the value of a parameter comes from.
#include "frontend/lower/lowering.h"

namespace wave::frontend::lowering {

namespace {

// In a function without parameter types, the tree knows the types of the last call only.
void find_generic(const Item& item, std::vector<Place>& into) {
  const auto all = [&](const std::vector<std::unique_ptr<Item>>& members) {
    for (const auto& member : members) find_generic(*member, into);
  };
  if (const auto* model = std::get_if<item::Model>(&item.node)) all(model->members);
  if (const auto* machine = std::get_if<item::Machine>(&item.node)) all(machine->members);
  if (const auto* interface = std::get_if<item::Interface>(&item.node)) all(interface->members);
  const auto* function = std::get_if<item::Function>(&item.node);
  if (!function) return;
  const auto untyped = [](const Parameter& parameter) { return !parameter.type; };
  if (std::any_of(function->parameters.begin(), function->parameters.end(), untyped)) into.push_back(item.place);
}

}  // namespace

void Lowering::find_generic_functions() {
  for (const auto& module : program.modules) {
    for (const auto& item : module->items) find_generic(*item, generic_functions_);
  }
}

bool Lowering::in_generic_function(Place place) const {
  return std::any_of(generic_functions_.begin(), generic_functions_.end(), [&](Place function) {
    return function.file == place.file && function.begin <= place.begin && place.end <= function.end;
  });
}

void Lowering::note_operands(Place place, std::vector<TypeRef> types) {
  const auto [known, is_new] = operands_at_.try_emplace({place.file, place.begin, place.end});
  if (is_new && !in_generic_function(place)) known->second = std::move(types);
}

void Lowering::note_origin(const Instance& instance, const Item& item, SiteNote& note) {
  const std::string& name = item.name.text;
  const auto given =
      std::any_of(instance.given.begin(), instance.given.end(), [&](const Named& one) { return one.first == name; });
  if (const Override* override = override_of(instance, name, given)) {
    note.origin = SiteNote::Origin::command_line;
    note.value = override->place;
    return;
  }
  if (!given) {
    const auto& param = std::get<item::Param>(item.node);
    note.value = param.default_value ? param.default_value->place : item.name.place;
    return;
  }
  note.origin = SiteNote::Origin::call;
  note.value = instance.call;
  const auto call = calls_at_.find({instance.call.file, instance.call.begin, instance.call.end});
  if (call == calls_at_.end()) return;
  for (const Argument& argument : call->second->arguments) {
    if (argument.name && argument.name->text == name) note.value = argument.value->place;
  }
}

}  // namespace wave::frontend::lowering
