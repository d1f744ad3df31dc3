// See samples.h.
#include "cli/samples.h"

#include "analysis/uncertainty/propagation.h"
#include "base/text.h"
#include "cli/limits.h"
#include "cli/progress.h"
#include "cli/results.h"
#include "cli/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace wave::cli {
namespace {

using analysis::Propagation;
using analysis::Spread;
using analysis::UncertainInput;
using frontend::ColumnInfo;
using frontend::DiagnosticKind;
using frontend::OutputInfo;
using frontend::Severity;

// A tenth of a percent of samples is a guess: the deviation has three digits, and the other numbers as many decimals.
constexpr int deviation_digits = 3;

void warn_of_constants(Session& session, const frontend::Lowered& lowered) {
  for (const auto& one : lowered.uncertain) {
    if (one.draw.valid()) continue;
    session.diagnostics()
        .add(DiagnosticKind::no_spread, one.location, "the spread of an entry of a table is not carried through",
             "its mean counts", Severity::warning)
        .help.push_back("multiply what is read from the table by a parameter such as `param factor: real = 1 ± 0.05`");
  }
}

// The outputs that have values at the means.
std::vector<const OutputInfo*> outputs_to_sample(Session& session, const frontend::Lowered& lowered,
                                                 const Results& at_means) {
  std::vector<const OutputInfo*> chosen;
  std::vector<std::string> left_out;
  for (const auto& output : lowered.outputs) {
    const auto same = [&](const OutputTable& one) { return one.name == output.name && one.is_whole(); };
    if (std::none_of(at_means.outputs.begin(), at_means.outputs.end(), same)) continue;
    if (analysis::gives_columns(lowered.system, output))
      chosen.push_back(&output);
    else if (!output.is_breakdown)
      left_out.push_back(output.name);
  }
  if (!left_out.empty())
    session.console().remark(fmt::format("not sampled, being no single values: {}\n", join_texts(left_out, ", ")));
  return chosen;
}

void report_failed_samples(Session& session, const Propagation& found) {
  for (const auto& kind : found.failed) {
    auto diagnostic = kind.diagnostic;
    diagnostic.severity = found.spreads.empty() ? Severity::error : Severity::warning;
    diagnostic.notes.push_back(fmt::format("in {} of {} samples; {}", grouped(kind.count), grouped(found.samples),
                                           found.spreads.empty() ? "too few are left" : "they are left out"));
    session.diagnostics().add(diagnostic.kind, {}, "") = std::move(diagnostic);
  }
}

// "t", or "t.field" for a record.
std::string spread_name(const Spread& spread) {
  const auto& info = *spread.output;
  return value_name(info.shape, info.name, info.columns[spread.column].name);
}

// The statistics of whole-numbered outputs are reals, too.
ColumnInfo real_column(const ColumnInfo& column, const std::string& name) {
  const bool is_real = dimension_of(column.type).has_value();
  return {name, is_real ? column.type : plain_type(), column.unit};
}

// The unit that suits the largest of the numbers, and the decimals that suit the deviation.
std::vector<std::string> texts_of(const Spread& spread) {
  const auto& column = spread.output->columns[spread.column];
  const auto dimension = dimension_of(column.type).value_or(frontend::Dimension{});
  const auto& s = spread.summary;
  const std::vector<double> values{spread.at_means, s.mean, s.deviation, s.low, s.high};
  const double largest = std::max({std::fabs(s.mean), std::fabs(s.low), std::fabs(s.high)});
  const Scale scale = column.unit ? scale_of(*column.unit) : readable_scale(dimension, largest);
  const double deviation = scale.shown(s.deviation);
  std::vector<std::string> texts;
  for (const double value : values) {
    const double shown = scale.shown(value);
    const int decimals =
        deviation > 0 ? deviation_digits - 1 - static_cast<int>(std::floor(std::log10(deviation))) : -1;
    const std::string number =
        decimals >= 0 && decimals <= 9 ? format_decimals(shown, decimals) : format_number(shown, plain_digits);
    texts.push_back(scale.unit.empty() ? number : number + " " + scale.unit);
  }
  return texts;
}

class SampleWriter {
 public:
  SampleWriter(Session& session, const SampledModel& of, const std::vector<UncertainInput>& inputs, Results& results)
      : session_(session), of_(of), inputs_(inputs), results_(results) {}

  void write(const Propagation& found) {
    if (of_.format.is_for_people()) {
      write_table(found);
    } else {
      write_counts(found);
      for (const Spread& spread : found.spreads) write_record(spread);
    }
    write_parts(found);
  }

 private:
  void write_table(const Propagation& found) {
    std::vector<ColumnInfo> columns;
    for (const char* name : {"output", "at the means", "mean", "deviation", "2.5 % below", "2.5 % above"})
      columns.push_back({name, text_type(), {}});
    std::string doc = fmt::format("{} samples, seed {}", grouped(found.samples), of_.sampling.seed);
    if (found.used < found.samples) doc += fmt::format("; {} of them failed", grouped(found.samples - found.used));
    if (found.drawn_again > 0)
      doc += fmt::format("; {} drawn again, to stay within ranges", grouped(found.drawn_again));
    results_.add_table("spread", std::move(columns), doc);
    for (const Spread& spread : found.spreads) {
      std::vector<Cell> row{spread_name(spread)};
      for (const auto& text : texts_of(spread)) row.push_back(text);
      results_.add_row(row);
    }
  }

  void write_counts(const Propagation& found) {
    results_.add_record("samples",
                        {{"samples", count_type(), {}},
                         {"used", count_type(), {}},
                         {"drawn_again", count_type(), {}},
                         {"seed", text_type(), {}}},
                        "values written with `±`, drawn from normal distributions");
    const auto count = [](std::size_t value) { return static_cast<std::int64_t>(value); };
    results_.add_row(
        {count(found.samples), count(found.used), count(found.drawn_again), std::to_string(of_.sampling.seed)});
  }

  void write_record(const Spread& spread) {
    const auto& column = spread.output->columns[spread.column];
    std::vector<ColumnInfo> columns;
    for (const char* name : {"at_means", "mean", "deviation", "low", "high"})
      columns.push_back(real_column(column, name));
    results_.add_record(spread_name(spread) + ".spread", std::move(columns),
                        "2.5 % of the samples lie below `low`, 2.5 % above `high`");
    const auto& s = spread.summary;
    results_.add_row({spread.at_means, s.mean, s.deviation, s.low, s.high});
  }

  // How much of each output's variance each input makes.
  void write_parts(const Propagation& found) {
    std::vector<ColumnInfo> columns{{"of", text_type(), {}}, {"written", text_type(), {}}, {"where", text_type(), {}}};
    std::vector<const Spread*> known;
    for (const Spread& spread : found.spreads) {
      if (spread.parts.empty()) continue;
      known.push_back(&spread);
      columns.push_back({spread_name(spread) + " [%]", plain_type(), {}});
    }
    if (known.empty()) return;
    results_.add_table("spread.parts", std::move(columns), "of the variance, made by each input alone");
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < inputs_.size(); ++i) order.push_back(i);
    const auto largest = [&](std::size_t i) {
      double part = 0;
      for (const Spread* spread : known) part = std::max(part, spread->parts[i]);
      return part;
    };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return largest(a) > largest(b); });
    for (const std::size_t i : order) {
      const auto& written = *inputs_[i].written;
      std::vector<Cell> row{inputs_[i].name, written.text, location_text(session_.sources(), written.location)};
      for (const Spread* spread : known) row.push_back(std::round(1000 * spread->parts[i]) / 10);
      results_.add_row(row);
    }
  }

  Session& session_;
  const SampledModel& of_;
  const std::vector<UncertainInput>& inputs_;
  Results& results_;
};

// Each sample needs a draw, an output and a copy of it, and once more while lines are fitted.
bool is_too_much(Session& session, std::size_t samples, std::size_t inputs, std::size_t outputs) {
  const double bytes = 8.0 * static_cast<double>(samples) * static_cast<double>(5 * inputs + 3 * outputs + 8);
  if (bytes <= static_cast<double>(session.options().memory_limit)) return false;
  session.diagnostics()
      .add(DiagnosticKind::out_of_memory, {},
           fmt::format("{} samples of {} values take about {}", grouped(samples), inputs,
                       format_bytes(static_cast<std::size_t>(bytes))))
      .help.push_back("ask for fewer samples, or allow more with `--memory-limit`");
  return true;
}

}  // namespace

void warn_of_no_spread(Session& session) {
  auto& d =
      session.diagnostics().add(DiagnosticKind::no_spread, {},
                                "nothing is sampled: no value of the model is written with `±`", "", Severity::warning);
  d.help.push_back(
      "give a parameter its spread, one standard deviation: `-D \"net.L=23 us ± 1 us\"`, also written `+-`");
}

bool add_samples(Session& session, const frontend::Item& model, const SampledModel& of, Results& results) {
  frontend::Diagnostics quiet;  // all errors were reported with the outputs themselves
  const auto overrides = check_overrides(session, model, of.overrides);
  const auto lowered = lower_model(session.program(), model, overrides, quiet, {.uncertain = true});
  warn_of_constants(session, lowered);
  const auto engine = open_engine(session, of.engine, lowered.system);
  if (engine == nullptr) return false;
  const auto limits = engine_limits(session.options());
  const auto inputs = analysis::uncertain_inputs(lowered, *engine, limits);
  if (inputs.empty()) {
    warn_of_no_spread(session);
    return true;
  }
  const auto outputs = outputs_to_sample(session, lowered, results);
  if (outputs.empty() || is_too_much(session, of.sampling.samples, inputs.size(), outputs.size()))
    return outputs.empty();
  auto outcome = [&] {
    ProgressLine line(session.console(), "samples", static_cast<double>(of.sampling.samples));
    return analysis::propagate(lowered, *engine, inputs, outputs, of.sampling.samples, of.sampling.seed,
                               of.engine.threads, limits,
                               [&](std::size_t rows) { line.advance(static_cast<double>(rows)); });
  }();
  if (const auto* failure = std::get_if<ir::Failure>(&outcome)) {
    report(lowered.system, lowered.words, lowered.notes, *failure, session.diagnostics());
    return false;
  }
  const auto& found = std::get<Propagation>(outcome);
  report_failed_samples(session, found);
  if (found.spreads.empty()) return false;
  SampleWriter(session, of, inputs, results).write(found);
  return true;
}

}  // namespace wave::cli
