// Where names are declared, and where else they stand in the document.
#include "editors/server/features.h"
#include "frontend/check/type_tools.h"

namespace wave::editors {
namespace {

using namespace frontend;

Json beginning_of(const View& view, const Module& module) {
  return view.project.location(view.analysis, {module.file, 0, 0});
}

// The module that the path of an import means, if the offset is in one.
const Module* imported_at(const View& view, std::uint32_t offset) {
  for (const auto& item : view.analysis.main().items) {
    const auto* import = std::get_if<item::Import>(&item->node);
    const Location path = import ? import->path_location : Location{};
    if (path.known() && path.begin <= offset && offset <= path.end) return import->module;
  }
  return nullptr;
}

Json to(const View& view, Location declared) {
  const Declaration* found = view.analysis.declaration(declared);
  // The name of a module leads into it.
  if (found && found->kind == DeclarationKind::import)
    return found->module ? beginning_of(view, *found->module) : Json(nullptr);
  return view.project.location(view.analysis, declared);
}

const Item* declaration_of_type(const TypeRef& type) {
  if (const auto* record = check::as<types::Record>(type)) return record->declaration;
  if (const auto* machine = check::as<types::Machine>(type)) return machine->declaration;
  if (const auto* model = check::as<types::Model>(type)) return model->declaration;
  if (const auto* function = check::as<types::Function>(type)) return declaration_of_type(function->result);
  if (const auto* list = check::as<types::List>(type)) return declaration_of_type(list->element);
  return nullptr;
}

}  // namespace

Json definition(const View& view, std::uint32_t offset) {
  if (const Module* module = imported_at(view, offset)) return beginning_of(view, *module);
  const auto name = view.analysis.at(offset);
  return name ? to(view, name->declared) : Json(nullptr);
}

Json declaration(const View& view, std::uint32_t offset) {
  if (const Module* module = imported_at(view, offset)) return beginning_of(view, *module);
  const auto name = view.analysis.at(offset);
  return name ? to(view, view.analysis.origin(name->declared)) : Json(nullptr);
}

Json type_definition(const View& view, std::uint32_t offset) {
  const Expr* e = expression_at(view.analysis.main(), offset);
  const Item* type = e ? declaration_of_type(e->type) : nullptr;
  const auto name = view.analysis.at(offset);
  const Declaration* declaration = name ? view.analysis.declaration(name->declared) : nullptr;
  if (!type && declaration) type = declaration_of_type(declaration->type);
  return type ? view.project.location(view.analysis, type->name.location) : Json(nullptr);
}

Json highlights(const View& view, std::uint32_t offset) {
  constexpr int read = 2, write = 3;
  Json all = Json::array();
  const auto name = view.analysis.at(offset);
  if (!name) return all;
  const Location origin = view.analysis.origin(name->declared);
  for (const Occurrence& one : view.analysis.occurrences(view.analysis.file())) {
    if (view.analysis.origin(one.declared) != origin) continue;
    const bool is_declared_here = view.analysis.declaration(one.place) != nullptr;
    all.push_back({{"range", view.lines.range(one.place)}, {"kind", is_declared_here ? write : read}});
  }
  return all;
}

}  // namespace wave::editors
