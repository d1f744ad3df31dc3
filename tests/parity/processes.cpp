// Processes through the simulator and both engines.
#include "tests/parity/processes.h"

#include "frontend/lower/lower.h"
#include "tests/parity/compare.h"
#include "tests/random/processes.h"
#include "tests/simulator/simulator.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace wave::parity {

namespace {

using simulator::Answer;

std::string text_of(ir::FailureKind kind) {
  static const char* const names[] = {
#define WAVE_FAILURE(name) #name,
#include "ir/failures.def"
#undef WAVE_FAILURE
  };
  return names[static_cast<std::size_t>(kind)];
}

std::string text_of(frontend::DiagnosticKind kind) {
  static const char* const names[] = {
#define WAVE_DIAGNOSTIC(code, name, text) #name,
#include "frontend/source/diagnostics.def"
#undef WAVE_DIAGNOSTIC
  };
  return names[static_cast<std::size_t>(kind)];
}

std::string text_of(const simulator::Value& value) {
  if (const auto* i = std::get_if<std::int64_t>(&value.is)) return fmt::format("{}", *i);
  return fmt::format("{:.17g}", simulator::as_real(value));
}

std::string text_of(ir::Scalar value) {
  if (value.type == ir::ScalarType::integer) return fmt::format("{}", value.integer);
  return fmt::format("{:.17g}", value.real);
}

// Where the simulator knows less than the engines it says nothing.
std::string difference(const Answer& answer, const backend::Outcome& outcome) {
  if (!answer.unsupported.empty()) return {};
  if (const auto* failure = std::get_if<ir::Failure>(&outcome)) {
    const std::string kind = text_of(failure->kind);
    if (std::find(answer.failures.begin(), answer.failures.end(), kind) != answer.failures.end()) return {};
    const std::string expected = answer.failures.empty() ? "values" : fmt::format("{}", fmt::join(answer.failures, " or "));
    return fmt::format("the interpreter fails with {} {}, the simulator has {}", kind, failure->detail, expected);
  }
  const auto& rows = std::get<backend::Rows>(outcome);
  if (!answer.failures.empty()) {
    return fmt::format("the interpreter has values, the simulator fails with {}", fmt::join(answer.failures, " or "));
  }
  if (rows.count() != answer.rows.size()) return fmt::format("{} rows, {} of the simulator", rows.count(), answer.rows.size());
  for (std::size_t row = 0; row < answer.rows.size(); ++row) {
    for (std::size_t column = 0; column < rows.columns; ++column) {
      const std::string engine = text_of(rows.cells[row * rows.columns + column]);
      const std::string simulated = text_of(answer.rows[row][column]);
      if (engine == simulated) continue;
      return fmt::format("row {} column {}: interpreter {}, simulator {}", row, column, engine, simulated);
    }
  }
  return {};
}

struct Checked {
  std::unique_ptr<frontend::Program> program;
  const frontend::Item* model = nullptr;
  std::string problem;
};

std::string first_message(const frontend::Diagnostics& diagnostics) {
  for (const auto& one : diagnostics.sorted()) return one.message + (one.labels.empty() ? "" : ": " + one.labels.front().text);
  return {};
}

Checked check(const std::string& text) {
  Checked checked;
  frontend::Diagnostics diagnostics;
  checked.program = frontend::load("<random>", {}, diagnostics, &text);
  if (diagnostics.has_errors()) {
    checked.problem = "is refused: " + first_message(diagnostics);
    return checked;
  }
  for (const auto& item : checked.program->main().items) {
    if (std::holds_alternative<frontend::item::Model>(item->node)) checked.model = item.get();
  }
  return checked;
}

// Of an output that could not be lowered: the same error as the simulator's, or one that it does not see.
std::string difference_of_static(const frontend::OutputInfo& output, const Answer& answer) {
  if (!output.not_yet.empty()) return "not yet evaluated: " + output.not_yet;
  const std::string kind = output.failed ? text_of(*output.failed) : "nothing";
  if (std::find(answer.failures.begin(), answer.failures.end(), kind) != answer.failures.end()) return {};
  return fmt::format("is refused with {}, the simulator {}", kind,
                     answer.failures.empty() ? "has values" : fmt::format("fails with {}", fmt::join(answer.failures, " or ")));
}

std::string compare_outputs(const frontend::Lowered& lowered, const std::vector<Answer>& answers, ProcessCampaign& campaign) {
  const auto interpreter = engine(backend::EngineKind::interpreter, lowered.system);
  const auto jit = engine(backend::EngineKind::jit, lowered.system);
  const auto interpreted = interpreter->start({}, {}), compiled = jit->start({}, {});
  for (std::size_t k = 0; k < answers.size(); ++k) {
    const frontend::OutputInfo& output = lowered.outputs.at(k);
    ++campaign.outputs;
    campaign.unsupported += !answers[k].unsupported.empty();
    std::string found;
    if (!output.root.valid()) {
      found = difference_of_static(output, answers[k]);
    } else {
      const backend::Outcome outcome = interpreted->evaluate(output.root);
      found = difference(answers[k], outcome);
      if (found.empty()) found = parity::difference(lowered.system, outcome, compiled->evaluate(output.root));
    }
    if (!found.empty()) return output.name + ": " + found;
  }
  campaign.interpreted += static_cast<std::size_t>(backend::jit_counts(*jit).interpreted);
  return {};
}

}  // namespace

void ProcessCampaign::add(const ProcessCampaign& other) {
  difference += other.difference;
  programs += other.programs;
  outputs += other.outputs;
  failed += other.failed;
  unsupported += other.unsupported;
  interpreted += other.interpreted;
  for (const auto& [kind, number] : other.failures) failures[kind] += number;
}

void compare_process_program(const std::string& text, ProcessCampaign& campaign) {
  ++campaign.programs;
  const Checked checked = check(text);
  if (!checked.problem.empty()) {
    campaign.difference = checked.problem + "\n" + text;
    return;
  }
  const std::vector<Answer> answers = simulator::outputs_of(*checked.model);
  if (!answers.empty() && !answers.front().failures.empty()) {
    ++campaign.failed;
    ++campaign.failures[answers.front().failures.front()];
  }
  frontend::Diagnostics diagnostics;
  const frontend::Lowered lowered = frontend::lower_model(*checked.program, *checked.model, {}, diagnostics);
  const std::string found = compare_outputs(lowered, answers, campaign);
  if (!found.empty()) campaign.difference = found + "\n" + first_message(diagnostics) + "\n" + text;
}

ProcessCampaign compare_random_processes(std::uint64_t first, std::uint64_t count) {
  ProcessCampaign campaign;
  for (std::uint64_t seed = first; seed < first + count && campaign.difference.empty(); ++seed) {
    compare_process_program(test::random_process_program(seed), campaign);
    if (!campaign.difference.empty()) campaign.difference = fmt::format("seed {}: {}", seed, campaign.difference);
  }
  return campaign;
}

}  // namespace wave::parity
