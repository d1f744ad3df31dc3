// What a message does where resources serve by time, as its steps are taken: the steps are those of its protocol, and
// the times those of its size.
#pragma once

#include "backend/processes/engine/layout.h"
#include "backend/processes/engine/moment.h"
#include "backend/processes/program/ends.h"
#include "backend/processes/program/resource_instances.h"
#include "base/hash_index.h"
#include "base/large_array.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace wave::backend::processes::engine {

using SharedInstances = ResourceInstances<ServedMoment, std::less<>>;

// What a step asks for.
struct ServedUse {
  Number resource = none;                 // of all machines
  SharedInstances::Kind* kind = nullptr;  // null: each process has one of it, with its other things
  std::int64_t number = 0;                // of those that stand side by side
  std::uint32_t declared = 0;             // MessageEnds::resources
  std::uint16_t occupied = 0;             // ServedEnds::times
};

struct ServedProtocol {
  struct Step {
    ir::Step::Kind kind{};
    bool is_charged_later = false;     // busy: in the background, at the wait
    bool is_taken = false;             // emit: the other end takes the signal in on arrival
    bool is_watched = false;           // emit: a `sent` step of this end waits for it
    std::uint16_t slot = 0;            // await, sent: which of those of both ends
    std::int16_t place = 0;            // in its end
    std::uint16_t first = 0, end = 0;  // emit: of `targets`
    std::uint16_t next = 0, last = 0;  // what else the signal passes after `use`: of `passes`
    std::uint16_t time = 0;            // ServedEnds::times; acquire: for which it needs the processor
    std::uint32_t signal = 0;
    ServedUse use;  // of nothing: its resource is none
  };
  ir::EndsId machine;
  std::uint32_t number = 0;            // MessageEnds::protocols
  std::vector<Step> steps[2];          // by side
  std::vector<std::uint16_t> targets;  // steps of the other end that a signal reaches
  std::vector<ServedUse> passes;
  bool is_charged[2] = {};  // in the background: is anything left to the wait?
  std::uint16_t times = 0;  // how many its messages have

  std::size_t bytes() const;  // about
};

// The ends of messages of one size. Their times lie behind it: ps, on the quantum.
struct ServedEnds {
  using Step = ServedProtocol::Step;
  const ServedProtocol* protocol = nullptr;
  double size = 0;
  Route route;
  std::int64_t window = 0;  // 0: none

  const double* times() const { return reinterpret_cast<const double*>(this + 1); }
  const std::vector<Step>& steps(std::size_t side) const { return protocol->steps[side]; }
  double time(const Step& step) const { return times()[step.time]; }
  double occupied(const ServedUse& use) const { return times()[use.occupied]; }
};

static_assert(sizeof(ServedEnds) % alignof(double) == 0 && std::is_trivially_destructible_v<ServedEnds>);

// The ends of all messages so far.
class AllServedEnds {
 public:
  using FindUse = std::function<ServedUse(ir::EndsId machine, const ResolvedUse& use)>;

  // `claim` takes bytes and may throw. `find` says which resource a use asks for, and leaves `occupied` open.
  AllServedEnds(EndsResolver& resolver, std::function<void(std::int64_t)> claim, FindUse find)
      : resolver_(resolver), claim_(std::move(claim)), find_(std::move(find)) {}

  // The ends stay where they are. Null: the protocol has more steps than can be numbered. Throws Failed. `made` is
  // called with ends that are new.
  const ServedEnds* resolve(ir::EndsId machine, double size, const Route& route,
                            const std::function<void(const ServedEnds&)>& made);

 private:
  // A protocol of a machine, with the numbers of all that its steps ask for.
  using Key = std::vector<std::int64_t>;
  // Both return null where a protocol has more steps than can be numbered.
  const ServedProtocol* protocol(const ResolvedEnds& resolved);
  std::unique_ptr<ServedProtocol> make(const ResolvedEnds& resolved) const;
  ServedEnds& place(const ServedProtocol& protocol);

  EndsResolver& resolver_;
  const std::function<void(std::int64_t)> claim_;
  const FindUse find_;
  Key key_;
  std::map<Key, std::unique_ptr<ServedProtocol>> protocols_;
  HashIndex index_;  // of `all_`
  std::vector<const ServedEnds*> all_;
  std::vector<LargeArray<std::byte>> chunks_;
  std::size_t used_ = 0;  // of the last chunk, bytes
};

// The least time from when an end comes to a step at which it may have waited, or asks for a resource, to when a signal
// arrives at the other end. `is_at_once`: by a resource's number, whether whoever asks for it is served at once.
double lookahead_of(const ServedEnds& ends, const std::vector<bool>& is_at_once);

}  // namespace wave::backend::processes::engine
