// Models of programs that were recorded, with one thing in their text changed: each change that the processes notice is
// found, and where the changed statement is the one that differs, there.
#include "analysis/recorded/against.h"
#include "analysis/recorded/model_steps.h"
#include "analysis/recorded/recording.h"
#include "backend/interpreter/inspection.h"
#include "frontend/lower/lower.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <random>
#include <regex>
#include <sstream>

namespace {

using namespace wave;
namespace fs = std::filesystem;
namespace recorded = analysis::recorded;
using recorded::CallOrder;
using recorded::Recording;
using recorded::Steps;

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

struct Known {
  const char* run;
  const char* module;  // below stdlib/std/applications
  const char* model;   // with its parameters
  const char* process;
};
const Known known[] = {
    {"lulesh.s4.8", "lulesh.wave", "LULESH(s = 4, cycles = 5)", "it.run"},
    {"s3d.50.2x3", "sweep3d.wave", "Sweep3D(n = 2, m = 3, Nx = 50, Ny = 50, kt = 50, mk = 10, mmi = 3, iterations = 3)",
     "it.program"},
    {"lu.S.4", "lu.wave", "LU(class = S, processors = 4)", "it.program"},
    {"mg.S.4", "npb/mg.wave", "MG(class = S, p = 4)", "it.run"},
    {"comd.8", "comd.wave", "CoMD(nx = 12, ny = 12, nz = 12, steps = 10, print_rate = 5)", "it.run"}};

Recording recording_of(const char* run) {
  std::vector<std::uint32_t> files;
  frontend::Sources sources;
  frontend::Diagnostics diagnostics;
  for (const auto& entry : fs::directory_iterator(fs::path(WAVE_RECORDINGS) / run))
    files.push_back(sources.add(entry.path().string(), text_of(entry.path())));
  auto recording = recorded::read_recording(sources, files, diagnostics);
  for (const auto& one : diagnostics.all()) UNSCOPED_INFO(one.message);
  REQUIRE(recording);
  return std::move(*recording);
}

struct Calls {
  std::vector<Steps> steps;
  std::vector<std::int64_t> extents;
  std::unique_ptr<frontend::Program> program;
  std::uint32_t line(const recorded::Step& step) const {
    return program->sources.line_column(step.location.file, step.location.begin).line;
  }
};

// What the model of a text does; nothing if it is no model any more.
std::optional<Calls> calls_of(const Known& of, const std::string& text) {
  const std::string whole = text + "\nmodel Held { let it = " + of.model + "\n output t = " + of.process + ".time }\n";
  frontend::Diagnostics diagnostics;
  Calls calls;
  calls.program = frontend::load("changed.wave", {}, diagnostics, &whole);
  const frontend::Item* const model = frontend::find_item(*calls.program, "Held", diagnostics);
  if (model == nullptr || diagnostics.has_errors()) return std::nullopt;
  const auto lowered = frontend::lower_model(*calls.program, *model, {}, diagnostics, {false, true});
  if (diagnostics.has_errors()) return std::nullopt;
  for (const auto& process : lowered.processes) {
    if (process.name != of.process) continue;
    const auto failed = backend::inspect_process(lowered.system, {}, {}, process.process, [&](auto& run) {
      calls.extents = run.places().extents;
      calls.steps = recorded::steps_of(run, {}, std::size_t{1} << 30);
    });
    if (!failed) return calls;
  }
  return std::nullopt;
}

bool is_same(const std::vector<Steps>& one, const std::vector<Steps>& other) {
  if (one.size() != other.size()) return false;
  std::vector<std::int64_t> line = {static_cast<std::int64_t>(one.size())};
  const auto compared = compare(one, other, line, CallOrder::strict);
  return std::none_of(compared.differences.begin(), compared.differences.end(),
                      [](const auto& d) { return d.has_value(); });
}

struct Change {
  std::string name;
  std::regex from;
  std::string to;
  bool is_there;  // whether the first difference is the changed statement
};
const std::vector<Change>& changes() {
  static const std::vector<Change> all = {
      {"another size", std::regex(R"(^(\s*(?:i?send|i?recv) )(.+?)( to | from ))"), "$1 2 * ($2)$3", true},
      {"another peer", std::regex(R"(^(\s*(?:i?send|i?recv) .* (?:to|from) \[.*)\])"), "$1 + 1]", false},
      {"another direction", std::regex(R"(^(\s*i?send .*)downwind)"), "$1upwind", false},
      {"left out", std::regex(R"(^(\s*)(?:i?send|i?recv) .*$)"), "$1compute(0)", false},
      {"a wait left out", std::regex(R"(^(\s*)wait.*$)"), "$1compute(0)", false},
      {"a collective left out", std::regex(R"(^(\s*)(?:allreduce|broadcast|reduce|barrier)\(.*$)"), "$1compute(0)",
       false},
      {"twice", std::regex(R"(^(\s*)((?:i?send|i?recv|allreduce|broadcast|barrier|reduce)\b.*)$)"), "$1$2; $2", false},
      {"another collective", std::regex(R"(^(\s*)(?:allreduce|broadcast|reduce)\()"), "$1scan(", true},
      {"a collective of another size", std::regex(R"(^(\s*(?:allreduce|broadcast|reduce)\()(.*)\)$)"), "$1 2 * ($2))",
       true},
      {"more often", std::regex(R"(^(\s*repeat )([^{]+) \{)"), "$1($2) + 1 {", false},
      {"another condition", std::regex(R"(^(\s*if )([^{]+) \{)"), "$1not ($2) {", false},
      {"in the background", std::regex(R"(^(\s*)(send|recv) )"), "$1i$2 ", true}};
  return all;
}

}  // namespace

TEST_CASE("a change of a model that its processes notice is found against the recording", "[recorded][long]") {
  const std::uint32_t seed = 20261130;
  std::mt19937 random(seed);
  std::size_t found = 0, unnoticed = 0, there = 0;
  std::map<std::string, std::size_t> by_kind;
  for (const Known& of : known) {
    INFO(of.run);
    const Recording recording = recording_of(of.run);
    const std::string text = text_of(fs::path(WAVE_SOURCE_DIR) / "stdlib/std/applications" / of.module);
    const auto right = calls_of(of, text);
    REQUIRE(right);
    const auto held = compare(recording.ranks, right->steps, right->extents, CallOrder::strict);
    for (std::size_t rank = 0; rank < held.differences.size(); ++rank) {
      INFO("rank " << rank);
      CHECK_FALSE(held.differences[rank]);
    }
    std::vector<std::string> lines;
    std::istringstream whole(text);
    for (std::string line; std::getline(whole, line);) lines.push_back(line);
    std::vector<std::pair<std::size_t, const Change*>> possible;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      for (const Change& change : changes()) {
        if (std::regex_search(lines[i], change.from)) possible.emplace_back(i, &change);
      }
    }
    std::shuffle(possible.begin(), possible.end(), random);
    constexpr std::size_t most = 40;
    if (possible.size() > most) possible.resize(most);
    for (const auto& [i, change] : possible) {
      std::string changed;
      for (std::size_t k = 0; k < lines.size(); ++k)
        changed += (k == i ? std::regex_replace(lines[k], change->from, change->to) : lines[k]) + "\n";
      const auto calls = calls_of(of, changed);
      if (!calls) continue;
      INFO("seed " << seed << ", line " << i + 1 << ", " << change->name << ": " << lines[i]);
      if (is_same(right->steps, calls->steps)) {
        ++unnoticed;
        continue;
      }
      const auto compared = compare(recording.ranks, calls->steps, calls->extents, CallOrder::strict);
      const auto first = std::find_if(compared.differences.begin(), compared.differences.end(),
                                      [](const auto& one) { return one.has_value(); });
      CHECK(first != compared.differences.end());
      if (first == compared.differences.end()) continue;
      ++found;
      ++by_kind[change->name];
      if (!change->is_there) continue;
      REQUIRE((*first)->in_model);
      // An exchange differs where it begins.
      const auto line = calls->line(*(*first)->in_model);
      CHECK((line <= i + 1 && line + 2 >= i + 1));
      ++there;
    }
  }
  for (const auto& [name, count] : by_kind) UNSCOPED_INFO(name << ": " << count);
  INFO(found << " found, " << there << " of them by their place, " << unnoticed << " that no process notices");
  CHECK(found >= 100);
  CHECK(by_kind.size() == changes().size());
}
