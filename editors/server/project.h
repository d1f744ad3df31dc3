// All models below the folders that the client has open, for what is asked of all of them. It is a copy of what the
// server knows, so that a search can run in the background.
#pragma once

#include "editors/server/analysis.h"
#include "editors/server/positions.h"

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace wave::editors {

class ProjectIndex;  // index.h

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
  std::string uri_of(const std::string& key) const;
  Json location(const Analysis& analysis, Location location) const;
  // The text of a model: what is typed, or that of the file.
  std::optional<std::string> text_of(const std::string& path) const;

  // The paths of all models. Ends when it is told to stop.
  std::vector<std::string> files(const std::atomic<bool>& stop) const;
  std::shared_ptr<ProjectIndex> index;  // for the thread of searches
};

bool is_of_library(const frontend::Module& module);
bool is_of_library(const std::string& key);

}  // namespace wave::editors
