// See transport.h.
#include "editors/server/transport.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace wave::editors {
namespace {

constexpr std::size_t longest_header = 4096;
constexpr std::string_view length_header = "content-length:";

// The length in a header. Nothing if it is another header or no number.
std::optional<std::size_t> read_length(std::string header) {
  std::transform(header.begin(), header.end(), header.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (header.rfind(length_header, 0) != 0) return std::nullopt;
  std::string_view number = std::string_view(header).substr(length_header.size());
  while (!number.empty() && number.front() == ' ') number.remove_prefix(1);
  while (!number.empty() && (number.back() == ' ' || number.back() == '\r')) number.remove_suffix(1);
  std::size_t length = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), length);
  if (error != std::errc() || end != number.data() + number.size()) return std::nullopt;
  return length;
}

}  // namespace

bool MessageReader::fill() {
  constexpr std::size_t chunk = 65536;
  buffer_.erase(0, at_);
  at_ = 0;
  const std::size_t before = buffer_.size();
  buffer_.resize(before + chunk);
  const std::size_t got = std::min(chunk, read_(buffer_.data() + before, chunk));
  buffer_.resize(before + got);
  return got > 0;
}

// Without its end. Of a line that is too long to be a header, its end.
std::optional<std::string> MessageReader::line() {
  for (std::size_t searched = at_;;) {
    const std::size_t end = buffer_.find('\n', searched);
    if (end != std::string::npos) {
      std::string text = buffer_.substr(at_, end - at_);
      at_ = end + 1;
      return text;
    }
    if (buffer_.size() - at_ > longest_header) at_ = buffer_.size() - length_header.size();
    const std::size_t unread = buffer_.size() - at_;
    if (!fill()) return std::nullopt;
    searched = unread;
  }
}

std::string MessageReader::bytes(std::size_t count) {
  while (buffer_.size() - at_ < count) {
    if (!fill()) break;
  }
  std::string text = buffer_.substr(at_, count);
  at_ += text.size();
  return text;
}

std::optional<MessageReader::Message> MessageReader::next() {
  std::optional<std::size_t> length;
  while (const auto header = line()) {
    const bool is_empty = header->empty() || *header == "\r";
    if (const auto read = read_length(*header)) length = read;
    if (!is_empty || !length) continue;
    if (*length <= largest_message) {
      std::string body = bytes(*length);
      if (body.size() < *length) return std::nullopt;
      return Message{std::move(body)};
    }
    for (std::size_t left = *length; left > 0;) {
      const std::size_t passed = bytes(std::min<std::size_t>(left, 65536)).size();
      if (passed == 0) return std::nullopt;
      left -= passed;
    }
    return Message{{}, *length};
  }
  return std::nullopt;
}

std::string framed(std::string_view body) {
  return "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

}  // namespace wave::editors
