// See recordings.h.
#include "cli/recordings.h"

#include "base/text.h"
#include "cli/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace wave::cli {

namespace fs = std::filesystem;
using frontend::DiagnosticKind;

namespace {

// Of a rank that did not come to its end.
bool is_cut(const std::string& file) { return has_ending(file, ".txt.part"); }

// Of one whose recording says that there is less than it did.
bool says_cut(const std::string& text) {
  return text.find("\n#cut\n") != std::string::npos || text.find("\n#dropped ") != std::string::npos;
}

// `r00012.txt`, or a cut one.
bool is_of_rank(const std::string& name) {
  const std::size_t digits = name.find_first_not_of("0123456789", 1);
  return name.front() == 'r' && digits != std::string::npos && digits > 1 &&
         (name.substr(digits) == ".txt" || name.substr(digits) == ".txt.part");
}

// The files of all ranks, by name.
std::optional<std::vector<std::string>> files_of(Session& session, const std::string& folder) {
  std::vector<std::string> files;
  std::error_code trouble;
  for (fs::directory_iterator at(folder, trouble), end; !trouble && at != end; at.increment(trouble)) {
    const std::string name = at->path().filename().string();
    std::error_code ignored;
    if (is_of_rank(name) && at->is_regular_file(ignored)) files.push_back(at->path().string());
  }
  if (trouble || files.empty()) {
    session.diagnostics()
        .add(DiagnosticKind::unreadable_recording, frontend::Location{},
             trouble ? fmt::format("{} cannot be read: {}", sanitize(folder), trouble.message())
                     : fmt::format("{} has no recording", sanitize(folder)))
        .help.push_back("a recording is a folder with a file for each rank: r00000.txt, r00001.txt, …");
    return std::nullopt;
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

std::optional<std::vector<std::uint32_t>> open_recording(Session& session, const std::string& folder) {
  const auto names = files_of(session, folder);
  if (!names) return std::nullopt;
  std::vector<std::uint32_t> files;
  std::size_t cut = 0;
  std::size_t left = session.options().memory_limit / 8;  // a line of a recording takes several times as much when read
  for (const std::string& name : *names) {
    auto text = read_text(name, session.diagnostics(), left);
    if (!text) return std::nullopt;
    if (text->size() > left) {
      session.diagnostics()
          .add(DiagnosticKind::unreadable_recording, frontend::Location{},
               fmt::format("the recording in {} is too large for this memory", sanitize(folder)))
          .help.push_back("raise `--memory-limit`, or record a shorter run");
      return std::nullopt;
    }
    left -= text->size();
    cut += is_cut(name) || says_cut(*text);
    if (is_cut(name)) text->resize(text->rfind('\n') + 1);  // to a whole line
    files.push_back(session.program().sources.add(sanitize(name), std::move(*text)));
  }
  if (cut > 0)
    session.console().remark(
        fmt::format("{} of {} ranks did not come to an end: what there is of them is read\n", cut, names->size()));
  return files;
}

}  // namespace wave::cli
