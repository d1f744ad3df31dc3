// Machines fitted to what benchmarks printed.
#include "analysis/machine_fit/interface_text.h"
#include "analysis/machine_fit/interfaces.h"
#include "analysis/machine_fit/machine_question.h"
#include "analysis/machine_fit/machine_tables.h"
#include "analysis/machine_fit/replay.h"
#include "analysis/validation/parameter_fit.h"
#include "api/c/measurements.h"
#include "backend/limits.h"
#include "frontend/source/files.h"
#include "frontend/source/patience.h"

namespace wave::api {
namespace {

namespace machine_fit = analysis::machine_fit;
using machine_fit::MachineQuestion;

std::string text_or_empty(const char* text) { return text ? text : ""; }

std::vector<int> numbers_of(const int* numbers, std::size_t count, const char* argument) {
  need_array(numbers, count, argument);
  return {numbers, numbers + count};
}

// For each file what both ends share; the tool stands before them.
std::vector<std::string> levels_of(const wave_machine_options& given, std::size_t files) {
  auto levels = texts_of(given.within, given.within_count, "options.within");
  if (!levels.empty() && levels.size() != files)
    throw Misuse{"`options.within_count` is " + std::to_string(levels.size()) + " for " + std::to_string(files) +
                 " files"};
  levels.insert(levels.begin(), "");
  return levels;
}

void read_options(const wave_machine_options& given, MachineQuestion& question) {
  if (given.output) question.output = given.output;
  question.name = text_or_empty(given.name);
  question.protocols = text_or_empty(given.protocols);
  question.segments = given.segments;
  if (question.segments < 0 || question.segments > machine_fit::most_segments)
    throw Misuse{"`options.segments` is " + std::to_string(question.segments) + ": up to " +
                 std::to_string(machine_fit::most_segments) + " may be"};
  question.assumptions = texts_of(given.assumptions, given.assumption_count, "options.assumptions");
  question.processes = numbers_of(given.processes, given.process_count, "options.processes");
  question.within = levels_of(given, question.files.size() - 1);
  question.pairs = numbers_of(given.pairs, given.pair_count, "options.pairs");
  question.tables = numbers_of(given.tables, given.table_count, "options.tables");
  question.keep_outliers = given.keep_outliers != 0;
  question.operation = text_or_empty(given.operation);
  question.sizes = text_or_empty(given.sizes);
  question.is_absolute = is_absolute(given.errors);
  question.confidence = confidence_of(given.confidence, question.confidence);
  question.reading = {decimal_of(given.decimal, "options"), given.skip_missing != 0};
}

void refuse(const std::optional<machine_fit::WrongQuestion>& wrong) {
  if (wrong) throw Misuse{wrong->message, wrong->help};
}

// One fit: the files, what is wrong with them, and what they come to.
class MachineFitting {
 public:
  MachineFitting(MachineQuestion question, const Settings& settings)
      : question_(std::move(question)), settings_(settings) {
    refuse(machine_fit::read_question(question_, plan_));
  }

  std::shared_ptr<Result> run() {
    read_files();
    refuse(machine_fit::keep_asked(question_, plan_, sources_, timings_, diagnostics_));
    if (diagnostics_.has_errors()) fail(sources_, diagnostics_);
    const bool has_interfaces = machine_fit::has_interfaces(timings_);
    if (has_interfaces) refuse(machine_fit::check_options_of_pairs(question_));
    const std::string text = has_interfaces ? fit_pairs() : fit_one_pair();
    // Whoever imports it must be able to rely on it.
    const LoadedProgram check(settings_, question_.output, &text, {});
    result_->tables.insert(result_->tables.begin(),
                           record_of("machine", {{{"tool", analysis::text_type(), {}}, question_.files.front()},
                                                 {{"text", analysis::text_type(), {}}, text}}));
    result_->warnings = remarks_of(sources_, diagnostics_);
    return result_;
  }

 private:
  void read_files() {
    for (std::size_t i = 1; i < question_.files.size(); ++i) {
      const std::string& file = question_.files[i];
      auto read = frontend::read_plain_file(file, machine_fit::most_bytes_of_benchmark);
      if (!read.ok)
        fail(WAVE_FAILED, frontend::DiagnosticKind::cannot_read, "cannot read `" + file + "`: " + read.text);
      machine_fit::read_benchmark(question_, i, file, std::move(read.text), sources_, timings_, diagnostics_);
    }
    if (diagnostics_.has_errors()) fail(sources_, diagnostics_);
  }

  std::string fit_pairs() {
    const auto found = machine_fit::fit_interfaces(timings_, diagnostics_);
    if (!found || diagnostics_.has_errors()) fail(sources_, diagnostics_);
    const auto from = provenance();
    std::string text = machine_fit::interface_text(*found, from);
    result_->tables = {table_of(machine_fit::classes_table(*found)), table_of(machine_fit::parameters_table(*found)),
                       replayed(*found, text, from.name), table_of(machine_fit::set_aside_table(found->wild, sources_)),
                       table_of(machine_fit::notes_table(found->notes, timings_.remarks))};
    return text;
  }

  std::string fit_one_pair() {
    const auto found = machine_fit::fit_asked(question_, plan_, timings_, sources_, diagnostics_);
    if (!found || diagnostics_.has_errors()) fail(sources_, diagnostics_);
    const auto from = provenance();
    std::string text = machine_fit::machine_text(*found, from);
    result_->tables = {table_of(machine_fit::parameters_table(found->parameters)),
                       table_of(machine_fit::collectives_table(*found)), replayed(*found, text, from.name),
                       table_of(machine_fit::set_aside_table(found->wild, sources_)),
                       table_of(machine_fit::notes_table(found->notes, timings_.remarks))};
    return text;
  }

  // Also says what was not replayed.
  template <class Fit>
  Table replayed(const Fit& found, const std::string& text, const std::string& name) {
    const auto replay = machine_fit::replay({text, name}, found, timings_);
    timings_.remarks.insert(timings_.remarks.end(), replay.notes.begin(), replay.notes.end());
    return table_of(machine_fit::replay_table(replay));
  }

  machine_fit::Provenance provenance() const {
    return machine_fit::provenance_of(question_, timings_, sources_, WAVE_VERSION);
  }

  const MachineQuestion question_;
  const Settings settings_;
  machine_fit::FitPlan plan_;
  frontend::Sources sources_;
  frontend::Diagnostics diagnostics_;
  machine_fit::Timings timings_;
  std::shared_ptr<Result> result_ = std::make_shared<Result>();
};

}  // namespace
}  // namespace wave::api

using namespace wave::api;

extern "C" {

wave_status wave_machine_fit(wave_context* context, const char* tool, const char* const* files, size_t count,
                             const wave_machine_options* options, wave_progress progress, void* data,
                             wave_result** result, wave_error** error) {
  return call(error, [&] {
    const auto settings = get<Context>(context, "context")->settings();
    need(tool, "tool");
    need(result, "result");
    if (!machine_fit::is_kind_of_benchmark(tool))
      throw Misuse{std::string("`tool` is `") + tool + "`", "auto, osu, imb, netgauge, nccl and csv may be"};
    MachineQuestion question;
    question.files = texts_of(files, count, "files");
    if (question.files.empty()) throw Misuse{"`count` is 0: name a file"};
    question.files.insert(question.files.begin(), tool);
    question.output = "machine.wave";
    if (options) read_options(read_structure(options, "options"), question);
    bool is_stopped = false;
    const auto limits = limits_of(settings, nullptr);
    const wave::frontend::Patience patience([&] {
      is_stopped = is_stopped || (progress && progress(0, 0, data) != 0);
      return is_stopped || wave::backend::is_over(limits);
    });
    try {
      *result = open_handle<wave_result>(MachineFitting(std::move(question), settings).run());
    } catch (const wave::frontend::GivenUp&) {
      if (is_stopped) stop();
      fail(WAVE_LIMIT, wave::frontend::DiagnosticKind::out_of_time, "fitting the machine took longer than the limit",
           "give it more time, or fewer measurements");
    }
  });
}

}  // extern "C"
