// Programs, models, parameters and results through the C interface.
#include "tests/api/handles.h"
#include "tests/folder.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <vector>

using namespace wave::test;

namespace {

constexpr const char* text = R"(wave 1

type Parts { work: time, wait: time }

/// Two kinds of time.
model Two {
  param n: int = 4 in 1..64            /// processors
  param step: time = 2 us in 0 us.. from "a guess"
  param mode: fast | slow = fast
  param name: string = "x"
  param on: bool = true
  param need: int

  /// All of it.
  output total = (if on then n * step else 0 us) + (if mode == slow then 1 ms else 0 us) + need * 1 s in ms
  output count = n + need
  output label = if name == "y" then "why" else "what"
  output steps[i in 1..n] = i * step
  output parts = Parts(work = n * step, wait = step)
}
)";

wave_parameter_info parameter(const Loaded& loaded, std::size_t index) {
  Error error;
  wave_parameter_info info{};
  info.size = sizeof info;
  CHECK_OK(wave_model_parameter(loaded.model, index, &info, error.into()));
  return info;
}

}  // namespace

TEST_CASE("a model says what its parameters are") {
  Loaded all(text);
  CHECK_OK(wave_model_set(all.model, "need", "1", all.error.into()));
  std::size_t count = 0;
  CHECK_OK(wave_model_parameter_count(all.model, &count, all.error.into()));
  REQUIRE(count == 6);
  const auto n = parameter(all, 0);
  CHECK(std::string(n.name) == "n");
  CHECK(std::string(n.doc) == "processors");
  CHECK(std::string(n.range_text) == "1..64");
  CHECK(n.cell == WAVE_INTEGER);
  CHECK((n.has_default && n.default_value == 4));
  CHECK((n.has_lower && n.lower == 1 && n.has_upper && n.upper == 64));
  CHECK_FALSE(n.is_given);
  const auto step = parameter(all, 1);
  CHECK(std::string(step.unit) == "s");
  CHECK(std::string(step.default_text) == "2 us");
  CHECK(std::string(step.source) == "a guess");
  CHECK(step.cell == WAVE_REAL);
  CHECK(step.time == 1);
  CHECK((step.has_value && step.value == 2e-6));
  CHECK((step.has_lower && step.lower == 0));
  CHECK_FALSE(step.has_upper);
  const auto mode = parameter(all, 2);
  CHECK(mode.cell == WAVE_TEXT);
  CHECK(std::string(mode.words) == "fast\nslow");
  const auto need = parameter(all, 5);
  CHECK(need.is_given);
  CHECK_FALSE(need.has_default);
  CHECK((need.has_value && need.value == 1));
}

TEST_CASE("a model says what its outputs are, and a result has their values in SI units and in those asked for") {
  Loaded all(text);
  CHECK_OK(wave_model_set_integer(all.model, "need", 0, all.error.into()));
  std::size_t count = 0;
  CHECK_OK(wave_model_output_count(all.model, &count, all.error.into()));
  REQUIRE(count == 5);
  Result result;
  CHECK_OK(wave_model_run(all.model, result.into(), all.error.into()));
  double total = 0;
  CHECK_OK(wave_result_real(result, "total", &total, all.error.into()));
  CHECK(total == 8e-6);
  std::size_t index = 99;
  CHECK_OK(wave_result_find(result, "total", &index, all.error.into()));
  CHECK(index == 0);
  wave_column_info column{};
  column.size = sizeof column;
  CHECK_OK(wave_result_column(result, 0, 0, &column, all.error.into()));
  CHECK(std::string(column.unit) == "s");
  CHECK(std::string(column.asked_unit) == "ms");
  CHECK(column.asked_in_si == 1e-3);
  const double* values = nullptr;
  CHECK_OK(wave_result_reals(result, 0, 0, WAVE_ASKED, &values, &count, all.error.into()));
  REQUIRE(count == 1);
  CHECK(values[0] == 8e-3);
  std::int64_t whole = 0;
  CHECK_OK(wave_result_integer(result, "count", &whole, all.error.into()));
  CHECK(whole == 4);
  const char* label = nullptr;
  CHECK_OK(wave_result_text(result, "label", &label, all.error.into()));
  CHECK(std::string(label) == "what");
  CHECK_OK(wave_result_real(result, "parts.wait", &total, all.error.into()));
  CHECK(total == 2e-6);
  wave_output_info series{};
  series.size = sizeof series;
  CHECK_OK(wave_result_output(result, 3, &series, all.error.into()));
  CHECK(series.shape == WAVE_SERIES);
  CHECK(series.rows == 4);
  CHECK(series.columns == 2);
  const std::int64_t* indices = nullptr;
  CHECK_OK(wave_result_integers(result, 3, 0, &indices, &count, all.error.into()));
  CHECK(std::vector(indices, indices + count) == std::vector<std::int64_t>{1, 2, 3, 4});
  CHECK_OK(wave_result_reals(result, 3, 1, WAVE_SI, &values, &count, all.error.into()));
  CHECK(values[3] == 8e-6);
}

TEST_CASE("parameters are set by expressions, numbers and words, and have the same values either way") {
  Loaded by_text(text), by_number(text);
  CHECK_OK(wave_model_set(by_text.model, "n", "2 * 8", by_text.error.into()));
  CHECK_OK(wave_model_set(by_text.model, "step", "5.3 us", by_text.error.into()));
  CHECK_OK(wave_model_set(by_text.model, "mode", "slow", by_text.error.into()));
  CHECK_OK(wave_model_set(by_text.model, "need", "2", by_text.error.into()));
  CHECK_OK(wave_model_set(by_text.model, "name", "\"y\"", by_text.error.into()));
  CHECK_OK(wave_model_set_integer(by_number.model, "n", 16, by_number.error.into()));
  CHECK_OK(wave_model_set_real(by_number.model, "step", 5.3e-6, by_number.error.into()));
  CHECK_OK(wave_model_set_text(by_number.model, "mode", "slow", by_number.error.into()));
  CHECK_OK(wave_model_set_integer(by_number.model, "need", 2, by_number.error.into()));
  CHECK_OK(wave_model_set_text(by_number.model, "name", "y", by_number.error.into()));
  CHECK(by_text.run("total") == by_number.run("total"));
  CHECK(by_text.run("count") == 18);
  for (Loaded* one : {&by_text, &by_number}) {
    Result result;
    CHECK_OK(wave_model_run(one->model, result.into(), one->error.into()));
    const char* label = nullptr;
    CHECK_OK(wave_result_text(result, "label", &label, one->error.into()));
    CHECK(std::string(label) == "why");
  }
  CHECK_OK(wave_model_set_boolean(by_number.model, "on", 0, by_number.error.into()));
  CHECK(by_number.run("total") == 2.001);
  CHECK_OK(wave_model_unset(by_number.model, "on", by_number.error.into()));
  CHECK_OK(wave_model_set_integer(by_number.model, "n", 3, by_number.error.into()));
  CHECK(by_number.run("count") == 5);
}

TEST_CASE("numbers that change reach copies of a machine, and what is out of range is said of the new value") {
  Loaded all(R"(wave 1
machine Net { param L: time = 1 us; param o: time = 1 us; fn both(): time = L + o }
model M {
  param net: Net = Net()
  param n: int = 2 in 1..8
  let other = net(o = 5 us)
  output total = other.both() + n * 1 s
}
)");
  CHECK_OK(wave_model_set_real(all.model, "net.L", 3e-6, all.error.into()));
  CHECK(all.run("total") == 2.000008);
  CHECK_OK(wave_model_set_real(all.model, "net.L", 7e-6, all.error.into()));
  CHECK(all.run("total") == 2.000012);
  CHECK_OK(wave_model_set_integer(all.model, "n", 3, all.error.into()));
  CHECK(all.run("total") == 3.000012);
  CHECK_OK(wave_model_set_integer(all.model, "n", 9, all.error.into()));
  Result result;
  CHECK_FAILS(WAVE_FAILED, "parameter `n` is 9, outside its range",
              wave_model_run(all.model, result.into(), all.error.into()));
  CHECK(code_of(all.error) == "E0514");
  CHECK_OK(wave_model_set_integer(all.model, "n", 8, all.error.into()));
  CHECK(all.run("total") == 8.000012);
}

TEST_CASE("an output that fails has its code, and leaves the others their values") {
  Loaded all(R"(wave 1
model M {
  param n: int = 0
  output good = 1 s
  output bad = 1 s / n
}
)");
  Result result;
  CHECK(wave_model_run(all.model, result.into(), all.error.into()) == WAVE_FAILED);
  CHECK_THAT(text_of(all.error), Catch::Contains("bad"));
  REQUIRE(result);
  double value = 0;
  Error error;
  CHECK_OK(wave_result_real(result, "good", &value, error.into()));
  CHECK(value == 1);
  wave_output_info info{};
  info.size = sizeof info;
  CHECK_OK(wave_result_output(result, 1, &info, error.into()));
  CHECK(std::string(info.failed).substr(0, 1) == "E");
  CHECK(wave_result_real(result, "bad", &value, error.into()) == WAVE_FAILED);
}

TEST_CASE("diagnostics have a code, a place and help, as text and as JSON") {
  Error error;
  Context context;
  CHECK_OK(wave_context_create(context.into(), error.into()));
  Program program;
  CHECK(wave_program_load_text(context, "wrong.wave", "wave 1\nmodel M { output x = totl }\n", nullptr, 0,
                               program.into(), error.into()) == WAVE_FAILED);
  CHECK_FALSE(program);
  wave_diagnostic one{};
  one.size = sizeof one;
  REQUIRE(wave_error_diagnostic(error, 0, &one) == WAVE_OK);
  CHECK(std::string(one.code) == "E0201");
  CHECK(std::string(one.file) == "wrong.wave");
  CHECK(one.line == 2);
  CHECK(one.column == 22);
  CHECK_FALSE(one.is_warning);
  CHECK_THAT(text_of(error), Catch::Contains("--> wrong.wave:2:22"));
  const char* json = nullptr;
  REQUIRE(wave_error_json(error, &json) == WAVE_OK);
  CHECK_THAT(json, Catch::Contains("\"code\":\"E0201\"") && Catch::StartsWith("[{\"kind\":"));
}

TEST_CASE("a text imports modules that are no files, and a module of the library is a program") {
  Error error;
  Context context;
  CHECK_OK(wave_context_create(context.into(), error.into()));
  const wave_module modules[] = {{"shapes.square", "wave 1\nimport base\nfn area(a: int) = base.square(a)\n"},
                                 {"shapes.base", "wave 1\nfn square(a: int) = a * a\n"}};
  Program program;
  CHECK_OK(wave_program_load_text(context, "main.wave",
                                  "wave 1\nimport shapes.square { area }\nmodel M { output x = area(3) }\n", modules, 2,
                                  program.into(), error.into()));
  Model model;
  CHECK_OK(wave_model_open(program, "M", model.into(), error.into()));
  Result result;
  CHECK_OK(wave_model_run(model, result.into(), error.into()));
  double value = 0;
  CHECK_OK(wave_result_real(result, "x", &value, error.into()));
  CHECK(value == 9);
  CHECK_OK(wave_program_load(context, "std.applications.sweep3d", program.into(), error.into()));
  std::size_t count = 0;
  CHECK_OK(wave_program_model_count(program, &count, error.into()));
  CHECK(count > 0);
}

TEST_CASE("handles keep what they need, in whatever order they are closed") {
  Loaded all("wave 1\nmodel M { param n: int = 2; output x = n * 1 s }\n");
  Result result;
  CHECK_OK(wave_model_run(all.model, result.into(), all.error.into()));
  all.context = Context();
  all.program = Program();
  CHECK_OK(wave_model_set_integer(all.model, "n", 5, all.error.into()));
  CHECK(all.run("x") == 5);
  all.model = Model();
  double value = 0;
  CHECK_OK(wave_result_real(result, "x", &value, all.error.into()));
  CHECK(value == 2);
}

TEST_CASE("limits belong to a handle: time runs out as a status, and not for others") {
  const char* slow = R"(wave 1
model M {
  param n: int = 2000000000
  output x = sum(i in 1..n: sqrt(i))
}
)";
  Loaded one(slow), other(slow);
  CHECK_OK(wave_model_set_limits(one.model, 0.05, std::uint64_t{1} << 30, one.error.into()));
  Result result;
  CHECK(wave_model_run(one.model, result.into(), one.error.into()) == WAVE_LIMIT);
  CHECK(code_of(one.error) == "E0610");
  CHECK_OK(wave_model_set_integer(other.model, "n", 4, other.error.into()));
  CHECK(other.run("x") > 6);
  CHECK_OK(wave_model_set_integer(one.model, "n", 4, one.error.into()));
  CHECK(one.run("x") == other.run("x"));
}

TEST_CASE("memory runs out as a status") {
  Loaded all("wave 1\nmodel M { param n: int = 100000000; output s[i in 1..n] = i * 1 s }\n");
  CHECK_OK(wave_model_set_limits(all.model, 60, 1 << 20, all.error.into()));
  Result result;
  CHECK(wave_model_run(all.model, result.into(), all.error.into()) == WAVE_LIMIT);
  CHECK(code_of(all.error) == "E0611");
}

TEST_CASE("the environment decides nothing, unless a context is told to look at it") {
  const Folder folder;
  folder.write("elsewhere.wave", "wave 1\nlet two = 2\n");
  REQUIRE(setenv("WAVE_PATH", folder.path().c_str(), 1) == 0);
  Error error;
  Context context;
  Program program;
  CHECK_OK(wave_context_create(context.into(), error.into()));
  const auto load = [&] {
    return wave_program_load_text(context, "main.wave",
                                  "wave 1\nimport elsewhere\nmodel M { output x = elsewhere.two }\n", nullptr, 0,
                                  program.into(), error.into());
  };
  CHECK_FAILS(WAVE_FAILED, "there is no module `elsewhere`", load());
  CHECK_OK(wave_context_use_environment(context, error.into()));
  CHECK_OK(wave_context_set_cache(context, nullptr, error.into()));
  CHECK_OK(load());
  unsetenv("WAVE_PATH");
}

#ifdef WAVE_HAS_JIT
TEST_CASE("the library finds the JIT beside itself, and both engines give the same bits") {
  const char* recurrence = R"(wave 1
model M {
  param n: int = 200
  grid P[i: n, j: n]
  rec f[i, j] over P: time = max(f[i-1, j], f[i, j-1]) + (i * j mod 7) * 1 us else 0
  output last = f[n, n]
}
)";
  double values[2] = {0, 1};
  for (const int engine : {WAVE_ENGINE_INTERPRETER, WAVE_ENGINE_JIT}) {
    Error error;
    Context context;
    CHECK_OK(wave_context_create(context.into(), error.into()));
    CHECK_OK(wave_context_set_engine(context, engine, error.into()));
    Program program;
    CHECK_OK(wave_program_load_text(context, "jit.wave", recurrence, nullptr, 0, program.into(), error.into()));
    Model model;
    CHECK_OK(wave_model_open(program, nullptr, model.into(), error.into()));
    Result result;
    CHECK_OK(wave_model_run(model, result.into(), error.into()));
    CHECK_OK(wave_result_real(result, "last", &values[engine == WAVE_ENGINE_JIT], error.into()));
    const char* name = nullptr;
    CHECK_OK(wave_result_engine(result, &name, error.into()));
    CHECK(std::string(name) == (engine == WAVE_ENGINE_JIT ? "jit" : "interpreter"));
  }
  CHECK(values[0] == values[1]);
}
#endif
