// Where compiled code finds things in memory: activation records of frames and the headers of groups of events. Offsets
// are fixed per system, so that code compiled at different times works together.
//
// A record: word 0 is the record of the enclosing frame; then, in the root frame, which all events of an excerpt are
// in, one word per group (the address of its header, null until its extents are known), one byte per definition and
// shared value (its state, padded to words), one word per parameter and one per definition and shared value (its
// value). Values are 8 bytes: the bits of a double, an integer, or 0 and 1.
#pragma once

#include "backend/jit/lanes/strip_plan.h"
#include "backend/jit/shared_values.h"
#include "ir/dependences.h"
#include "ir/schedule.h"
#include "ir/system.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace wave::jit {

using GroupIndex = std::uint32_t;

// The bytes of what compiled code shares with the host (Context in backend/jit/runtime.h).
struct ContextLayout {
  static constexpr std::uint32_t fuel = 0;   // i64: steps until the clock is looked at
  static constexpr std::uint32_t depth = 8;  // i64: activations of frames
};

enum DefinitionState : std::uint8_t { not_evaluated = 0, evaluated = 1, in_progress = 2 };

// Where a shared value is found in a record.
struct SharedSlot {
  std::uint32_t state = 0, value = 0;
};

struct FrameLayout {
  std::uint32_t cleared_bytes = 0;  // groups and states, from byte 8: zero in a fresh record
  std::uint32_t size = 0;           // bytes, a multiple of 8
  std::unordered_map<ir::ValueId, SharedSlot> shared;
};

struct Layout {
  explicit Layout(const ir::System& system);
  // Bytes from the begin of the root frame's record.
  static std::uint32_t group_offset(GroupIndex group) { return 8 * (1 + group); }

  const ir::System& system;
  SharedValues shared;
  std::vector<ir::EventGroup> groups;
  std::vector<ir::Schedule> schedules;            // one per group
  std::vector<std::vector<ir::Hoisted>> hoisted;  // per group: what each of its evaluations needs first
  std::vector<lanes::StripPlan> strips;           // one per group
  std::vector<FrameLayout> frames;
  std::vector<std::uint32_t> state_offset;      // per definition: bytes from the begin of its frame's record
  std::vector<std::uint32_t> value_offset;      // per definition
  std::vector<std::uint32_t> parameter_offset;  // per parameter
  std::vector<GroupIndex> group_of;             // per event
  std::vector<std::uint32_t> position;          // per event: its place in its group
};

// Words of the header of a group, which compiled reads look at. After the fixed words come, per axis
// of the space, `first`, `last` and `stride` (in words), then, per event, the address of the point 0 of every
// axis (null where only the points that are read have been kept).
struct GroupHeader {
  static constexpr std::uint32_t words_per_axis = 3;
  static constexpr std::uint32_t done = 0;  // 1: its cells can be read; 0: they have not been asked for
  // 0: cells lie as the strides say. Otherwise along the axis of rows they lie in strips
  // (backend/jit/lanes/strip_layout.h): the binary logarithms of a strip's vectors and, from bit 8, of its lanes, and
  // bit 16.
  static constexpr std::uint32_t in_strips = 1;
  static constexpr std::uint32_t strip_words = 2;  // from a strip to the next
  static constexpr std::uint32_t skew_words = 3;   // what the skew of the rows adds from one to the next
  static constexpr std::uint32_t axes = 4;         // first of the axes' words
  static std::uint32_t first(std::uint32_t axis) { return axes + words_per_axis * axis; }
  static std::uint32_t last(std::uint32_t axis) { return first(axis) + 1; }
  static std::uint32_t stride(std::uint32_t axis) { return first(axis) + 2; }
  static std::uint32_t base(std::uint32_t axis_count, std::uint32_t event) {
    return axes + words_per_axis * axis_count + event;
  }
  // Where cells lie in strips: the words from row 0 to another (in the direction of the loop), by the three words
  // above. `Number` is a whole number, or code for one.
  template <class Number>
  static Number words_to_row(Number row, Number in_strips, Number strip_words, Number skew_words) {
    const Number vector_bits = in_strips & 0xff, lane_bits = in_strips >> 8 & 0xff;
    const Number all_bits = vector_bits + lane_bits;
    const Number strip = row >> all_bits, inside = row - (strip << all_bits);
    const Number lane = inside >> vector_bits, vector = inside - (lane << vector_bits);
    return (vector << lane_bits) + lane + strip * strip_words + inside * skew_words;
  }
};

// Words of the arguments of a kernel. Then come the axes and the events' addresses as above, and the values of
// the hoisted scalars.
struct KernelArguments {
  static constexpr std::uint32_t quantum = 0;  // double; 0: weights are not rounded
  static constexpr std::uint32_t inverse = 1;  // double: 1 / quantum
  static constexpr std::uint32_t fast = 2;     // 1: sums are exact, and 1 / quantum is
  static constexpr std::uint32_t axes = 3;
  static std::uint32_t first(std::uint32_t axis) { return axes + 3 * axis; }
  static std::uint32_t last(std::uint32_t axis) { return first(axis) + 1; }
  static std::uint32_t stride(std::uint32_t axis) { return first(axis) + 2; }
  static std::uint32_t base(std::uint32_t axis_count, std::uint32_t event) { return axes + 3 * axis_count + event; }
  static std::uint32_t hoisted(std::uint32_t axis_count, std::uint32_t event_count, std::uint32_t number) {
    return base(axis_count, event_count) + number;
  }
};

}  // namespace wave::jit
