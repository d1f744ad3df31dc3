// See json_writer.h.
#include "cli/formats/json_writer.h"

#include "cli/display.h"

#include <fmt/format.h>

#include <cmath>

namespace wave::cli {

std::string json_string(std::string_view text) {
  std::string result = "\"";
  for (std::size_t i = 0; i < text.size();) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += text[i++];
    } else if (c == '\n') {
      result += "\\n";
      ++i;
    } else if (c == '\t') {
      result += "\\t";
      ++i;
    } else if (c < 0x20 || c == 0x7f) {
      result += fmt::format("\\u{:04x}", c);
      ++i;
    } else if (c < 0x80) {
      result += text[i++];
    } else if (const std::size_t length = utf8_length(text, i); length > 0) {
      result += text.substr(i, length);
      i += length;
    } else {
      result += "\\ufffd";
      ++i;
    }
  }
  return result + "\"";
}

namespace {

std::string json_list(const std::vector<std::string>& texts) {
  std::string result;
  for (const auto& text : texts) result += (result.empty() ? "[" : ", ") + json_string(text);
  return result.empty() ? "[]" : result + "]";
}

}  // namespace

const Notation json_notation{json_string, json_list, "null", "null"};

std::string shortest(double value) { return fmt::format("{}", value); }

void JsonWriter::new_line() {
  text_ += '\n';
  text_.append(2 * levels_.size(), ' ');
}

void JsonWriter::separate() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (levels_.empty()) return;
  Level& level = levels_.back();
  if (!level.empty) text_ += level.lines ? "," : ", ";
  level.empty = false;
  if (level.lines) new_line();
}

JsonWriter& JsonWriter::raw(std::string_view text) {
  separate();
  text_ += text;
  return *this;
}

JsonWriter& JsonWriter::open(char bracket, bool lines) {
  separate();
  text_ += bracket;
  levels_.push_back({true, lines});
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  const Level level = levels_.back();
  levels_.pop_back();
  if (level.lines && !level.empty) new_line();
  text_ += bracket;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  raw(json_string(name));
  text_ += ": ";
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) { return raw(json_string(text)); }

JsonWriter& JsonWriter::value(double number) {
  if (!std::isfinite(number)) return null();
  return raw(shortest(number));
}

JsonWriter& JsonWriter::value(std::int64_t number) { return raw(fmt::format("{}", number)); }

JsonWriter& JsonWriter::value(bool truth) { return raw(truth ? "true" : "false"); }

JsonWriter& JsonWriter::null() { return raw("null"); }

void write_texts(JsonWriter& json, std::string_view name, const std::vector<std::string>& texts,
                 JsonWriter::Layout layout) {
  json.key(name).begin_array(layout);
  for (const auto& text : texts) json.value(text);
  json.end_array();
}

}  // namespace wave::cli
