// What is evaluated only when somebody asks for it: where the time of a model goes, and what messages cost.
#include "analysis/breakdown.h"
#include "backend/limits.h"
#include "editors/server/analysis.h"
#include "editors/server/evaluating.h"
#include "frontend/check/type_tools.h"
#include "frontend/format/quantities.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace wave::editors {
namespace {

using namespace frontend;

constexpr std::size_t most_shares = 5;

const Item* find_declaration(const Program& program, const std::string& name) {
  for (const auto& item : program.main().items) {
    if (item->name.text == name) return item.get();
  }
  return nullptr;
}

// "total, 1.3 ms: 62 % compute, 30 % net.L, 8 % others".
std::string shares_text(const analysis::Breakdown& found) {
  std::string text = fmt::format("{}, {}: ", found.output->name,
                                 format_quantity(found.total, Dimension{1, 0, 0}, found.output->columns[0].unit, 4));
  if (found.failure || !found.why_not.empty() || found.total == 0) return text + "where it goes is not found";
  auto shares = found.shares;
  std::stable_sort(shares.begin(), shares.end(),
                   [](const auto& a, const auto& b) { return std::fabs(a.time) > std::fabs(b.time); });
  double rest = found.rest;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (i >= most_shares) {
      rest += shares[i].time;
      continue;
    }
    text += fmt::format("{}{:.3g} % {}", i == 0 ? "" : ", ", 100 * shares[i].time / found.total, shares[i].of.name);
  }
  const double percent = 100 * rest / found.total;
  return std::fabs(percent) < 0.05 ? text : text + fmt::format(", {:.3g} % others", percent);
}

}  // namespace

std::string Evaluator::break_down(const EvaluatedText& document, const std::string& name,
                                  const std::atomic<bool>& stop) {
  if (!load(document)) return "the text has errors";
  const backend::Limits limits = limits_of(limits_, stop);
  const Item* model = find_declaration(*program_, name);
  if (!model || !std::holds_alternative<item::Model>(model->node)) return "there is no model `" + name + "`";
  LoweringOptions options = lowering_options(limits);
  options.observations = false;
  options.literals = true;
  Diagnostics ignored;
  auto lowered = lower_model(*program_, *model, Given(document).for_item(*program_, *model), ignored, options);
  std::string text;
  for (const auto& found : analysis::break_down(lowered, engine_of, limits))
    text += (text.empty() ? "" : "\n") + shares_text(found);
  if (backend::is_over(limits)) return fmt::format("not evaluated within {}", backend::duration_text(limits_.seconds));
  return text.empty() ? "no output of `" + name + "` is a time" : text;
}

std::string message_costs(const std::string& module, const std::string& name, const SearchPath& search,
                          const std::string* text, EvaluationLimits allowed, const std::atomic<bool>& stop) {
  Diagnostics diagnostics;
  std::unique_ptr<Program> program;
  if (!finishes_within(allowed.reading_seconds(), [&] { program = load(module, search, diagnostics, text); }))
    return "";
  const backend::Limits limits = limits_of(allowed, stop);
  const Item* machine = find_declaration(*program, name);
  if (diagnostics.has_errors() || !machine || !std::holds_alternative<item::Machine>(machine->node)) return "";
  const auto sizes = check_expression(*program, nullptr, "sizes", "[8 B, 1 KiB, 64 KiB, 1 MiB]",
                                      check::list_of(check::data_type()), diagnostics);
  if (!sizes) return "";
  const auto lowered = lower_costs(*program, *machine, *sizes, {}, {}, diagnostics, lowering_options(limits));
  if (diagnostics.has_errors() || !lowered.outputs.front().root.valid()) return "";
  const auto engine = engine_of(lowered.system);
  const auto outcome = engine->start({}, limits)->evaluate(lowered.outputs.front().root);
  const auto* rows = std::get_if<backend::Rows>(&outcome);
  if (!rows) return "";
  const auto& columns = lowered.outputs.front().columns;
  std::string table, line;
  for (const ColumnInfo& column : columns) {
    table += "| " + column.name + " ";
    line += "|---";
  }
  table += "|\n" + line + "|";
  for (std::size_t i = 0; i < rows->cells.size(); ++i) {
    table += i % columns.size() == 0 ? "\n| " : "";
    table += cell_text(columns[i % columns.size()], rows->cells[i], lowered.words) + " | ";
  }
  return table;
}

}  // namespace wave::editors
