// See notices.h. A notice is written as one byte, its index in the variant, and its fields one after the other.
#include "analysis/study/ranks/notices.h"

#include "base/bytes.h"

namespace wave::ranks {
namespace {

void write(ByteWriter& to, PointRange range) { to.number(range.begin).number(range.end); }
void write(ByteWriter& to, const Hello& hello) { to.text(hello.host).text(hello.claim).text(hello.trouble); }
void write(ByteWriter& to, const Assignment& one) { write(to, one.range); }
void write(ByteWriter& to, const Computed& one) {
  to.number<std::uint64_t>(one.parts.size());
  for (const ComputedRange& part : one.parts) {
    write(to, part.range);
    to.text(part.bytes);
  }
  to.number(one.seconds);
}
void write(ByteWriter& to, const Broken& one) { to.text(one.trouble); }
void write(ByteWriter&, const Alive&) {}
void write(ByteWriter&, const NothingLeft&) {}
void write(ByteWriter&, const Leaving&) {}

void read(ByteReader& from, PointRange& range) {
  range.begin = from.number<std::uint64_t>();
  range.end = from.number<std::uint64_t>();
  if (range.begin >= range.end) from.fail();
}
void read(ByteReader& from, Hello& hello) {
  hello.host = from.text();
  hello.claim = from.text();
  hello.trouble = from.text();
}
void read(ByteReader& from, Assignment& one) { read(from, one.range); }
void read(ByteReader& from, Computed& one) {
  for (auto count = from.number<std::uint64_t>(); count > 0 && from.ok(); --count) {
    ComputedRange& part = one.parts.emplace_back();
    read(from, part.range);
    part.bytes = from.text();
  }
  one.seconds = from.number<double>();
}
void read(ByteReader& from, Broken& one) { one.trouble = from.text(); }
void read(ByteReader&, Alive&) {}
void read(ByteReader&, NothingLeft&) {}
void read(ByteReader&, Leaving&) {}

template <std::size_t kind = 0>
std::optional<Notice> read_as(std::size_t wanted, ByteReader& from) {
  if constexpr (kind < std::variant_size_v<Notice>) {
    if (kind != wanted) return read_as<kind + 1>(wanted, from);
    std::variant_alternative_t<kind, Notice> one;
    read(from, one);
    if (from.ok() && from.at_end()) return Notice(std::move(one));
  }
  return std::nullopt;
}

}  // namespace

std::string encode(const Notice& notice) {
  ByteWriter to;
  to.number(static_cast<std::uint8_t>(notice.index()));
  std::visit([&](const auto& one) { write(to, one); }, notice);
  return to.take();
}

std::optional<Notice> decode(std::string_view bytes) {
  if (bytes.empty()) return std::nullopt;
  ByteReader from(bytes.substr(1));
  return read_as(static_cast<unsigned char>(bytes.front()), from);
}

}  // namespace wave::ranks
