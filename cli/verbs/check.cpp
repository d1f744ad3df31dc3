// `wave check`: the errors of files, and by how much overridden costs of machines differ from the derived ones.
#include "cli/evaluation.h"
#include "cli/files.h"
#include "cli/limits.h"
#include "cli/option_words.h"
#include "cli/options.h"
#include "cli/results.h"
#include "cli/session.h"
#include "cli/verb.h"
#include "cli/verbs/check_against.h"
#include "frontend/project/project.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace wave::cli {
namespace {

using frontend::Item;
namespace item = frontend::item;

// Powers of two and their successors, so that thresholds are met on both sides.
constexpr const char* sizes_text =
    "[1 B, 64 B, 128 B, 256 B, 512 B, 1 KiB, 1025 B, 2 KiB, 2049 B, 4095 B, 4 KiB, 8 KiB, 16 KiB, 32 KiB, 64 KiB, "
    "65537 B, 128 KiB, 256 KiB, 512 KiB, 1 MiB]";
constexpr const char* cost_names[] = {"send", "recv", "total"};

std::vector<const Item*> overriding_functions(const item::Machine& machine) {
  std::vector<const Item*> found;
  for (const auto& member : machine.members) {
    const auto* function = std::get_if<item::Function>(&member->node);
    const bool is_cost =
        std::find(std::begin(cost_names), std::end(cost_names), member->name.text) != std::end(cost_names);
    if (function != nullptr && function->is_override && is_cost) found.push_back(member.get());
  }
  return found;
}

// Sizes, then the three costs, in columns; empty where they cannot be computed.
std::vector<std::vector<double>> costs_of(frontend::Program& program, const CommonOptions& options,
                                          const Item& machine) {
  frontend::Diagnostics ignored;
  const auto type = std::make_shared<const frontend::Type>(frontend::Type{frontend::types::Real{{0, 1, 0}}});
  const auto list = std::make_shared<const frontend::Type>(frontend::Type{frontend::types::List{type}});
  const auto sizes = check_expression(program, nullptr, "sizes", sizes_text, list, ignored);
  if (sizes == nullptr) return {};
  const auto lowered = lower_costs(program, machine, *sizes, {}, {}, ignored);
  if (ignored.has_errors() || lowered.outputs.empty() || !lowered.outputs.front().root.valid()) return {};
  const auto engine = backend::make_interpreter(lowered.system);
  const auto outcome = engine->start({}, engine_limits(options))->evaluate(lowered.outputs.front().root);
  const auto* rows = std::get_if<backend::Rows>(&outcome);
  if (rows == nullptr || rows->columns < 4) return {};
  std::vector<std::vector<double>> columns(4);
  for (std::size_t row = 0; row < rows->count(); ++row) {
    for (std::size_t i = 0; i < 4; ++i) columns[i].push_back(rows->cells[row * rows->columns + i].real);
  }
  return columns;
}

const Item* find_machine(const frontend::Module& module, const std::string& name) {
  for (const auto& item : module.items) {
    if (std::holds_alternative<item::Machine>(item->node) && item->name.text == name) return item.get();
  }
  return nullptr;
}

// The derived costs: those of the file without these functions. Locations stay what they are.
std::vector<std::vector<double>> derived_costs(Session& session, const Item& machine,
                                               const std::vector<const Item*>& functions) {
  std::string text(session.sources().text(machine.name.location.file));
  for (const auto* function : functions) {
    for (auto i = function->location.begin; i < function->location.end && i < text.size(); ++i) {
      if (text[i] != '\n') text[i] = ' ';
    }
  }
  const auto other = session.load_aside(text);
  if (other == nullptr) return {};
  const Item* same = find_machine(other->main(), machine.name.text);
  return same == nullptr ? std::vector<std::vector<double>>{} : costs_of(*other, session.options(), *same);
}

std::string percent_of_ratio(double ratio) { return format_number(100 * ratio, 3) + " %"; }

void report_difference(Session& session, const Item& machine, const Item& function, const std::vector<double>& sizes,
                       const std::vector<double>& given, const std::vector<double>& derived) {
  std::size_t worst = 0;
  double largest = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const double difference = std::abs(given[i] - derived[i]) / std::max(std::abs(derived[i]), 1e-300);
    if (difference > largest) {
      largest = difference;
      worst = i;
    }
  }
  if (largest == 0) return;
  const auto time = [](double t) { return format_quantity(t, {1, 0, 0}, std::nullopt, 6); };
  const std::string size = format_quantity(sizes[worst], {0, 1, 0}, std::nullopt, 6);
  auto& d = session.diagnostics().add(
      frontend::DiagnosticKind::override_differs, function.name.location,
      fmt::format("`{}.{}` differs from the cost of the protocols by up to {}", machine.name.text, function.name.text,
                  percent_of_ratio(largest)),
      fmt::format("{} at {}, where the protocols make it {}", time(given[worst]), size, time(derived[worst])),
      frontend::Severity::warning);
  d.notes.push_back("compared at sizes from 1 B to 1 MiB, with the parameters at their defaults");
}

// Compares what a machine says a message costs (`override fn send…`) with what its protocols make it cost: for every
// machine of the file that overrides `send`, `recv` or `total`, a warning with the largest difference over message
// sizes. Machines whose parameters have no defaults are left out: nothing can be computed for them.
void compare_overridden_costs(Session& session) {
  for (const auto& item : session.program().main().items) {
    const auto* machine = std::get_if<item::Machine>(&item->node);
    if (machine == nullptr) continue;
    const auto functions = overriding_functions(*machine);
    if (functions.empty()) continue;
    const auto given = costs_of(session.program(), session.options(), *item);
    const auto derived = derived_costs(session, *item, functions);
    if (given.empty() || derived.empty()) continue;
    for (const auto* function : functions) {
      const auto name = std::find(std::begin(cost_names), std::end(cost_names), function->name.text);
      const auto column = static_cast<std::size_t>(name - std::begin(cost_names)) + 1;
      report_difference(session, *item, *function, given[0], given[column], derived[column]);
    }
  }
}

struct CheckCommand {
  std::vector<std::string> files;
  AgainstChoice against;
};

void declare(CLI::App& verb, CheckCommand& command, CommonOptions& common) {
  add_files(verb, command.files);
  add_against(verb, command.against, common);
  add_search(verb, common);
}

bool check_file(const std::string& file, const CommonOptions& options, Console& console) {
  Session session(console, options);
  if (!session.load(file)) return false;
  compare_overridden_costs(session);
  return session.settle();
}

int execute(const CheckCommand& command, const CommonOptions& options, Console& console) {
  if (command.against.is_given()) {
    if (command.files.size() != 1)
      return report_misuse(console, "`--against` compares one model",
                           "name its file: `wave check model.wave --against run`");
    AgainstChoice choice = command.against;
    choice.of.file = command.files.front();
    return check_against(choice, options, console);
  }
  if (command.against.is_changed())
    return report_misuse(console, "these options belong to `--against`", "name a recording: `--against run`");
  frontend::Diagnostics diagnostics;
  const auto files = expand_folders(command.files, diagnostics);
  bool clear = console.report({}, diagnostics);
  if (command.files.empty() && clear) {
    frontend::Sources sources;
    frontend::Project::find(".", sources, diagnostics);
    if (!console.report(sources, diagnostics)) return failure;
  }
  analysis::RowTable verdicts{"files", "", {{"file", text_type(), {}}, {"is_clear", truth_type(), {}}}, {}};
  for (const auto& file : files) {
    const bool is_clear = check_file(file, options, console);
    verdicts.rows.push_back({file, is_clear});
    clear = is_clear && clear;
  }
  if (console.client()) {
    Document document = document_about("", "");
    document.tables = {row_table(verdicts)};
    write_document(std::move(document), Format(), "", console);
  }
  return clear ? success : failure;
}

}  // namespace

Verb check_verb() {
  return make_verb<CheckCommand>("check",
                                 "Report the errors of files, or hold a model against a recording of its program",
                                 {{"Check a file", "wave check examples/lu/lu.wave"},
                                  {"Check every file of a folder", "wave check examples/halo"}},
                                 declare, execute);
}

}  // namespace wave::cli
