// The text of a process, as lines in lines, and what makes it shorter.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace wave::analysis::inferred {

// The variable of loops whose turns sizes depend on.
inline constexpr const char* turn_variable = "turn_of_loop";

struct Line {
  std::string text;  // `repeat n`, where it has a body; of a computation without its time
  std::vector<Line> body;
  std::size_t work = 0;  // of a computation: which parameter it has, from 1
  // Whether both say the same, but for parameters of computations.
  friend bool operator==(const Line& one, const Line& other) {
    return one.text == other.text && (one.work > 0) == (other.work > 0) && one.body == other.body;
  }
};

// Parameters of computations that are one.
class Works {
 public:
  std::size_t add();  // the new one, from 1
  std::size_t find(std::size_t work) const;
  void unite(const Line& one, const Line& other);  // of equal lines
  std::size_t count() const { return same_.size(); }

 private:
  std::vector<std::size_t> same_;
};

std::size_t count_of(const std::vector<Line>& lines);  // with closing braces

struct Subprogram {
  std::string name;
  std::vector<Line> body;
};

// What stands there several times becomes a procedure, as long as that makes the text shorter.
// `take`: a name that is not taken yet.
std::vector<Subprogram> take_out_procedures(std::vector<Line>& lines, Works& works,
                                            const std::function<std::string(const std::string&)>& take);

}  // namespace wave::analysis::inferred
