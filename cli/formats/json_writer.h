// A JSON writer. Doubles are written with the fewest digits that read back as the same double; what is no number in
// JSON (NaN, infinities) is null.
#pragma once

#include "cli/formats/rows.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wave::cli {

std::string json_string(std::string_view text);  // quoted; malformed UTF-8 becomes U+FFFD
std::string shortest(double value);              // "14.744202", "inf", "nan"

// Cells of rows and lists.
extern const Notation json_notation;

// Writes one document. Layout::lines puts every member on a line of its own.
class JsonWriter {
 public:
  using Layout = cli::Layout;

  JsonWriter& begin_object(Layout layout = Layout::compact) { return open('{', layout == Layout::lines); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array(Layout layout = Layout::compact) { return open('[', layout == Layout::lines); }
  JsonWriter& end_array() { return close(']'); }
  JsonWriter& key(std::string_view name);
  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(double number);
  JsonWriter& value(std::int64_t number);
  JsonWriter& value(std::uint32_t number) { return value(static_cast<std::int64_t>(number)); }
  JsonWriter& value(bool truth);
  JsonWriter& value(const std::string& text) { return value(std::string_view(text)); }
  JsonWriter& null();
  JsonWriter& raw(std::string_view text);  // a value that is JSON already
  void raw_text(std::string_view text) { text_ += text; }
  const std::string& str() const { return text_; }
  // What has been written since the last time.
  std::string take() { return std::exchange(text_, {}); }

 private:
  struct Level {
    bool empty = true;
    bool lines = false;
  };
  void separate();
  void new_line();
  JsonWriter& open(char bracket, bool lines);
  JsonWriter& close(char bracket);

  std::string text_;
  std::vector<Level> levels_;
  bool after_key_ = false;
};

// A member that is a list of texts.
void write_texts(JsonWriter& json, std::string_view name, const std::vector<std::string>& texts,
                 JsonWriter::Layout layout = JsonWriter::Layout::compact);

}  // namespace wave::cli
