// Channels, and the question whether all is done.
#include "backend/processes/network_control.h"

namespace wave::backend::processes::network {

namespace {

constexpr std::size_t smallest_table = 256;

}  // namespace

std::uint64_t Channels::hash(Number sender, Number receiver, Number kind) {
  std::uint64_t x = (std::uint64_t{sender} << 32 | receiver) * 0x9e3779b97f4a7c15u;
  x ^= x >> 29;
  x = (x + kind) * 0xbf58476d1ce4e5b9u;
  return x ^ x >> 32;
}

std::size_t Channels::growth() const {
  if (channels_.size() * 2 < table_.size()) return 0;
  const std::size_t next = std::max(smallest_table, table_.size() * 2);
  return (next - table_.size()) * (sizeof(Number) + sizeof(Channel) / 2);
}

Number Channels::find(Number sender, Number receiver, Number kind) {
  if (channels_.size() * 2 >= table_.size()) rehash();
  const std::size_t mask = table_.size() - 1;
  std::size_t place = hash(sender, receiver, kind) & mask;
  for (; table_[place] != none; place = (place + 1) & mask) {
    const Channel& channel = channels_[table_[place]];
    if (channel.sender == sender && channel.receiver == receiver && channel.kind == kind) return table_[place];
  }
  table_[place] = static_cast<Number>(channels_.size());
  channels_.push_back({sender, receiver, kind, 0, none, none});
  return table_[place];
}

void Channels::rehash() {
  table_.assign(std::max(smallest_table, table_.size() * 2), none);
  channels_.reserve(table_.size() / 2);
  const std::size_t mask = table_.size() - 1;
  for (Number number = 0; number < channels_.size(); ++number) {
    const Channel& channel = channels_[number];
    std::size_t place = hash(channel.sender, channel.receiver, channel.kind) & mask;
    while (table_[place] != none) place = (place + 1) & mask;
    table_[place] = number;
  }
}

bool Control::is_quiet() const {
  if (!is_complete()) return false;
  for (const Standing& one : standing) {
    if (one.first_pending != none) return false;
  }
  return true;
}

}  // namespace wave::backend::processes::network
