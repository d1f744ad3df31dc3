// The pages of the diagnostics, their coverage, and the examples in the documentation. See suites.h.
#include "tests/golden/process.h"
#include "tests/golden/suites.h"

#include <cstdio>
#include <map>

namespace wave::golden {
namespace {

namespace fs = std::filesystem;

struct Block {
  std::string kind;  // the words after the opening ```
  std::string text;
  int line = 0;  // where it begins
};

std::vector<Block> fenced_blocks(const std::string& text) {
  std::vector<Block> blocks;
  bool inside = false;
  int number = 0;
  for (const auto& line : split_lines(text)) {
    ++number;
    if (line.rfind("```", 0) == 0) {
      if (!inside) blocks.push_back({line.substr(3), "", number + 1});
      inside = !inside;
    } else if (inside) {
      blocks.back().text += line + "\n";
    }
  }
  return blocks;
}

// The code and title of every kind of diagnostic, as the program lists them.
std::vector<std::pair<std::string, std::string>> all_codes() {
  std::vector<std::pair<std::string, std::string>> codes;
  for (const auto& line : split_lines(run("wave explain", fs::temp_directory_path()).output)) {
    if (line.size() > 7 && line[0] == 'E') codes.emplace_back(line.substr(0, 5), line.substr(7));
  }
  return codes;
}

// What the program prints for a module that is alone in a folder.
Ran run_module(const std::string& verb, const std::string& text) {
  const test::Folder scratch;
  write_file(scratch.path() / "example.wave", text);
  return run("wave " + verb + " example.wave", scratch.path());
}

int fail(const std::string& where, const std::string& what, const std::string& output = "") {
  std::printf("FAILED %s: %s\n%s", where.c_str(), what.c_str(), output.c_str());
  return 1;
}

// Tries `check`, then `run`, then `test`, until one reports the code.
bool produces(const std::string& text, const std::string& code, std::string& output) {
  for (const char* verb : {"check", "run", "test"}) {
    const Ran ran = run_module(verb, text);
    output += ran.output;
    if (ran.code > 2) return false;
    if (ran.output.find("[" + code + "]") != std::string::npos) return true;
  }
  return false;
}

int check_page(const std::string& code, const std::string& title, const fs::path& path) {
  if (!fs::exists(path)) return fail(code, "has no page " + path.filename().string());
  const std::string text = read_file(path);
  const std::string heading = "# " + code + ": " + title + "\n";
  int failures = text.rfind(heading, 0) == 0 ? 0 : fail(code, "its page should begin with " + heading);
  bool wrong = false, right = false, shell = false;
  for (const auto& block : fenced_blocks(text)) {
    std::string output;
    if (block.kind == "sh") shell = true;
    if (block.kind == "wave wrong") {
      wrong = true;
      if (!produces(block.text, code, output)) failures += fail(code, "`wave wrong` does not produce it\n", output);
    } else if (block.kind == "wave right") {
      right = true;
      const Ran ran = run_module("check", block.text);
      if (ran.code != 0 || ran.output.find("[" + code + "]") != std::string::npos) {
        failures += fail(code, "`wave right` is not right\n", ran.output);
      }
    }
  }
  if (!shell && !(wrong && right)) failures += fail(code, "its page needs `wave wrong` and `wave right`, or `sh`");
  return failures;
}

bool has_tests(const std::string& text) {
  return text.rfind("test \"", 0) == 0 || text.find("\ntest \"") != std::string::npos;
}

int check_example(const std::string& where, const std::string& text, bool runs) {
  const Ran checked = run_module("check", text);
  if (checked.code != 0) return fail(where, "has errors\n", checked.output);
  if (runs) {
    const Ran ran = run_module("run", text);
    if (ran.code != 0) return fail(where, "cannot be run\n", ran.output);
  }
  if (!has_tests(text)) return 0;
  const Ran tested = run_module("test", text);
  return tested.code == 0 ? 0 : fail(where, "its tests fail\n", tested.output);
}

}  // namespace

int check_coverage(const fs::path& root) {
  std::map<std::string, bool> seen;
  for (const char* extension : {".expected", ".transcript"}) {
    for (const auto& file : files_below(root / "tests", extension)) {
      const std::string text = read_file(file);
      for (std::size_t at = 0; (at = text.find("[E", at)) != std::string::npos; ++at)
        seen[text.substr(at + 1, 5)] = true;
    }
  }
  int failures = 0;
  for (const auto& [code, title] : all_codes()) {
    if (!seen[code]) failures += fail(code, "no golden program or transcript produces it (" + title + ")\n");
  }
  return failures;
}

int check_pages(const fs::path& root) {
  int failures = 0;
  const auto codes = all_codes();
  if (codes.empty()) return fail("wave explain", "lists nothing\n");
  for (const auto& [code, title] : codes)
    failures += check_page(code, title, root / "docs/diagnostics" / (code + ".md"));
  return failures;
}

int check_documents(const fs::path& root) {
  int failures = 0, count = 0;
  auto files = files_below(root / "docs", ".md");
  files.push_back(root / "README.md");
  for (const auto& file : files) {
    if (!fs::exists(file)) continue;
    for (const auto& block : fenced_blocks(read_file(file))) {
      const bool runs = block.kind == "wave run";
      if (block.kind != "wave" && !runs) continue;
      const std::string where = fs::relative(file, root).string() + ":" + std::to_string(block.line);
      failures += check_example(where, block.text, runs);
      ++count;
    }
  }
  std::printf("%d examples\n", count);
  return failures;
}

}  // namespace wave::golden
