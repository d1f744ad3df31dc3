// See given_values.h.
#include "editors/server/given_values.h"

namespace wave::editors {
namespace {

constexpr std::string_view blanks = " \t\r";

// The next word of a line from `at` on, which moves behind it. Quotes keep blanks inside, and are left out.
GivenInComment next_word(std::string_view line, std::size_t& at) {
  at = std::min(line.find_first_not_of(blanks, at), line.size());
  GivenInComment word{"", static_cast<std::uint32_t>(at), 0};
  char quote = 0;
  for (; at < line.size() && (quote || blanks.find(line[at]) == std::string_view::npos); ++at) {
    const char c = line[at];
    if (c == quote)
      quote = 0;
    else if (!quote && (c == '"' || c == '\''))
      quote = c;
    else
      word.text += c;
  }
  word.end = static_cast<std::uint32_t>(at);
  return word;
}

void read_line(std::string_view line, std::uint32_t offset, std::vector<GivenInComment>& all) {
  constexpr std::string_view comment = "//", prefix = "wave:", option = "-D";
  std::size_t at = line.find_first_not_of(blanks);
  if (at == std::string_view::npos || line.compare(at, comment.size(), comment) != 0) return;
  at = line.find_first_not_of(blanks, at + comment.size());
  if (at == std::string_view::npos || line.compare(at, prefix.size(), prefix) != 0) return;
  at += prefix.size();
  bool is_value = false;
  while (at < line.size()) {
    GivenInComment word = next_word(line, at);
    const bool is_joined = word.text.starts_with(option) && word.text.size() > option.size();  // `-Dn=64`
    if (is_joined) word.text = word.text.substr(option.size());
    if (is_value || is_joined) all.push_back({word.text, offset + word.begin, offset + word.end});
    is_value = !is_value && word.text == option;
  }
}

}  // namespace

std::vector<GivenInComment> given_in_comments(std::string_view text) {
  std::vector<GivenInComment> all;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    read_line(text.substr(begin, end - begin), static_cast<std::uint32_t>(begin), all);
    begin = end + 1;
  }
  return all;
}

}  // namespace wave::editors
