// Times in microseconds, as the tests write them, in the picoseconds of the library.
#pragma once

namespace wave::test {

inline double us(double microseconds) { return microseconds * 1e6; }

}  // namespace wave::test
