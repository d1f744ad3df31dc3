// What the processes of a program do, call by call: as a recording has it, or as the process of a model says it.
#pragma once

#include "ir/location.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace wave::analysis::recorded {

struct Step {
  enum class Kind : std::uint8_t {
    send,          // returns when the buffer may be used again
    started_send,  // goes on in the background, up to a wait
    receive,
    posted_receive,  // goes on in the background, likewise
    exchange,        // MPI_Sendrecv: both are begun, and both have ended; of a recording
    wait,
    collective,
  };
  Kind kind{};
  static constexpr std::int64_t anybody = -2;  // the peer of a receive, where nobody knows who it was
  std::int64_t peer = -1;          // its rank; of waits and collectives -1; of an exchange that it sends to, -1: none
  double size = -1;                // bytes; of a receive what came; negative: there is none, or nobody knows
  std::int64_t from = -1;          // of an exchange: whom it receives from, -1: nobody
  double received = 0;             // of an exchange: bytes; of a collective with a size for each part: all that is sent
  std::int64_t participants = 0;   // of a collective
  std::string name;                // of a collective, as models call it: "total_exchange"
  std::vector<std::size_t> ended;  // of a wait: the steps of this process that it ends
  // Of a model, where `waitany` takes what comes first: of a wait, those of `ended` in whose place another pending one
  // of these names may be; and the name of what is begun in the background.
  std::vector<std::size_t> chosen;
  std::vector<std::uint32_t> names;
  static constexpr std::uint32_t no_name = ~std::uint32_t{0};
  std::uint32_t name_of_call = no_name;
  Location location;  // in the model, or in the recording
};
// Of one process, in the order of its program.
using Steps = std::vector<Step>;

// Waits without a call between them are one, and those for nothing are none: programs wait for requests one by one, or
// for all. `from`, where it is given: of each step, the first that it was.
Steps with_whole_waits(const Steps& steps, std::vector<std::size_t>* from = nullptr);
// From one step up to another. Waits do not end what began before.
Steps part_of(const Steps& steps, std::size_t from, std::size_t to);

// An exchange as models write it (docs/mpi.md): a send and a receive, at least one of which is in the background, and a
// wait for these; or one of the two alone.
struct WrittenExchange {
  Step exchange;        // the same as one step
  std::size_t end = 0;  // the step behind it
};
// The one that begins at this step. Nothing: none does.
std::optional<WrittenExchange> exchange_at(const Steps& steps, std::size_t at);

// What a process sends to another.
struct Sent {
  std::int64_t messages = 0;
  double bytes = 0;
  friend bool operator==(const Sent&, const Sent&) = default;
};
using SentTo = std::map<std::int64_t, Sent>;
SentTo sent_by(const Steps& steps);
bool is_send(const Step& step);

}  // namespace wave::analysis::recorded
