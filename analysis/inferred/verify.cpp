// See verify.h.
#include "analysis/inferred/verify.h"

#include "analysis/recorded/against.h"
#include "analysis/recorded/model_steps.h"
#include "analysis/recorded/step_words.h"
#include "frontend/check/program.h"
#include "frontend/lower/given.h"
#include "frontend/lower/lower.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

namespace wave::analysis::inferred {

using recorded::Step;
using recorded::Steps;

namespace {

// As they were recorded.
Steps steps_of(const Calls& calls, const Names& names) {
  Steps steps;
  for (const Call& call : calls.calls) {
    Step step{call.kind};
    step.peer = call.peer;
    step.from = call.from;
    step.size = call.size;
    step.received = call.received;
    step.participants = call.participants;
    if (call.kind == Step::Kind::collective) step.name = names[call.name];
    if (call.kind == Step::Kind::collective && call.received > 0) step.size = -1;  // each part has its own
    for (std::uint32_t k = 0; k < call.ended_count; ++k) step.ended.push_back(calls.ended[call.first_ended + k]);
    steps.push_back(std::move(step));
  }
  return steps;
}

const frontend::Item* model_of(const frontend::Program& program) {
  for (const auto& item : program.main().items) {
    if (std::holds_alternative<frontend::item::Model>(item->node)) return item.get();
  }
  return nullptr;
}

std::string calls_of_model(const std::string& text, const std::vector<std::string>& given,
                           recorded::ModelCalls& calls) {
  constexpr std::size_t most_bytes = std::size_t{1} << 30;
  frontend::Diagnostics diagnostics;
  const auto message = [&] {
    for (const auto& one : diagnostics.all()) {
      if (one.severity == frontend::Severity::error) return one.message;
    }
    return std::string("it cannot be evaluated");
  };
  const auto program = frontend::load("inferred.wave", {}, diagnostics, &text);
  if (diagnostics.has_errors() || !program) return message();
  const frontend::Item* const model = model_of(*program);
  if (model == nullptr) return message();
  const auto overrides = frontend::check_given(*program, *model, given, diagnostics);
  if (diagnostics.has_errors()) return message();
  const auto lowered = frontend::lower_model(*program, *model, overrides, diagnostics, {false, true});
  if (diagnostics.has_errors() || lowered.processes.empty()) return message();
  try {
    const auto failed =
        recorded::calls_of(lowered.system, backend::Limits{}, lowered.processes.front().process, {}, most_bytes, calls);
    if (!failed) return "";
    frontend::report(lowered.system, lowered.words, lowered.notes, *failed, diagnostics);
    return message();
  } catch (const recorded::TooManySteps&) {
    return "it does too much to be compared call by call";
  }
}

}  // namespace

bool can_be_compared(const Run& run) {
  constexpr std::size_t most_calls = 2000000;
  return calls_in(run) <= most_calls;
}

std::string difference(const std::string& text, const std::vector<std::string>& given, const Run& run,
                       const Names& names) {
  if (!can_be_compared(run)) return "";
  recorded::ModelCalls model;
  if (std::string trouble = calls_of_model(text, given, model); !trouble.empty()) return trouble;
  if (model.steps.size() != run.ranks.size())
    return fmt::format("its grid has {} processes, and the run {} ranks", model.steps.size(), run.ranks.size());
  std::vector<Steps> program;
  for (const Calls& calls : run.ranks) program.push_back(steps_of(calls, names));
  const recorded::Compared compared =
      recorded::compare(program, model.steps, model.extents, recorded::CallOrder::strict);
  if (!std::is_sorted(compared.numbering.begin(), compared.numbering.end()))
    return "its ranks run along other axes first";
  const auto differs = [](const auto& one) { return one.has_value(); };
  const auto first = std::find_if(compared.differences.begin(), compared.differences.end(), differs);
  if (first != compared.differences.end()) {
    return fmt::format("{} of {} ranks differ; rank {} {}, the model {}",
                       std::count_if(first, compared.differences.end(), differs), compared.differences.size(),
                       first - compared.differences.begin(), recorded::words_of((*first)->in_program),
                       recorded::words_of((*first)->in_model));
  }
  return "";
}

}  // namespace wave::analysis::inferred
