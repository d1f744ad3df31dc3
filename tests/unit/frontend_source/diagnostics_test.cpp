#include "frontend/source/diagnostics.h"

#include <catch2/catch.hpp>

#include <set>

using namespace wave::frontend;

TEST_CASE("every kind has a code and a name of its own, and a title") {
  std::set<std::string_view> codes, names;
  for (const auto kind : all_kinds()) {
    const auto code = code_of(kind);
    CHECK(codes.insert(code).second);
    CHECK(names.insert(name_of(kind)).second);
    CHECK_FALSE(title_of(kind).empty());
    REQUIRE(code.size() == 5);
    CHECK(code[0] == 'E');
  }
}

TEST_CASE("kinds come in the order of their codes") {
  std::string_view last = "";
  for (const auto kind : all_kinds()) {
    CHECK(last < code_of(kind));
    last = code_of(kind);
  }
}

TEST_CASE("diagnostics are sorted by place, and those without one come last") {
  Diagnostics diagnostics;
  diagnostics.add(DiagnosticKind::misuse, {}, "nowhere");
  diagnostics.add(DiagnosticKind::misuse, {1, 5, 6}, "third");
  diagnostics.add(DiagnosticKind::misuse, {0, 9, 10}, "second");
  diagnostics.add(DiagnosticKind::misuse, {0, 2, 3}, "first");
  const auto sorted = diagnostics.sorted();
  REQUIRE(sorted.size() == 4);
  CHECK(sorted[0].message == "first");
  CHECK(sorted[1].message == "second");
  CHECK(sorted[2].message == "third");
  CHECK(sorted[3].message == "nowhere");
}

TEST_CASE("the same diagnostic at the same place is kept once, another one is kept") {
  Diagnostics diagnostics;
  const wave::Location location{0, 2, 3};
  diagnostics.add(DiagnosticKind::misuse, location, "a");
  diagnostics.add(DiagnosticKind::misuse, location, "b");
  diagnostics.add(DiagnosticKind::misuse, location, "a");
  diagnostics.add(DiagnosticKind::which_model, location, "a");
  CHECK(diagnostics.sorted().size() == 3);
}

TEST_CASE("a warning is no error") {
  Diagnostics diagnostics;
  CHECK_FALSE(diagnostics.has_errors());
  diagnostics.add(DiagnosticKind::override_differs, {}, "w", "", Severity::warning);
  CHECK_FALSE(diagnostics.has_errors());
  diagnostics.add(DiagnosticKind::misuse, {}, "e");
  CHECK(diagnostics.has_errors());
}
