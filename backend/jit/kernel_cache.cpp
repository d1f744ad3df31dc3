// Files by POSIX calls relative to the folder, which is opened and looked at once per call: what is checked is what is
// used.
#include "backend/jit/kernel_cache.h"

#include "backend/jit/thresholds.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace wave::jit {

namespace {

constexpr std::string_view magic = "wave code 2\n";
constexpr std::string_view ending = ".code";
constexpr std::size_t header_bytes = magic.size() + sizeof(Digest);

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  operator int() const { return number_; }

 private:
  int number_;
};

std::string_view bytes_of(const Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

// Magic, digest of the key and the contents; the contents follow.
std::string header(const Digest& key, std::string_view contents) {
  const Digest both = digest(std::string(bytes_of(key)).append(contents));
  return std::string(magic).append(bytes_of(both));
}

// Of an entry, finished or not: other files may lie in a folder that somebody names, and are none of the cache's.
bool is_own_name(std::string_view name) {
  constexpr std::size_t digits = sizeof(Digest) * 2;
  return name.find_first_not_of("0123456789abcdef") == digits && name.substr(digits).starts_with(ending);
}

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

// Nobody but this user can have written to it, or to what lies in it: code from it will run. Else why not, ": others
// may write to it".
std::string distrust(const struct stat& about) {
  if (about.st_uid != geteuid()) return ": it belongs to somebody else";
  return about.st_mode & (S_IWGRP | S_IWOTH) ? ": others may write to it" : "";
}

// Nothing: it cannot be read, or is no plain file of a sensible size that only this user can have written.
std::optional<std::string> read_all(int file) {
  struct stat about{};
  if (fstat(file, &about) != 0 || !S_ISREG(about.st_mode) || about.st_size < 0) return std::nullopt;
  if (!distrust(about).empty()) return std::nullopt;
  if (static_cast<std::size_t>(about.st_size) > largest_entry) return std::nullopt;
  std::string bytes(static_cast<std::size_t>(about.st_size), '\0');
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = read(file, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return std::nullopt;
    done += static_cast<std::size_t>(count);
  }
  return bytes;
}

// With the folders above it, as far as they are missing.
void make_folders(const std::string& folder) {
  for (std::size_t slash = folder.find('/', 1);; slash = folder.find('/', slash + 1)) {
    mkdir(folder.substr(0, slash).c_str(), 0700);
    if (slash == std::string::npos) return;
  }
}

std::string because(int error) { return std::string(": ") + std::strerror(error); }

}  // namespace

KernelCache::KernelCache(std::string folder) : KernelCache(std::move(folder), Bound{}) {}
KernelCache::KernelCache(std::string folder, Bound bound) : folder_(std::move(folder)), bound_(bound) {}

int KernelCache::open_folder() {
  if (folder_.empty()) return -1;
  const auto open_it = [&] { return open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); };
  int folder = open_it();
  if (folder < 0 && errno == ENOENT) {
    make_folders(folder_);
    folder = open_it();
  }
  struct stat about{};
  std::string reason;
  if (folder < 0 || fstat(folder, &about) != 0) {
    reason = because(errno);
  } else if (reason = distrust(about); reason.empty()) {
    return folder;
  }
  trouble_ = "the cache " + folder_ + " is not used" + reason;
  if (folder >= 0) close(folder);
  return -1;
}

std::optional<std::string> KernelCache::find(const Digest& key) {
  const Descriptor folder(open_folder());
  if (folder < 0) return std::nullopt;
  const std::string name = hexadecimal(key) + std::string(ending);
  const Descriptor file(openat(folder, name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (file < 0) return std::nullopt;
  auto bytes = read_all(file);
  if (!bytes || bytes->size() < header_bytes) return std::nullopt;
  const std::string contents = bytes->substr(header_bytes);
  if (std::string_view(*bytes).substr(0, header_bytes) != header(key, contents)) return std::nullopt;
  futimens(file, nullptr);  // used: young again; needs no more than owning it
  return contents;
}

void KernelCache::store(const Digest& key, std::string_view contents) {
  const Descriptor folder(open_folder());
  if (folder < 0 || contents.size() > largest_entry) return;
  static std::atomic<unsigned> count{0};
  const std::string name = hexadecimal(key) + std::string(ending);
  const std::string unfinished = name + "." + std::to_string(getpid()) + "." + std::to_string(count++) + ".new";
  bool done = false;
  {
    const Descriptor file(
        openat(folder, unfinished.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
    done = file >= 0 && write_all(file, header(key, contents)) && write_all(file, contents);
    done = done && renameat(folder, unfinished.c_str(), folder, name.c_str()) == 0;
  }
  if (!done) {
    trouble_ = "the cache " + folder_ + " cannot be written" + because(errno);
    unlinkat(folder, unfinished.c_str(), 0);
    return;
  }
  if (key[0] % bound_.stores == 0) trim(folder);
}

void KernelCache::trim(int folder) {
  struct Entry {
    timespec used;
    std::size_t bytes;
    std::string name;
  };
  const int copy = dup(folder);
  DIR* const listing = copy < 0 ? nullptr : fdopendir(copy);
  if (!listing) {
    if (copy >= 0) close(copy);
    return;
  }
  rewinddir(listing);
  std::vector<Entry> entries;
  std::size_t all = 0;
  const time_t now = time(nullptr);
  while (const dirent* const one = readdir(listing)) {
    struct stat about{};
    if (fstatat(folder, one->d_name, &about, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(about.st_mode)) continue;
    const std::string_view name(one->d_name);
    if (!is_own_name(name)) continue;
    if (name.ends_with(".new") && about.st_mtim.tv_sec + abandoned_after < now) unlinkat(folder, one->d_name, 0);
    if (!name.ends_with(ending)) continue;
    all += static_cast<std::size_t>(about.st_size);
    entries.push_back({about.st_mtim, static_cast<std::size_t>(about.st_size), one->d_name});
  }
  closedir(listing);
  if (all <= bound_.bytes) return;
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::pair(a.used.tv_sec, a.used.tv_nsec) < std::pair(b.used.tv_sec, b.used.tv_nsec);
  });
  for (const Entry& entry : entries) {
    if (all <= bound_.bytes) break;
    if (unlinkat(folder, entry.name.c_str(), 0) == 0) all -= entry.bytes;
  }
}

}  // namespace wave::jit
