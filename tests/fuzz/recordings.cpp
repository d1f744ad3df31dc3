// Reads any text as the recording of a rank of one or two, and holds it against itself.
#include "analysis/recorded/against.h"
#include "analysis/recorded/recording.h"
#include "tests/fuzz/promise.h"

using namespace wave;
using namespace wave::analysis::recorded;
using fuzz::promise;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = fuzz::text_of(data, size);
  constexpr std::size_t most_bytes = std::size_t{1} << 20;
  for (const bool is_alone : {true, false}) {
    frontend::Sources sources;
    frontend::Diagnostics diagnostics;
    std::vector<std::uint32_t> files;
    files.push_back(sources.add("r0.txt", (is_alone ? "#rank 0 of 1\n" : "#rank 0 of 2\n") + text));
    if (!is_alone) files.push_back(sources.add("r1.txt", "#rank 1 of 2\n" + text));
    const auto recording = read_recording(sources, files, diagnostics, most_bytes);
    promise(recording.has_value() != diagnostics.has_errors(), "it is read, or it is said why not");
    if (!recording) continue;
    const std::vector<std::int64_t> extents = {static_cast<std::int64_t>(files.size())};
    std::vector<Steps> model;
    for (const Steps& steps : recording->ranks) {
      Steps& written = model.emplace_back();
      for (const Step& step : steps) {
        if (step.kind != Step::Kind::exchange) written.push_back(step);
      }
      if (written.size() != steps.size()) written = steps;
    }
    for (const CallOrder order : {CallOrder::strict, CallOrder::by_wait}) {
      const Compared compared = compare(recording->ranks, model, extents, order);
      promise(compared.differences.size() == files.size(), "every rank is compared");
      for (std::size_t rank = 0; rank < files.size(); ++rank)
        promise(compared.program[rank] == compared.model[rank], "a program counts as it does");
    }
    frontend::Diagnostics aside;
    static_cast<void>(section_of(*recording, text.substr(0, text.find('\n')), {}, aside));
  }
  return 0;
}
