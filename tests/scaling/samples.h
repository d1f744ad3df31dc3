// Texts in which one thing of the grammar grows.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace wave::test {

// What is done with a text, beside checking it and laying it out. `show`: it is no text but what `--show` asks of a
// model.
enum class Then { nothing, evaluate, run_tests, show };

struct Sample {
  std::vector<std::string> of;  // what grows, as what_grows() names it
  std::function<std::string(int)> text;
  Then then = Then::evaluate;
  int size = 100;           // of the smallest
  bool is_refused = false;  // it has errors
  bool has_form = true;     // of a module, whatever it means
};

// One at least for all that grows.
std::vector<Sample> samples();

}  // namespace wave::test
