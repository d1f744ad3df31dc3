// Twice the input, twice the steps: reading, checking, lowering and writing take no longer than in proportion to their
// input, whatever grows in it. What is counted are branches, so the result is the same on every machine.
#include "cli/command_line.h"
#include "tests/folder.h"
#include "tests/scaling/samples.h"
#include "tests/scaling/shapes.h"
#include "tests/scaling/steps.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <limits>

namespace {

using namespace wave;

struct Counted {
  std::uint64_t steps = 0;
  int code = 0;
  std::string said;
};

Counted count(const test::Shape& shape, int size) {
  const test::Folder folder;
  const test::Input input = shape.input(size);
  for (const auto& [name, text] : input.files) folder.write(name, text);
  std::vector<std::string> words{"wave"};
  for (std::string word : input.words) {
    if (const auto at = word.find("{}"); at != std::string::npos) word.replace(at, 2, folder.path().string());
    words.push_back(std::move(word));
  }
  std::vector<const char*> arguments;
  for (const auto& word : words) arguments.push_back(word.c_str());
  const std::uint64_t before = test::steps();
  auto parsed = cli::parse_command_line(static_cast<int>(arguments.size()), arguments.data());
  auto* const request = std::get_if<cli::RequestedVerb>(&parsed);
  if (request == nullptr) {
    const auto* const misuse = std::get_if<cli::Misuse>(&parsed);
    return {0, -1, misuse == nullptr ? "help" : misuse->message};
  }
  // It is counted from the start of the program, which here goes through all shapes.
  request->common.time_limit_seconds = std::numeric_limits<double>::infinity();
  cli::Console console(request->common);
  console.capture();
  const int code = request->execute(request->common, console);
  return {test::steps() - before, code, console.captured()};
}

void check_proportion(const test::Shape& shape) {
  count(shape, shape.size);  // what is made once, when something is first needed, is not counted
  const Counted one = count(shape, shape.size), two = count(shape, 2 * shape.size), four = count(shape, 4 * shape.size);
  INFO(shape.name << ", sizes " << shape.size << ", " << 2 * shape.size << " and " << 4 * shape.size << ": "
                  << one.steps << ", " << two.steps << " and " << four.steps << " steps\n"
                  << one.said.substr(0, 2000));
  CHECK((one.code == cli::success) == !shape.is_refused);
  CHECK(one.code == two.code);
  CHECK(one.code == four.code);
  CHECK(one.steps < two.steps);
  // What a run does whatever its size cancels. In proportion, the second difference is twice the first; with a sort,
  // a little more; quadratic, four times.
  CHECK(static_cast<double>(four.steps - two.steps) < 2.6 * static_cast<double>(two.steps - one.steps));
}

// What a sample of the grammar is put through.
std::vector<test::Shape> shapes_of(const test::Sample& sample) {
  std::vector<test::Shape> shapes;
  const auto add = [&](const std::vector<std::string>& words) {
    const auto input = [&sample, words](int n) {
      test::Input input{words, {{"m.wave", sample.text(n)}}};
      input.words.push_back("{}/m.wave");
      return input;
    };
    shapes.push_back({sample.of.front() + ", " + words.front(), input, sample.size, sample.is_refused});
  };
  if (sample.then == test::Then::show) {
    const auto input = [&sample](int n) {
      const std::string model = "wave 1\nmodel M {\n  param k: int = 1\n  output o = k\n}\n";
      return test::Input{{"sweep", "--vary", "k=1..2", "--show", sample.text(n), "{}/m.wave"}, {{"m.wave", model}}};
    };
    return {{sample.of.front() + ", sweep", input, sample.size}};
  }
  if (sample.then == test::Then::evaluate) add({"run", "--engine", "interpreter"});
  if (sample.then == test::Then::run_tests) add({"test", "--engine", "interpreter"});
  if (shapes.empty()) add({"check"});  // what is run is checked, too
  // What has the form of a module is laid out, whatever it means.
  shapes.push_back(shapes.back());
  shapes.back().name = sample.of.front() + ", fmt";
  shapes.back().input = [&sample](int n) { return test::Input{{"fmt", "{}/m.wave"}, {{"m.wave", sample.text(n)}}}; };
  shapes.back().is_refused = !sample.has_form;
  return shapes;
}

}  // namespace

TEST_CASE("work grows in proportion to what is read") {
  for (const test::Shape& shape : test::shapes()) check_proportion(shape);
}

TEST_CASE("work grows in proportion to each list, what stands in itself and each kind of node of the grammar") {
  for (const test::Sample& sample : test::samples()) {
    for (const test::Shape& shape : shapes_of(sample)) check_proportion(shape);
  }
}
