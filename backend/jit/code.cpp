// Code as a list of fields.
#include "backend/jit/code.h"

#include <cstring>

namespace wave::jit {

Writer& Writer::put(std::uint64_t number) {
  char field[sizeof number];
  std::memcpy(field, &number, sizeof number);
  bytes.append(field, sizeof number);
  return *this;
}

Writer& Writer::put(std::string_view text) {
  put(std::uint64_t{text.size()});
  bytes += text;
  return *this;
}

Writer& Writer::put(const std::vector<std::string>& texts) {
  put(std::uint64_t{texts.size()});
  for (const std::string& text : texts) put(text);
  return *this;
}

std::string_view Reader::take(std::uint64_t count) {
  good_ = good_ && count <= rest_.size();
  if (!good_) return {};
  const std::string_view taken = rest_.substr(0, count);
  rest_.remove_prefix(count);
  return taken;
}

std::uint64_t Reader::number() {
  std::uint64_t result = 0;
  const std::string_view field = take(sizeof result);
  if (good_) std::memcpy(&result, field.data(), sizeof result);
  return result;
}

std::string Reader::text() { return std::string(take(number())); }

std::vector<std::string> Reader::texts() {
  std::vector<std::string> result;
  for (std::uint64_t left = number(); left > 0 && good_; --left) result.push_back(text());
  return result;
}

std::string pack(const Code& code) { return Writer().put(code.refusal).put(code.defined).put(code.objects).bytes; }

std::optional<Code> unpack(std::string_view bytes) {
  Reader reader(bytes);
  Code code;
  code.refusal = reader.text();
  code.defined = reader.texts();
  code.objects = reader.texts();
  if (!reader.is_at_end()) return std::nullopt;
  return code;
}

}  // namespace wave::jit
