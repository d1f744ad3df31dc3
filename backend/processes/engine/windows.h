// Windows of protocols on channels: a message may be sent when the one so many before it has been received.
#pragma once

#include "backend/processes/engine/layout.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace wave::backend::processes::engine {

template <class Moment>
class Windows {
 public:
  // `claim`: bytes; throws. `kept`: receptions that are remembered at least, for windows that grow.
  explicit Windows(std::function<void(std::int64_t)> claim, std::int64_t kept = 0)
      : claim_(std::move(claim)), kept_(kept) {}

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
    std::uint32_t ordinal = 0;    // among the messages of the window
    std::optional<Moment> after;  // when the one that it waited for had been received
  };
  // The next message of `sender`. `again`: it has to wait until `receive` names it. `failed`: nobody has kept when the
  // one that it waits for was received, because windows of this protocol were smaller.
  std::variant<Sent, Outcome> send(Number window, std::int64_t size, Number sender) {
    Window& of = all_[window];
    of.largest = std::max({of.largest, size, kept_});
    Sent sent{of.sent, {}};
    if (static_cast<std::int64_t>(of.sent) >= size) {
      const std::uint32_t before = of.sent - static_cast<std::uint32_t>(size);
      if (before < of.begin) return Outcome::failed;
      sent.after = of.at(before);
      if (!sent.after) {
        of.waiting = sender;
        return Outcome::again;
      }
    }
    if (of.sent - of.begin == of.received.size()) make_room(of);
    of.at(of.sent++) = std::nullopt;
    return sent;
  }
  // A message has been received. Who waits for that, or perhaps for another; or none.
  Number receive(Number window, std::uint32_t ordinal, const Moment& when) {
    Window& of = all_[window];
    if (ordinal < of.begin) return none;
    of.at(ordinal) = when;
    return std::exchange(of.waiting, none);
  }

 private:
  struct Window {
    std::uint32_t protocol = 0;
    Number next = none;                           // of the channel
    Number waiting = none;                        // a sender
    std::uint32_t sent = 0, begin = 0;            // `received` is from `begin` up to `sent`
    std::int64_t largest = 0;                     // size that a message has had
    std::vector<std::optional<Moment>> received;  // nothing: not yet. As many as a power of two, in a ring
    std::optional<Moment>& at(std::uint32_t ordinal) { return received[ordinal & (received.size() - 1)]; }
  };
  // Windows of one protocol on one channel may differ by size, but none needs more than the largest.
  void make_room(Window& of) {
    if (of.largest < of.sent - of.begin) {
      of.begin = of.sent - static_cast<std::uint32_t>(of.largest);
      return;
    }
    std::vector<std::optional<Moment>> larger(std::max<std::size_t>(4, 2 * of.received.size()));
    claim_(static_cast<std::int64_t>(larger.size() * sizeof(larger[0])));
    for (std::uint32_t i = of.begin; i != of.sent; ++i) larger[i & (larger.size() - 1)] = of.at(i);
    of.received.swap(larger);
  }

  const std::function<void(std::int64_t)> claim_;
  const std::int64_t kept_;
  std::deque<Window> all_;
};

}  // namespace wave::backend::processes::engine
