// Reads any text as a trace of ScalaTrace, with little memory, and holds it against itself.
#include "analysis/recorded/scalatrace.h"

#include "analysis/recorded/against.h"
#include "tests/fuzz/promise.h"

using namespace wave;
using namespace wave::analysis::recorded;
using fuzz::promise;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t most_bytes = std::size_t{1} << 18;
  frontend::Sources sources;
  frontend::Diagnostics diagnostics;
  const std::uint32_t file = sources.add("lu.trace", fuzz::text_of(data, size));
  const auto read = read_scalatrace(sources, file, most_bytes, diagnostics);
  promise(read.has_value() != diagnostics.has_errors(), "it is read, or it is said why not");
  if (!read) return 0;
  const auto& ranks = read->ranks;
  promise(!ranks.empty() && ranks.size() == read->times.size(), "every rank has times");
  std::size_t steps = 0;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    promise(ranks[rank].size() == read->times[rank].size(), "every step has times");
    steps += ranks[rank].size();
    for (std::size_t i = 0; i < ranks[rank].size(); ++i) {
      const Step& step = ranks[rank][i];
      promise(step.peer >= Step::anybody && step.peer < static_cast<std::int64_t>(ranks.size()), "peers are ranks");
      for (const std::size_t ended : step.ended) promise(ended < i, "a wait ends what began before");
    }
  }
  promise(steps * sizeof(Step) <= most_bytes, "steps keep to their memory");
  const Compared compared = compare(ranks, ranks, {static_cast<std::int64_t>(ranks.size())}, CallOrder::by_wait);
  for (std::size_t rank = 0; rank < ranks.size(); ++rank)
    promise(compared.program[rank] == compared.model[rank], "a program counts as it does");
  return 0;
}
