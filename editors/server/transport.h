// Messages on a stream of bytes, each behind its headers: `Content-Length: 123`, an empty line, 123 bytes.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace wave::editors {

// A source file has at most 4 MiB, which JSON may make several times longer.
inline constexpr std::size_t largest_message = std::size_t{32} << 20;

// Fills a buffer with at most as many bytes. 0: the end.
using ReadBytes = std::function<std::size_t(char* buffer, std::size_t size)>;

class MessageReader {
 public:
  explicit MessageReader(ReadBytes read) : read_(std::move(read)) {}

  struct Message {
    std::string body;
    std::size_t skipped = 0;  // the length of a message that is too large; it has no body
  };
  // Nothing at the end. What is no header is passed over.
  std::optional<Message> next();

 private:
  bool fill();
  std::optional<std::string> line();
  std::string bytes(std::size_t count);

  ReadBytes read_;
  std::string buffer_;
  std::size_t at_ = 0;
};

std::string framed(std::string_view body);

}  // namespace wave::editors
