// The texts that the client has open, each as it was typed last.
#pragma once

#include "editors/server/analysis.h"
#include "editors/server/positions.h"
#include "editors/server/values.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace wave::editors {

// The scheme of what is in the program and in no file: `wave:/std/comm.wave`, `wave:/diagnostics/E0201.md`.
inline constexpr std::string_view program_scheme = "wave:/";

struct Document {
  std::string uri;
  std::string path;  // without links; empty if it is no file
  std::string name;  // what diagnostics call it: the path, a module of the standard library, "<Untitled-1>"
  std::int64_t version = 0;
  std::shared_ptr<const std::string> text;
  bool is_of_library = false;

  // What the front end made of it. It is brought up to date when something is asked, or nobody asks anything.
  std::unique_ptr<Analysis> analysis;  // null before the first time
  bool is_typed = false;               // its text is another one
  bool is_stale = true;                // what it imports may be other texts
  bool is_published = false;           // its diagnostics have been sent
  bool is_loading = false;             // it is being analysed in the background
  bool is_slow = false;                // to read it again takes too long for the server's thread
  bool is_slow_whole = false;          // with all that it imports
  std::string unread;                  // why it could not be analysed; empty if it was, or has not been tried
  frontend::DiagnosticKind unread_for{};
  std::uint64_t generation = 0;  // how often its text or what it imports has changed
  std::uint64_t imports = 0;     // the generation in which what it imports changed last

  std::shared_ptr<const Values> values;  // null before the first time
  std::uint64_t evaluated = 0;           // the generation whose values they are
  // The last values of a text without errors, and that text.
  std::shared_ptr<const Values> good_values;
  std::shared_ptr<const std::string> good_text;
  std::vector<std::string> given;  // values for parameters, by a command
};

// The module of the standard library that a URI means, "std.comm"; empty if it means none.
std::string library_module(const std::string& uri);
std::string uri_of_library(const std::string& module);

class Documents {
 public:
  static constexpr std::size_t most_open = 2000;

  // All of these throw RequestError where the parameters are wrong.
  Document& open(const Json& params);
  Document& change(const Json& params, Encoding encoding);
  void close(const std::string& uri) { by_uri_.erase(uri); }

  Document* find(const std::string& uri);  // null if it is not open
  Document* find_path(const std::string& path);
  std::map<std::string, Document>& all() { return by_uri_; }

 private:
  std::map<std::string, Document> by_uri_;
};

// The URI of `params.textDocument`.
std::string read_uri(const Json& params);

}  // namespace wave::editors
