// The texts that were read, and how a byte offset becomes a line and a column.
#pragma once

#include "ir/place.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wave::frontend {

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

}  // namespace wave::frontend
