// What is sent on every channel, whatever the clocks. A receive without a size takes what is sent; where its protocol
// does something before its first await, it has to know that when it is called, and looks it up here.
#pragma once

#include "backend/processes/engine/channels.h"
#include "backend/processes/engine/layout.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace wave::backend::processes::engine {

// `Found`: what tells a protocol and its times; zero: nothing.
template <class Channel, class Found>
class SentEnds {
 public:
  // `claim`: bytes; throws.
  explicit SentEnds(std::function<void(std::int64_t)> claim) : claim_(std::move(claim)) {}

  void add(const Channel& channel, Found sent) {
    const auto [at, is_new] = channels_.try_emplace(&channel);
    std::vector<Run>& runs = at->second.runs;
    if (is_new) claim_(sizeof(OfChannel) + bytes_of_hashed_entry);
    if (runs.empty() || runs.back().sent != sent) {
      if (runs.size() == runs.capacity()) claim_(static_cast<std::int64_t>(sizeof(Run) * (runs.size() + 1)));
      runs.push_back({at->second.count, sent});
    }
    ++at->second.count;
  }
  // With the channel's message of this number, from 0. Numbers asked for rise.
  Found find(const Channel& channel, std::uint32_t number) {
    const auto at = channels_.find(&channel);
    if (at == channels_.end() || number >= at->second.count) return {};
    OfChannel& of = at->second;
    while (of.asked + 1 < of.runs.size() && of.runs[of.asked + 1].first <= number) ++of.asked;
    return of.runs[of.asked].sent;
  }

 private:
  // Messages that are the same, one after the other.
  struct Run {
    std::uint32_t first;
    Found sent;
  };
  struct OfChannel {
    std::vector<Run> runs;
    std::uint32_t count = 0;
    std::size_t asked = 0;  // the run that was asked for last
  };
  std::function<void(std::int64_t)> claim_;
  std::unordered_map<const Channel*, OfChannel> channels_;
};

}  // namespace wave::backend::processes::engine
