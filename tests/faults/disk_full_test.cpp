// A disk that is full at any moment of a command: an error that says so, nothing half done, and with room the same
// command comes to the same bytes. A limit on the size of files (`ulimit -f`) is such a disk, too.
#include "tests/faults/subject.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sched.h>
#include <string>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

using namespace wave;
using test::Finished;
using test::Subject;

namespace {

// From now on this process has mounts of its own, which nobody else sees. Returns why not, or nothing.
std::string have_own_mounts() {
  static bool has = false;
  if (has) return "";
  const uid_t user = geteuid();
  const gid_t group = getegid();
  if (unshare(user == 0 ? CLONE_NEWNS : CLONE_NEWUSER | CLONE_NEWNS) != 0)
    return fmt::format("no mounts of one's own: {}", std::strerror(errno));
  if (user != 0) {
    std::ofstream("/proc/self/setgroups") << "deny";
    std::ofstream("/proc/self/uid_map") << fmt::format("0 {} 1", user);
    std::ofstream("/proc/self/gid_map") << fmt::format("0 {} 1", group);
  }
  if (mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
    return fmt::format("no mounts of one's own: {}", std::strerror(errno));
  has = true;
  return "";
}

// A file system in memory.
class SmallDisk {
 public:
  explicit SmallDisk(std::string folder) : folder_(std::move(folder)) {
    if (mount("none", folder_.c_str(), "tmpfs", 0, ample) != 0)
      why_not_ = fmt::format("tmpfs cannot be mounted: {}", std::strerror(errno));
  }
  ~SmallDisk() {
    if (why_not_.empty()) umount2(folder_.c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  const std::string& why_not() const { return why_not_; }
  // Leaves room for so many pages, and for so many files more.
  void leave(std::uint64_t pages, std::uint64_t more_files) {
    struct statvfs info{};
    REQUIRE(statvfs(folder_.c_str(), &info) == 0);
    const std::uint64_t used = info.f_blocks - info.f_bfree, files = info.f_files - info.f_ffree;
    remount(fmt::format("size={},nr_inodes={}", (used + pages) * info.f_bsize, files + more_files));
  }
  void clear() { remount(ample); }

 private:
  static constexpr const char* ample = "size=64m,nr_inodes=10000";
  void remount(const std::string& options) {
    REQUIRE(mount("none", folder_.c_str(), "tmpfs", MS_REMOUNT, options.c_str()) == 0);
  }
  std::string folder_, why_not_;
};

}  // namespace

TEST_CASE("a full disk is an error, and with room a command goes on") {
  if (const std::string why = have_own_mounts(); !why.empty()) {
    WARN("skipped: " << why);
    return;
  }
  for (const auto& kind : test::subjects()) {
    if (kind.first.front() == "run") continue;  // writes no file
    Subject subject(kind);
    SmallDisk disk(subject.root());
    if (!disk.why_not().empty()) {
      WARN("skipped: " << disk.why_not());
      return;
    }
    int full = 0;
    const auto fill = [&](std::uint64_t pages, std::uint64_t more_files) {
      INFO(kind.name << ": room for " << pages << " pages and " << more_files << " files");
      subject.reset();
      disk.leave(pages, more_files);
      const Finished finished = test::run(subject.place(), kind.first, subject.prepare());
      disk.clear();
      subject.check(finished);
      full += finished.code != 0 ? 1 : 0;
      return finished.code != 0;
    };
    constexpr std::uint64_t many = 1000;
    for (std::uint64_t pages = 0; fill(pages, many); ++pages) REQUIRE(pages < many);
    for (std::uint64_t more_files = 0; fill(many, more_files); ++more_files) REQUIRE(more_files < many);
    std::printf("%s: %d times full\n", kind.name, full);
    CHECK(full > 0);
  }
}

TEST_CASE("a limit on the size of files is an error, and without it a command goes on") {
  for (const auto& kind : test::subjects()) {
    if (kind.output.empty()) continue;  // its journal has no name, and is lost
    Subject subject(kind);
    const auto largest = static_cast<rlim_t>(subject.output().size());
    int stopped = 0;
    for (rlim_t bytes = 0; bytes < largest; bytes = 2 * bytes + 1) {
      INFO(kind.name << ": files of at most " << bytes << " bytes");
      subject.reset();
      const auto prepare = subject.prepare();
      // A file for what is said would be limited, too.
      std::array<int, 2> pipe_ends{};
      REQUIRE(pipe2(pipe_ends.data(), O_CLOEXEC) == 0);
      Finished finished = test::run(subject.place(), kind.first, [&] {
        const rlimit limit{bytes, bytes};
        return prepare() && dup2(pipe_ends[1], STDERR_FILENO) >= 0 && setrlimit(RLIMIT_FSIZE, &limit) == 0;
      });
      close(pipe_ends[1]);
      std::array<char, 1 << 16> said{};
      finished.said.append(
          said.data(), static_cast<std::size_t>(std::max<ssize_t>(0, read(pipe_ends[0], said.data(), said.size()))));
      close(pipe_ends[0]);
      subject.check(finished);
      stopped += finished.code != 0 ? 1 : 0;
    }
    std::printf("%s: %d limits\n", kind.name, stopped);
    CHECK(stopped > 0);
  }
}
