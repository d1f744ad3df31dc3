// Parses, checks, prints and formats any text, and shows what is wrong with it.
#include "cli/diagnostics.h"
#include "frontend/check/program.h"
#include "frontend/format/formatter.h"
#include "frontend/parse/parser.h"
#include "tests/fuzz/promise.h"

using namespace wave::frontend;
using wave::fuzz::promise;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = wave::fuzz::text_of(data, size);
  Diagnostics diagnostics;
  const auto program = load("<fuzz>", {}, diagnostics, &text);
  promise(program != nullptr && !program->modules.empty(), "there is a main module, whatever the text");
  print(program->main(), true);
  for (const Diagnostic& one : diagnostics.sorted()) {
    wave::cli::render_text(program->sources, one, wave::Palette(false));
    wave::cli::render_json(program->sources, one);
  }
  if (!diagnostics.all().empty()) return 0;

  Sources sources;
  const auto once = format(sources, sources.add("once", text), diagnostics);
  promise(once.has_value(), "what can be read can be laid out");
  promise(format(sources, sources.add("twice", *once), diagnostics) == once, "what is laid out stays as it is");
  return 0;
}
