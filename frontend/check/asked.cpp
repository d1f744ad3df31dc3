// Clauses become the text of a study, so that the one parser and the one checker read them. See asked.h.
#include "frontend/check/asked.h"

#include "frontend/check/checker.h"
#include "frontend/check/loader.h"
#include "frontend/parse/parser.h"

#include <algorithm>
#include <cctype>

namespace wave::frontend {
namespace {

std::string trim(const std::string& text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

bool is_path(const std::string& text) {
  const auto fits = [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '.'; };
  return !text.empty() && (std::isalpha(static_cast<unsigned char>(text[0])) || text[0] == '_') && text.back() != '.' &&
         std::all_of(text.begin(), text.end(), fits);
}

// Reads the clauses one by one into a study.
class Reader {
 public:
  Reader(Program& program, Diagnostics& diagnostics, item::Study& study)
      : program_(program), diagnostics_(diagnostics), study_(study) {}

  void vary(const AskedClause& clause) {
    const auto equals = clause.text.find('=');
    const std::string name = trim(clause.text.substr(0, equals));
    if (!is_path(name)) return report_malformed(clause);
    if (equals == std::string::npos) {
      const auto at = static_cast<std::uint32_t>(clause.text.find(name));
      const Place place{add(clause, clause.text), at, at + static_cast<std::uint32_t>(name.size())};
      study_.vary.push_back({{name, place}, nullptr, nullptr});
      return;
    }
    if (auto read = parse(clause, "vary " + name + " in " + trim(clause.text.substr(equals + 1)))) {
      if (read->vary.size() != 1) return report_malformed(clause);
      study_.vary.push_back(std::move(read->vary.front()));
    }
  }

  void show(const AskedClause& clause) {
    auto read = parse(clause, "show " + trim(clause.text));
    if (!read) return;
    for (auto& one : read->show) study_.show.push_back(std::move(one));
  }

 private:
  std::uint32_t add(const AskedClause& clause, std::string text) { return program_.sources.add(clause.option, std::move(text)); }

  // Nothing, reported, after an error.
  std::optional<item::Study> parse(const AskedClause& clause, const std::string& line) {
    const std::uint32_t file = add(clause, "study asked of model_asked {\n  " + line + "\n}\n");
    Diagnostics found;
    auto module = parse_module(program_.sources, file, found);
    const bool is_clear = !found.has_errors();
    for (const Diagnostic& one : found.all()) diagnostics_.add(one.kind, {}, "") = one;
    if (!is_clear) return std::nullopt;
    item::Study* study = module->items.size() == 1 ? std::get_if<item::Study>(&module->items.front()->node) : nullptr;
    const bool is_one = study && study->set.empty() && study->plot.empty() && study->measured.empty() &&
                        study->vary.empty() != study->show.empty();
    if (is_one) return std::move(*study);
    report_malformed(clause);
    return std::nullopt;
  }

  void report_malformed(const AskedClause& clause) {
    const std::uint32_t file = add(clause, clause.text);
    const Place whole{file, 0, static_cast<std::uint32_t>(clause.text.size())};
    auto& d = diagnostics_.add(DiagnosticKind::malformed_override, whole, "`" + clause.option + " " + clause.text + "` cannot be read",
                               "this is no clause of a study");
    d.help.push_back("lists are written as in `--vary \"n=1..1024 by *2\"`, `--vary \"mk=[1, 5, 10]\"`; expressions as in `--show total`");
  }

  Program& program_;
  Diagnostics& diagnostics_;
  item::Study& study_;
};

}  // namespace

std::unique_ptr<Item> ask(Program& program, const Item& model, const Asked& asked, Diagnostics& diagnostics) {
  auto item = std::make_unique<Item>();
  item->name = {"asked", model.name.place};
  item->place = model.name.place;
  item->module = model.module ? model.module : &program.main();
  item::Study study;
  study.model = model.name;
  const auto errors = [&] {
    const auto& all = diagnostics.all();
    return std::count_if(all.begin(), all.end(), [](const Diagnostic& d) { return d.severity == Severity::error; });
  };
  const auto before = errors();
  Reader reader(program, diagnostics, study);
  for (const AskedClause& clause : asked.vary) reader.vary(clause);
  for (const AskedClause& clause : asked.show) reader.show(clause);
  item->node = std::move(study);
  if (errors() != before) return nullptr;
  const SearchPath nowhere;
  check::Loader loader(program, nowhere, diagnostics);
  check::Checker checker(program, nowhere, diagnostics, [&](const std::string& name) { return loader.load_standard(name); });
  checker.check_asked(*item, model);
  return errors() == before ? std::move(item) : nullptr;
}

}  // namespace wave::frontend
