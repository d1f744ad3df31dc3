// A JSON writer. Doubles are written with the fewest digits that read back as the same double; what is no number in
// JSON (NaN, infinities) is null.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wave::cli {

std::string json_string(std::string_view text);  // quoted; malformed UTF-8 becomes U+FFFD
std::string shortest(double value);              // "14.744202", "inf", "nan"

// Writes one document. Layout::lines puts every member on a line of its own.
class JsonWriter {
 public:
  enum class Layout { compact, lines };

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
  JsonWriter& null();
  const std::string& str() const { return text_; }

 private:
  struct Level {
    bool empty = true;
    bool lines = false;
  };
  void separate();
  void new_line();
  JsonWriter& raw(std::string_view text);
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
