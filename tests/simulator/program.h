// What one process does, written out: every loop is unrolled and every cost is a number.
#pragma once

#include "tests/simulator/protocols.h"

#include <compare>
#include <deque>

namespace wave::simulator {

struct Grid {
  std::vector<std::int64_t> extents;
  std::vector<bool> wraps;
  // What processes share, the innermost first: those with an equal number. None: they share nothing.
  struct Level {
    std::string name;
    std::vector<std::int64_t> of;  // by rank
    std::vector<std::int64_t> at;  // where each stands in its group
  };
  std::vector<Level> levels;

  std::size_t size() const;
  // Coordinates start at 1. Ranks start at 0, with the last axis fastest.
  std::vector<std::int64_t> coordinates(std::size_t rank) const;
  std::optional<std::size_t> rank(std::vector<std::int64_t> coordinates) const;  // nothing where they are off the grid
  const Level* level(const std::string& name) const;                             // null if there is none
};

// Messages meet on a channel: its k-th send meets its k-th receive.
struct Channel {
  std::size_t sender, receiver;
  const void* context;  // the algorithm of a collective, or null
  std::int64_t tag;
  bool absolute;
  std::vector<std::int64_t> offset;  // as the sender writes it
  auto operator<=>(const Channel&) const = default;
};

struct Message {
  std::size_t process;
  bool sends = false;
  bool background = false;
  std::string handle;    // empty where it has none
  bool of_task = false;  // only its task waits for it
  Channel channel;
  std::optional<double> size;  // a receive may leave it out
  Route route;
  std::shared_ptr<Instance> machine;
  // What follows from the above. For a receive without a size, it is known only once its send is known.
  Chosen protocol;
  std::vector<Step> steps;
  std::optional<std::int64_t> window;
  Message* partner = nullptr;
  Message* before_in_window = nullptr;  // must have been received before this one is sent
  Location location;
};

struct Collective {
  std::vector<std::size_t> participants;
  int line = -1;  // the axis that it is called along: the same processes may also meet without one
  double cost = 0;
  frontend::item::Collective::Root root{};
};

struct Compute {
  double time;
};
struct Wait {
  std::string handle;
};  // an empty handle means all
struct WaitAny {
  std::vector<std::string> handles;
};
// A list of tasks, whose receives stand before it as operations.
struct Ready;
struct Enter {
  std::string phase;
};
struct Leave {
  std::string phase;
};
struct Hold {
  std::string memory;
  double bytes;  // below 0: released
};
using Operation =
    std::variant<Compute, Message*, Wait, WaitAny, std::shared_ptr<Ready>, Enter, Leave, Collective, Hold>;
struct Task {
  std::vector<Message*> receives;
  double priority = 0;
  std::vector<Operation> body;
};
struct Ready {
  std::vector<Task> tasks;
};

struct Programs {
  Grid grid;
  std::deque<Message> messages;
  std::vector<std::vector<Operation>> of;
  std::vector<std::shared_ptr<Instance>> named;     // that `using` names
  std::vector<std::shared_ptr<Instance>> machines;  // of them, by process
  bool shares_processor = false;  // with what is done on arrival, where one of the machines does anything then
};

// The programs of all processes, row by row. Throws the first failure.
Programs write_out(Evaluator& evaluator, const frontend::Item& process, const std::shared_ptr<Instance>& model);
// The programs of `count` processes on a line that run only the algorithm of a collective.
Programs write_out_algorithm(Evaluator& evaluator, const frontend::Item& collective,
                             const std::shared_ptr<Instance>& machine, const std::map<std::string, Value>& arguments,
                             std::size_t count);

// Finds each message's other end, and what follows from that. Returns the error, if there is one: `size_mismatch` or
// `unmatched_message`.
std::optional<std::string> match(Evaluator& evaluator, Programs& programs);

Grid make_grid(Evaluator& evaluator, const frontend::Item& grid, const std::shared_ptr<Instance>& model);
// The innermost of the machine's levels that both share; `none`.
std::string shared_level(const Grid& grid, const frontend::Item& machine, std::size_t a, std::size_t b);

}  // namespace wave::simulator
