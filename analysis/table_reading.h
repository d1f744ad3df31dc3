// How a table is read that somebody else wrote, as far as its text does not say.
#pragma once

namespace wave::analysis {

struct TableReading {
  char decimal = '.';         // or a comma
  bool skip_missing = false;  // rows that lack a number are passed over
};

}  // namespace wave::analysis
