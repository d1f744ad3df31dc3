// Whether two folders have recordings of the same calls, however they are written: same_recordings FOLDER FOLDER RANKS
// compares the steps of each rank, with waits without a call between them as one.
#include "analysis/recorded/rank_recording.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace {

using namespace wave;
using analysis::recorded::Step;
using analysis::recorded::Steps;

std::optional<Steps> steps_of(const std::string& file) {
  std::ifstream in(file);
  std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  frontend::Sources sources;
  frontend::Diagnostics diagnostics;
  const auto rank = analysis::recorded::read_rank(sources, sources.add(file, std::move(text)), diagnostics);
  if (!rank) {
    std::printf("%s: %s\n", file.c_str(), diagnostics.all().front().message.c_str());
    return std::nullopt;
  }
  if (rank->times.size() != rank->steps.size()) return std::nullopt;
  Steps steps = analysis::recorded::with_whole_waits(rank->steps);
  for (Step& step : steps) std::sort(step.ended.begin(), step.ended.end());
  return steps;
}

bool is_same(const Step& one, const Step& other) {
  return one.kind == other.kind && one.peer == other.peer && one.size == other.size && one.from == other.from &&
         one.received == other.received && one.participants == other.participants && one.name == other.name &&
         one.ended == other.ended;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) return 2;
  for (int rank = 0; rank < std::atoi(arguments[3]); ++rank) {
    char name[32];
    std::snprintf(name, sizeof name, "/r%05d.txt", rank);
    const auto one = steps_of(arguments[1] + std::string(name)), other = steps_of(arguments[2] + std::string(name));
    if (!one || !other) return 1;
    const auto end = one->begin() + static_cast<std::ptrdiff_t>(std::min(one->size(), other->size()));
    const auto first = std::mismatch(one->begin(), end, other->begin(), is_same).first;
    if (first == end && one->size() == other->size()) continue;
    std::printf("rank %d differs at step %td, of %zu and %zu\n", rank, first - one->begin(), one->size(),
                other->size());
    return 1;
  }
  return 0;
}
