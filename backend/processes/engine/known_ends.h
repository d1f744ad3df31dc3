// What messages do, by numbers that fit a message on its way: one for every protocol with its times that has been met.
#pragma once

#include "backend/processes/engine/layout.h"
#include "backend/processes/engine/rings.h"
#include "backend/processes/program/ends.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace wave::backend::processes::engine {

class KnownEnds {
 public:
  // What is there does not move when others are added: threads may look at it meanwhile.
  void stay_in_place() {
    ends_.reserve(most);
    for_code_.reserve(most);
  }
  // From 1; 0: there are too many different ones.
  std::uint16_t number(const ResolvedEnds& resolved) {
    if (resolved.number >= numbers_.size()) numbers_.resize(resolved.number + 1);
    std::uint16_t& known = numbers_[resolved.number];
    if (known != 0 || ends_.size() == most) return known;
    auto made = Ends::make(resolved);
    if (!made) return 0;
    for_code_.push_back({made->protocol, made->awaits, {made->times[0].data(), made->times[1].data()}});
    ends_.push_back(std::move(made));
    return known = static_cast<std::uint16_t>(ends_.size());
  }
  const Ends& operator[](std::uint16_t number) const { return *ends_[number - 1u]; }
  const EndsForCode* for_code() const { return for_code_.data(); }

 private:
  static constexpr std::size_t most = std::numeric_limits<std::uint16_t>::max();
  std::vector<std::unique_ptr<Ends>> ends_;
  std::vector<EndsForCode> for_code_;
  std::vector<std::uint16_t> numbers_;  // by ResolvedEnds::number; 0: not met before
};

}  // namespace wave::backend::processes::engine
