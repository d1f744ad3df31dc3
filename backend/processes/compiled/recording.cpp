// See recording.h.
#include "backend/processes/compiled/recording.h"

namespace wave::backend::processes::compiled {

Recording::Recording(std::size_t processes, std::function<void(std::int64_t)> claim)
    : programs_(processes), claim_(std::move(claim)) {
  claim_(static_cast<std::int64_t>(processes * sizeof(OfProgram)));
}

void Recording::keep(Standing& process) {
  std::vector<std::uint64_t>& words = programs_[process.rank].words;
  if (words.size() == words.capacity()) {
    const std::size_t before = words.capacity(), after = std::max<std::size_t>(4, 2 * before);
    claim_(static_cast<std::int64_t>((after - before) * sizeof(std::uint64_t)));
    words.reserve(after);
  }
  words.push_back(process.choices);
  process.choices = 0;
  process.choice_bits = 0;
}

}  // namespace wave::backend::processes::compiled
