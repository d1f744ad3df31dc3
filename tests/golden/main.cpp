// wave_golden WAVE SUITE PATH [--accept]: runs one suite of golden tests with the program WAVE.
#include "tests/golden/process.h"
#include "tests/golden/suites.h"

#include <cstdio>
#include <cstring>
#include <exception>
#include <string>

namespace {

int run_suite(const std::string& suite, const std::filesystem::path& path, bool accept) {
  using namespace wave::golden;
  if (suite == "programs") return check_programs(path, accept);
  if (suite == "transcripts") return check_transcripts(path, accept);
  if (suite == "coverage") return check_coverage(path);
  if (suite == "pages") return check_pages(path);
  if (suite == "documents") return check_documents(path);
  if (suite == "walks") return check_walks(path, accept);
  std::fprintf(stderr, "there is no suite %s\n", suite.c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "wave_golden WAVE programs|transcripts|coverage|pages|documents|walks PATH [--accept]\n");
    return 2;
  }
  const bool accept = argc > 4 && std::strcmp(argv[4], "--accept") == 0;
  try {
    wave::golden::prepare_environment(argv[1]);
    const int failures = run_suite(argv[2], std::filesystem::absolute(argv[3]), accept);
    if (failures > 0) std::printf("%d failed\n", failures);
    return failures > 0 ? 1 : 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
