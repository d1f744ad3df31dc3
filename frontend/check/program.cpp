// Loads and checks programs, single expressions, and studies that are asked for on the command line.
#include "frontend/check/program.h"

#include "frontend/check/declarations.h"
#include "frontend/check/expressions.h"
#include "frontend/check/modules.h"
#include "frontend/check/names.h"
#include "frontend/parse/parser.h"
#include "stdlib/standard_library.h"

#include <fmt/format.h>

#include <algorithm>

namespace wave::frontend::check {
namespace {

// Puts the parts of the checker together, and checks modules that are parsed.
class Checker {
 public:
  // `load_standard` gives a module of the standard library that is loaded, with those that it imports, at the program's
  // end. It may be empty.
  Checker(Program& program, const SearchPath& search, Diagnostics& diagnostics, Names::LoadStandard load_standard,
          Probe* probe = nullptr)
      : program_(program),
        load_standard_(std::move(load_standard)),
        reports_(program, context_, diagnostics),
        names_(
            parts_, program.uses, [this](const std::string& name) { return standard(name); }, probe),
        collections_(parts_, search),
        studies_(parts_, program, diagnostics) {
    declare_from(0);
  }
  Checker(const Checker&) = delete;
  Checker& operator=(const Checker&) = delete;

  void check_modules(std::size_t first) {  // checks the modules from this one on
    check_members_from(first);
    dependences_.report_cycles();
  }

  // Checks the main module, and the modules from this one on.
  void check_main_and(std::size_t first) {
    check_members_of(program_.main());
    check_modules(std::max<std::size_t>(first, 1));
  }

  // An expression in the scope of a model's parameters.
  void check_override(Expr& e, const Item* model, const Module& module, const TypeRef& expected) {
    stand_outside(&module);
    context_.owner = model;
    if (expected)
      expressions_.expect(e, expected);
    else
      expressions_.check(e);
  }

  // A study that is no item of a module.
  void check_asked(Item& item, const Item& model) {
    stand_outside(item.module);
    auto& study = std::get<item::Study>(item.node);
    study.model_item = &model;
    studies_.check_study_of(model, study);
  }

  // The conditions that were added to a checked study.
  void check_conditions(Item& item) {
    stand_outside(item.module);
    studies_.check_conditions(std::get<item::Study>(item.node));
  }

 private:
  void declare_from(std::size_t first) {
    for (std::size_t i = first; i < program_.modules.size(); ++i) names_.declare(*program_.modules[i]);
    for (std::size_t i = first; i < program_.modules.size(); ++i) {
      for (const auto& item : program_.modules[i]->items) {
        auto* machine = std::get_if<item::Machine>(&item->node);
        if (!machine) continue;
        ContextSwitch here(context_, *item);
        names_.link_machine(*item, *machine);
      }
    }
  }

  void check_members_from(std::size_t first) {
    for (std::size_t i = first; i < program_.modules.size(); ++i) check_members_of(*program_.modules[i]);
  }

  void check_members_of(Module& module) {
    ContextSwitch there(context_, module);
    declarations_.check_members(module.items, nullptr);
  }

  Module* standard(const std::string& name) {
    const std::size_t before = program_.modules.size();
    Module* module = load_standard_ ? load_standard_(name) : nullptr;
    declare_from(before);
    check_members_from(before);
    return module;
  }

  // What the command line says is read with the names of `module`, but belongs to none of its items.
  void stand_outside(const Module* module) {
    context_ = Context{};
    context_.module = module;
    context_.in_override = true;
  }

  Program& program_;
  Names::LoadStandard load_standard_;
  Context context_;
  Parts parts_{context_,    reports_, dependences_, names_,        types_,    expressions_, collections_,
               references_, calls_,   functions_,   declarations_, machines_, processes_,   studies_};
  Reports reports_;
  Dependences dependences_{parts_};
  Names names_;
  Types types_{parts_};
  Expressions expressions_{parts_};
  Collections collections_;
  References references_{parts_};
  Calls calls_{parts_};
  Functions functions_{parts_};
  Declarations declarations_{parts_};
  Machines machines_{parts_};
  Processes processes_{parts_};
  Studies studies_;
};

// For what is checked after the program itself: it loads further modules of the standard library as names need them.
struct LateChecker {
  LateChecker(Program& program, Diagnostics& diagnostics)
      : loader(program, nowhere, diagnostics),
        checker(program, nowhere, diagnostics, [this](const std::string& name) { return loader.load_standard(name); }) {
  }

  const SearchPath nowhere;
  Loader loader;
  Checker checker;
};

}  // namespace
}  // namespace wave::frontend::check

namespace wave::frontend {
namespace {

// Modules of the standard library that are loaded after the rest, checked like the others.
Module* load_standard(Program& program, const std::string& name, Diagnostics& diagnostics) {
  const SearchPath nowhere;
  const std::size_t before = program.modules.size();
  check::Loader loader(program, nowhere, diagnostics);
  Module* module = loader.load_standard(name);
  if (program.modules.size() != before) {
    check::Checker(program, nowhere, diagnostics, nullptr).check_modules(before);
  }
  return module;
}

// Reads the clauses one by one into a study.
class ClauseReader {
 public:
  ClauseReader(Program& program, Diagnostics& diagnostics, item::Study& study)
      : program_(program), diagnostics_(diagnostics), study_(study) {}

  void vary(const AskedClause& clause) {
    Diagnostics found;
    auto read = parse_vary(program_.sources, add(clause), found);
    pass_on(found, fmt::format("values are written as in `{0} \"n=1..1024 by *2\"` or `{0} \"mk=[1, 5, 10]\"`",
                               clause.option));
    if (!read) return;
    read->may_be_interval = clause.may_be_interval;
    study_.vary.push_back(std::move(*read));
  }

  void show(const AskedClause& clause) {
    Diagnostics found;
    auto read = parse_show(program_.sources, add(clause), found);
    pass_on(found, fmt::format("an expression is written as in `{0} total` or `{0} \"n * m <= 1024\"`", clause.option));
    if (!read) return;
    for (auto& one : *read) study_.show.push_back(std::move(one));
  }

  void where(const AskedClause& clause) {
    Diagnostics found;
    auto read = parse_expression(program_.sources, add(clause), found);
    pass_on(found, fmt::format("a condition is written as in `{} \"n * m <= 1024\"`", clause.option));
    if (read) study_.where.push_back(std::move(read));
  }

 private:
  std::uint32_t add(const AskedClause& clause) { return program_.sources.add(clause.option, clause.text); }

  // Adds an example to a syntax error that does not say what could stand there.
  void pass_on(const Diagnostics& found, const std::string& example) {
    for (const Diagnostic& one : found.all()) {
      Diagnostic& d = diagnostics_.add(one.kind, {}, "") = one;
      if (one.kind == DiagnosticKind::unexpected_token && one.help.empty()) d.help.push_back(example);
    }
  }

  Program& program_;
  Diagnostics& diagnostics_;
  item::Study& study_;
};

std::ptrdiff_t errors_in(const Diagnostics& diagnostics) {
  const auto& all = diagnostics.all();
  return std::count_if(all.begin(), all.end(), [](const Diagnostic& d) { return d.severity == Severity::error; });
}

}  // namespace

const std::vector<std::pair<std::string, std::string>>& standard_library() { return stdlib::modules(); }

std::unique_ptr<Program> load(const std::string& path, const SearchPath& search, Diagnostics& diagnostics,
                              const std::string* text) {
  auto program = std::make_unique<Program>();
  check::Loader(*program, search, diagnostics).load_main(path, text);
  check::Checker(*program, search, diagnostics, nullptr).check_modules(0);
  return program;
}

void reload(Program& program, const SearchPath& search, std::string text, Diagnostics& diagnostics, Probe* probe) {
  const std::size_t before = program.modules.size();
  check::Loader(program, search, diagnostics).reload_main(std::move(text));
  check::Checker(program, search, diagnostics, nullptr, probe).check_main_and(before);
}

struct LateExpressions::State {
  State(Program& program, Diagnostics& diagnostics) : program(program), diagnostics(diagnostics) {}

  Program& program;
  Diagnostics& diagnostics;
  std::optional<check::LateChecker> late;  // once there is something to check
};

LateExpressions::LateExpressions(Program& program, Diagnostics& diagnostics)
    : state_(std::make_unique<State>(program, diagnostics)) {}

LateExpressions::~LateExpressions() = default;

ExprPtr LateExpressions::check(const Item* model, const std::string& source_name, const std::string& text,
                               const TypeRef& expected) {
  auto& [program, diagnostics, late] = *state_;
  const auto before = errors_in(diagnostics);
  const std::uint32_t file = program.sources.add(source_name, text);
  ExprPtr e = parse_expression(program.sources, file, diagnostics);
  if (!e) return nullptr;
  if (!late) late.emplace(program, diagnostics);
  const Module& module = model && model->module ? *model->module : program.main();
  late->checker.check_override(*e, model, module, expected);
  return errors_in(diagnostics) == before ? std::move(e) : nullptr;
}

ExprPtr check_expression(Program& program, const Item* model, const std::string& source_name, const std::string& text,
                         TypeRef expected, Diagnostics& diagnostics) {
  return LateExpressions(program, diagnostics).check(model, source_name, text, expected);
}

const Item* find_item(Program& program, const std::string& path, Diagnostics& diagnostics) {
  if (const Item* item = find_imported(program.main(), path)) return item;
  const std::size_t dot = path.rfind('.');
  const std::string name = dot == std::string::npos ? path : path.substr(dot + 1);
  const std::string module_name = dot == std::string::npos ? "" : path.substr(0, dot);
  const Module* module = module_name.empty() ? &program.main() : nullptr;
  if (module_name.rfind("std.", 0) == 0) module = load_standard(program, module_name, diagnostics);
  if (!module) module = imported_module(program.main(), module_name);
  if (!module) {
    Diagnostic& d = diagnostics.add(DiagnosticKind::unknown_module, {}, "there is no module `" + module_name + "`");
    if (const std::string near = nearest_module(module_name); !near.empty()) d.help.push_back(did_you_mean({near}));
    return nullptr;
  }
  if (const Item* item = find_declaration(*module, name)) return item;
  Diagnostic& d =
      diagnostics.add(DiagnosticKind::unknown_name, {}, "`" + module->name + "` declares no `" + name + "`");
  suggest_nearest(d, name, names_of(*module));
  return nullptr;
}

bool ask_conditions(Program& program, Item& study, const std::vector<AskedClause>& conditions,
                    Diagnostics& diagnostics) {
  auto& node = std::get<item::Study>(study.node);
  node.where.clear();
  const auto before = errors_in(diagnostics);
  ClauseReader reader(program, diagnostics, node);
  for (const AskedClause& clause : conditions) reader.where(clause);
  if (errors_in(diagnostics) != before) return false;
  check::LateChecker(program, diagnostics).checker.check_conditions(study);
  return errors_in(diagnostics) == before;
}

std::unique_ptr<Item> ask(Program& program, const Item& model, const Asked& asked, Diagnostics& diagnostics) {
  auto item = std::make_unique<Item>();
  item->name = {"asked", model.name.location};
  item->location = model.name.location;
  item->module = model.module ? model.module : &program.main();
  item::Study study;
  study.model = {model.name};
  const auto before = errors_in(diagnostics);
  ClauseReader reader(program, diagnostics, study);
  for (const AskedClause& clause : asked.vary) reader.vary(clause);
  for (const AskedClause& clause : asked.show) reader.show(clause);
  item->node = std::move(study);
  if (errors_in(diagnostics) != before) return nullptr;
  check::LateChecker(program, diagnostics).checker.check_asked(*item, model);
  return errors_in(diagnostics) == before ? std::move(item) : nullptr;
}

}  // namespace wave::frontend
