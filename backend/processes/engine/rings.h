// Where messages meet: a ring of those that are on their way for every channel.
#pragma once

#include "backend/processes/engine/channels.h"
#include "backend/processes/program/ends.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace wave::backend::processes::engine {

// What a message of one size does, as its steps are taken.
struct Ends {
  struct Step {
    ir::Step::Kind kind{};
    bool is_charged_later = false;  // busy: in the background, at the wait
    std::uint32_t awaits =
        0;            // emit: the awaits of the other end that it lets pass, a bit each; await, sent: its number
    double time = 0;  // ps, on the quantum
  };
  std::vector<Step> steps[2];    // by side
  std::vector<double> times[2];  // the same, for code
  bool is_charged[2] = {};       // in the background: is anything left to the wait?
  // In the background, by side: the step from which on nobody waits for it but its own process, if that does.
  std::uint32_t private_from[2] = {};
  std::uint32_t awaits = 0;  // of both ends, a bit each
  // For every `sent` step: the emit that it waits for, its number, and how long after that it passes.
  struct Leaving {
    std::uint32_t emit = 0, await = 0;
    double time = 0;
  };
  std::vector<Leaving> leaving[2];  // by side
  std::uint32_t protocol = 0;
  std::int64_t window = 0;  // 0: none

  // Null: more awaits than bits.
  static std::unique_ptr<Ends> make(const ResolvedEnds& resolved);
};

class Rings {
 public:
  // What the runtime knows of a message besides, where messages have operations in the background or a window.
  struct Aside {
    Number operation[2];  // by side; see Message::in_background
    Number in_window;     // which it is among those of its window's protocol
  };

  // `homes`: kinds of channels that every process has among its own things. `awaits`: of both ends of a message, at
  // most. `claim`: bytes; throws.
  Rings(std::int64_t processes, const std::vector<ChannelKey>& homes, std::size_t awaits, bool have_asides,
        std::function<void(std::int64_t bytes)> claim);

  // Where memory is short: before any ring is set up.
  void begin_small();
  // What they take of a process's things; where these things begin, and from one process's to the next.
  std::size_t bytes_at_home() const { return others_.homes() * bytes_of_channel_; }
  void set_home(std::byte* first, std::size_t stride);
  // Those of one process, empty.
  void set_up_home(std::size_t process);

  // The others.
  Channels<Ring>& others() { return others_; }
  // Of the first process's; null: it is none of those.
  std::byte* first_at_home(Number kind) { return kind < others_.homes() ? first_ + kind * bytes_of_channel_ : nullptr; }
  std::size_t stride() const { return stride_; }
  Ring& find(Number sender, Number receiver, Number kind) {
    std::byte* const first = first_at_home(kind);
    return first ? *reinterpret_cast<Ring*>(first + receiver * stride_) : others_.find(sender, receiver, kind);
  }
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (std::int64_t process = 0; process < processes_; ++process) {
      const std::byte* memory = first_ + static_cast<std::size_t>(process) * stride_;
      for (Number kind = 0; kind < others_.homes(); ++kind, memory += bytes_of_channel_)
        visit(*reinterpret_cast<const Ring*>(memory));
    }
    others_.for_each(visit);
  }
  // They lie behind the times.
  Aside& aside(const Ring& channel, std::uint32_t ordinal) const {
    auto* const asides = reinterpret_cast<Aside*>(&channel.passes(0, 0) + channel.capacity * awaits_);
    return asides[ordinal & (channel.capacity - 1)];
  }
  // Room for more messages.
  void grow(Ring& channel);
  // Whether it may grow as soon as it is full. Rings begin small where there are many of which each has little to do:
  // those elsewhere, and in programs with operations in the background.
  bool is_small(const Ring& channel) const { return channel.capacity < usual_ring_; }

 private:
  void set_home_ring(std::uint32_t messages);
  std::byte* take(std::size_t bytes);
  void set_up(Ring& channel, std::byte* memory, std::uint32_t capacity) const;

  const std::int64_t processes_;
  const std::size_t awaits_;
  const bool have_asides_;
  const std::size_t bytes_of_message_;
  std::uint32_t home_ring_ = 0, usual_ring_ = 0;  // messages
  std::size_t bytes_of_channel_ = 0;              // at home, with its ring
  std::byte* first_ = nullptr;
  std::size_t stride_ = 0;
  std::function<void(std::int64_t)> claim_;
  Channels<Ring> others_;
  std::vector<std::unique_ptr<std::byte[]>> chunks_;  // of other rings
  std::byte* free_ = nullptr;
  std::size_t left_ = 0;
};

}  // namespace wave::backend::processes::engine
