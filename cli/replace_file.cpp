// A temporary file in the same folder, renamed over the old one. See replace_file.h.
#include "cli/replace_file.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace wave::cli {
namespace {

bool write_and_sync(int stream, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(stream, text.data(), text.size());
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
  return fsync(stream) == 0;
}

std::string where_it_leads(const std::string& path) {
  char* real = realpath(path.c_str(), nullptr);
  if (real == nullptr) return path;
  std::string result(real);
  std::free(real);
  return result;
}

// What a file that was not there gets.
struct stat fresh_file() {
  const mode_t hidden = umask(0);
  umask(hidden);
  struct stat info{};
  info.st_mode = 0666 & ~hidden;
  info.st_uid = geteuid();
  info.st_gid = getegid();
  return info;
}

}  // namespace

std::string replace_file(const std::string& path, const std::string& text) {
  const std::string target = where_it_leads(path);
  struct stat info{};
  if (stat(target.c_str(), &info) != 0) {
    if (errno != ENOENT) return std::strerror(errno);
    info = fresh_file();
  } else if (access(target.c_str(), W_OK) != 0) {
    return std::strerror(errno);             // it stays as it is, even where its folder may be written
  }
  std::string temporary = target + ".XXXXXX";
  const int stream = mkstemp(temporary.data());
  if (stream < 0) return std::strerror(errno);
  bool done = write_and_sync(stream, text);
  // Only root may give a file away; for others the owner is the same already or must change.
  if (done && (info.st_uid != geteuid() || info.st_gid != getegid())) {
    [[maybe_unused]] const int ignored = fchown(stream, info.st_uid, info.st_gid);
  }
  done = done && fchmod(stream, info.st_mode & 07777) == 0;
  int error = done ? 0 : errno;
  if (close(stream) != 0 && error == 0) error = errno;
  if (error == 0 && rename(temporary.c_str(), target.c_str()) != 0) error = errno;
  if (error == 0) return "";
  unlink(temporary.c_str());
  return std::strerror(error);
}

}  // namespace wave::cli
