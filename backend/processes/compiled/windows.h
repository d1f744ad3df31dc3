// Windows of protocols on channels: a message may be sent when the one so many before it has been received.
#pragma once

#include "backend/processes/compiled/layout.h"
#include "backend/processes/thresholds.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace wave::backend::processes::compiled {

template <class Moment>
class Windows {
 public:
  // `claim`: bytes; throws.
  explicit Windows(std::function<void(std::int64_t)> claim) : claim_(std::move(claim)) {}

  // The window of a protocol among those of a channel, whose first this is.
  Number find(Number& first, std::uint32_t protocol) {
    Number* at = &first;
    for (; *at != none; at = &all_[*at].next) {
      if (all_[*at].protocol == protocol) return *at;
    }
    claim_(sizeof(Window));
    *at = static_cast<Number>(all_.size());
    all_.emplace_back().protocol = protocol;
    return *at;
  }

  struct Sent {
    std::uint32_t ordinal = 0;  // among the messages of the window
    std::optional<Moment> after;  // when the one that it waited for had been received
  };
  // The next message. Nothing: `sender` has to wait until `receive` names it.
  std::optional<Sent> send(Number window, std::int64_t size, Number sender) {
    Window& of = all_[window];
    Sent sent{of.sent, {}};
    if (static_cast<std::int64_t>(of.sent) >= size) {
      const std::uint32_t before = of.sent - static_cast<std::uint32_t>(size), place = before - of.begin;
      if (place >= of.received.size() || !of.received[place]) {
        of.waiting = sender;
        return std::nullopt;
      }
      sent.after = of.received[place];
      // Windows of one protocol on one channel may differ by size, but few need more than the last.
      if (place > 2 * receipts_kept) {
        of.received.erase(of.received.begin(), of.received.begin() + static_cast<std::ptrdiff_t>(receipts_kept));
        of.begin += static_cast<std::uint32_t>(receipts_kept);
      }
    }
    ++of.sent;
    // Not when they are received, which code tells where nothing may be thrown. There is twice the room while it grows.
    if (const std::size_t entries = of.sent - of.begin; entries > of.claimed) {
      const std::size_t more = std::max<std::size_t>(entries, 64);
      claim_(static_cast<std::int64_t>(more * 3 * sizeof(std::optional<Moment>)));
      of.claimed += more;
    }
    return sent;
  }
  // A message has been received. Who waits for that, or perhaps for another; or none.
  Number receive(Number window, std::uint32_t ordinal, const Moment& when) {
    Window& of = all_[window];
    if (ordinal < of.begin) return none;
    const std::uint32_t place = ordinal - of.begin;
    if (of.received.size() <= place) of.received.resize(place + 1);
    of.received[place] = when;
    return std::exchange(of.waiting, none);
  }

 private:
  struct Window {
    std::uint32_t protocol = 0;
    Number next = none;                           // of the channel
    Number waiting = none;                        // a sender
    std::uint32_t sent = 0, begin = 0;            // `received` is from `begin` on
    std::vector<std::optional<Moment>> received;  // nothing: not yet
    std::size_t claimed = 0;                      // entries of these
  };
  const std::function<void(std::int64_t)> claim_;
  std::deque<Window> all_;
};

}  // namespace wave::backend::processes::compiled
