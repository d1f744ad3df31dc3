// Compares the simulator and all ways to evaluate processes.
#include "tests/parity/processes.h"

#include "frontend/lower/lower.h"
#include "tests/parity/compare.h"
#include "tests/parity/process_paths.h"
#include "tests/parity/process_ways.h"
#include "tests/random/choices.h"
#include "tests/random/streams.h"
#include "tests/random/values.h"
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
  if (const auto* b = std::get_if<bool>(&value.is)) return fmt::format("{}", *b);
  return fmt::format("{:.17g}", simulator::as_real(value));
}

std::string text_of(ir::Scalar value) {
  if (value.type == ir::ScalarType::integer) return fmt::format("{}", value.integer);
  if (value.type == ir::ScalarType::boolean) return fmt::format("{}", value.boolean);
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
      const simulator::Value& expected = answer.rows[row][column];
      // Words and choices are numbered differently by the engines.
      if (!is_number(expected) && !std::holds_alternative<bool>(expected.is)) continue;
      const std::string engine = text_of(rows.cells[row * rows.columns + column]);
      const std::string simulated = text_of(expected);
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
  if (!answer.unsupported.empty()) return {};
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
    } else if (parameter.path == "S") {  // bytes, whose sums the simulator rounds unless they are whole
      const auto value = static_cast<double>(choose.between(0, 400));
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
      : interpreter(engine(backend::EngineKind::interpreter, system)), ways(system) {}
  std::unique_ptr<backend::Engine> interpreter;
  Ways ways;
};

// The quanta on which processes were evaluated. The simulator rounds its weights to multiples of them, too.
std::map<std::string, double> quanta_of(const backend::Evaluation& evaluation) {
  std::map<std::string, double> quanta;
  for (const backend::EventReport& report : evaluation.reports()) quanta[report.event] = report.quantum;
  return quanta;
}

using Outcomes = std::vector<std::optional<backend::Outcome>>;  // by output; none: it could not be lowered

// The first output has the process evaluated. Code for the others takes long to make, and has little to do with it.
Outcomes evaluate(backend::Evaluation& evaluation, const frontend::Lowered& lowered, bool compiles_all) {
  Outcomes outcomes;
  for (const frontend::OutputInfo& output : lowered.outputs) {
    outcomes.emplace_back();
    if (!output.root.valid()) continue;
    outcomes.back() = evaluation.evaluate(output.root);
    compile_on_this_thread(compiles_all);
  }
  compile_on_this_thread(true);
  return outcomes;
}

// With what the simulator says.
std::string compare_answers(const std::vector<Answer>& answers, const frontend::Lowered& lowered,
                            const Outcomes& outcomes, bool is_default, ProcessCampaign& campaign) {
  for (std::size_t k = 0; k < answers.size(); ++k) {
    const frontend::OutputInfo& output = lowered.outputs.at(k);
    ++campaign.outputs;
    if (!answers[k].unsupported.empty()) {
      ++campaign.unsupported;
      campaign.why_unsupported = answers[k].unsupported;
    }
    std::string found;
    if (outcomes[k])
      found = difference(answers[k], *outcomes[k]);
    else if (is_default)
      found = difference_of_static(output, answers[k]);
    if (!found.empty()) return output.name + ": " + found;
  }
  return {};
}

std::string compare_ways(const frontend::Lowered& lowered, const Outcomes& outcomes, const Engines& engines,
                         const Given& given, bool compiles_all, std::vector<Schedules>& schedules,
                         ProcessCampaign& campaign) {
  for (const Way& way : engines.ways.all()) {
    const auto evaluation = way.engine->start(given.bindings, {});
    const Outcomes found = evaluate(*evaluation, lowered, compiles_all);
    for (std::size_t k = 0; k < found.size(); ++k) {
      if (!found[k]) continue;
      const std::string text = parity::difference(lowered.system, *outcomes[k], *found[k]);
      if (!text.empty()) return lowered.outputs[k].name + ", " + way.name + ": " + text;
    }
    schedules.push_back(schedules_of(*evaluation));
    campaign.swept += schedules.back().swept;
    campaign.on_threads += schedules.back().threads;
  }
  return {};
}

// With little memory there is the same result, or none. What a way claims it gives back, so that others then work.
std::string compare_starved(const frontend::Lowered& lowered, const Outcomes& outcomes, const Engines& engines,
                            std::uint64_t seed, ProcessCampaign& campaign) {
  test::Choices choose(seed);
  const Way& way = choose.one_of(engines.ways.all());
  backend::Limits limits;
  limits.memory_bytes = std::size_t{1} << choose.between(6, 18);
  const auto evaluation = way.engine->start({}, limits);
  for (std::size_t k = 0; k < outcomes.size(); ++k) {
    if (!outcomes[k]) continue;
    const backend::Outcome found = evaluation->evaluate(lowered.outputs[k].root);
    const auto* const failure = std::get_if<ir::Failure>(&found);
    campaign.starved += failure && failure->is_limit();
    const std::string text = parity::difference(lowered.system, *outcomes[k], found);
    if (!text.empty()) return lowered.outputs[k].name + ", " + way.name + ", with little memory: " + text;
  }
  return {};
}

std::string compare_outputs(const Checked& checked, const frontend::Lowered& lowered, const Engines& engines,
                            const Given& given, std::uint64_t seed, Evaluated& evaluated, ProcessCampaign& campaign) {
  const auto interpreted = engines.interpreter->start(given.bindings, {});
  const Outcomes outcomes = evaluate(*interpreted, lowered, false);
  const std::vector<Answer> answers = simulator::outputs_of(*checked.model, {quanta_of(*interpreted), given.values});
  const bool is_default = given.bindings.empty();
  const bool fails = !answers.empty() && !answers.front().failure.empty();
  if (is_default && fails) {
    ++campaign.failed;
    ++campaign.failures[answers.front().failure];
  }
  std::string found = compare_answers(answers, lowered, outcomes, is_default, campaign);
  std::vector<Schedules> schedules;
  if (found.empty()) found = compare_ways(lowered, outcomes, engines, given, seed % 8 == 0, schedules, campaign);
  if (found.empty() && is_default) found = compare_starved(lowered, outcomes, engines, seed, campaign);
  if (!found.empty() || !is_default) return found;
  const Schedules &planned = schedules[Ways::as_planned], &whole = schedules[Ways::as_a_whole];
  evaluated = {1,
               fails,
               !fails && !planned.compiled && !planned.network && !planned.pieces,
               !fails && planned.batches,
               !fails && planned.streams,
               planned.pieces,
               planned.compiled,
               planned.network,
               whole.compiled};
  return {};
}

// Rows with other values of parameters, one after the other by one way: what an evaluation hands on to the next must
// not show. Only the times of a row differ from those of the row before, but sometimes everything does.
std::string compare_rows(const frontend::Lowered& lowered, const Engines& engines, std::uint64_t seed) {
  constexpr int rows = 6;
  test::Choices choose(seed ^ 0x726f7773);
  const Way& way = choose.one_of(engines.ways.all());
  Given row = random_parameters(lowered, choose.below(1000));
  for (int number = 0; number < rows; ++number) {
    const Given next = random_parameters(lowered, choose.below(1000));
    const bool is_new = choose.chance(0.3);
    for (std::size_t i = 0; i < row.bindings.size(); ++i) {
      if (is_new || row.bindings[i].second.type == ir::ScalarType::real) row.bindings[i] = next.bindings[i];
    }
    const Outcomes expected = evaluate(*engines.interpreter->start(row.bindings, {}), lowered, false);
    const Outcomes found = evaluate(*way.engine->start(row.bindings, {}), lowered, false);
    for (std::size_t k = 0; k < found.size(); ++k) {
      if (!found[k]) continue;
      const std::string text = parity::difference(lowered.system, *expected[k], *found[k]);
      if (!text.empty()) return fmt::format("{}, {}, row {}: {}", lowered.outputs[k].name, way.name, number, text);
    }
  }
  return {};
}

std::string text_of(const Given& given) {
  std::string text;
  for (const auto& [name, value] : given.values) text += "// given " + name + " = " + text_of(value) + "\n";
  return text;
}

}  // namespace

void Evaluated::add(const Evaluated& other) {
  programs += other.programs;
  failed += other.failed;
  planned += other.planned;
  batches += other.batches;
  streams += other.streams;
  pieces += other.pieces;
  compiled += other.compiled;
  network += other.network;
  also_compiled += other.also_compiled;
}

void ProcessCampaign::add(const ProcessCampaign& other) {
  difference += other.difference;
  programs += other.programs;
  outputs += other.outputs;
  failed += other.failed;
  unsupported += other.unsupported;
  if (!other.why_unsupported.empty()) why_unsupported = other.why_unsupported;
  swept += other.swept;
  on_threads += other.on_threads;
  starved += other.starved;
  paths += other.paths;
  followed += other.followed;
  recorded += other.recorded;
  phases += other.phases;
  breakdowns += other.breakdowns;
  derivatives += other.derivatives;
  reordered += other.reordered;
  for (const auto& [why, number] : other.no_derivative) no_derivative[why] += number;
  services += other.services;
  shown += other.shown;
  for (const auto& [kind, number] : other.failures) failures[kind] += number;
  for (const auto& [feature, evaluated] : other.by_feature) by_feature[feature].add(evaluated);
}

void compare_process_program(const test::WrittenProcess& program, ProcessCampaign& campaign, std::uint64_t seed) {
  ++campaign.programs;
  const Checked checked = check("<random>", &program.text);
  if (!checked.problem.empty()) {
    campaign.difference = checked.problem + "\n" + program.text;
    return;
  }
  frontend::Diagnostics diagnostics;
  const frontend::Lowered lowered = frontend::lower_model(*checked.program, *checked.model, {}, diagnostics);
  const Engines engines(lowered.system);
  Evaluated evaluated;
  for (const bool bound : {false, true}) {
    if (bound && seed == 0) break;
    const Given given = bound ? random_parameters(lowered, seed) : Given{};
    const std::string found = compare_outputs(checked, lowered, engines, given, seed, evaluated, campaign);
    if (found.empty()) continue;
    campaign.difference = found + "\n" + first_message(diagnostics) + "\n" + text_of(given) + program.text;
    return;
  }
  // They take as long as all that comes before.
  if (seed % 8 == 1) campaign.difference = compare_rows(lowered, engines, seed);
  if (!campaign.difference.empty()) {
    campaign.difference += "\n" + program.text;
    return;
  }
  campaign.by_feature[""].add(evaluated);
  for (const std::string& feature : program.features) campaign.by_feature[feature].add(evaluated);
  if (evaluated.failed > 0) return;
  const PathsChecked paths = check_paths(*checked.program, *checked.model, seed);
  campaign.paths += paths.paths;
  campaign.followed += paths.followed;
  campaign.recorded += paths.recorded;
  campaign.phases += paths.phases;
  campaign.breakdowns += paths.breakdowns;
  campaign.derivatives += paths.derivatives;
  campaign.reordered += paths.reordered;
  for (const auto& [why, number] : paths.no_derivative) campaign.no_derivative[why] += number;
  campaign.services += paths.services;
  campaign.shown += paths.shown;
  if (!paths.difference.empty()) campaign.difference = paths.difference + "\n" + program.text;
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
    Evaluated evaluated;
    const std::string found = compare_outputs(checked, lowered, engines, given, 1, evaluated, campaign);
    if (!found.empty()) campaign.difference = path + ", model " + item->name.text + ", " + found;
  }
}

namespace {

ProcessCampaign compare_random(std::uint64_t first, std::uint64_t count,
                               const std::function<test::WrittenProcess(std::uint64_t seed)>& write) {
  ProcessCampaign campaign;
  for (std::uint64_t seed = first; seed < first + count && campaign.difference.empty(); ++seed) {
    compare_process_program(write(seed), campaign, seed);
    if (!campaign.difference.empty()) campaign.difference = fmt::format("seed {}: {}", seed, campaign.difference);
  }
  return campaign;
}

}  // namespace

ProcessCampaign compare_random_processes(std::uint64_t first, std::uint64_t count, test::Resources resources) {
  return compare_random(first, count, [&](std::uint64_t seed) { return test::random_process(seed, resources); });
}

ProcessCampaign compare_random_values(std::uint64_t first, std::uint64_t count) {
  return compare_random(first, count, test::random_values);
}

ProcessCampaign compare_random_streams(std::uint64_t first, std::uint64_t count) {
  return compare_random(first, count, test::random_streams);
}

}  // namespace wave::parity
