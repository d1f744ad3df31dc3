// The label that something has put before each line of a log. Of one line that has it, `[1,0]<stdout>:# OSU ...`, its
// shape follows, and with that the labels of other lines: numbers may differ, also as parts of words, and so may names
// of months, days, levels of loggers and streams.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wave::analysis::machine_fit {

class LabelShape {
 public:
  // Of `text`, which stands before the beginning of what a benchmark printed. Nothing if it is blank, or no label.
  static std::optional<LabelShape> of(std::string_view text);

  // How long the label of this line is; nothing if it has none.
  std::optional<std::size_t> length_in(std::string_view line) const;
  // What tells the source of a line from others: its label without times and dates.
  std::string source(std::string_view label) const;

 private:
  enum class Kind { blank, number, word, mark };
  struct Part {
    Kind kind;
    std::string text;
    bool is_time = false;  // of a time or a date
  };
  static std::size_t part_length(std::string_view text, Kind& kind);
  void mark_times();

  std::vector<Part> parts_;
};

}  // namespace wave::analysis::machine_fit
