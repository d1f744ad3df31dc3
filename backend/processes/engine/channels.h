// How an end of a message finds its channel: kinds of channels by what tells them apart, and of each kind one for every
// pair of processes that uses it.
#pragma once

#include "backend/processes/engine/layout.h"
#include "backend/processes/program/bytecode.h"
#include "backend/processes/program/input.h"
#include "backend/processes/thresholds.h"
#include "base/hash_index.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace wave::backend::processes::engine {

// What tells channels between the same processes apart: context, tag, how the peer was written, and the offset if it
// was.
using ChannelKey = std::vector<std::int64_t>;
enum PeerOfKey : std::int64_t { by_place = 0, by_offset = 1, by_offset_of_rank = 2, by_member = 3 };

// `key`: the tag, and the coordinates as written. The offset of a channel is the sender's.
ChannelKey key_of(const ir::Message& message, std::span<const std::int64_t> key);

// Kinds of channels whose tag and offset are known beforehand, and whose receiver tells the sender: every process has
// its own of each, among its own things, its home.
struct KindsAtHome {
  std::vector<ChannelKey> kinds;
  bool are_all = true;  // no message has a channel of another kind
  bool operator==(const KindsAtHome&) const = default;
};
KindsAtHome kinds_at_home(const ProgramInput& input, const program::Bytecode& program);

// What an entry of a hash table takes with its bucket, also while the table grows, and one of a sorted map. Measured
// with 10^6 entries of the tables that are claimed by it: 60 bytes and 128.
inline constexpr std::size_t bytes_of_hashed_entry = 80, bytes_of_sorted_entry = 128;

// Those that lie with no process.
template <class Channel>
class Channels {
 public:
  // `set_up`: of a new one. `claim`: bytes; throws.
  Channels(std::int64_t processes, const std::vector<ChannelKey>& homes, std::function<void(Channel&)> set_up,
           std::function<void(std::int64_t)> claim)
      : processes_(static_cast<std::size_t>(processes)),
        homes_(static_cast<Number>(homes.size())),
        set_up_(std::move(set_up)),
        claim_(std::move(claim)) {
    for (const ChannelKey& key : homes) kinds_.try_emplace(key, static_cast<Number>(kinds_.size()));
    tables_.resize(kinds_.size());
  }

  Number kind(const ChannelKey& key) {
    const auto [found, is_new] = kinds_.try_emplace(key, static_cast<Number>(kinds_.size()));
    if (is_new) {
      claim_(bytes_of_sorted_entry);
      tables_.push_back({key[2] == by_offset || key[2] == by_offset_of_rank, {}});
    }
    return found->second;
  }
  // Of those that every process has at home, which come first.
  Number homes() const { return homes_; }
  Channel& find(Number sender, Number receiver, Number kind) {
    const std::vector<Channel*>& table = tables_[kind].found;
    Channel* const found = table.empty() ? nullptr : table[receiver];
    return found ? *found : look_up(sender, receiver, kind);
  }
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (const Placed& one : all_) visit(one.channel);
  }

 private:
  struct Place {
    Number sender, receiver, kind;
    bool operator==(const Place&) const = default;
    std::uint64_t hash() const {
      std::uint64_t x = (std::uint64_t{sender} << 32 | receiver) * 0x9e3779b97f4a7c15u;
      x ^= x >> 29;
      return (x + kind) * 0xbf58476d1ce4e5b9u;
    }
  };
  struct Placed {
    Place place;
    Channel channel;
  };
  Channel& look_up(Number sender, Number receiver, Number kind) {
    Table& table = tables_[kind];
    const std::size_t bytes = processes_ * sizeof(Channel*);
    if (table.is_possible && table.found.empty() && bytes_of_tables_ + bytes <= most_bytes_of_tables) {
      claim_(static_cast<std::int64_t>(bytes));
      bytes_of_tables_ += bytes;
      table.found.resize(processes_);
    }
    const Place place{sender, receiver, kind};
    const std::uint64_t hash = place.hash();
    const std::uint32_t known = index_.find(hash, [&](std::uint32_t one) { return all_[one].place == place; });
    if (known == HashIndex::none) {
      claim_(static_cast<std::int64_t>(sizeof(Placed) + HashIndex::bytes_of_entry));
      index_.add(hash);
      set_up_(all_.emplace_back(Placed{place, {}}).channel);
    }
    Channel& channel = known == HashIndex::none ? all_.back().channel : all_[known].channel;
    if (!table.found.empty()) table.found[receiver] = &channel;
    return channel;
  }

  const std::size_t processes_;
  const Number homes_;
  const std::function<void(Channel&)> set_up_;
  const std::function<void(std::int64_t)> claim_;
  std::map<ChannelKey, Number> kinds_;
  HashIndex index_;  // of `all_`
  std::deque<Placed> all_;
  // By kind: of those whose receiver tells the sender, by receiver, as far as there is room for such tables. Null: not
  // looked up before.
  struct Table {
    bool is_possible = false;
    std::vector<Channel*> found;
  };
  std::vector<Table> tables_;
  std::size_t bytes_of_tables_ = 0;
};

// A message statement, and the kind of channel that it has found last.
struct MessageSite {
  const program::Communicate* call = nullptr;
  bool is_fixed = false;  // the key is the same for all processes, always
  Number list = 0;        // of pending operations
  Number kind = none;

  // Whether the kind is that of this key.
  bool is_found(const std::int64_t* wanted) const {
    return kind != none && (is_fixed || std::equal(key.begin(), key.end(), wanted));
  }
  template <class Channel>
  void find(const std::int64_t* wanted, Channels<Channel>& channels) {
    const ir::Message& message = *call->message;
    const bool is_offset = message.peer.kind == ir::Peer::Kind::offset;
    key.assign(wanted, wanted + (is_offset ? 1 + message.peer.coordinates.size() : 1));
    std::uint64_t hash = 0;
    for (const std::int64_t number : key) hash = (hash ^ static_cast<std::uint64_t>(number)) * 0x9e3779b97f4a7c15u;
    if (known.empty()) known.resize(is_fixed ? 1 : kinds_of_statement);
    Known& place = known[hash >> 58 & (known.size() - 1)];
    if (place.kind == none || place.key != key) place = {key, channels.kind(key_of(message, key))};
    kind = place.kind;
  }

  ChannelKey key;  // the tag and the offset as written; of a place the tag alone
  struct Known {
    ChannelKey key;
    Number kind = none;
  };
  std::vector<Known> known;  // some that were found, by what their key hashes to
};

}  // namespace wave::backend::processes::engine
