// Memory that is refused, at any request of a command: it ends with E0611 or another diagnostic, or comes to its
// results all the same; it does not crash or hang, and leaves nothing half done.
#include "tests/faults/subject.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

using namespace wave;
using test::Finished;
using test::Subject;
using test::Words;

namespace {

struct Refusal {
  long first = 0, last = -1;  // of the requests that fail
};

Finished run_refusing(Subject& subject, const Words& words, Refusal refusal) {
  const auto prepare = subject.prepare();
  const std::string requests = subject.place() + ".requests";
  return test::run(subject.place(), words, [&] {
    const std::string first = std::to_string(refusal.first), last = std::to_string(refusal.last);
    return prepare() && setenv("WAVE_FIRST_FAILING", first.c_str(), 1) == 0 &&
           setenv("WAVE_LAST_FAILING", last.c_str(), 1) == 0 && setenv("WAVE_REQUESTS", requests.c_str(), 1) == 0 &&
           setenv("LD_PRELOAD", WAVE_FAILING_MEMORY, 1) == 0;
  });
}

long requests_of(Subject& subject, const Words& words) {
  subject.reset();
  const Finished finished = run_refusing(subject, words, {});
  INFO(finished.said);
  REQUIRE(finished.code == 0);
  const long count = std::strtol(test::contents_of(subject.place() + ".requests").c_str(), nullptr, 10);
  REQUIRE(count > 1000);
  return count;
}

// A spread over all magnitudes, and places that chance chooses.
std::vector<long> places(long count, int trials, std::mt19937& random) {
  std::vector<long> chosen;
  const double step = std::max(1.3, std::pow(static_cast<double>(count), 2.0 / std::max(trials, 2)));
  for (double at = 1; at <= static_cast<double>(count) && static_cast<int>(chosen.size()) < trials / 2; at *= step)
    chosen.push_back(static_cast<long>(at));
  std::uniform_int_distribution<long> anywhere(1, count);
  while (static_cast<int>(chosen.size()) < trials) chosen.push_back(anywhere(random));
  return chosen;
}

}  // namespace

TEST_CASE("memory that is refused at any request is a diagnostic, or changes nothing") {
  std::mt19937 random(test::seed());
  constexpr int cases = 7;
  const int trials = std::max(1, test::count_of_trials(140) / cases);
  for (const char* const name :
       {"study", "study over an older file", "part", "merge", "batch", "compiled batch", "run to standard output"}) {
    Subject subject(test::subject(name));
    const Words& words = subject.kind().first;
    const long count = requests_of(subject, words);
    int refused = 0;
    bool once = false;
    for (const long first : places(count, trials, random)) {
      once = !once;
      const Refusal refusal{first, once ? first : count * 1000};
      INFO(name << ": of " << count << " requests " << first << (once ? " fails" : " and all after it fail"));
      subject.reset();
      const Finished finished = run_refusing(subject, words, refusal);
      refused += finished.code != 0 ? 1 : 0;
      subject.check(finished, Subject::Memory::scarce);
    }
    std::printf("%s: %ld requests, %d refused, %d ended for that\n", name, count, trials, refused);
    CHECK((refused > 0 || trials < 4));
  }
}
