// Numbers are eight bytes, strings their length and their bytes; a kind is one byte, the index of the variant.
#include "analysis/study/ranks/messages.h"

#include <cstring>

namespace wave::ranks {
namespace {

class Writer {
 public:
  explicit Writer(std::size_t kind) : bytes_(1, static_cast<char>(kind)) {}
  void add(std::uint64_t number) { bytes_.append(reinterpret_cast<const char*>(&number), sizeof number); }
  void add(double number) { bytes_.append(reinterpret_cast<const char*>(&number), sizeof number); }
  void add(std::string_view text) {
    add(std::uint64_t{text.size()});
    bytes_.append(text);
  }
  void add(Range range) {
    add(range.begin);
    add(range.end);
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// After a field that is not there all others are zero, and is_whole() is false.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  std::uint64_t number() { return plain<std::uint64_t>(); }
  double real() { return plain<double>(); }
  std::string text() {
    const std::uint64_t length = number();
    if (!has(length)) return {};
    const std::string result(bytes_.substr(0, static_cast<std::size_t>(length)));
    bytes_.remove_prefix(result.size());
    return result;
  }
  Range range() {
    Range result;
    result.begin = number();
    result.end = number();
    if (result.begin >= result.end) fail();
    return result;
  }
  bool is_whole() const { return !failed_ && bytes_.empty(); }
  bool has_failed() const { return failed_; }

 private:
  template <class Number>
  Number plain() {
    Number result{};
    if (!has(sizeof result)) return result;
    std::memcpy(&result, bytes_.data(), sizeof result);
    bytes_.remove_prefix(sizeof result);
    return result;
  }
  bool has(std::uint64_t count) {
    if (count > bytes_.size()) fail();
    return !failed_;
  }
  void fail() {
    failed_ = true;
    bytes_ = {};
  }

  std::string_view bytes_;
  bool failed_ = false;
};

void write(Writer& to, const Hello& hello) {
  to.add(hello.host);
  to.add(hello.claim);
  to.add(hello.trouble);
}
void write(Writer& to, const Assignment& one) { to.add(one.range); }
void write(Writer& to, const Computed& one) {
  to.add(std::uint64_t{one.parts.size()});
  for (const Part& part : one.parts) {
    to.add(part.range);
    to.add(part.bytes);
  }
  to.add(one.seconds);
}
void write(Writer& to, const Broken& one) { to.add(one.trouble); }
void write(Writer&, const Alive&) {}
void write(Writer&, const NothingLeft&) {}
void write(Writer&, const Leaving&) {}

void read(Reader& from, Hello& hello) {
  hello.host = from.text();
  hello.claim = from.text();
  hello.trouble = from.text();
}
void read(Reader& from, Assignment& one) { one.range = from.range(); }
void read(Reader& from, Computed& one) {
  for (std::uint64_t count = from.number(); count > 0 && !from.has_failed(); --count) {
    Part& part = one.parts.emplace_back();
    part.range = from.range();
    part.bytes = from.text();
  }
  one.seconds = from.real();
}
void read(Reader& from, Broken& one) { one.trouble = from.text(); }
void read(Reader&, Alive&) {}
void read(Reader&, NothingLeft&) {}
void read(Reader&, Leaving&) {}

template <std::size_t kind = 0>
std::optional<Word> read_as(std::size_t wanted, Reader& from) {
  if constexpr (kind < std::variant_size_v<Word>) {
    if (kind != wanted) return read_as<kind + 1>(wanted, from);
    std::variant_alternative_t<kind, Word> one;
    read(from, one);
    if (from.is_whole()) return Word(std::move(one));
  }
  return std::nullopt;
}

}  // namespace

std::string encode(const Word& word) {
  Writer to(word.index());
  std::visit([&](const auto& one) { write(to, one); }, word);
  return to.take();
}

std::optional<Word> decode(std::string_view bytes) {
  if (bytes.empty()) return std::nullopt;
  Reader from(bytes.substr(1));
  return read_as(static_cast<unsigned char>(bytes.front()), from);
}

}  // namespace wave::ranks
