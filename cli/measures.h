// Limits as they are written on the command line.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace wave::cli {

// "60s", "500 ms", "2min", "none" (infinite). Nothing if the text is malformed, has no unit, or is not positive.
std::optional<double> parse_seconds(const std::string& text);
// "8GiB", "500 MB", "4096 B". Nothing if the text is malformed, has no unit, is not positive, or is too large.
std::optional<std::size_t> parse_bytes(const std::string& text);

std::string format_seconds(double seconds);
std::string format_bytes(std::size_t bytes);

}  // namespace wave::cli
