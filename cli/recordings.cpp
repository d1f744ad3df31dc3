// See recordings.h.
#include "cli/recordings.h"

#include "analysis/recorded/otf2.h"
#include "analysis/recorded/scalatrace.h"
#include "base/text.h"
#include "cli/text.h"
#include "frontend/format/quantities.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace wave::cli {

namespace fs = std::filesystem;
namespace recorded = analysis::recorded;
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
        .help.push_back(
            "a recording is a folder with a file for each rank, r00000.txt, r00001.txt, …, or a trace: "
            "`traces.otf2` or its folder, or `*.trace` of ScalaTrace");
    return std::nullopt;
  }
  std::sort(files.begin(), files.end());
  return files;
}

// The texts of all ranks in a folder, which are added to the sources.
std::optional<std::vector<std::uint32_t>> read_texts(Session& session, const std::string& folder) {
  const auto names = files_of(session, folder);
  if (!names) return std::nullopt;
  std::vector<std::uint32_t> files;
  std::size_t cut = 0;
  std::size_t left = session.options().memory_limit / 8;  // a line of a recording takes several times as much when read
  for (const std::string& name : *names) {
    auto text = read_text(session.options().client, name, session.diagnostics(), left);
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

// The anchor file of a trace in OTF2, which is given itself or with its folder; empty: it is none.
std::string otf2_anchor(const std::string& run) {
  constexpr const char* ending = ".otf2";
  std::error_code trouble;
  if (!fs::is_directory(run, trouble)) return has_ending(run, ending) ? run : "";
  std::string found;
  for (fs::directory_iterator at(run, trouble), end; !trouble && at != end; at.increment(trouble)) {
    const std::string file = at->path().string();
    if (has_ending(file, ending) && (found.empty() || file < found)) found = file;
  }
  return found;
}

std::optional<OpenedRecording> open_scalatrace(Session& session, const std::string& name) {
  const std::size_t memory = session.options().memory_limit;
  auto text = read_text(session.options().client, name, session.diagnostics(), memory / 8);
  if (!text) return std::nullopt;
  const std::uint32_t file = session.program().sources.add(sanitize(name), std::move(*text));
  auto read = recorded::read_scalatrace(session.sources(), file, memory / 4, session.diagnostics());
  if (!read) return std::nullopt;
  return OpenedRecording{{file}, std::move(read)};
}

}  // namespace

std::optional<OpenedRecording> open_recording(Session& session, const std::string& run) {
  std::error_code ignored;
  if (has_ending(run, ".trace") && !fs::is_directory(run, ignored)) return open_scalatrace(session, run);
  const std::string anchor = otf2_anchor(run);
  auto files = anchor.empty() ? read_texts(session, run)
                              : recorded::read_otf2(anchor, sanitize(anchor), session.options().memory_limit / 8,
                                                    session.program().sources, session.diagnostics());
  if (!files) return std::nullopt;
  return OpenedRecording{std::move(*files), std::nullopt};
}

std::optional<recorded::Recording> recording_of(Session& session, OpenedRecording opened) {
  if (opened.trace) return std::move(opened.trace);
  return recorded::read_recording(session.sources(), opened.files, session.diagnostics(),
                                  session.options().memory_limit / 4);
}

void say_passed_over(Console& console, const std::string& what, const std::map<std::string, std::size_t>& calls) {
  std::vector<std::string> texts;
  for (const auto& [call, count] : calls) {
    if (call != "Finalize") texts.push_back(fmt::format("{} × {}", frontend::grouped(count), sanitize(call)));
  }
  if (!texts.empty())
    console.remark(fmt::format("not {}, since no model has them: {}\n", what, join_texts(texts, ", ")));
}

}  // namespace wave::cli
