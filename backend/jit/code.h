// Machine code on its way from its maker to its user: as LLVM hands it over, and as the cache keeps it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wave::jit {

struct Code {
  std::string refusal;               // why there is none; the rest is empty then
  bool is_given_up = false;          // with more time there may be some
  std::vector<std::string> defined;  // the functions
  std::vector<std::string> objects;  // relocatable objects; they may refer to each other
  static Code refused(std::string why) { return {std::move(why), false, {}, {}}; }
};

std::string pack(const Code& code);
std::optional<Code> unpack(std::string_view bytes);  // nothing: these are not the bytes of any

// Fields one after the other, each with its length.
class Writer {
 public:
  Writer& put(std::uint64_t number);
  Writer& put(std::string_view text);
  Writer& put(const std::vector<std::string>& texts);
  std::string bytes;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}
  std::uint64_t number();
  std::string text();
  std::vector<std::string> texts();
  bool is_at_end() const { return good_ && rest_.empty(); }  // and everything was there

 private:
  std::string_view take(std::uint64_t count);
  std::string_view rest_;
  bool good_ = true;
};

}  // namespace wave::jit
