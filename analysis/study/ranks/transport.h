// Packets of bytes between ranks. MPI carries them and, in tests, a substitute.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace wave::ranks {

struct Packet {
  int from = 0;
  std::string bytes;
};

// Used by one thread. Packets from one rank to another arrive in order.
class Transport {
 public:
  virtual ~Transport() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  // The name of the machine that this rank runs on.
  virtual std::string host() const = 0;
  // False if the packet can no longer reach that rank.
  virtual bool send(int to, std::string_view bytes) = 0;
  // A packet that has come, if one has. Does not wait.
  virtual std::optional<Packet> receive() = 0;
};

}  // namespace wave::ranks
