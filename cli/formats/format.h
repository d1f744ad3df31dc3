// The formats in which results are written. A format is a file in this folder and a line of formats.def; no other file
// knows which there are.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wave::cli {

struct Document;

// Takes piece after piece and says whether to go on.
using Sink = std::function<bool(std::string_view)>;

// What a format takes of a document.
enum class Takes {
  page,  // prose and tables, as people read them
  rows,  // the rows of its tables, in full precision; prose goes to standard error
  data,  // everything, in full precision
};

struct FormatInfo {
  std::string_view word;    // --format csv
  std::string_view ending;  // results.csv
  Takes takes{};
  void (*write)(const Document& document, const Sink& out) = nullptr;
  // Where each row stands on lines of its own.
  struct Lines {
    unsigned heads = 0;      // lines before the first row
    bool in_quotes = false;  // a row may have several, within quotes
  };
  std::optional<Lines> lines = {};
};

// One of them.
class Format {
 public:
  Format() : Format("table") {}
  explicit Format(std::string_view word);
  const FormatInfo* operator->() const { return info_; }
  bool is_for_people() const { return info_->takes == Takes::page; }
  friend bool operator==(Format, Format) = default;

  static const std::vector<const FormatInfo*>& all();
  // By the end of a file's name.
  static std::optional<Format> of_file(std::string_view path);
  // What programs read where nobody has asked for a format: rows, a line each.
  static Format for_programs();
  // What holds everything, so that results can be made again.
  static Format of_everything();

 private:
  explicit Format(const FormatInfo* info) : info_(info) {}
  static Format first_that_takes(Takes what);

  const FormatInfo* info_;
};

}  // namespace wave::cli
