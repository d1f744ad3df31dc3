// The texts that were read, and how a byte offset becomes a line and a column; the lines of a text one after the other;
// and whether what was read is text at all.
#pragma once

#include "ir/place.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wave::frontend {

class Diagnostics;
using ::wave::Place;

struct LineColumn {
  std::uint32_t line = 1;    // from 1
  std::uint32_t column = 1;  // from 1, in code points
};

class Sources {
 public:
  // `name` is what diagnostics show: a path as the user wrote it, "<stdin>", "-D net.L", "std.comm".
  std::uint32_t add(std::string name, std::string text);
  std::size_t size() const { return files_.size(); }
  const std::string& name(std::uint32_t file) const { return files_[file].name; }
  std::string_view text(std::uint32_t file) const { return files_[file].text; }
  std::string_view text(Place place) const;
  LineColumn line_column(std::uint32_t file, std::uint32_t offset) const;
  // The line with this number (from 1), without its end of line.
  std::string_view line(std::uint32_t file, std::uint32_t number) const;

 private:
  struct File {
    std::string name;
    std::string text;
    std::vector<std::uint32_t> line_starts;
  };
  std::vector<File> files_;
};

// The lines of a text that hold something, one after the other, without their ends and the blanks around them. A
// byte-order mark counts for nothing. Nothing is copied.
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

// Where a text stops being UTF-8, and what it may be instead.
struct NotText {
  std::size_t at = 0;  // the first byte that is in no such text
  std::string why;     // "not a character in UTF-8"
  std::string help;
};

// Nothing where it is UTF-8 text.
std::optional<NotText> find_no_text(std::string_view text);

// False, reported, if a file is not UTF-8 text. Readers call this before they report anything else about the file.
bool check_text(const Sources& sources, std::uint32_t file, Diagnostics& diagnostics);

}  // namespace wave::frontend
