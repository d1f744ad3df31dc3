// What all files of a project declare and name. The index remembers it between requests, and reads again only what has
// changed and what imports that. Its answers are those of an index that reads everything anew.
#pragma once

#include "editors/server/project.h"
#include "frontend/check/offered_machines.h"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace wave::editors {

// The beginning of a name in a module, apart from the program in which it was found.
struct IndexedPlace {
  std::uint32_t module = 0;  // in `modules` of the file
  std::uint32_t begin = 0;
};

struct IndexedName {
  Location place;
  IndexedPlace declared, origin;
  bool is_declaration = false;
};

struct IndexedItem {
  std::string name;
  std::string_view kind;            // "machine"
  int symbol = 0, call_symbol = 0;  // SymbolKind of the protocol, in lists of symbols and of calls
  bool is_shown = false;            // in lists of symbols
  Location location, whole, name_place;
  std::string owner;  // empty in a module
  std::string outermost;
  std::string_view outermost_kind;
  std::optional<frontend::OfferedMachine> machine = {};  // of a machine
};

struct IndexedFile {
  std::string key;
  std::shared_ptr<const std::string> text;
  std::vector<std::string> modules;  // keys of those in which its names are declared
  std::vector<IndexedName> names;    // in the order of their places
  std::vector<IndexedItem> items;    // members after their owners
  std::size_t errors = 0;
  std::set<std::string> imports;       // keys of the files that it imports
  std::set<std::string> import_words;  // the last words of its imports, "ring" of `exchange.ring`
  bool lacks_modules = false;
  // Files beside it have an influence on it: it is in a cycle of imports, or has functions whose parameters have no
  // types, which are checked where they are called.
  bool depends_on_importers = false;

  const std::string& key_of(IndexedPlace place) const { return modules[place.module]; }
};
using IndexedFiles = std::map<std::string, std::shared_ptr<const IndexedFile>>;  // by key
using FileTexts = std::map<std::string, std::shared_ptr<const std::string>>;     // by path

// --- index_reading.cpp ---
// Of an item of a loaded program.
IndexedItem indexed(const frontend::Item& item);
// The folder from which a file is read with others: that of its project, the open one, or its own.
std::string reading_folder(const Project& project, const std::string& path);
// Reads and checks files, many at a time. Those that take too long to read have a result without names.
IndexedFiles read_files(const Project& project, const FileTexts& texts, const std::atomic<bool>& stop);

class ProjectIndex {
 public:
  // All files of the project, and those that they import. The thread of searches asks.
  const IndexedFiles& files(const Project& project, const std::atomic<bool>& stop);
  // The files as they were when somebody asked last. If nobody has, they are read for so many seconds at most. For any
  // thread.
  IndexedFiles latest(const Project& project, double seconds);
  // A file may have another text though its size and date are the same. Any thread may say so.
  void doubt(const std::string& path);
  void doubt_all();

 private:
  struct Stamp {
    std::shared_ptr<const std::string> typed;  // null: the file is not open
    std::int64_t seconds = 0, nanoseconds = 0;
    std::uint64_t size = 0, number = 0;
    bool operator==(const Stamp&) const = default;
  };
  static Stamp stamp_of(const Project& project, const std::string& path);
  static std::string manifests_of(const std::set<std::string>& folders);

  void forget_if_elsewhere(const Project& project);
  void forget_if_manifests_differ(const Project& project, const std::set<std::string>& paths);
  std::set<std::string> changed(const Project& project, const std::set<std::string>& listed);
  void spread(std::set<std::string>& outdated) const;
  void add_groups(std::set<std::string>& outdated, std::set<std::string>& whole) const;
  bool is_whole_group(const std::string& folder) const;
  void bring_up_to_date(const Project& project, const std::atomic<bool>& stop);
  std::set<std::string> read(const Project& project, const std::set<std::string>& outdated,
                             const std::atomic<bool>& stop);
  std::set<std::string> reachable(const std::set<std::string>& listed) const;

  IndexedFiles files_;
  std::map<std::string, Stamp> stamps_;          // of the same files
  std::map<std::string, std::string> groups_;    // of the same files: the folder from which each is read
  std::vector<std::string> folders_, searched_;  // of the project that was asked for last
  std::string manifests_;
  bool is_built_ = false;
  std::set<std::string> unread_;  // what a stop has left
  std::timed_mutex busy_;         // of all that stands above
  std::mutex mutex_;              // of what follows
  std::set<std::string> doubted_;
  bool is_all_doubted_ = false;
};

}  // namespace wave::editors
