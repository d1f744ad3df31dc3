// See process.h.
#include "tests/golden/process.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <sys/wait.h>

namespace wave::golden {

namespace fs = std::filesystem;

std::string quote(const std::string& word) {
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

Ran run(const std::string& command, const fs::path& folder) {
  const std::string whole = "cd " + quote(folder.string()) + " && { " + command + "\n} 2>&1 </dev/null";
  std::FILE* pipe = popen(whole.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot run " + command);
  Ran result;
  char buffer[4096];
  for (std::size_t count; (count = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;)
    result.output.append(buffer, count);
  const int status = pclose(pipe);
  result.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

void prepare_environment(const fs::path& wave) {
  // Without this check, `--accept` would accept the shell's message that the program is missing.
  if (!fs::exists(wave)) throw std::runtime_error("there is no program " + wave.string());
  const char* path = std::getenv("PATH");
  const std::string folder = fs::absolute(wave).parent_path().string();
  setenv("PATH", (folder + ":" + (path != nullptr ? path : "")).c_str(), 1);
  unsetenv("WAVE_PATH");
  constexpr int keep = 0;  // CTest sets it
  setenv("WAVE_CACHE", (fs::absolute(wave).parent_path().parent_path() / "cache").c_str(), keep);
  unsetenv("NO_COLOR");
  setenv("LC_ALL", "C", 1);
}

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void write_file(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

void replace_all(std::string& text, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
}

std::vector<fs::path> files_below(const fs::path& folder, const std::string& extension) {
  std::vector<fs::path> files;
  if (!fs::exists(folder)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && entry.path().extension() == extension) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

void show_difference(const std::string& name, const std::string& expected, const std::string& actual) {
  const test::Folder scratch;
  write_file(scratch.path() / "expected", expected);
  write_file(scratch.path() / "actual", actual);
  std::printf("FAILED %s\n%s\n", name.c_str(),
              run("diff -u expected actual | tail -n +3", scratch.path()).output.c_str());
}

}  // namespace wave::golden
