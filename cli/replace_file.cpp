// A temporary file in the same folder, renamed over the old one. See replace_file.h.
#include "cli/replace_file.h"

#include "cli/write_all.h"
#include "frontend/source/written_files.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace wave::cli {
namespace {

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

WholeFile::WholeFile(const std::string& path, const std::string& ending) : target_(where_it_leads(path)) {
  if (stat(target_.c_str(), &info_) != 0) {
    error_ = errno == ENOENT ? 0 : errno;
    info_ = fresh_file();
  } else if (frontend::written_files().has_refused()) {
    error_ = EBUSY;  // a verb that went on all the same
  } else if (access(target_.c_str(), W_OK) != 0) {
    error_ = errno;  // it stays as it is, even where its folder may be written
  } else {
    is_special_ = !S_ISREG(info_.st_mode);
  }
  if (error_ != 0) return;
  if (is_special_) {
    stream_ = open(target_.c_str(), O_WRONLY | O_CLOEXEC);
  } else if (ending.empty()) {
    temporary_ = target_ + ".XXXXXX";
    stream_ = mkstemp(temporary_.data());
  } else {
    temporary_ = target_ + ending;
    stream_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
  }
  if (stream_ < 0) error_ = errno;
}

WholeFile::~WholeFile() {
  if (stream_ < 0) return;
  close(stream_);
  if (!is_special_) unlink(temporary_.c_str());
}

void WholeFile::flush() {
  if (error_ == 0) error_ = write_all(stream_, buffer_);
  buffer_.clear();
}

bool WholeFile::write(std::string_view text) {
  constexpr std::size_t enough = std::size_t{1} << 20;
  buffer_ += text;
  if (buffer_.size() >= enough) flush();
  return error_ == 0;
}

std::string WholeFile::commit() {
  flush();
  if (error_ == 0 && !is_special_) {
    // Only root may give a file away; for others the owner is the same already or must change.
    if (info_.st_uid != geteuid() || info_.st_gid != getegid()) {
      [[maybe_unused]] const int ignored = fchown(stream_, info_.st_uid, info_.st_gid);
    }
    if (fsync(stream_) != 0 || fchmod(stream_, info_.st_mode & 07777) != 0) error_ = errno;
  }
  if (error_ == 0) {
    const int stream = std::exchange(stream_, -1);
    if (close(stream) != 0) error_ = errno;
    if (error_ == 0 && !is_special_ && rename(temporary_.c_str(), target_.c_str()) != 0) error_ = errno;
    if (error_ != 0 && !is_special_) unlink(temporary_.c_str());
  }
  return error_ == 0 ? "" : std::strerror(error_);
}

std::string replace_file(const std::string& path, const std::string& text) {
  WholeFile file(path);
  file.write(text);
  return file.commit();
}

}  // namespace wave::cli
