// Plain data as bytes and back, little end first. A reader never goes beyond its bytes: what is missing shows in ok().
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace wave {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");

class ByteWriter {
 public:
  template <class Number>
  ByteWriter& number(Number value) {
    static_assert(std::is_arithmetic_v<Number>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }
  ByteWriter& text(std::string_view text) {
    number<std::uint32_t>(static_cast<std::uint32_t>(text.size()));
    bytes_ += text;
    return *this;
  }
  ByteWriter& texts(const std::vector<std::string>& texts) {
    number<std::uint32_t>(static_cast<std::uint32_t>(texts.size()));
    for (const auto& one : texts) text(one);
    return *this;
  }
  template <class Number>
  ByteWriter& numbers(const std::vector<Number>& values) {
    number<std::uint64_t>(values.size());
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Number));
    return *this;
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  bool ok() const { return ok_; }
  bool at_end() const { return bytes_.empty(); }
  // What has been read cannot be.
  void fail() { ok_ = false; }

  template <class Number>
  Number number() {
    Number value{};
    copy(&value, sizeof value);
    return value;
  }
  std::string text() {
    const auto length = number<std::uint32_t>();
    if (!has(length, 1)) return {};
    std::string result(bytes_.substr(0, length));
    bytes_.remove_prefix(length);
    return result;
  }
  std::vector<std::string> texts() {
    const auto count = number<std::uint32_t>();
    std::vector<std::string> result;
    for (std::uint32_t i = 0; i < count && ok_; ++i) result.push_back(text());
    return result;
  }
  template <class Number>
  std::vector<Number> numbers() {
    const auto count = number<std::uint64_t>();
    std::vector<Number> result;
    if (!has(count, sizeof(Number))) return result;
    result.resize(count);
    copy(result.data(), count * sizeof(Number));
    return result;
  }

 private:
  bool has(std::uint64_t count, std::size_t size) {
    ok_ = ok_ && count <= bytes_.size() / size;
    return ok_;
  }
  void copy(void* to, std::size_t size) {
    if (!has(size, 1)) return;
    if (size > 0) std::memcpy(to, bytes_.data(), size);
    bytes_.remove_prefix(size);
  }

  std::string_view bytes_;
  bool ok_ = true;
};

}  // namespace wave
