// All models below the folders that the client has open, for what is asked of all of them. It is a copy of what the
// server knows, so that a search can run in the background.
#pragma once

#include "editors/server/analysis.h"
#include "editors/server/positions.h"

#include <atomic>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace wave::editors {

struct Project {
  static constexpr std::size_t most_files = 10'000;

  frontend::SearchPath search;
  std::vector<std::string> folders;
  std::map<std::string, std::string> uris;  // of open documents, by path
  std::string library_folder;               // where the modules of the library are files; empty: by URIs of their own
  Encoding encoding = Encoding::utf16;
  bool plots_studies = false;   // the client does
  double reading_seconds = 10;  // for a file and what it imports

  // Of a module by its key.
  std::string uri_of(const frontend::Module& module) const;
  Json location(const Analysis& analysis, Location location) const;
  // The text of a model: what is typed, or that of the file.
  std::optional<std::string> text_of(const std::string& path) const;

  // Calls `visit` once for every model whose text has `word` in it, analysed; `file` is its id there. Any word if it is
  // empty. Passes over those that take too long to read. Ends when it is told to stop.
  using Visit = std::function<void(const Analysis& analysis, std::uint32_t file)>;
  void for_each_file(const std::string& word, const std::atomic<bool>& stop, const Visit& visit) const;

 private:
  std::vector<std::string> files(const std::atomic<bool>& stop) const;
};

bool is_of_library(const frontend::Module& module);

}  // namespace wave::editors
