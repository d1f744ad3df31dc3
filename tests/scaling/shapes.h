// Inputs that grow in one direction.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace wave::test {

// A command line, and the files that it needs by their names. `{}` in a word stands for the folder of the files.
struct Input {
  std::vector<std::string> words;
  std::vector<std::pair<std::string, std::string>> files;
};

struct Shape {
  std::string name;
  std::function<Input(int)> input;
  int size = 200;           // of the smallest of its inputs
  bool is_refused = false;  // it has errors
};

std::vector<Shape> shapes();

}  // namespace wave::test
