// Cache files in the state in which other users, other processes and bad disks leave them.
#include "backend/jit/kernel_cache.h"

#include "tests/folder.h"

#include <catch2/catch.hpp>

#include <chrono>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace wave;
using jit::KernelCache;
namespace files = std::filesystem;

namespace {

Digest key(int number) { return wave::digest("key " + std::to_string(number)); }

files::path only_file(const std::string& folder) {
  std::vector<files::path> all;
  for (const auto& entry : files::directory_iterator(folder)) all.push_back(entry.path());
  REQUIRE(all.size() == 1);
  return all.front();
}

std::size_t count_files(const std::string& folder) {
  return static_cast<std::size_t>(std::distance(files::directory_iterator(folder), files::directory_iterator()));
}

}  // namespace

TEST_CASE("what is stored is found again, by its key alone, also by another process's cache") {
  const test::Folder folder;
  KernelCache cache(folder.cache());
  CHECK_FALSE(cache.find(key(1)));
  cache.store(key(1), "contents");
  cache.store(key(2), "");
  CHECK(cache.find(key(1)) == "contents");
  CHECK(cache.find(key(2)) == "");
  CHECK_FALSE(cache.find(key(3)));
  CHECK(KernelCache(folder.cache()).find(key(1)) == "contents");
  CHECK(cache.trouble() == "");
}

TEST_CASE("the cache's folder and files are nobody else's") {
  const test::Folder folder;
  const mode_t before = umask(0);
  KernelCache(folder.cache()).store(key(1), "contents");
  umask(before);
  struct stat about{};
  REQUIRE(stat(folder.cache().c_str(), &about) == 0);
  CHECK((about.st_mode & 0777) == 0700);
  REQUIRE(stat(only_file(folder.cache()).c_str(), &about) == 0);
  CHECK((about.st_mode & 0777) == 0600);
}

TEST_CASE("a file with one bit changed, cut short, or with something behind it is as good as none, and is replaced") {
  const test::Folder folder;
  KernelCache cache(folder.cache());
  cache.store(key(1), "contents of some length");
  const files::path file = only_file(folder.cache());
  const std::string good = test::contents_of(file);
  const auto is_refused = [&](const std::string& bytes) {
    test::write_file(file, bytes);
    return !cache.find(key(1));
  };
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string bytes = good;
    bytes[at] = static_cast<char>(bytes[at] ^ 1 << at % 8);
    CHECK(is_refused(bytes));
    CHECK(is_refused(good.substr(0, at)));
  }
  CHECK(is_refused(good + "x"));
  CHECK(is_refused(std::string(100'000, 'x')));
  cache.store(key(1), "contents of some length");
  CHECK(cache.find(key(1)) == "contents of some length");
}

TEST_CASE("another entry's file under this one's name is not taken") {
  const test::Folder folder;
  KernelCache cache(folder.cache());
  cache.store(key(1), "one");
  const files::path file = only_file(folder.cache());
  files::rename(file, folder.path() / "one");
  cache.store(key(2), "two");
  files::rename(folder.path() / "one", only_file(folder.cache()));
  CHECK_FALSE(cache.find(key(2)));
}

TEST_CASE("a link, a folder or a pipe in a file's place is not read") {
  const test::Folder folder;
  KernelCache cache(folder.cache());
  cache.store(key(1), "contents");
  const files::path file = only_file(folder.cache());
  files::rename(file, folder.path() / "elsewhere");
  files::create_symlink(folder.path() / "elsewhere", file);
  CHECK_FALSE(cache.find(key(1)));
  files::remove(file);
  files::create_directory(file);
  CHECK_FALSE(cache.find(key(1)));
  cache.store(key(1), "contents");  // it cannot be replaced
  CHECK_FALSE(cache.trouble().empty());
}

TEST_CASE("a folder that others may write to is left alone") {
  const test::Folder folder;
  KernelCache(folder.cache()).store(key(1), "contents");
  for (const mode_t mode : {0720, 0702, 0777}) {
    REQUIRE(chmod(folder.cache().c_str(), mode) == 0);
    KernelCache cache(folder.cache());
    CHECK_FALSE(cache.find(key(1)));
    cache.store(key(2), "contents");
    CHECK(count_files(folder.cache()) == 1);
    CHECK(cache.trouble().find("others may write to it") != std::string::npos);
  }
  REQUIRE(chmod(folder.cache().c_str(), 0700) == 0);
  CHECK(KernelCache(folder.cache()).find(key(1)));
}

TEST_CASE("a folder of somebody else is left alone") {
  const test::Folder folder;
  std::string theirs = folder.cache();
  if (geteuid() == 0) {
    KernelCache(theirs).store(key(1), "contents");
    REQUIRE(chown(theirs.c_str(), 1, 1) == 0);
  } else {
    theirs = "/usr";
  }
  KernelCache cache(theirs);
  CHECK_FALSE(cache.find(key(1)));
  CHECK(cache.trouble().find("belongs to somebody else") != std::string::npos);
  if (geteuid() == 0) REQUIRE(chown(theirs.c_str(), 0, 0) == 0);
}

TEST_CASE("a file that others may write to, or have made, is not loaded, and is replaced") {
  const test::Folder folder;
  const std::string file = (files::path(folder.cache()) / (hexadecimal(key(1)) + ".code")).string();
  KernelCache cache(folder.cache());
  const auto is_replaced = [&] {
    CHECK_FALSE(cache.find(key(1)));
    cache.store(key(1), "contents");
    return cache.find(key(1)).has_value();
  };
  cache.store(key(1), "contents");
  for (const mode_t mode : {0620, 0602}) {
    REQUIRE(chmod(file.c_str(), mode) == 0);
    CHECK(is_replaced());
  }
  if (geteuid() != 0) return;  // nobody else can give files away
  REQUIRE(chown(file.c_str(), 1, 1) == 0);
  CHECK(is_replaced());
}

TEST_CASE("where the folder cannot be made nothing is kept, and the reason is told") {
  const test::Folder folder;
  test::write_file(folder.path() / "file", "");
  KernelCache cache((folder.path() / "file" / "cache").string());
  cache.store(key(1), "contents");
  CHECK_FALSE(cache.find(key(1)));
  CHECK_FALSE(cache.trouble().empty());
  KernelCache none("");
  none.store(key(1), "contents");
  CHECK_FALSE(none.find(key(1)));
  CHECK(none.trouble().empty());
}

TEST_CASE("a full folder loses the files that have not been used for longest") {
  const test::Folder folder;
  KernelCache cache(folder.cache(), {2900, 1});
  const std::string contents(700, 'x');
  // The clock of files is coarse, so each file gets the time at which it was last used.
  const auto used = [&](int number, std::chrono::hours before) {
    files::last_write_time(files::path(folder.cache()) / (hexadecimal(key(number)) + ".code"),
                           files::file_time_type::clock::now() - before);
  };
  for (int number = 1; number <= 3; ++number) {
    cache.store(key(number), contents);
    used(number, std::chrono::hours(4 - number));
  }
  CHECK(cache.find(key(1)));
  cache.store(key(4), contents);
  CHECK(cache.find(key(1)));
  CHECK_FALSE(cache.find(key(2)));
  CHECK(cache.find(key(3)));
  CHECK(cache.find(key(4)));
  CHECK(count_files(folder.cache()) == 3);
}

TEST_CASE("what a process that ended too early has left is cleared away after a while") {
  const test::Folder folder;
  KernelCache cache(folder.cache(), {1 << 20, 1});
  cache.store(key(1), "contents");
  const files::path old = files::path(folder.cache()) / (hexadecimal(key(3)) + ".code.1.0.new"),
                    young = files::path(folder.cache()) / (hexadecimal(key(4)) + ".code.2.0.new");
  test::write_file(old, "half");
  test::write_file(young, "half");
  files::last_write_time(old, files::file_time_type::clock::now() - std::chrono::hours(2));
  cache.store(key(2), "contents");
  CHECK_FALSE(files::exists(old));
  CHECK(files::exists(young));
}

TEST_CASE("files that are no entries are never cleared away") {
  const test::Folder folder;
  KernelCache cache(folder.cache(), {10, 1});
  cache.store(key(1), "contents");
  const auto old = files::file_time_type::clock::now() - std::chrono::hours(2);
  const std::string digits = hexadecimal(key(2));
  const std::vector<std::string> names{"program.new", "morse.code", digits + "0.code", "x" + digits + ".code",
                                       digits + ".new"};
  for (const std::string& name : names) {
    test::write_file(files::path(folder.cache()) / name, "somebody's");
    files::last_write_time(files::path(folder.cache()) / name, old);
  }
  cache.store(key(3), "contents");
  for (const std::string& name : names) CHECK(files::exists(files::path(folder.cache()) / name));
  CHECK_FALSE(cache.find(key(1)));
}

TEST_CASE("readers and writers at the same time never see half an entry") {
  const test::Folder folder;
  const std::string contents(200'000, 'x');
  std::atomic<bool> wrong = false;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      KernelCache cache(folder.cache());
      for (int round = 0; round < 20; ++round) {
        if (thread < 2) cache.store(key(1), contents);
        const auto found = cache.find(key(1));
        if (found && *found != contents) wrong = true;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK_FALSE(wrong);
  CHECK(count_files(folder.cache()) == 1);
}
