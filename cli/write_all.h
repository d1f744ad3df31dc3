// All of a text to a stream of the system, which may take it in pieces.
#pragma once

#include <cerrno>
#include <string_view>
#include <unistd.h>

namespace wave::cli {

// 0, or the error.
inline int write_all(int stream, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(stream, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

}  // namespace wave::cli
