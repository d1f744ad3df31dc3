// Runs the server on two streams of bytes until the client ends it or is gone.
#pragma once

#include "editors/server/server.h"
#include "editors/server/transport.h"

namespace wave::editors {

// False if the client is gone.
using WriteBytes = std::function<bool(std::string_view)>;

// Returns the code of the program: 0 after `shutdown` and `exit`, or 1.
int serve(ServerOptions options, ReadBytes read, const WriteBytes& write);

}  // namespace wave::editors
