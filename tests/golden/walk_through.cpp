// Runs the walk-throughs of the documentation: the commands of a page, one after the other in one folder, and what they
// print. See suites.h.
#include "tests/golden/process.h"
#include "tests/golden/suites.h"

#include <algorithm>
#include <cstdio>

namespace wave::golden {
namespace {

namespace fs = std::filesystem;

// Stands for lines that the page does not show.
constexpr const char* left_out = "…";

using Lines = std::vector<std::string>;

// The first place at or after `from` where `part` stands in `lines`, or -1.
std::ptrdiff_t find_lines(const Lines& lines, std::size_t from, const Lines& part) {
  const auto found =
      std::search(lines.begin() + static_cast<std::ptrdiff_t>(from), lines.end(), part.begin(), part.end());
  return found == lines.end() && !part.empty() ? -1 : found - lines.begin();
}

// Whether `actual` is `expected`, where a line `…` matches any lines.
bool agrees(const Lines& expected, const Lines& actual) {
  std::vector<Lines> parts(1);
  for (const auto& line : expected) {
    if (line == left_out)
      parts.emplace_back();
    else
      parts.back().push_back(line);
  }
  if (parts.size() == 1) return parts.front() == actual;
  std::size_t at = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i + 1 == parts.size()) {
      return actual.size() >= at + parts[i].size() && std::equal(parts[i].rbegin(), parts[i].rend(), actual.rbegin());
    }
    const std::ptrdiff_t found = find_lines(actual, at, parts[i]);
    if (found < 0 || (i == 0 && found != 0)) return false;
    at = static_cast<std::size_t>(found) + parts[i].size();
  }
  return true;
}

std::string joined(const Lines& lines) {
  std::string text;
  for (const auto& line : lines) text += line + "\n";
  return text;
}

struct Walk {
  const fs::path folder;
  const std::string page;
  int failures = 0, commands = 0;
  bool changed = false;
};

// Returns the lines of a block as they should read. A command that ends with a backslash continues on the next line.
Lines run_block(const Lines& block, Walk& walk, bool accept) {
  Lines result;
  for (std::size_t i = 0; i < block.size();) {
    if (block[i].rfind("$ ", 0) != 0) {
      result.push_back(block[i++]);
      continue;
    }
    std::string command = block[i].substr(2);
    result.push_back(block[i++]);
    while (command.ends_with("\\") && i < block.size()) {
      command += "\n" + block[i];
      result.push_back(block[i++]);
    }
    Lines expected;
    while (i < block.size() && block[i].rfind("$ ", 0) != 0) expected.push_back(block[i++]);
    const Ran ran = run(command, walk.folder);
    ++walk.commands;
    Lines actual = split_lines(ran.output);
    if (ran.code != 0) actual.push_back("[exit " + std::to_string(ran.code) + "]");
    // The empty line before the next command belongs to the page.
    Lines compared = expected;
    Lines gap;
    while (i < block.size() && !compared.empty() && compared.back().empty()) {
      gap.push_back("");
      compared.pop_back();
    }
    const bool is_right = agrees(compared, actual);
    const bool rewrites =
        accept && !is_right && std::find(compared.begin(), compared.end(), left_out) == compared.end();
    if (!is_right && !rewrites) {
      show_difference(walk.page + ": " + command, joined(compared), joined(actual));
      ++walk.failures;
    }
    walk.changed |= rewrites;
    const Lines& shown = rewrites ? actual : compared;
    result.insert(result.end(), shown.begin(), shown.end());
    result.insert(result.end(), gap.begin(), gap.end());
  }
  return result;
}

// The name after ```wave, if the block is to be saved under a name.
std::string saved_as(const std::string& fence) {
  constexpr std::string_view begin = "```wave ";
  return fence.rfind(begin, 0) == 0 && fence.ends_with(".wave") ? fence.substr(begin.size()) : "";
}

int walk_through(const fs::path& root, const fs::path& file, bool accept, int& commands) {
  const test::Folder scratch;
  fs::create_directory_symlink(root / "examples", scratch.path() / "examples");
  Walk walk{scratch.path(), fs::relative(file, root).string()};
  Lines page, block;
  std::string name;  // the file that the block is saved as
  bool inside = false;
  for (const auto& line : split_lines(read_file(file))) {
    if (inside && line.rfind("```", 0) == 0) {
      if (!name.empty()) write_file(walk.folder / name, joined(block));
      const Lines ran = name.empty() ? run_block(block, walk, accept) : block;
      page.insert(page.end(), ran.begin(), ran.end());
      block.clear();
      inside = false;
      page.push_back(line);
    } else if (inside) {
      block.push_back(line);
    } else {
      name = saved_as(line);
      inside = line == "```console run" || !name.empty();
      page.push_back(line);
    }
  }
  if (walk.changed) {
    write_file(file, joined(page));
    std::printf("rewritten %s\n", walk.page.c_str());
  }
  commands += walk.commands;
  return walk.failures;
}

}  // namespace

int check_walks(const fs::path& root, bool accept) {
  int failures = 0, commands = 0;
  for (const auto& file : files_below(root / "docs", ".md")) failures += walk_through(root, file, accept, commands);
  std::printf("%d commands\n", commands);
  if (commands == 0) {
    std::printf("FAILED docs: no page has a ```console run block\n");
    ++failures;
  }
  return failures;
}

}  // namespace wave::golden
