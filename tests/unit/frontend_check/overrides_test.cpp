// Expressions of the command line, and items by path.
#include "tests/unit/frontend_check/checked.h"

#include <catch2/catch.hpp>

namespace wave::frontend {
namespace {

const char* const text =
    "import std.machines.ibm_sp2 { SP2 }\n"
    "model M { param net: SP2 = SP2() param n: int = 4 param mode: a | b = a let twice = 2 * n output x = n }\n";

Found check_value(const std::string& value, const TypeRef& expected) {
  Checked checked = check_text(text);
  const Item* model = find_item(*checked.program, "M", checked.diagnostics);
  const ExprPtr e = check_expression(*checked.program, model, "-D", value, expected, checked.diagnostics);
  CHECK((e == nullptr) == checked.diagnostics.has_errors());
  return found_in(checked);
}

TypeRef time_type() { return std::make_shared<const Type>(Type{types::Real{{1, 0, 0}}}); }
TypeRef choice_type() { return std::make_shared<const Type>(Type{types::Choice{{"a", "b"}}}); }

}  // namespace

TEST_CASE("a value of the command line sees the parameters of the model and the names of std") {
  CHECK(check_value("n * 2 us", time_type()) == Found{});
  CHECK(check_value("SP2_C().L", time_type()) == Found{});
  CHECK(check_value("std.machines.ibm_sp2.SP2(L = 3 us).L", time_type()) == Found{});
  CHECK(check_value("b", choice_type()) == Found{});
  CHECK(check_value("0", time_type()) == Found{});
  CHECK(check_value("twice * 1 us", time_type()) == Found{"E0201 twice"});
  CHECK(check_value("5", time_type()) == Found{"E0302 5"});
  CHECK(check_value("3 KiB", time_type()) == Found{"E0301 3 KiB"});
}

TEST_CASE("items are found by path, in std and in the main module") {
  Checked checked = check_text("let a = 1\nmodel M { output x = 1 }");
  CHECK(find_item(*checked.program, "std.machines.ibm_sp2.SP2", checked.diagnostics) != nullptr);
  CHECK(find_item(*checked.program, "M", checked.diagnostics) != nullptr);
  CHECK_FALSE(checked.diagnostics.has_errors());
  CHECK(find_item(*checked.program, "std.machines.ibm_sp3.SP2", checked.diagnostics) == nullptr);
  CHECK(find_item(*checked.program, "N", checked.diagnostics) == nullptr);
  CHECK(checked.diagnostics.all().size() == 2);
}

}  // namespace wave::frontend
