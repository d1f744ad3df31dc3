// Each clause is a text of its own, read by the one parser; together they are checked like a study. See asked.h.
#include "frontend/check/asked.h"

#include "frontend/check/checker.h"
#include "frontend/check/loader.h"
#include "frontend/parse/parser.h"

#include <fmt/format.h>

#include <algorithm>

namespace wave::frontend {
namespace {

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

  // A syntax error that says nothing of what could stand there gets an example.
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

bool ask_conditions(Program& program, Item& study, const std::vector<AskedClause>& conditions,
                    Diagnostics& diagnostics) {
  auto& node = std::get<item::Study>(study.node);
  node.where.clear();
  const auto before = errors_in(diagnostics);
  ClauseReader reader(program, diagnostics, node);
  for (const AskedClause& clause : conditions) reader.where(clause);
  if (errors_in(diagnostics) != before) return false;
  const SearchPath nowhere;
  check::Loader loader(program, nowhere, diagnostics);
  check::Checker checker(program, nowhere, diagnostics,
                         [&](const std::string& name) { return loader.load_standard(name); });
  checker.check_conditions(study);
  return errors_in(diagnostics) == before;
}

std::unique_ptr<Item> ask(Program& program, const Item& model, const Asked& asked, Diagnostics& diagnostics) {
  auto item = std::make_unique<Item>();
  item->name = {"asked", model.name.place};
  item->place = model.name.place;
  item->module = model.module ? model.module : &program.main();
  item::Study study;
  study.model = {model.name};
  const auto before = errors_in(diagnostics);
  ClauseReader reader(program, diagnostics, study);
  for (const AskedClause& clause : asked.vary) reader.vary(clause);
  for (const AskedClause& clause : asked.show) reader.show(clause);
  item->node = std::move(study);
  if (errors_in(diagnostics) != before) return nullptr;
  const SearchPath nowhere;
  check::Loader loader(program, nowhere, diagnostics);
  check::Checker checker(program, nowhere, diagnostics,
                         [&](const std::string& name) { return loader.load_standard(name); });
  checker.check_asked(*item, model);
  return errors_in(diagnostics) == before ? std::move(item) : nullptr;
}

}  // namespace wave::frontend
