// What a study is asked for, in the words of `wave sweep`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace wave::analysis {

// How often values written with `±` are drawn at each point; 0: never, their means count. Then each column that has a
// spread is followed by its mean, its deviation, and the values below and above which 2.5 % of the samples lie; the
// last column says how many samples did not fail.
struct StudySampling {
  std::size_t samples = 0;
  std::uint64_t seed = 1;
};
inline constexpr std::size_t most_drawn = 10'000'000;

struct StudyClauses {
  std::string study;               // of the file; empty: the only one, or what `vary` asks for
  std::vector<std::string> vary;   // "n=1..1024 by *2"
  std::vector<std::string> where;  // "n * m <= 1024": what must hold at each of the points
  std::vector<std::string>
      show;  // "total", "speedup = total[n = 1] / total"; empty: all outputs that are single values
  std::vector<std::string> reduce;  // "best 10 of total": what is made of the points; empty: they are kept
  std::string columns;  // a CSV file whose rows are the points, or "-"; empty: `vary` or the study lists them
  StudySampling sampling;

  // Takes an option by its name on the command line, "vary". Returns why not: there is none of that name, or it does
  // not take the value; empty: it was taken.
  std::string set(const std::string& option, const std::string& value);
  // The names that it takes.
  static std::vector<std::string> options();
};

// The options of which each further one adds to those before.
struct ListOfClauses {
  const char* option;
  std::vector<std::string> StudyClauses::* texts;
};
inline constexpr ListOfClauses lists_of_clauses[] = {{"vary", &StudyClauses::vary},
                                                     {"where", &StudyClauses::where},
                                                     {"show", &StudyClauses::show},
                                                     {"reduce", &StudyClauses::reduce}};

}  // namespace wave::analysis
