// What mutated code calls. `WAVE_MUTANT` is the number of the selected mutant; without it the program is as written.
// With `WAVE_MUTANTS_REACHED=FILE` the numbers of those that the program came to are added to a file when it ends.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

extern "C" {

std::uint64_t wave_selected_mutant = [] {
  const char* const selected = std::getenv("WAVE_MUTANT");
  return selected == nullptr ? 0 : std::strtoull(selected, nullptr, 10);
}();

void wave_enter_mutants(const std::uint64_t* ids, const std::uint8_t* reached, std::uint64_t count);
}

namespace {

struct Group {
  const std::uint64_t* ids;
  const std::uint8_t* reached;
  std::uint64_t count;
};

std::vector<Group>& groups() {
  static auto* const all = new std::vector<Group>;  // outlives what runs at exit
  return *all;
}

// One write for each program, because several may end at once.
void write_reached() {
  const char* const name = std::getenv("WAVE_MUTANTS_REACHED");
  std::FILE* const file = name == nullptr ? nullptr : std::fopen(name, "ab");
  if (file == nullptr) return;
  std::vector<std::uint64_t> all;
  for (const Group& group : groups()) {
    for (std::uint64_t i = 0; i < group.count; ++i) {
      if (group.reached[i] != 0) all.push_back(group.ids[i]);
    }
  }
  std::setvbuf(file, nullptr, _IONBF, 0);
  std::fwrite(all.data(), sizeof all[0], all.size(), file);
  std::fclose(file);
}

}  // namespace

void wave_enter_mutants(const std::uint64_t* ids, const std::uint8_t* reached, std::uint64_t count) {
  if (groups().empty()) std::atexit(write_reached);
  groups().push_back({ids, reached, count});
}
