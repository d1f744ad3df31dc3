// Bytes to messages, offsets to positions, addresses to paths.
#include "editors/server/transport.h"

#include "editors/server/positions.h"
#include "editors/server/serve.h"

#include <catch2/catch.hpp>

using namespace wave::editors;

namespace {

// Gives a text in pieces of this size.
ReadBytes pieces(std::string text, std::size_t size) {
  return [text = std::move(text), at = std::size_t{0}, size](char* buffer, std::size_t most) mutable {
    const std::size_t count = std::min({size, most, text.size() - at});
    text.copy(buffer, count, at);
    at += count;
    return count;
  };
}

std::vector<std::string> messages(const std::string& bytes, std::size_t piece = 7) {
  MessageReader reader(pieces(bytes, piece));
  std::vector<std::string> all;
  while (const auto message = reader.next()) all.push_back(message->body);
  return all;
}

// What the server answers to bytes, and its code.
std::pair<std::string, int> session(const std::string& bytes) {
  std::string output;
  const int code = serve({}, pieces(bytes, 4096), [&](std::string_view written) {
    output += written;
    return true;
  });
  return {output, code};
}

std::string request(int id, const std::string& method) {
  return framed(R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":")" + method + R"(","params":{}})");
}

const std::string exit_notification = framed(R"({"jsonrpc":"2.0","method":"exit"})");

}  // namespace

TEST_CASE("messages come out as they went in, however the bytes arrive") {
  const std::string bytes = framed("{}") + framed("[1, 2]") + framed("");
  for (const std::size_t piece : {1, 2, 3, 1000})
    CHECK(messages(bytes, piece) == std::vector<std::string>{"{}", "[1, 2]", ""});
}

TEST_CASE("what is no header is passed over") {
  CHECK(messages("hello\r\n\r\n" + framed("{}")) == std::vector<std::string>{"{}"});
  CHECK(messages("Content-Length: none\r\n\r\n" + framed("{}")) == std::vector<std::string>{"{}"});
  CHECK(messages("Content-Length: -1\r\n\r\n" + framed("{}")) == std::vector<std::string>{"{}"});
  CHECK(messages("content-length:2\r\nContent-Type: x\r\n\r\n{}") == std::vector<std::string>{"{}"});
  CHECK(messages(std::string(100'000, 'x') + "\r\n" + framed("{}"), 5000) == std::vector<std::string>{"{}"});
}

TEST_CASE("a message that ends early is none") {
  CHECK(messages("Content-Length: 10\r\n\r\n{}").empty());
  CHECK(messages("Content-Length: 10").empty());
}

TEST_CASE("a message that is too large is skipped, and the next one is read") {
  const std::size_t large = largest_message + 1;
  MessageReader reader(pieces(
      "Content-Length: " + std::to_string(large) + "\r\n\r\n" + std::string(large, ' ') + framed("{}"), 1 << 20));
  const auto skipped = reader.next();
  REQUIRE(skipped);
  CHECK(skipped->skipped == large);
  CHECK(reader.next()->body == "{}");
}

TEST_CASE("positions count units of UTF-16, or bytes where the client prefers them") {
  const std::string text = "aé\U0001F600b\nc\r\nd\re";
  const Lines wide(text, Encoding::utf16), narrow(text, Encoding::utf8);
  const auto at = static_cast<std::uint32_t>(text.find('b'));
  CHECK(wide.position(at).character == 4);
  CHECK(narrow.position(at).character == 7);
  CHECK(wide.offset({0, 4}) == at);
  CHECK(narrow.offset({0, 7}) == at);
  CHECK(wide.offset({0, 3}) == 3);  // inside the pair: where it begins
  CHECK(text[wide.offset({1, 0})] == 'c');
  CHECK(text[wide.offset({2, 0})] == 'd');
  CHECK(text[wide.offset({3, 0})] == 'e');
}

TEST_CASE("positions beyond the end of a line or a text are its end") {
  const Lines lines("ab\ncd", Encoding::utf16);
  CHECK(lines.offset({0, 99}) == 2);
  CHECK(lines.offset({9, 0}) == 5);
  CHECK(lines.position(99).line == 1);
}

TEST_CASE("every offset comes back from its position") {
  const std::string text = "let a = \"é\U0001F600\"\r\n\n\r  b";
  for (const Encoding encoding : {Encoding::utf8, Encoding::utf16}) {
    const Lines lines(text, encoding);
    for (std::uint32_t i = 0; i <= text.size(); ++i) {
      const bool is_inside = i < text.size() && (static_cast<unsigned char>(text[i]) & 0xC0) == 0x80;
      const bool is_in_end = i > 0 && i < text.size() && text[i - 1] == '\r' && text[i] == '\n';
      if (!is_inside && !is_in_end) CHECK(lines.offset(lines.position(i)) == i);
    }
  }
}

TEST_CASE("addresses of files are paths with escapes") {
  CHECK(path_of_uri("file:///a/b%20c.wave") == "/a/b c.wave");
  CHECK(path_of_uri("file://localhost/a") == "/a");
  CHECK(uri_of_path("/a/b c\xC3\xA9.wave") == "file:///a/b%20c%C3%A9.wave");
  for (const char* other : {"untitled:Untitled-1", "file://host/a", "file:///a%2", "file:///a%zz", "file:///a%00b", ""})
    CHECK(path_of_uri(other).empty());
}

TEST_CASE("a session ends with 0 after shutdown, and with 1 without") {
  CHECK(session(request(1, "initialize") + request(2, "shutdown") + exit_notification).second == 0);
  CHECK(session(request(1, "initialize") + exit_notification).second == 1);
  CHECK(session(request(1, "initialize")).second == 1);
  CHECK(session("").second == 0);
}

TEST_CASE("what is no JSON, or nests too deeply, is answered with an error, and the server goes on") {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  for (const std::string& damaged : {std::string("{"), std::string("\xff"), deep}) {
    const auto [output, code] =
        session(framed(damaged) + request(1, "initialize") + request(2, "shutdown") + exit_notification);
    CHECK(output.find("-32700") != std::string::npos);
    CHECK(output.find("capabilities") != std::string::npos);
    CHECK(code == 0);
  }
}

TEST_CASE("a request that is cancelled while it waits is not answered with a result") {
  const std::string cancel = framed(R"({"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":7}})");
  std::string search = R"({"jsonrpc":"2.0","id":7,"method":"workspace/symbol","params":{"query":"x"}})";
  const auto [output, code] =
      session(request(1, "initialize") + framed(search) + cancel + request(2, "shutdown") + exit_notification);
  CHECK(code == 0);
  // Whether it was done before the notice came depends on the threads; it is answered once at most.
  const std::size_t first = output.find("\"id\":7");
  CHECK((first == std::string::npos || output.find("\"id\":7", first + 1) == std::string::npos));
}
