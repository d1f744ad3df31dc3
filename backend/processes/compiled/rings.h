// Where messages meet: a ring of those that are on their way for every channel.
#pragma once

#include "backend/processes/compiled/layout.h"
#include "backend/processes/resolved_ends.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

namespace wave::backend::processes::compiled {

// What a message of one size does, as its steps are taken.
struct Ends {
  struct Step {
    ir::Step::Kind kind{};
    bool is_charged_later = false;  // busy: in the background, at the wait
    std::uint32_t awaits = 0;  // emit: the awaits of the other end that it lets pass, a bit each; await: its number
    double time = 0;           // ps, on the quantum
  };
  std::vector<Step> steps[2];    // by side
  std::vector<double> times[2];  // the same, for code
  bool is_charged[2] = {};       // in the background: is anything left to the wait?
  std::uint32_t awaits = 0;      // of both ends, a bit each
  std::uint32_t protocol = 0;
  std::int64_t window = 0;  // 0: none

  // Null: more awaits than bits.
  static std::unique_ptr<Ends> make(const ResolvedEnds& resolved);
};

// What an entry of a hash table takes with its bucket, also while the table grows, and one of a sorted map. Measured
// with 10^6 entries of the tables that are claimed by it: 60 bytes and 128.
inline constexpr std::size_t bytes_of_hashed_entry = 80, bytes_of_sorted_entry = 128;

// What tells channels between the same processes apart: context, tag, how the peer was written, and the offset if it
// was.
using RingKey = std::vector<std::int64_t>;
enum PeerOfKey : std::int64_t { by_place = 0, by_offset = 1, by_offset_of_rank = 2 };

class Rings {
 public:
  // What the runtime knows of a message besides, where messages have operations in the background or a window.
  struct Aside {
    Number operation[2];  // by side; see Message::in_background
    Number in_window;     // which it is among those of its window's protocol
  };

  // `homes`: kinds of channels whose receiver tells the sender. Every process has its own of each, among its own
  // things. `awaits`: of both ends of a message, at most. `claim`: bytes; throws.
  Rings(std::int64_t processes, const std::vector<RingKey>& homes, std::size_t awaits, bool have_asides,
        std::function<void(std::int64_t bytes)> claim);

  // What they take of a process's things; where these things begin, and from one process's to the next.
  std::size_t bytes_at_home() const { return homes_ * bytes_of_channel_; }
  void set_home(std::byte* first, std::size_t stride);
  void set_up_home(std::size_t process);

  Number kind(const RingKey& key);
  // Of the first process's; null: it is none of those.
  std::byte* first_at_home(Number kind) { return kind < homes_ ? first_ + kind * bytes_of_channel_ : nullptr; }
  std::size_t stride() const { return stride_; }
  Ring& find(Number sender, Number receiver, Number kind) {
    const std::vector<Ring*>& table = tables_[kind].found;
    Ring* const found = table.empty() ? nullptr : table[receiver];
    return found ? *found : look_up(sender, receiver, kind);
  }
  void for_each(const std::function<void(const Ring&)>& visit) const;
  // They lie behind the times.
  Aside& aside(const Ring& channel, std::uint32_t ordinal) const {
    auto* const asides = reinterpret_cast<Aside*>(&channel.passes(0, 0) + channel.capacity * awaits_);
    return asides[ordinal & (channel.capacity - 1)];
  }
  // Room for more messages.
  void grow(Ring& channel);

 private:
  struct Place {
    Number sender, receiver, kind;
    bool operator==(const Place&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Place& place) const {
      std::uint64_t x = (std::uint64_t{place.sender} << 32 | place.receiver) * 0x9e3779b97f4a7c15u;
      x ^= x >> 29;
      x = (x + place.kind) * 0xbf58476d1ce4e5b9u;
      return x ^ x >> 32;
    }
  };
  Ring& look_up(Number sender, Number receiver, Number kind);
  std::byte* take(std::size_t bytes);
  void set_up(Ring& channel, std::byte* memory, std::uint32_t capacity) const;

  const std::int64_t processes_;
  const Number homes_;
  const std::size_t awaits_;
  const bool have_asides_;
  const std::size_t bytes_of_message_;
  std::uint32_t smallest_ring_ = 0;
  std::size_t bytes_of_channel_ = 0;  // at home, with its ring
  std::byte* first_ = nullptr;
  std::size_t stride_ = 0;
  std::function<void(std::int64_t)> claim_;
  std::map<RingKey, Number> kinds_;
  std::unordered_map<Place, std::unique_ptr<Ring>, Hash> others_;
  // By kind: of those whose receiver tells the sender, by receiver, as far as there is room for such tables. Null: not
  // looked up before.
  struct Table {
    bool is_possible = false;
    std::vector<Ring*> found;
  };
  std::vector<Table> tables_;
  std::size_t bytes_of_tables_ = 0;
  std::vector<std::unique_ptr<std::byte[]>> chunks_;  // of other rings
  std::byte* free_ = nullptr;
  std::size_t left_ = 0;
};

}  // namespace wave::backend::processes::compiled
