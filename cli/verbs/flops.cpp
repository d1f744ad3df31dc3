// `wave flops`: what the `flops` blocks of a file count: each statement with its operations, how often it runs, and the
// sum.
#include "base/text.h"
#include "cli/evaluation.h"
#include "cli/limits.h"
#include "cli/option_words.h"
#include "cli/options.h"
#include "cli/results.h"
#include "cli/verb.h"
#include "frontend/ast/walk.h"

#include <fmt/format.h>

#include <algorithm>

namespace wave::cli {
namespace {

using frontend::DiagnosticKind;
using frontend::FlopsInfo;
using frontend::FlopsLine;
using frontend::Item;
namespace item = frontend::item;

struct FlopsCommand {
  ModelChoice of;  // no model: all of the file
  Format format;
};

void declare(CLI::App& verb, FlopsCommand& command, CommonOptions& common) {
  add_model_file(verb, command.of.file);
  add_text(verb, "--model", command.of.model, "NAME", "Only this model or machine (default: all of the file)");
  add_overrides(verb, command.of.overrides, common);
  add_format(verb, command.format);
  add_search(verb, common);
}

constexpr std::string_view statement_indent = "  ";

// "+ 2 x 1, sqrt 1 x 4"
std::string terms_text(const std::vector<frontend::FlopOperation>& operations) {
  std::string text;
  for (const auto& one : operations)
    text += fmt::format("{}{} {} x {}", text.empty() ? "" : ", ", one.what, one.count, one.weight);
  return text;
}

double flops_of(const FlopsLine& line) {
  double sum = 0;
  for (const auto& one : line.operations) sum += static_cast<double>(one.weight) * static_cast<double>(one.count);
  return sum;
}

// On one line, single spaces, without the `;`.
std::string source_of(const frontend::Sources& sources, frontend::Location location) {
  std::string result;
  bool space = false;
  for (const char c : sources.text(location)) {
    const bool is_space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!is_space && space && !result.empty()) result += ' ';
    if (!is_space) result += c;
    space = is_space;
  }
  while (!result.empty() && result.back() == ';') result.pop_back();
  return result;
}

class FlopListing {
 public:
  FlopListing(Session& session, Results& results) : session_(session), results_(results) {}

  // The sums of all blocks first, in one table, then their statements.
  void add(const frontend::Lowered& lowered) {
    const auto engine = backend::make_interpreter(lowered.system);
    const auto evaluation = engine->start({}, engine_limits(session_.options()));
    for (const auto& block : lowered.flops) {
      Block one{block, unique(block.name), {}};
      if (block.root.valid()) {
        const auto outcome = evaluation->evaluate(block.root);
        if (const auto* failed = std::get_if<ir::Failure>(&outcome)) {
          report(lowered.system, lowered.words, lowered.notes, *failed, session_.diagnostics());
          continue;
        }
        for (const auto& cell : std::get<backend::Rows>(outcome).cells) one.times.push_back(cell.real);
      }
      blocks_.push_back(std::move(one));
    }
  }

  bool is_empty() const { return blocks_.empty(); }

  void print() {
    for (const Block& block : blocks_) {
      if (block.info.root.valid()) print_total(block);
    }
    for (const Block& block : blocks_) block.info.root.valid() ? print_lines(block) : print_lines_of_unknown(block);
  }

 private:
  struct Block {
    FlopsInfo info;
    std::string name;
    std::vector<double> times;  // of each line
  };

  // A list of components may well have a block for each.
  std::string unique(const std::string& name) {
    const auto taken = [&](const std::string& one) {
      return std::any_of(blocks_.begin(), blocks_.end(), [&](const Block& block) { return block.name == one; });
    };
    std::string result = name;
    for (int k = 2; taken(result); ++k) result = fmt::format("{} ({})", name, k);
    return result;
  }

  std::int64_t line_of(frontend::Location location) const {
    return session_.sources().line_column(location.file, location.begin).line;
  }
  std::string location_of(const Block& block) const {
    return fmt::format("{}:{}", session_.name(), line_of(block.info.location));
  }
  std::string statement_of(const FlopsLine& line) {
    std::string text;
    for (int k = 0; k < line.depth; ++k) text += statement_indent;
    return text + source_of(session_.sources(), line.location);
  }

  void print_total(const Block& block) {
    double total = 0;
    for (std::size_t k = 0; k < block.times.size(); ++k) total += flops_of(block.info.lines[k]) * block.times[k];
    results_.add_record(block.name, {{"total", work_type(), {}}}, location_of(block));
    results_.add_row({total});
  }

  void print_lines(const Block& block) {
    results_.add_table(block.name + ".statements",
                       {{"line", count_type(), {}},
                        {"statement", text_type(), {}},
                        {"operations", text_type(), {}},
                        {"each", work_type(), {}},
                        {"times", plain_type(), {}},
                        {"total", work_type(), {}}},
                       "");
    for (std::size_t k = 0; k < block.times.size(); ++k) {
      const FlopsLine& line = block.info.lines[k];
      results_.add_row({line_of(line.location), statement_of(line), terms_text(line.operations), flops_of(line),
                        block.times[k], flops_of(line) * block.times[k]});
    }
  }

  // In a function: nobody says with which arguments.
  void print_lines_of_unknown(const Block& block) {
    results_.add_table(block.name + ".statements",
                       {{"line", count_type(), {}},
                        {"statement", text_type(), {}},
                        {"operations", text_type(), {}},
                        {"each", work_type(), {}},
                        {"times", text_type(), {}}},
                       fmt::format("{}, for each `{}`", location_of(block), join_texts(block.info.arguments, "`, `")));
    for (const FlopsLine& line : block.info.lines) {
      std::string loops;
      for (const auto loop : line.loops) loops += (loops.empty() ? "" : ", ") + source_of(session_.sources(), loop);
      results_.add_row(
          {line_of(line.location), statement_of(line), terms_text(line.operations), flops_of(line), loops});
    }
  }

  Session& session_;
  Results& results_;
  std::vector<Block> blocks_;
};

bool counts_operations(const frontend::Expr& e) {
  bool found = std::holds_alternative<frontend::expr::Flops>(e.node);
  for_each_child(e, [&](const frontend::Expr& child) { found = found || counts_operations(child); });
  return found;
}

const std::vector<std::unique_ptr<Item>>* counted_members(const Item& item) {
  if (const auto* machine = std::get_if<item::Machine>(&item.node)) return &machine->members;
  if (const auto* model = std::get_if<item::Model>(&item.node)) return &model->members;
  return nullptr;
}

// The models and machines that have a block.
std::vector<const Item*> owners_of(const frontend::Module& module) {
  std::vector<const Item*> owners;
  for (const auto& item : module.items) {
    const auto* members = counted_members(*item);
    bool found = false;
    const auto look = [&](const frontend::Expr& e) { found = found || counts_operations(e); };
    for (std::size_t k = 0; members && k < members->size(); ++k) for_each_expression(*(*members)[k], look);
    if (found) owners.push_back(item.get());
  }
  return owners;
}

// The model or machine of that name, else as `wave run` chooses. Null, reported, where there is none.
const Item* choose_owner(Session& session, const std::string& name) {
  for (const auto& item : session.program().main().items) {
    if (!name.empty() && item->name.text == name && counted_members(*item)) return item.get();
  }
  return choose_model(session, name);
}

int execute(const FlopsCommand& command, const CommonOptions& options, Console& console) {
  Session session(console, options);
  if (!session.load(command.of.file)) return failure;
  std::vector<const Item*> owners = owners_of(session.program().main());
  std::vector<frontend::Override> overrides;
  if (!command.of.model.empty() || !command.of.overrides.empty()) {
    const Item* owner = choose_owner(session, command.of.model);
    if (owner) overrides = check_overrides(session, *owner, command.of.overrides);
    if (!session.settle() || !owner) return failure;
    owners = {owner};
  }
  Results results;
  results.file = session.name();
  results.model = command.of.model;
  results.engine = "flops";
  FlopListing listing(session, results);
  if (command.of.model.empty()) listing.add(lower_flops(session.program(), nullptr, {}, session.diagnostics()));
  for (const Item* owner : owners) listing.add(lower_flops(session.program(), owner, overrides, session.diagnostics()));
  if (listing.is_empty() && !session.diagnostics().has_errors()) {
    session.diagnostics()
        .add(DiagnosticKind::nothing_to_run, {}, fmt::format("{} has no `flops` block", session.name()), "")
        .help.push_back(
            "`flops { x = a * b + c; }` counts operations; `wave explain E0602` and docs/language.md say more");
  }
  const bool is_clear = session.settle();
  listing.print();
  write_document(document_of(results), command.format, "", console);
  return is_clear ? success : failure;
}

}  // namespace

Verb flops_verb() {
  return make_verb<FlopsCommand>("flops", "Explain what the `flops` blocks of a file count, statement by statement",
                                 {{"Explain the counts of a file", "wave flops examples/stap/synchronous.wave"},
                                  {"Write them as CSV", "wave flops examples/stap/synchronous.wave --format csv"}},
                                 declare, execute);
}

}  // namespace wave::cli
