// What can go wrong while a System is evaluated. A failure is a value: engines return it, and the front end turns it
// into a diagnostic.
#pragma once

#include "ir/ids.h"
#include "ir/location.h"
#include "ir/scalar.h"

#include <cstdint>
#include <string>
#include <vector>

namespace wave::ir {

enum class FailureKind : std::uint8_t {
#define WAVE_FAILURE(name) name,
#include "ir/failures.def"
#undef WAVE_FAILURE
};

// A location in the model where evaluation may fail.
struct Site {
  FailureKind kind{};
  Location location;
  std::string text;               // the user's message (`require`, `error`), or the name of what failed
  std::vector<Location> related;  // for example the declaration of a parameter's range
};

struct Failure {
  FailureKind kind{};
  SiteId site;                 // not valid for limits
  std::vector<Scalar> values;  // operands, where an engine has them at hand (may be empty)
  // Where in the space or loop it happened, outermost first (may be empty).
  std::vector<std::pair<std::string, std::int64_t>> indices;
  std::string detail;  // for limits: the estimate and the limit; for cycles: the cycle
  // Other locations that take part in the failure, and how: the statements of a deadlock, the other end of a message.
  std::vector<std::pair<Location, std::string>> labels;
  Location location;  // set if it is narrower than the site's (a constraint), or if there is no site

  // Whether the failure says nothing about the model, which might have a value with more time or memory.
  bool is_limit() const { return kind == FailureKind::time_limit || kind == FailureKind::memory_limit; }
};

// Why processes wait for each other. It is the value of a FailureKind::deadlock, so that the message can say how to
// mend it: some wait at a send for its receiver; if none does, some wait at a receive; otherwise all wait at a `wait`
// or a collective.
inline constexpr std::int64_t deadlock_at_send = 0, deadlock_at_receive = 1, deadlock_at_wait = 2;

}  // namespace wave::ir
