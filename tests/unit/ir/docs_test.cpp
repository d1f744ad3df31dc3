// docs/ir.md shows what the printer prints.
#include "ir/builder.h"
#include "ir/printer.h"
#include "ir/verify.h"

#include <catch2/catch.hpp>

#include <fstream>
#include <sstream>

using namespace wave::ir;

namespace {

// Eq (6) of PPoPP'99 on an n x m grid, with a machine's total cost as a function.
System start_p() {
  System system;
  Builder b(system);
  const FrameId root = System::root_frame;
  const auto param = [&](const char* name, ValueId value) {
    return b.reference(b.define(root, name, value, {}, true));
  };
  const auto n = param("n", b.integer(4)), m = param("m", b.integer(4));
  const auto w = param("W", b.real(1e9)), o = param("net.o", b.real(23e6)), latency = param("net.L", b.real(23e6));
  const auto per_byte = param("net.G", b.real(70'000));
  const FrameId total = b.frame("net.total", root);
  const auto size = b.parameter_value(b.parameter(total, "s", ScalarType::real));
  const auto twice = b.multiply(b.real(2), o);
  const auto result = b.define(total, "result", b.add(b.add(twice, latency), b.multiply(size, per_byte)));
  const SiteId site = b.site(FailureKind::extent_not_positive, {});
  const SiteId depth = b.site(FailureKind::recursion_too_deep, {});
  const SpaceId grid = b.space({"P",
                                root,
                                {{"i", b.binder("i"), b.integer(1), n, false, {}, site},
                                 {"j", b.binder("j"), b.integer(1), m, false, {}, site}}});
  Event event;
  event.name = "start";
  event.type = ScalarType::real;
  event.frame = root;
  event.space = grid;
  event.site = b.site(FailureKind::all_absent, {});
  event.exact = true;
  const EventId start = b.event(event);
  const auto message = b.call(total, result, {b.real(480)}, depth);
  system[start].constraints = {{start, {-1, 0}, {w, message, o}, {}, {}}, {start, {0, -1}, {w, o, message}, {}, {}}};
  system[start].otherwise = {b.real(0)};
  const auto corner = b.read(start, {n, m}, b.site(FailureKind::index_off_grid, {}));
  const auto fill = b.define(root, "fill", corner);
  b.root({"fill", {{{}, {b.reference(fill)}}}, {}});
  return system;
}

}  // namespace

TEST_CASE("docs/ir.md shows the printed system and schedule as they are") {
  std::ifstream file(WAVE_SOURCE_DIR "/docs/ir.md");
  std::stringstream text;
  text << file.rdbuf();
  const System system = start_p();
  REQUIRE(verify(system).empty());
  INFO(print(system) << "\n" << print_schedule(system));
  CHECK(text.str().find(print(system)) != std::string::npos);
  CHECK(text.str().find(print_schedule(system)) != std::string::npos);
}
