// See checker.h.
#include "frontend/check/checker.h"

#include "frontend/check/calls.h"
#include "frontend/check/collections.h"
#include "frontend/check/declarations.h"
#include "frontend/check/dependences.h"
#include "frontend/check/expressions.h"
#include "frontend/check/machines.h"
#include "frontend/check/processes.h"
#include "frontend/check/references.h"
#include "frontend/check/reports.h"
#include "frontend/check/studies.h"
#include "frontend/check/types.h"

namespace wave::frontend::check {

struct Checker::Assembly {
  Assembly(Program& program, const SearchPath& search, Diagnostics& said, Names::LoadStandard load_standard)
      : reports(program, context, said),
        names(all, std::move(load_standard)),
        collections(all, search),
        studies(all, program, said) {}

  Context context;
  Parts all{context,    reports, dependences, names,        types,    expressions, collections,
            references, calls,   functions,   declarations, machines, processes,   studies};
  Reports reports;
  Dependences dependences{all};
  Names names;
  Types types{all};
  Expressions expressions{all};
  Collections collections;
  References references{all};
  Calls calls{all};
  Functions functions{all};
  Declarations declarations{all};
  Machines machines{all};
  Processes processes{all};
  Studies studies;
};

Checker::Checker(Program& program, const SearchPath& search, Diagnostics& diagnostics, LoadStandard load_standard)
    : program_(program), load_standard_(std::move(load_standard)) {
  const auto load = [this](const std::string& name) { return standard(name); };
  parts_ = std::make_unique<Assembly>(program, search, diagnostics, load);
  declare_from(0);
}

Checker::~Checker() = default;

void Checker::declare_from(std::size_t first) {
  for (std::size_t i = first; i < program_.modules.size(); ++i) parts_->names.declare(*program_.modules[i]);
  for (std::size_t i = first; i < program_.modules.size(); ++i) {
    for (const auto& item : program_.modules[i]->items) {
      auto* machine = std::get_if<item::Machine>(&item->node);
      if (!machine) continue;
      ContextSwitch here(parts_->context, *item);
      parts_->names.link_machine(*item, *machine);
    }
  }
}

Module* Checker::standard(const std::string& name) {
  const std::size_t before = program_.modules.size();
  Module* module = load_standard_ ? load_standard_(name) : nullptr;
  declare_from(before);
  for (std::size_t i = before; i < program_.modules.size(); ++i) {
    ContextSwitch there(parts_->context, *program_.modules[i]);
    parts_->declarations.check_members(program_.modules[i]->items, nullptr);
  }
  return module;
}

void Checker::check_modules(std::size_t first) {
  for (std::size_t i = first; i < program_.modules.size(); ++i) {
    ContextSwitch there(parts_->context, *program_.modules[i]);
    parts_->declarations.check_members(program_.modules[i]->items, nullptr);
  }
  parts_->dependences.report_cycles();
}

// What the command line says is read with the names of `module`, but belongs to none of its items.
void Checker::stand_outside(const Module* module) {
  parts_->context = Context{};
  parts_->context.module = module;
  parts_->context.in_override = true;
}

void Checker::check_override(Expr& e, const Item* model, const Module& module, const TypeRef& expected) {
  stand_outside(&module);
  parts_->context.owner = model;
  if (expected)
    parts_->expressions.expect(e, expected);
  else
    parts_->expressions.check(e);
}

void Checker::check_asked(Item& item, const Item& model) {
  stand_outside(item.module);
  auto& study = std::get<item::Study>(item.node);
  study.model_item = &model;
  parts_->studies.check_study_of(model, study);
}

void Checker::check_conditions(Item& item) {
  stand_outside(item.module);
  parts_->studies.check_conditions(std::get<item::Study>(item.node));
}

}  // namespace wave::frontend::check
