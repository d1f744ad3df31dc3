// See text_lines.h.
#include "frontend/source/text_lines.h"

#include <cstring>

namespace wave::frontend {

TextLines::TextLines(std::string_view text, std::string_view blanks) : text_(text), blanks_(blanks) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text_.substr(0, byte_order_mark.size()) == byte_order_mark) next_ = byte_order_mark.size();
}

bool TextLines::next() {
  while (next_ < text_.size()) {
    std::size_t begin = next_;
    const void* const newline = std::memchr(text_.data() + begin, '\n', text_.size() - begin);
    std::size_t end =
        newline != nullptr ? static_cast<std::size_t>(static_cast<const char*>(newline) - text_.data()) : text_.size();
    next_ = end + 1;
    while (begin < end && is_blank(text_[begin])) ++begin;
    while (begin < end && is_blank(text_[end - 1])) --end;
    if (begin == end) continue;
    begin_ = static_cast<std::uint32_t>(begin);
    end_ = static_cast<std::uint32_t>(end);
    return true;
  }
  return false;
}

}  // namespace wave::frontend
