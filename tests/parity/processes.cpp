// Compares the simulator, the interpreter and the JIT on processes.
#include "tests/parity/processes.h"

#include "frontend/lower/lower.h"
#include "tests/parity/compare.h"
#include "tests/random/choices.h"
#include "tests/simulator/simulator.h"

#include <fmt/format.h>

#include <optional>

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

std::string text_of(const Answer& answer) { return answer.failure.empty() ? "values" : answer.failure; }

// Nothing is compared where the simulator knows less than the engines.
std::string difference(const Answer& answer, const backend::Outcome& outcome) {
  if (!answer.unsupported.empty()) return {};
  if (const auto* failure = std::get_if<ir::Failure>(&outcome)) {
    const std::string kind = text_of(failure->kind);
    if (kind == answer.failure) return {};
    return fmt::format("the interpreter fails with {} {}, the simulator has {}", kind, failure->detail,
                       text_of(answer));
  }
  const auto& rows = std::get<backend::Rows>(outcome);
  if (!answer.failure.empty()) return "the interpreter has values, the simulator has " + text_of(answer);
  if (rows.count() != answer.rows.size())
    return fmt::format("{} rows, {} of the simulator", rows.count(), answer.rows.size());
  for (std::size_t row = 0; row < answer.rows.size(); ++row) {
    for (std::size_t column = 0; column < rows.columns; ++column) {
      if (!is_number(answer.rows[row][column])) continue;  // words and choices, which the engines number differently
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
  for (const auto& one : diagnostics.sorted())
    return one.message + (one.labels.empty() ? "" : ": " + one.labels.front().text);
  return {};
}

Checked check(const std::string& path, const std::string* text) {
  Checked checked;
  frontend::Diagnostics diagnostics;
  checked.program = frontend::load(path, {}, diagnostics, text);
  if (diagnostics.has_errors()) {
    checked.problem = "is refused: " + first_message(diagnostics);
    return checked;
  }
  for (const auto& item : checked.program->main().items) {
    if (std::holds_alternative<frontend::item::Model>(item->node)) checked.model = item.get();
  }
  return checked;
}

// Compares an output that could not be lowered. The simulator must find the same error, unless the error is a message
// that nobody can receive: that is found before anything runs, so before anything else can fail.
std::string difference_of_static(const frontend::OutputInfo& output, const Answer& answer) {
  const std::string kind = output.failed ? text_of(*output.failed) : "nothing";
  const bool comes_first = kind == "unmatched_message" && !answer.failure.empty();
  return kind == answer.failure || comes_first
             ? ""
             : fmt::format("is refused with {}, the simulator has {}", kind, text_of(answer));
}

// Values for parameters of the model: other extents, other costs.
struct Given {
  std::vector<backend::Binding> bindings;
  std::map<std::string, simulator::Value> values;
};

Given random_parameters(const frontend::Lowered& lowered, std::uint64_t seed) {
  test::Choices choose(seed);
  Given given;
  for (const frontend::ParameterInfo& parameter : lowered.parameters) {
    // The simulator gets the model's own parameters, not those of its machines.
    if (!parameter.definition.valid() || parameter.path.find('.') != std::string::npos) continue;
    if (lowered.system[parameter.definition].type == ir::ScalarType::integer) {
      const std::int64_t value = choose.between(1, 4);
      given.bindings.emplace_back(parameter.definition, ir::Scalar::of(value));
      given.values[parameter.path] = {value};
    } else {
      const double value = static_cast<double>(choose.between(0, 90000)) * 1000 / (choose.chance(0.5) ? 1 : 7);
      given.bindings.emplace_back(parameter.definition, ir::Scalar::of(value));
      given.values[parameter.path] = {value};
    }
  }
  return given;
}

struct Engines {
  explicit Engines(const ir::System& system)
      : interpreter(engine(backend::EngineKind::interpreter, system)), jit(engine(backend::EngineKind::jit, system)) {
    backend::EngineOptions options;
    options.shortcuts = true;
    with_shortcuts = backend::make_interpreter(system, options);
  }
  std::unique_ptr<backend::Engine> interpreter, jit, with_shortcuts;
};

// The quanta on which processes were evaluated. The simulator rounds its weights to multiples of them, too.
std::map<std::string, double> quanta_of(const backend::Evaluation& evaluation) {
  std::map<std::string, double> quanta;
  for (const backend::EventReport& report : evaluation.reports()) quanta[report.event] = report.quantum;
  return quanta;
}

std::string compare_outputs(const Checked& checked, const frontend::Lowered& lowered, const Engines& engines,
                            const Given& given, ProcessCampaign& campaign) {
  const auto interpreted = engines.interpreter->start(given.bindings, {}),
             compiled = engines.jit->start(given.bindings, {});
  const auto shortened = engines.with_shortcuts->start(given.bindings, {});
  std::vector<std::optional<backend::Outcome>> outcomes;
  for (const frontend::OutputInfo& output : lowered.outputs) {
    outcomes.emplace_back();
    if (output.root.valid()) outcomes.back() = interpreted->evaluate(output.root);
  }
  const std::vector<Answer> answers = simulator::outputs_of(*checked.model, {quanta_of(*interpreted), given.values});
  const bool is_default = given.bindings.empty();
  if (is_default && !answers.empty() && !answers.front().failure.empty()) {
    ++campaign.failed;
    ++campaign.failures[answers.front().failure];
  }
  for (std::size_t k = 0; k < answers.size(); ++k) {
    const frontend::OutputInfo& output = lowered.outputs.at(k);
    ++campaign.outputs;
    campaign.unsupported += !answers[k].unsupported.empty();
    std::string found;
    if (!outcomes[k]) {
      if (is_default) found = difference_of_static(output, answers[k]);
    } else {
      found = difference(answers[k], *outcomes[k]);
      if (found.empty()) found = parity::difference(lowered.system, *outcomes[k], compiled->evaluate(output.root));
      if (found.empty()) found = parity::difference(lowered.system, *outcomes[k], shortened->evaluate(output.root));
    }
    if (!found.empty()) return output.name + ": " + found;
  }
  for (const backend::EventReport& report : compiled->reports())
    campaign.swept += report.schedule.find("sweep") != std::string::npos;
  return {};
}

std::string text_of(const Given& given) {
  std::string text;
  for (const auto& [name, value] : given.values) text += "// given " + name + " = " + text_of(value) + "\n";
  return text;
}

}  // namespace

void ProcessCampaign::add(const ProcessCampaign& other) {
  difference += other.difference;
  programs += other.programs;
  outputs += other.outputs;
  failed += other.failed;
  unsupported += other.unsupported;
  with_resources += other.with_resources;
  on_arrival += other.on_arrival;
  swept += other.swept;
  for (const auto& [kind, number] : other.failures) failures[kind] += number;
}

void compare_process_program(const std::string& text, ProcessCampaign& campaign, std::uint64_t seed) {
  ++campaign.programs;
  campaign.with_resources += text.find(" via ") != std::string::npos || text.find("acquire ") != std::string::npos;
  campaign.on_arrival += text.find("on arrival ") != std::string::npos;
  const Checked checked = check("<random>", &text);
  if (!checked.problem.empty()) {
    campaign.difference = checked.problem + "\n" + text;
    return;
  }
  frontend::Diagnostics diagnostics;
  const frontend::Lowered lowered = frontend::lower_model(*checked.program, *checked.model, {}, diagnostics);
  const Engines engines(lowered.system);
  for (const bool bound : {false, true}) {
    if (bound && seed == 0) break;
    const Given given = bound ? random_parameters(lowered, seed) : Given{};
    const std::string found = compare_outputs(checked, lowered, engines, given, campaign);
    if (found.empty()) continue;
    campaign.difference = found + "\n" + first_message(diagnostics) + "\n" + text_of(given) + text;
    break;
  }
}

void compare_process_file(const std::string& path, const std::map<std::string, std::int64_t>& parameters,
                          ProcessCampaign& campaign) {
  Checked checked = check(path, nullptr);
  if (!checked.problem.empty()) campaign.difference = path + " " + checked.problem;
  for (const auto& item : checked.program->main().items) {
    if (!campaign.difference.empty() || !std::holds_alternative<frontend::item::Model>(item->node)) continue;
    checked.model = item.get();
    ++campaign.programs;
    frontend::Diagnostics diagnostics;
    const frontend::Lowered lowered = frontend::lower_model(*checked.program, *item, {}, diagnostics);
    if (diagnostics.has_errors()) continue;  // this model cannot run by itself
    const Engines engines(lowered.system);
    Given given;
    for (const frontend::ParameterInfo& parameter : lowered.parameters) {
      const auto found = parameters.find(parameter.path);
      if (found == parameters.end()) continue;
      given.bindings.emplace_back(parameter.definition, ir::Scalar::of(found->second));
      given.values[parameter.path] = {found->second};
    }
    const std::string found = compare_outputs(checked, lowered, engines, given, campaign);
    if (!found.empty()) campaign.difference = path + ", model " + item->name.text + ", " + found;
  }
}

ProcessCampaign compare_random_processes(std::uint64_t first, std::uint64_t count, test::Resources resources) {
  ProcessCampaign campaign;
  for (std::uint64_t seed = first; seed < first + count && campaign.difference.empty(); ++seed) {
    compare_process_program(test::random_process_program(seed, resources), campaign, seed);
    if (!campaign.difference.empty()) campaign.difference = fmt::format("seed {}: {}", seed, campaign.difference);
  }
  return campaign;
}

}  // namespace wave::parity
