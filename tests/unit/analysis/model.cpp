// See model.h.
#include "tests/unit/analysis/model.h"

#include "backend/interpreter/inspection.h"
#include "ir/verify.h"

#include <catch2/catch.hpp>

namespace wave::test {

const char* const machine_text = R"(wave 1
import std.comm { Machine }
machine Net {
  levels node
  param o: time = 2 us
  param L: time = 10 us
  param G: time/data = 1 us/B
  protocol eager(s: data) when s < 100 B {
    sender   { busy o; emit payload after L + s * G }
    receiver { await payload; busy o }
  }
  protocol rendezvous(s: data) {
    sender   { busy o; emit request after L; await ack; busy o; emit payload after L + s * G }
    receiver { await request; busy o; emit ack after L; await payload; busy o }
  }
  collective barrier(p: int): time = 5 us
}
)";

AnalysedModel::AnalysedModel(const std::string& text, frontend::LoweringOptions options) {
  frontend::Diagnostics diagnostics;
  program_ = frontend::load("test.wave", {}, diagnostics, &text);
  for (const auto& one : diagnostics.all()) UNSCOPED_INFO(frontend::code_of(one.kind) << ": " << one.message);
  REQUIRE_FALSE(diagnostics.has_errors());
  for (const auto& item : program_->main().items) {
    if (item->name.text != "M") continue;
    item_ = item.get();
    lowered = frontend::lower_model(*program_, *item, {}, diagnostics, options);
  }
  for (const auto& one : diagnostics.all()) UNSCOPED_INFO(frontend::code_of(one.kind) << ": " << one.message);
  REQUIRE_FALSE(diagnostics.has_errors());
}

analysis::Breakdown AnalysedModel::breakdown(const std::string& output) {
  const analysis::MakeEngine make_engine = [](const ir::System& system) {
    for (const std::string& problem : ir::verify(system)) FAIL_CHECK(problem);
    return interpreter(system);
  };
  for (const auto& one : analysis::break_down(lowered, make_engine, {})) {
    if (one.output->name != output) continue;
    INFO(one.why_not);
    REQUIRE(one.why_not.empty());
    REQUIRE_FALSE(one.failure);
    double sum = one.rest;
    for (const auto& share : one.shares) sum += share.time;
    CHECK(sum == one.total);
    return one;
  }
  FAIL("no breakdown of " << output);
  return {};
}

double AnalysedModel::share(const analysis::Breakdown& breakdown, const std::string& input) {
  double sum = 0;
  for (const auto& share : breakdown.shares) {
    if (share.of.name == input) sum += share.time;
  }
  return sum;
}

void AnalysedModel::with_process(const std::function<void(backend::processes::Run&)>& use) {
  REQUIRE_FALSE(lowered.processes.empty());
  const auto failed = backend::inspect_process(lowered.system, {}, {}, lowered.processes.front().process, use);
  if (failed) FAIL("failure of kind " << static_cast<int>(failed->kind) << " " << failed->detail);
}

std::unique_ptr<backend::Engine> interpreter(const ir::System& system) { return backend::make_interpreter(system); }

}  // namespace wave::test
