// The lines of a text that hold something, one after the other, without their ends and the blanks around them. A
// byte-order mark counts for nothing. Nothing is copied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace wave::frontend {

class TextLines {
 public:
  // Of less than 4 GiB. `blanks`: what counts as nothing at both ends of a line; `\r` should be among them.
  TextLines(std::string_view text, std::string_view blanks);

  bool next();
  // Of the present line, in the whole text.
  std::uint32_t begin() const { return begin_; }
  std::uint32_t end() const { return end_; }
  // Whether the text ends here without the end of a line: it may have been cut off.
  bool unfinished() const { return next_ > text_.size(); }

 private:
  bool is_blank(char c) const { return blanks_.find(c) != std::string_view::npos; }

  std::string_view text_, blanks_;
  std::size_t next_ = 0;
  std::uint32_t begin_ = 0, end_ = 0;
};

}  // namespace wave::frontend
