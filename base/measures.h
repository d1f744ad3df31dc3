// Durations and amounts of data as options have them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace wave {

// "60s", "500 ms", "2min", "none" (infinite). Nothing if the text is malformed, has no unit, or is not positive.
std::optional<double> parse_seconds(const std::string& text);
// "8GiB", "500 MB", "4096 B". Nothing if the text is malformed, has no unit, is not positive, or is too large.
std::optional<std::size_t> parse_bytes(const std::string& text);

}  // namespace wave
