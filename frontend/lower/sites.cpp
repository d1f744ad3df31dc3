// See sites.h.
#include "frontend/lower/sites.h"

#include "frontend/check/program.h"
#include "ir/builder.h"

#include <algorithm>

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

Sites::Sites(const Parts& parts, std::vector<std::string>& words, SiteNotes& notes)
    : program_(parts.program), b_(parts.b), diagnostics_(parts.diagnostics), words_(words), notes_(notes) {
  find_generic_functions();
}

void Sites::find_generic_functions() {
  for (const auto& module : program_.modules) {
    for (const auto& item : module->items) find_generic(*item, generic_functions_);
  }
}

bool Sites::in_generic_function(Place place) const {
  return std::any_of(generic_functions_.begin(), generic_functions_.end(), [&](Place function) {
    return function.file == place.file && function.begin <= place.begin && place.end <= function.end;
  });
}

void Sites::note_operands(Place place, std::vector<TypeRef> types) {
  const auto [known, is_new] = operands_at_.try_emplace(key(place));
  if (is_new && !in_generic_function(place)) known->second = std::move(types);
}

void Sites::abandon(DiagnosticKind kind, Place place, const std::string& message, const std::string& label,
                    const std::string& help) {
  Diagnostic& diagnostic = diagnostics_.add(kind, place, message, label);
  if (!help.empty()) diagnostic.help.push_back(help);
  throw Abandoned{kind};
}

ir::SiteId Sites::site(ir::FailureKind kind, Place place, const std::string& text, std::vector<Place> related) {
  auto& site = sites_[{static_cast<int>(kind), place.file, place.begin, place.end, text}];
  if (site.valid()) return site;
  site = b_.site(kind, place, text, std::move(related));
  const auto operands = operands_at_.find(key(place));
  if (operands != operands_at_.end()) note_types(site, operands->second);
  return site;
}

ir::SiteId Sites::site(const ir::Operation& operation, Place place, const std::string& text) {
  return operation.failure ? site(*operation.failure, place, text) : ir::SiteId{};
}

std::int64_t Sites::word(const std::string& text) {
  const auto [known, is_new] = word_numbers_.try_emplace(text, static_cast<std::int64_t>(words_.size()));
  if (is_new) words_.push_back(text);
  return known->second;
}

const expr::Call* Sites::call_at(Place place) const {
  const auto call = calls_at_.find(key(place));
  return call == calls_at_.end() ? nullptr : call->second;
}

}  // namespace wave::frontend::lowering
