// Words and numbers in the lines of a recording.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

namespace wave::analysis::recorded {

std::vector<std::string_view> words_of(std::string_view line);
// The parts of a text between two of a mark.
std::vector<std::string_view> parts_of(std::string_view text, char mark);
bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words);

// A number that is all of a text.
std::optional<std::int64_t> whole_number_of(std::string_view text);
// A rank of `ranks`, or nobody.
std::int64_t rank_of(std::string_view text, std::int64_t ranks);
// Bytes that a double holds exactly, or -1 for those that are data.
std::optional<double> size_of(std::string_view text);
// Nanoseconds, where a negative number is none. The mean of what is written as SUM:LEAST:MOST:HISTOGRAM.
std::optional<double> duration_of(std::string_view text);
std::optional<double> mean_of(std::string_view text);

}  // namespace wave::analysis::recorded
