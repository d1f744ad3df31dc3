// Reads any text as the output of each benchmark, and fits a machine to what was read: the parameters are numbers, and
// the machine's text is one that Wave reads.
#include "analysis/machine_fit/log_lines.h"
#include "analysis/machine_fit/machine_text.h"
#include "frontend/check/program.h"
#include "tests/fuzz/promise.h"

#include <cmath>

using namespace wave;
using namespace analysis::machine_fit;
using fuzz::promise;

namespace {

constexpr std::size_t most_fitted = 200;  // a fit takes longer than reading

void fit(const Timings& timings, Tool tool) {
  std::size_t samples = 0;
  for (const Series& series : timings.series) samples += series.samples.size();
  if (samples > most_fitted) return;
  frontend::Diagnostics diagnostics;
  const auto found = fit_machine(timings, {}, diagnostics);
  promise(found.has_value() || diagnostics.has_errors(), "without a fit there is a reason");
  if (!found) return;
  for (const MachineParameter& parameter : found->parameters) {
    promise(std::isfinite(parameter.value) && std::isfinite(parameter.standard_error),
            parameter.name + " and its error are numbers");
    promise(parameter.value >= 0, parameter.name + " is not negative");
  }
  const std::string text = machine_text(*found, {"M", {std::string(long_name(tool))}, {"x"}, "", ""});
  const auto program = frontend::load("<machine>", {}, diagnostics, &text);
  for (const auto& one : diagnostics.all())
    promise(false, "a fitted machine has no errors: " + one.message + "\n" + text);
}

// Taking off labels and escape sequences keeps places within the text.
void clean(const std::string& text) {
  const CleanLog log(text);
  promise(log.text().size() <= text.size(), "cleaning adds nothing");
  std::uint32_t at = 0;
  for (; at < log.text().size(); ++at) {
    const std::uint32_t original = log.original(at);
    promise(original < text.size() && text[original] == log.text()[at], "a byte of the cleaned log is one of the log");
  }
}

void find_out(const std::string& text) {
  frontend::Sources sources;
  frontend::Diagnostics diagnostics;
  Timings timings;
  read_tables(std::nullopt, sources, sources.add("benchmark", text), {}, timings, diagnostics);
  const TableChoice choice{{}, {4}, {2}, {"node"}, 0};
  use_tables(choice, 1, sources, timings, diagnostics);
  compare_populations(timings, "wave fit auto", sources, diagnostics);
  promise(!explanation(timings, 0, sources).empty(), "each file has an explanation");
}

void read(const std::string& text, Tool tool) {
  frontend::Sources sources;
  frontend::Diagnostics diagnostics;
  Timings timings;
  ReadOptions options;
  options.processes = 4;
  read_timings(tool, sources, sources.add("benchmark", text), options, timings, diagnostics);
  promise(diagnostics.all().size() <= 50, "complaints come to an end");
  for (const auto& one : diagnostics.all()) {
    for (const auto& label : one.labels)
      promise(
          !label.location.known() || (label.location.begin <= label.location.end && label.location.end <= text.size()),
          "a complaint has its place in the text");
  }
  for (const Series& series : timings.series) {
    for (const Sample& sample : series.samples)
      promise(sample.time > 0 && sample.size >= 0 && std::isfinite(sample.time), "samples are positive numbers");
  }
  if (!diagnostics.has_errors()) fit(timings, tool);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = fuzz::text_of(data, size);
  recognised(text);
  clean(text);
  find_out(text);
  for (const Tool tool : {Tool::osu, Tool::imb, Tool::netgauge, Tool::nccl, Tool::csv}) read(text, tool);
  return 0;
}
