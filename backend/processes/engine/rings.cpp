// See rings.h.
#include "backend/processes/engine/rings.h"

#include "backend/processes/thresholds.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <new>

namespace wave::backend::processes::engine {

std::unique_ptr<Ends> Ends::make(const ResolvedEnds& resolved) {
  auto ends = std::make_unique<Ends>();
  ends->protocol = resolved.protocol;
  ends->window = resolved.window;
  const std::vector<ResolvedStep>* const sides[2] = {&resolved.sender, &resolved.receiver};
  for (std::size_t side = 0; side < 2; ++side) {
    const std::vector<ResolvedStep>& steps = *sides[side];
    ends->is_charged[side] = has_charge_at_wait(steps);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      Step step{steps[i].kind, is_charged_at_wait(steps, i), 0, steps[i].time};
      if (ir::is_awaiting(step.kind)) {
        if (steps[i].slot >= std::numeric_limits<std::uint32_t>::digits) return nullptr;
        step.awaits = steps[i].slot;
        ends->awaits |= 1u << steps[i].slot;
      }
      if (step.kind == ir::Step::Kind::emit) {
        for (const ResolvedStep& there : *sides[1 - side]) {
          if (there.kind != ir::Step::Kind::await || there.signal != steps[i].signal) continue;
          step.awaits |= there.slot < std::numeric_limits<std::uint32_t>::digits ? 1u << there.slot : 0;
        }
      }
      if (step.kind == ir::Step::Kind::sent) {
        const auto is_its_emit = [&](const ResolvedStep& one) {
          return one.kind == ir::Step::Kind::emit && one.signal == steps[i].signal;
        };
        const auto emit = std::ranges::find_if(steps, is_its_emit) - steps.begin();
        ends->leaving[side].push_back({static_cast<std::uint32_t>(emit), step.awaits, step.time});
      }
      if (step.kind == ir::Step::Kind::emit) ends->private_from[side] = static_cast<std::uint32_t>(i) + 1;
      ends->steps[side].push_back(step);
      ends->times[side].push_back(step.time);
    }
  }
  // Its sender waits until it has been received.
  if (ends->window > 0 && !ends->is_charged[1]) ends->private_from[1] = std::numeric_limits<std::uint32_t>::max();
  return ends;
}

Rings::Rings(std::int64_t processes, const std::vector<ChannelKey>& homes, std::size_t awaits, bool have_asides,
             std::function<void(std::int64_t)> claim)
    : processes_(processes),
      awaits_(awaits),
      have_asides_(have_asides),
      bytes_of_message_(sizeof(Message) + awaits * sizeof(double) + (have_asides ? sizeof(Aside) : 0)),
      claim_(std::move(claim)),
      others_(processes, homes, [this](Ring& channel) { grow(channel); }, claim_) {
  // Rings of the processes that are run together stay in the cache, and those of all do not take much memory, where
  // that leaves room for a few messages each. Few awaits of a protocol are used as a rule, but in the background.
  const auto count = static_cast<double>(processes), kinds = std::max(1.0, static_cast<double>(homes.size()));
  const double all = static_cast<double>(bytes_of_message_),
               used = have_asides ? all : sizeof(Message) + sizeof(double);
  const double fitting = std::min(bytes_of_rings_in_cache / (std::min(count, processes_of_block) * kinds * used),
                                  bytes_of_rings / (count * kinds * all));
  usual_ring_ = std::bit_floor(static_cast<std::uint32_t>(std::clamp(fitting, 2.0, most_messages_of_ring)));
  set_home_ring(have_asides ? std::min(usual_ring_, few_messages_of_ring) : usual_ring_);
}

void Rings::begin_small() { set_home_ring(std::min(usual_ring_, few_messages_of_ring)); }

void Rings::set_home_ring(std::uint32_t messages) {
  home_ring_ = messages;
  const std::size_t bytes = sizeof(Ring) + home_ring_ * bytes_of_message_;
  bytes_of_channel_ = (bytes + alignof(Ring) - 1) / alignof(Ring) * alignof(Ring);
}

void Rings::set_up(Ring& channel, std::byte* memory, std::uint32_t capacity) const {
  channel.messages = reinterpret_cast<Message*>(memory);
  channel.capacity = capacity;
  std::uninitialized_fill_n(channel.messages, capacity, Message{});
  std::uninitialized_fill_n(&channel.passes(0, 0), capacity * awaits_, std::numeric_limits<double>::quiet_NaN());
  if (have_asides_) std::uninitialized_fill_n(&aside(channel, 0), capacity, Aside{});
}

void Rings::set_home(std::byte* first, std::size_t stride) {
  first_ = first;
  stride_ = stride;
}

void Rings::set_up_home(std::size_t process) {
  std::byte* memory = first_ + process * stride_;
  for (Number kind = 0; kind < others_.homes(); ++kind, memory += bytes_of_channel_)
    set_up(*new (memory) Ring, memory + sizeof(Ring), home_ring_);
}

std::byte* Rings::take(std::size_t bytes) {
  if (left_ < bytes) {
    const std::size_t size = std::max(bytes, bytes_of_ring_chunk);
    claim_(static_cast<std::int64_t>(size));
    chunks_.push_back(std::make_unique_for_overwrite<std::byte[]>(size));
    free_ = chunks_.back().get();
    left_ = size;
  }
  std::byte* const taken = free_;
  free_ += bytes;
  left_ -= bytes;
  return taken;
}

// What the smaller ring took is not used again: all of them together are as large as this one.
void Rings::grow(Ring& channel) {
  Ring larger = channel;
  const std::uint32_t capacity =
      channel.capacity == 0 ? std::min(usual_ring_, few_messages_of_ring) : 2 * channel.capacity;
  const std::size_t bytes = capacity * bytes_of_message_;
  set_up(larger, take((bytes + alignof(double) - 1) / alignof(double) * alignof(double)), capacity);
  for (std::uint32_t i = channel.oldest; i != channel.oldest + channel.capacity; ++i) {
    larger.message(i) = channel.message(i);
    for (std::uint32_t await = 0; await < awaits_; ++await) larger.passes(i, await) = channel.passes(i, await);
    if (have_asides_) aside(larger, i) = aside(channel, i);
  }
  channel = larger;
}

}  // namespace wave::backend::processes::engine
