// Values for parameters that a comment gives: `// wave: -D n=64 -D net.L="5 us"`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wave::editors {

struct GivenInComment {
  std::string text;                  // "n=64"
  std::uint32_t begin = 0, end = 0;  // in the document
};

std::vector<GivenInComment> given_in_comments(std::string_view text);

}  // namespace wave::editors
