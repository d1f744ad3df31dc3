// Programs with their diagnostics, and transcripts of the command line. See suites.h.
#include "tests/golden/process.h"
#include "tests/golden/suites.h"

#include <cstdio>
#include <cstdlib>

namespace wave::golden {
namespace {

namespace fs = std::filesystem;

constexpr const char* directive = "// wave: ";

std::string exit_line(int code) { return "[exit " + std::to_string(code) + "]\n"; }

std::string with_final_newline(std::string text) {
  if (!text.empty() && text.back() != '\n') text += '\n';
  return text;
}

// The words of a first comment that begins with `// wave: `, otherwise `check`.
std::string verb_and_options(const std::string& text) {
  const std::string first = text.substr(0, text.find('\n'));
  return first.rfind(directive, 0) == 0 ? first.substr(std::string(directive).size()) : "check";
}

std::string command_for(const fs::path& program) {
  const std::string words = verb_and_options(read_file(program));
  const auto verb_end = words.find(' ');
  const std::string options = verb_end == std::string::npos ? "" : words.substr(verb_end);
  return "wave " + words.substr(0, verb_end) + " " + quote(program.filename().string()) + options;
}

// Compares the output with what is expected, or rewrites the expectation. Returns the number of failures.
int settle(const fs::path& golden, const std::string& actual, bool accept) {
  const std::string expected = fs::exists(golden) ? read_file(golden) : "";
  if (expected == actual) return 0;
  if (accept) {
    write_file(golden, actual);
    std::printf("rewritten %s\n", golden.filename().c_str());
    return 0;
  }
  show_difference(golden.filename().string(), expected, actual);
  return 1;
}

// Runs the commands of a transcript and returns the transcript as it should read.
std::string replay(const std::string& transcript, const fs::path& folder) {
  const test::Folder scratch;
  setenv("SCRATCH", scratch.path().c_str(), 1);
  std::string result;
  for (const auto& line : split_lines(transcript)) {
    if (line.rfind(";;", 0) == 0) {
      result += line + "\n";
    } else if (line.rfind("$ ", 0) == 0) {
      const Ran ran = run(line.substr(2), folder);
      std::string output = with_final_newline(ran.output);
      replace_all(output, scratch.path().string(), "$SCRATCH");
      result += line + "\n" + output + (ran.code != 0 ? exit_line(ran.code) : "");
      if (!result.ends_with("\n\n")) result += "\n";
    }
  }
  return result;
}

}  // namespace

int check_programs(const fs::path& folder, bool accept) {
  int failures = 0, count = 0;
  for (const auto& program : files_below(folder, ".wave")) {
    if (program.parent_path() != folder) continue;  // a module that programs import
    const Ran ran = run(command_for(program), folder);
    fs::path golden = program;
    golden.replace_extension(".expected");
    failures += settle(golden, with_final_newline(ran.output) + exit_line(ran.code), accept);
    ++count;
  }
  std::printf("%d programs\n", count);
  return failures;
}

int check_transcripts(const fs::path& path, bool accept) {
  int failures = 0;
  const auto transcripts = fs::is_directory(path) ? files_below(path, ".transcript") : std::vector{path};
  for (const auto& transcript : transcripts) {
    failures += settle(transcript, replay(read_file(transcript), transcript.parent_path()), accept);
  }
  return failures;
}

}  // namespace wave::golden
