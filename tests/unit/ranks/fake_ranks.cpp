// See fake_ranks.h.
#include "fake_ranks.h"

#include <algorithm>

namespace wave::test {

bool FakeNetwork::send(int from, int to, std::string_view bytes) {
  const std::lock_guard lock(mutex_);
  if (dead_.contains(to)) return silent_;
  auto& box = boxes_[static_cast<std::size_t>(to)];
  auto arrives = std::chrono::steady_clock::now() +
                 std::chrono::microseconds(choices_.below(static_cast<std::size_t>(longest_delay_.count()) + 1));
  // Messages of one sender stay in order.
  for (const Letter& other : box) {
    if (other.packet.from == from) arrives = std::max(arrives, other.arrives);
  }
  box.push_back({arrives, {from, std::string(bytes)}});
  return true;
}

std::optional<ranks::Packet> FakeNetwork::receive(int rank) {
  const std::lock_guard lock(mutex_);
  auto& box = boxes_[static_cast<std::size_t>(rank)];
  const auto now = std::chrono::steady_clock::now();
  const auto first = std::find_if(box.begin(), box.end(), [&](const Letter& letter) { return letter.arrives <= now; });
  if (first == box.end()) return std::nullopt;
  ranks::Packet packet = std::move(first->packet);
  box.erase(first);
  return packet;
}

void FakeNetwork::die(int rank) {
  const std::lock_guard lock(mutex_);
  dead_.insert(rank);
  boxes_[static_cast<std::size_t>(rank)].clear();
}

}  // namespace wave::test
