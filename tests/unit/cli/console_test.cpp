// Messages that are kept instead of being shown.
#include "cli/console.h"

#include <catch2/catch.hpp>

using namespace wave;
using namespace wave::cli;

TEST_CASE("what a console that is captured would show is kept as plain text") {
  CommonOptions options;
  options.colour = ColourChoice::always;
  options.diagnostics = GENERATE(DiagnosticFormat::text, DiagnosticFormat::json);
  Console console(options);
  console.capture();
  frontend::Diagnostics diagnostics;
  diagnostics.add(frontend::DiagnosticKind::no_study_results, {}, "there is none").help.push_back("take one");
  CHECK_FALSE(console.report({}, diagnostics));
  console.status("half of it");
  console.remark("and more\n");
  CHECK(console.captured() == "error[E0705]: there is none\n   = help: take one\n\nand more\n");
  CHECK(console.has_errors());
  CHECK_FALSE(console.is_watched());
}
