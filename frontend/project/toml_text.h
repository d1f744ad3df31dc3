// A text for toml++. Version 3.3 has undefined behaviour on many characters beyond ASCII where TOML allows none, so it
// gets others in their place, which it takes for what they are: characters for private use, one for each that differs.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace wave::frontend {

class TomlText {
 public:
  // UTF-8. A byte-order mark in front stays.
  explicit TomlText(std::string_view text);

  // Line by line, it has as many characters as the text, though not as many bytes.
  const std::string& replaced() const { return replaced_; }
  // False if there are more different characters than there are for private use.
  bool is_whole() const { return originals_.size() <= most_replaced; }
  // What a part of `replaced()`, or a message that contains one, is in the text.
  std::string original(std::string_view part) const;

  static constexpr std::size_t most_replaced = 0xF900 - 0xE000;

 private:
  std::string replaced_;
  std::vector<std::string> originals_;  // by their number for private use
};

}  // namespace wave::frontend
