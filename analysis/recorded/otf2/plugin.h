// What the program and its module for OTF2 agree on: what of a trace is asked for, and nothing of models. The module is
// loaded only where a trace is read, so that the program runs where there is no OTF2.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace wave::analysis::recorded::otf2 {

// Members are places in `Definitions::ranks`. Those of a group for communicators of one process are not listed.
struct RankGroup {
  std::vector<std::uint64_t> members;
  bool is_self = false;
  bool has_global_ranks = false;  // events name ranks by these places already
};

struct Communicator {
  std::uint32_t group = 0;
  std::uint32_t other_group = 0;  // of one between two groups: the other; else the same
};

struct Definitions {
  std::uint64_t ticks_per_second = 0;
  std::map<std::uint32_t, std::string> regions;  // what is entered and left: names of functions
  std::vector<std::uint64_t> ranks;              // the locations of MPI's processes, by their rank
  std::map<std::uint32_t, RankGroup> groups;
  std::map<std::uint32_t, Communicator> communicators;
};

struct TraceEvent {
  enum class Kind : std::uint8_t {
    enter,
    leave,
    pause,  // from `time` to `until`, nothing was recorded
    send,
    started_send,
    ended_send,
    posted_receive,
    receive,
    ended_receive,
    cancelled,
    collective,  // its end
  };
  Kind kind{};
  std::uint64_t time = 0, until = 0;
  std::uint32_t region = 0;
  std::uint32_t peer = 0, communicator = 0,
                tag = 0;       // the peer as the communicator numbers it; of a collective the root
  std::uint64_t bytes = 0;     // of a collective: those that were sent
  std::uint64_t received = 0;  // of a collective
  std::uint64_t request = 0;
  std::string operation{};  // of a collective, as MPI calls it: "Allreduce"
};

// Gets the definitions, and then the events of one location after the other, in their order. False: nothing more.
class Listener {
 public:
  virtual ~Listener() = default;
  virtual bool define(const Definitions& definitions) = 0;
  virtual bool begin(std::uint64_t location) = 0;
  virtual bool take(const TraceEvent& event) = 0;
};

struct Plugin {
  const char* abi;
  // Reads the trace with this anchor file, "traces.otf2". Returns why it cannot be read; nothing, if it can.
  std::string (*read)(const std::string& anchor, Listener& listener);
};

// The module's one visible symbol: `extern "C" const Plugin* wave_otf2_plugin()`.
inline constexpr const char* plugin_symbol = "wave_otf2_plugin";

}  // namespace wave::analysis::recorded::otf2
