// See asked_times.h.
#include "analysis/asked_times.h"

#include "analysis/breakdown.h"
#include "backend/processes/path/critical_plan.h"
#include "backend/processes/path/resource_names.h"
#include "base/text.h"
#include "ir/dependences.h"
#include "ir/operations.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace wave::analysis {

using backend::processes::Cause;
using backend::processes::CriticalPath;
using backend::processes::PathTerm;

namespace {

// Each takes an evaluation, and is a case of a value that is evaluated once for each input.
constexpr std::size_t most_questions = 256;

bool is_count(const ir::Measure& measure) { return ir::is_counted(measure.metric); }

std::uint64_t bits_of(ir::Scalar value) {
  switch (value.type) {
    case ir::ScalarType::real: return std::bit_cast<std::uint64_t>(value.real);
    case ir::ScalarType::integer: return static_cast<std::uint64_t>(value.integer);
    case ir::ScalarType::boolean: return value.boolean ? 1 : 0;
  }
  return 0;
}

ir::Scalar scalar_of(ir::ScalarType type, std::uint64_t bits) {
  switch (type) {
    case ir::ScalarType::real: return ir::Scalar::of(std::bit_cast<double>(bits));
    case ir::ScalarType::integer: return ir::Scalar::of(static_cast<std::int64_t>(bits));
    case ir::ScalarType::boolean: return ir::Scalar::of(bits != 0);
  }
  return {};
}

// Of a frame and those around it, as AnsweredMeasure has their arguments.
std::vector<ir::ParameterId> parameters_around(const ir::System& system, ir::FrameId frame) {
  std::vector<ir::ParameterId> parameters;
  for (; frame != ir::System::root_frame; frame = system[frame].parent) {
    for (std::uint32_t p = 0; p < system.parameters.size(); ++p) {
      if (system.parameters[p].frame == frame) parameters.push_back(ir::ParameterId{p});
    }
  }
  return parameters;
}

// From the path to what is asked for: what the process does itself, or all but that. When the last process finishes.
double add_program(const backend::processes::ProgramInput& input, ir::Metric metric, ir::PhaseId phase,
                   CriticalPath& path) {
  const double last_finish = path.last_finish;
  if (metric == ir::Metric::time || metric == ir::Metric::finish) return last_finish;
  CriticalPath program = backend::processes::own_program(input, input.places.rank(path.finisher), phase);
  if (metric == ir::Metric::wait) {
    subtract(path, program);
    return last_finish;
  }
  const auto kind = metric == ir::Metric::compute ? Cause::Kind::compute : Cause::Kind::overhead;
  std::erase_if(program.terms, [&](const PathTerm& term) { return term.kind != kind; });
  program.total = 0;
  for (const PathTerm& term : program.terms) program.total += term.sum;
  path = std::move(program);
  return last_finish;
}

}  // namespace

// --- what is asked for ---

AskedTimes::Time AskedTimes::time_of(ir::ValueId measure) const {
  const auto& asked = std::get<ir::Measure>(system_[measure].node);
  return {asked.process, asked.metric, asked.phase, asked.over};
}

AskedTimes::Found AskedTimes::find(ir::ValueId value, const std::function<bool(ir::DefinitionId)>& ends_at) {
  Found found;
  const std::set<ir::ValueId> sure = surely_asked(system_, value);
  std::map<Time, Questions> heard;
  for (const ir::ValueId measure : reach(system_, value, ends_at, true).measures) {
    const ir::Measure asked = std::get<ir::Measure>(system_[measure].node);
    if (is_count(asked)) continue;
    const bool is_mean = asked.over == ir::Over::mean, is_sure = sure.count(measure) != 0;
    if (is_mean && is_sure) found.why_not = why_no_mean(asked.process);
    const auto question = is_mean || !is_sure ? std::nullopt : fixed_question(measure);
    if (question) {
      inspect(*question, found);
      if (found.is_open()) fixed_.emplace(measure, *question);
    } else {
      heard[time_of(measure)];
      several_.insert(measure);
    }
    if (!found.is_open()) return found;
  }
  if (!heard.empty()) listen(value, heard, found);
  return found;
}

std::string AskedTimes::why_no_mean(ir::ProcessId process) const {
  return fmt::format("it reads a mean over the processes of `{}`, and paths lead to one process each",
                     system_[process].name);
}

// If it is the same wherever the measure is evaluated.
std::optional<AskedTimes::Question> AskedTimes::fixed_question(ir::ValueId measure) {
  const ir::Measure asked = std::get<ir::Measure>(system_[measure].node);
  if (system_[asked.process].frame != ir::System::root_frame) return std::nullopt;
  Question question{time_of(measure), {}, {}};
  for (const ir::ValueId index : asked.indices) {
    const auto known = index_value(index);
    if (!known) return std::nullopt;
    question.indices.push_back(*known);
  }
  return question;
}

std::optional<std::int64_t> AskedTimes::index_value(ir::ValueId index) {
  if (!ir::FreeBinders(system_).of(index).empty()) return std::nullopt;
  const ir::DefinitionId definition = ir::Builder(system_).define(ir::System::root_frame, "index", index);
  const auto engine = backend::make_interpreter(system_);
  const auto outcome = engine->start({}, limits_)->evaluate(definition);
  const auto* rows = std::get_if<backend::Rows>(&outcome);
  return rows ? std::optional(rows->cells.at(0).integer) : std::nullopt;
}

// --- critical paths ---

void AskedTimes::inspect(const Question& question, Found& found) {
  if (paths_.count(question) != 0 && paths_.at(question)) return;
  const auto use = [&](backend::processes::Run& run) { follow(question, run); };
  found.failure = backend::inspect_process(system_, {}, limits_, question.time.process, use, kernels_);
}

// Evaluates the value, and follows a path for everything that it asks for.
void AskedTimes::listen(ir::ValueId value, std::map<Time, Questions>& heard, Found& found) {
  const ir::DefinitionId asked = ir::Builder(system_).define(ir::System::root_frame, "asked", value);
  const auto listener = [&](const backend::interpreter::AnsweredMeasure& answered, backend::processes::Run& run) {
    const ir::Measure& what = answered.what;
    const auto of = heard.find({what.process, what.metric, what.phase, what.over});
    if (of != heard.end() && found.is_open()) hear(answered, run, of->second, found);
  };
  found.failure = backend::listen_to_measures(system_, limits_, asked, listener, kernels_);
  for (const auto& [time, questions] : heard) heard_[time].insert(questions.begin(), questions.end());
}

void AskedTimes::hear(const backend::interpreter::AnsweredMeasure& answered, backend::processes::Run& run,
                      Questions& heard, Found& found) {
  const ir::Measure& what = answered.what;
  if (what.over == ir::Over::mean) {
    found.why_not = why_no_mean(what.process);
    return;
  }
  Question question{{what.process, what.metric, what.phase, what.over}, {}, answered.indices};
  for (const ir::Scalar argument : answered.arguments) question.arguments.push_back(bits_of(argument));
  if (heard.count(question) != 0) return;
  if (heard.size() == most_questions) {
    found.why_not = too_many(question);
    return;
  }
  if (const auto known = paths_.find(question); known == paths_.end() || !known->second) follow(question, run);
  heard.insert(std::move(question));
}

// What that time consists of.
void AskedTimes::follow(const Question& question, backend::processes::Run& run) {
  using backend::processes::ProgramInput;
  const Time& time = question.time;
  auto& known = paths_[question];
  std::optional<std::size_t> extreme;
  if (time.over != ir::Over::one) extreme = run.rank_of(time.metric, time.phase, time.over);
  const auto rank = [&](const ProgramInput& input) -> std::optional<std::int64_t> {
    if (extreme) return static_cast<std::int64_t>(*extreme);
    return question.indices.empty() ? std::nullopt : std::optional(input.places.rank(question.indices));
  };
  const auto target = [&](const ProgramInput& input) {
    return backend::processes::PathTarget{rank(input), time.phase, time.metric == ir::Metric::finish};
  };
  const auto find = [&](const ProgramInput& input) {
    known = run.find_critical_path(input, target(input), true);
    return add_program(input, time.metric, time.phase, *known);
  };
  const auto sooner = [&](const ProgramInput& input, backend::processes::SweepKernels& kernels) {
    known = backend::processes::follow_critical_path(input, kernels, target(input), true);
    return known ? std::optional(add_program(input, time.metric, time.phase, *known)) : std::nullopt;
  };
  try {
    run.use_program_only(sooner, find);
    for (PathTerm& term : known->terms) {
      if (term.resource && backend::processes::resource_of(system_, *term.resource).level)
        term.shared = backend::processes::resource_name(system_, *term.resource);
    }
  } catch (...) {
    known.reset();
    throw;
  }
}

std::string AskedTimes::too_many(const Question& question) const {
  const std::string& name = system_[question.time.process].name;
  return question.indices.empty()
             ? fmt::format("it reads the time of `{}` for more than {} different arguments", name, most_questions)
             : fmt::format("it reads times of more than {} processes of `{}`", most_questions, name);
}

// --- as values ---

std::map<ir::ValueId, ir::ValueId> AskedTimes::stand_ins(std::vector<Input>& others) {
  return for_each_measure([&](ir::Builder& b, const Question& question) { return path_value(b, question, others); });
}

std::map<ir::ValueId, ir::ValueId> AskedTimes::times() {
  return for_each_measure(
      [&](ir::Builder& b, const Question& question) { return b.reference(time_definition(b, question)); });
}

std::map<ir::ValueId, ir::ValueId> AskedTimes::for_each_measure(const ValueOf& value_of) {
  ir::Builder b(system_);
  std::map<ir::ValueId, ir::ValueId> result;
  for (const auto& [measure, question] : fixed_) result[measure] = value_of(b, question);
  for (const ir::ValueId measure : several_) {
    if (fixed_.count(measure) == 0) result[measure] = choice(b, measure, value_of);
  }
  return result;
}

// By what is asked for there.
ir::ValueId AskedTimes::choice(ir::Builder& b, ir::ValueId measure, const ValueOf& value_of) {
  const Questions& questions = heard_[time_of(measure)];
  ir::ValueId value = b.fail(b.site(ir::FailureKind::no_value, {}), ir::ScalarType::real);
  for (const Question& question : questions) {
    const ir::ValueId path = value_of(b, question), is_this = is_asked(b, measure, question);
    value = is_this.valid() ? b.select(is_this, path, value) : path;
  }
  return value;
}

std::vector<AskedTimes::Part> AskedTimes::parts(ir::ValueId value,
                                                const std::function<bool(ir::DefinitionId)>& ends_at) {
  ir::Builder b(system_);
  Questions asked;
  std::map<ir::ProcessId, std::size_t> of_process;
  const auto add = [&](const Question& question) {
    if (asked.insert(question).second) ++of_process[question.time.process];
  };
  for (const ir::ValueId measure : reach(system_, value, ends_at).measures) {
    if (is_count(std::get<ir::Measure>(system_[measure].node))) continue;
    if (const auto fixed = fixed_.find(measure); fixed != fixed_.end())
      add(fixed->second);
    else
      for (const Question& question : heard_[time_of(measure)]) add(question);
  }
  std::vector<Part> parts;
  for (const Question& question : asked) {
    const CriticalPath& path = *paths_.at(question);
    std::string name = system_[question.time.process].name;
    if (of_process[question.time.process] > 1) name += fmt::format(" ({})", join_texts(path.finisher, ", "));
    parts.push_back({std::move(name), time_definition(b, question), &path});
  }
  return parts;
}

ir::DefinitionId AskedTimes::time_definition(ir::Builder& b, const Question& question) {
  const auto [known, is_new] = times_.try_emplace(question);
  if (is_new) {
    const std::string name = system_[question.time.process].name + ": its time";
    known->second = b.define(ir::System::root_frame, name, b.real(paths_.at(question)->total), {}, true);
  }
  return known->second;
}

ir::ValueId AskedTimes::is_asked(ir::Builder& b, ir::ValueId measure, const Question& question) const {
  ir::ValueId result;
  const auto require = [&](ir::ValueId value, std::uint64_t bits) {
    const ir::ScalarType type = b.type(value);
    ir::ValueId holds = value;
    if (type != ir::ScalarType::boolean)
      holds = b.equal(value, b.constant(scalar_of(type, bits)));
    else if (bits == 0)
      holds = b.logical_not(value);
    result = result.valid() ? b.logical_and(result, holds) : holds;
  };
  const auto parameters = parameters_around(system_, system_[question.time.process].frame);
  for (std::size_t i = 0; i < parameters.size(); ++i)
    require(b.parameter_value(parameters[i]), question.arguments.at(i));
  const auto indices = std::get<ir::Measure>(system_[measure].node).indices;
  for (std::size_t i = 0; i < indices.size(); ++i)
    require(indices[i], static_cast<std::uint64_t>(question.indices.at(i)));
  return result;
}

// What the program gives no weight for becomes an input of its own.
ir::ValueId AskedTimes::path_value(ir::Builder& b, const Question& question, std::vector<Input>& others) {
  if (const auto known = values_.find(question); known != values_.end()) return known->second;
  PathValues values(system_);
  const PathValues::Sum path = values.sum_of(paths_.at(question)->terms);
  const std::string name_of_process = system_[question.time.process].name;
  ir::ValueId sum = path.value;
  for (const PathTerm* const term : path.others) {
    const std::string name = name_of_process + ": " + word_of(kind_of(*term));
    const ir::DefinitionId own = b.define(ir::System::root_frame, name, b.real(term->sum), term->location, true);
    others.push_back({Input::Kind::process, name, term->location, 1, own, {}, term->sum});
    sum = b.add(sum, b.reference(own));
  }
  note_constants(question.time.process, values, path);
  return values_[question] = sum;
}

void AskedTimes::note_constants(ir::ProcessId process, const PathValues& values, const PathValues::Sum& path) {
  for (const PathTerm* const term : path.others) {
    const std::vector<ir::ValueId> made_of{values.weight_of(*term),
                                           backend::processes::value_of_weight(*term->statement)};
    constants_.push_back(
        {process, term->location, "it acts on too many different times", reach_through_calls(system_, made_of)});
  }
  if (path.of_fixed_sizes.empty()) return;
  const auto from = reach_through_calls(system_, sizes_of_messages(system_, process));
  for (const PathTerm* const term : path.of_fixed_sizes)
    constants_.push_back(
        {process, term->location, "it acts on how large messages are, and this end gives no size", from});
}

}  // namespace wave::analysis
