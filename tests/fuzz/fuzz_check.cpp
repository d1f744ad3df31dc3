// Parses, checks, prints and formats any bytes, without a crash and within bounds.
#include "frontend/check/program.h"
#include "frontend/format/formatter.h"
#include "frontend/parse/parser.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

using namespace wave::frontend;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  Diagnostics diagnostics;
  const auto program = load("fuzz.wave", {}, diagnostics, &text);
  if (program == nullptr || program->modules.empty()) std::abort();
  print(program->main(), true);
  if (!diagnostics.all().empty()) return 0;

  Sources sources;
  const auto once = format(sources, sources.add("once", text), diagnostics);
  if (!once || format(sources, sources.add("twice", *once), diagnostics) != once) std::abort();
  return 0;
}
