// See folder.h.
#include "base/folder.h"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

namespace wave {

int sync_folder_of(const std::string& file) {
  const std::string folder = std::filesystem::path(file).parent_path().string();
  const int stream = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (stream < 0) return errno == EACCES ? 0 : errno;
  const int error = fsync(stream) == 0 || errno == EINVAL || errno == ENOSYS ? 0 : errno;
  close(stream);
  return error;
}

}  // namespace wave
