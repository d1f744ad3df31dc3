// Messages of bytes between ranks: implemented by MPI, and by a substitute in tests.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace wave::ranks {

struct Message {
  int from = 0;
  std::string bytes;
};

// Used by one thread. Messages from one rank to another arrive in order.
class Transport {
 public:
  virtual ~Transport() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  // Of the machine that this rank runs on.
  virtual std::string host() const = 0;
  // False where the message cannot reach that rank any more.
  virtual bool send(int to, std::string_view bytes) = 0;
  // A message that has come; nothing where none has. Does not wait.
  virtual std::optional<Message> receive() = 0;
};

}  // namespace wave::ranks
