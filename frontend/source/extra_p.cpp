// Extra-P's text format (extra-p/extrap, docs/file-formats.md): PARAMETER names, POINTS at which was measured, and for
// each REGION and METRIC a line DATA a point, with as many values as there were repetitions.
#include "base/numbers.h"
#include "frontend/source/gathered_table.h"

#include <utility>

namespace wave::frontend {
namespace {

struct Line {
  std::string_view word, rest;
  std::uint32_t begin = 0, end = 0, rest_begin = 0;
};

class ExtraPText {
 public:
  explicit ExtraPText(std::string_view text) : text_(text), lines_(text, " \t\r") {}

  GatheredTable read(std::string_view series) {
    while (!trouble_ && lines_.next()) {
      if (text_[lines_.begin()] != '#') read_line(line());
    }
    if (!trouble_) end_region();
    if (!series_.empty()) series_.finish(table_, series);
    table_.trouble = std::move(trouble_);
    return std::move(table_);
  }

 private:
  Line line() const {
    Line line;
    line.begin = lines_.begin();
    line.end = lines_.end();
    const std::string_view all = text_.substr(line.begin, line.end - line.begin);
    const std::size_t word_end = std::min(all.find_first_of(" \t"), all.size());
    const std::size_t rest = std::min(all.find_first_not_of(" \t", word_end), all.size());
    line.word = all.substr(0, word_end);
    line.rest = all.substr(rest);
    line.rest_begin = line.begin + static_cast<std::uint32_t>(rest);
    return line;
  }

  // The words of the rest of a line; parentheses around coordinates are left out.
  std::vector<CsvCell> words(const Line& line) const {
    constexpr std::string_view between = " \t()";
    std::vector<CsvCell> words;
    for (std::size_t at = 0; (at = line.rest.find_first_not_of(between, at)) != std::string_view::npos;) {
      const std::size_t end = std::min(line.rest.find_first_of(between, at), line.rest.size());
      const auto begin = line.rest_begin + static_cast<std::uint32_t>(at);
      words.push_back({line.rest.substr(at, end - at), begin, begin + static_cast<std::uint32_t>(end - at)});
      at = end;
    }
    return words;
  }

  void complain(std::uint32_t begin, std::uint32_t end, std::string message, std::string label) {
    trouble_ = TableTrouble{begin, end, std::move(message), std::move(label), {}, {}, false};
    trouble_->help.emplace_back(
        "Extra-P's text format has lines PARAMETER, POINTS, METRIC, REGION, and a line DATA for each point");
  }

  void read_line(const Line& line) {
    if (line.word == "PARAMETER") {
      for (const CsvCell& one : words(line)) {
        if (!table_.column(one.text, one.begin, one.end))
          complain(line.begin, line.end, "too many parameters", "this line");
      }
      if (!table_.cells.empty()) complain(line.begin, line.end, "a parameter after the points", "this line");
    } else if (line.word == "POINTS") {
      const std::size_t width = table_.names.size();
      for (const CsvCell& one : words(line)) {
        if (width != 0) table_.cells.push_back({static_cast<std::uint32_t>(table_.cells.size() % width), one});
      }
      if (width == 0 || table_.cells.size() % width != 0)
        complain(line.begin, line.end, "points have a coordinate for each parameter", "not of these");
    } else if (line.word == "REGION" || line.word == "METRIC") {
      end_region();
      (line.word == "REGION" ? source_.path : source_.metric) = line.rest;
      if (line.word == "METRIC" || source_.metric.empty()) {
        source_.begin = line.rest_begin;
        source_.end = line.end;
      }
    } else if (line.word == "DATA") {
      read_values(line);
    } else {
      complain(line.begin, line.end, "a line that Extra-P's text format does not have", "this line");
    }
  }

  void read_values(const Line& line) {
    const std::size_t width = table_.names.size();
    if (width == 0 || point_ * width >= table_.cells.size()) {
      complain(line.begin, line.end, "more lines DATA than points", "the first that is too much");
      return;
    }
    const auto values = words(line);
    if (values.empty()) {
      complain(line.begin, line.end, "a line DATA without a value", "of this point");
      trouble_->is_cut_off = line.end == text_.size();
      return;
    }
    if (source_.end == 0) source_.begin = line.begin, source_.end = line.begin + 4;
    for (const CsvCell& value : values) series_.add(source_, {value.begin, value.end, point_ * width, width}, value);
    ++point_;
    last_ = {line.begin, line.end};
  }

  void end_region() {
    const std::size_t points = table_.names.empty() ? 0 : table_.cells.size() / table_.names.size();
    if (point_ != 0 && point_ != points) {
      complain(last_.first, last_.second,
               "DATA for " + std::to_string(point_) + " of " + std::to_string(points) + " points", "the last of them");
      trouble_->is_cut_off = last_.second == text_.size();
    }
    point_ = 0;
  }

  std::string_view text_;
  TextLines lines_;
  GatheredTable table_;  // its cells are the coordinates, point by point
  SeriesRows series_;
  SeriesRows::Source source_;
  std::size_t point_ = 0;  // whose values come next
  std::pair<std::uint32_t, std::uint32_t> last_;
  std::optional<TableTrouble> trouble_;
};

}  // namespace

GatheredTable gather_extra_p(std::string_view text, std::string_view series) { return ExtraPText(text).read(series); }

}  // namespace wave::frontend
