// The texts that were read: where their lines and columns are, their lines one after the other, and whether they are
// text at all.
#pragma once

#include "ir/location.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wave::frontend {

class Diagnostics;
using ::wave::Location;

struct LineColumn {
  std::uint32_t line = 1;    // from 1
  std::uint32_t column = 1;  // from 1, in code points
};

class Sources {
 public:
  // `name` is what diagnostics show: a path as the user wrote it, "<stdin>", "-D net.L", "std.comm".
  std::uint32_t add(std::string name, std::string text);
  // Gives a file another text. What was read of the old one is no longer valid.
  void replace(std::uint32_t file, std::string text);
  std::size_t size() const { return files_.size(); }
  const std::string& name(std::uint32_t file) const { return files_[file].name; }
  std::string_view text(std::uint32_t file) const { return files_[file].text; }
  std::string_view text(Location location) const;
  LineColumn line_column(std::uint32_t file, std::uint32_t offset) const;
  // The line with this number (from 1), without its end of line.
  std::string_view line(std::uint32_t file, std::uint32_t number) const;

 private:
  struct File {
    std::string name;
    std::string text;
    std::vector<std::uint32_t> line_starts;
    std::vector<std::uint32_t> code_points;  // before each `bytes_between_counts`-th byte
    std::uint32_t code_points_before(std::uint32_t offset) const;
  };
  static constexpr std::uint32_t bytes_between_counts = 1024;
  std::vector<File> files_;
};

// A location as a cell of a table, "lu.wave:12"; empty if it is not known.
std::string location_text(const Sources& sources, Location location);

// The lines of a text that are not empty, one after the other, without their ends and the blanks around them. A
// byte-order mark is skipped. Nothing is copied.
class TextLines {
 public:
  // The text must have less than 4 GiB. `blanks` are skipped at both ends of a line; `\r` should be among them.
  TextLines(std::string_view text, std::string_view blanks);

  bool next();
  // Where the present line is in the whole text.
  std::uint32_t begin() const { return begin_; }
  std::uint32_t end() const { return end_; }
  // Whether the text ends here without the end of a line, so that it may have been cut off.
  bool unfinished() const { return next_ > text_.size(); }

 private:
  bool is_blank(char c) const { return blanks_.find(c) != std::string_view::npos; }

  std::string_view text_, blanks_;
  std::size_t next_ = 0;
  std::uint32_t begin_ = 0, end_ = 0;
};

// Where a text stops being UTF-8, and what it may be instead.
struct NotText {
  std::size_t at = 0;  // the first byte that is not UTF-8
  std::string why;     // "not a character in UTF-8"
  std::string help;
};

// Nothing if it is UTF-8 text.
std::optional<NotText> find_no_text(std::string_view text);

// Reports a file that is not UTF-8 text, and then is false. Readers call this before they report anything else about
// the file.
bool check_text(const Sources& sources, std::uint32_t file, Diagnostics& diagnostics);

}  // namespace wave::frontend
