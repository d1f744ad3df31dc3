// `same_words WAVE FILE.wave...`: what the program says of each file, as `--diagnostics json`, the library says as
// well, word for word and with the same places. The command is that of the first line, `// wave: run -D n=3`, else
// `wave check`.
#include "api/include/wave/wave.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

using nlohmann::json;
using Options = std::vector<std::pair<std::string, std::string>>;

std::string printed(const std::string& command) {
  std::string text;
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::array<char, 4096> part{};
  while (const std::size_t count = fread(part.data(), 1, part.size(), pipe.get())) text.append(part.data(), count);
  return text;
}

// The words of the first line's command, without quotes.
std::vector<std::string> words_of(const std::string& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  const std::string mark = "// wave: ";
  if (line.rfind(mark, 0) != 0) return {"check"};
  std::vector<std::string> words;
  bool is_quoted = false, is_word = false;
  for (const char c : line.substr(mark.size())) {
    if (c == '"') {
      is_quoted = !is_quoted;
      continue;
    }
    if (c == ' ' && !is_quoted) {
      is_word = false;
      continue;
    }
    if (!std::exchange(is_word, true)) words.emplace_back();
    words.back() += c;
  }
  return words;
}

Options options_of(const std::vector<std::string>& words, const std::string& file) {
  Options options{{"FILE", file}};
  for (std::size_t i = 1; i + 1 < words.size(); i += 2)
    options.emplace_back(words[i].substr(words[i].rfind("--", 0) == 0 ? 2 : 1), words[i + 1]);
  return options;
}

json said_by_program(const std::string& wave, const std::vector<std::string>& words, const std::string& file) {
  std::string command = wave;
  for (const std::string& word : words) command += " '" + word + "'";
  std::istringstream lines(printed(command + " '" + file + "' --diagnostics json 2>&1 >/dev/null"));
  json all = json::array();
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind('{', 0) == 0) all.push_back(json::parse(line));
  }
  return all;
}

json json_of(wave_error* error) {
  const char* text = "[]";
  if (error) wave_error_text(error, WAVE_ERROR_JSON, &text);
  json all = json::parse(text);
  wave_close(error);
  return all;
}

json said_by_library(wave_context* context, const std::vector<std::string>& words, const std::string& file) {
  wave_question* question = nullptr;
  wave_result* result = nullptr;
  wave_error *error = nullptr, *warnings = nullptr;
  if (wave_question_create(context, words.front().c_str(), &question, &error) != WAVE_OK) return json_of(error);
  for (const auto& [name, value] : options_of(words, file)) wave_set(question, name.c_str(), value.c_str(), nullptr);
  wave_question_run(question, nullptr, nullptr, &result, &error);
  if (result && !error) wave_warnings(result, &warnings, nullptr);
  wave_close(result);
  wave_close(question);
  return json_of(error ? error : warnings);
}

}  // namespace

int main(int argc, char** argv) {
  wave_context* context = nullptr;
  if (argc < 3 || wave_context_create(&context, nullptr) != WAVE_OK) return 2;
  int differences = 0, compared = 0;
  for (int i = 2; i < argc; ++i) {
    const std::string file = argv[i];
    const auto words = words_of(file);
    // Where time runs out is another place each time.
    if (words.size() > 1 && words[1] == "--time-limit") continue;
    const json wanted = said_by_program(argv[1], words, file), found = said_by_library(context, words, file);
    compared += static_cast<int>(wanted.size());
    if (wanted == found) continue;
    ++differences;
    std::cout << file << ":\n  program " << wanted << "\n  library " << found << "\n";
  }
  wave_close(context);
  std::cout << compared << " diagnostics, " << differences << " files differ\n";
  return differences == 0 && compared > 100 ? 0 : 1;
}
