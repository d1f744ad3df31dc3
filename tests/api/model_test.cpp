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
  auto info = empty<wave_parameter_info>();
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
  Result result;
  CHECK_OK(wave_model_run(all.model, result.into(), all.error.into()));
  CHECK(value_of<double>(result, "total") == 8e-6);
  std::size_t index = 99;
  CHECK_OK(wave_result_find(result, "total", &index, all.error.into()));
  CHECK(index == 0);
  auto column = empty<wave_column_info>();
  CHECK_OK(wave_result_column(result, 0, 0, &column, all.error.into()));
  CHECK(std::string(column.unit) == "s");
  CHECK(std::string(column.asked_unit) == "ms");
  CHECK(column.asked_in_si == 1e-3);
  CHECK(column_of<double>(result, 0, 0, WAVE_ASKED) == std::vector<double>{8e-3});
  CHECK(value_of<std::int64_t>(result, "count") == 4);
  CHECK(value_of<double>(result, "count") == 4);
  CHECK(std::string(value_of<const char*>(result, "label")) == "what");
  CHECK(value_of<double>(result, "parts.wait") == 2e-6);
  auto series = empty<wave_output_info>();
  CHECK_OK(wave_result_output(result, 3, &series, all.error.into()));
  CHECK(series.shape == WAVE_SERIES);
  CHECK(series.rows == 4);
  CHECK(series.columns == 2);
  CHECK(column_of<std::int64_t>(result, 3, 0) == std::vector<std::int64_t>{1, 2, 3, 4});
  CHECK(column_of<double>(result, 3, 1)[3] == 8e-6);
}

TEST_CASE("the outputs of a model as declared are the tables of a result without their rows") {
  Loaded all(text);
  CHECK_OK(wave_model_set_integer(all.model, "need", 0, all.error.into()));
  Result result, declared;
  CHECK_OK(wave_model_run(all.model, result.into(), all.error.into()));
  CHECK_OK(wave_model_outputs(all.model, declared.into(), all.error.into()));
  auto of_run = empty<wave_result_info>(), of_model = empty<wave_result_info>();
  CHECK_OK(wave_result_describe(result, &of_run, all.error.into()));
  CHECK_OK(wave_result_describe(declared, &of_model, all.error.into()));
  REQUIRE(of_model.outputs == 5);
  CHECK(of_run.outputs == 5);
  for (std::size_t i = 0; i < of_model.outputs; ++i) {
    auto wanted = empty<wave_output_info>(), found = empty<wave_output_info>();
    CHECK_OK(wave_result_output(result, i, &wanted, all.error.into()));
    CHECK_OK(wave_result_output(declared, i, &found, all.error.into()));
    CHECK(std::string(found.name) == wanted.name);
    CHECK(std::string(found.doc) == wanted.doc);
    CHECK(found.shape == wanted.shape);
    CHECK(found.rows == 0);
    REQUIRE(found.columns == wanted.columns);
    for (std::size_t k = 0; k < found.columns; ++k) {
      auto of_wanted = empty<wave_column_info>(), of_found = empty<wave_column_info>();
      CHECK_OK(wave_result_column(result, i, k, &of_wanted, all.error.into()));
      CHECK_OK(wave_result_column(declared, i, k, &of_found, all.error.into()));
      CHECK(std::string(of_found.name) == of_wanted.name);
      CHECK(std::string(of_found.unit) == of_wanted.unit);
      CHECK(std::string(of_found.asked_unit) == of_wanted.asked_unit);
      CHECK(of_found.cell == of_wanted.cell);
      CHECK(of_found.time == of_wanted.time);
      const void* cells = nullptr;
      std::size_t count = 99;
      CHECK_OK(wave_result_cells(declared, i, k, of_found.cell, WAVE_SI, &cells, &count, all.error.into()));
      CHECK(count == 0);
    }
  }
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
    CHECK(std::string(value_of<const char*>(result, "label")) == "why");
  }
  CHECK_OK(wave_model_set_integer(by_number.model, "on", 0, by_number.error.into()));
  CHECK(by_number.run("total") == 2.001);
  CHECK_OK(wave_model_set(by_text.model, "on", "false", by_text.error.into()));
  CHECK(by_text.run("total") == 2.001);
  CHECK_OK(wave_model_set_integer(by_number.model, "on", 1, by_number.error.into()));
  CHECK_OK(wave_model_set(by_text.model, "on", "true", by_text.error.into()));
  CHECK(by_text.run("total") == by_number.run("total"));
  CHECK_OK(wave_model_set(by_number.model, "on", nullptr, by_number.error.into()));
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
  CHECK_OK(wave_result_value(result, "good", WAVE_REAL, &value, error.into()));
  CHECK(value == 1);
  auto info = empty<wave_output_info>();
  CHECK_OK(wave_result_output(result, 1, &info, error.into()));
  CHECK(std::string(info.failed).substr(0, 1) == "E");
  CHECK(wave_result_value(result, "bad", WAVE_REAL, &value, error.into()) == WAVE_FAILED);
}

TEST_CASE("diagnostics have a code, a place and help, as text and as JSON") {
  Error error;
  Context context;
  CHECK_OK(wave_context_create(context.into(), error.into()));
  Program program;
  CHECK(wave_program_load(context, "wrong.wave", "wave 1\nmodel M { output x = totl }\n", nullptr, 0, program.into(),
                          error.into()) == WAVE_FAILED);
  CHECK_FALSE(program);
  auto one = empty<wave_diagnostic>();
  REQUIRE(wave_error_diagnostic(error, 0, &one) == WAVE_OK);
  CHECK(std::string(one.code) == "E0201");
  CHECK(std::string(one.file) == "wrong.wave");
  CHECK(one.line == 2);
  CHECK(one.column == 22);
  CHECK_FALSE(one.is_warning);
  CHECK_THAT(text_of(error), Catch::Contains("--> wrong.wave:2:22"));
  const char* json = nullptr;
  REQUIRE(wave_error_text(error, WAVE_ERROR_JSON, &json) == WAVE_OK);
  CHECK_THAT(json, Catch::Contains("\"code\":\"E0201\"") && Catch::StartsWith("[{\"kind\":"));
  const char* coloured = nullptr;
  REQUIRE(wave_error_text(error, WAVE_ERROR_COLOURED, &coloured) == WAVE_OK);
  CHECK_THAT(coloured, Catch::Contains("\033["));
}

TEST_CASE("a text imports modules that are no files, and a module of the library is a program") {
  Error error;
  Context context;
  CHECK_OK(wave_context_create(context.into(), error.into()));
  const wave_module modules[] = {{"shapes.square", "wave 1\nimport base\nfn area(a: int) = base.square(a)\n"},
                                 {"shapes.base", "wave 1\nfn square(a: int) = a * a\n"}};
  Program program;
  CHECK_OK(wave_program_load(context, "main.wave",
                             "wave 1\nimport shapes.square { area }\nmodel M { output x = area(3) }\n", modules, 2,
                             program.into(), error.into()));
  Model model;
  CHECK_OK(wave_model_open(program, "M", model.into(), error.into()));
  Result result;
  CHECK_OK(wave_model_run(model, result.into(), error.into()));
  double value = 0;
  CHECK_OK(wave_result_value(result, "x", WAVE_REAL, &value, error.into()));
  CHECK(value == 9);
  CHECK_OK(wave_program_load(context, "std.applications.sweep3d", nullptr, nullptr, 0, program.into(), error.into()));
  auto of_program = empty<wave_program_info>();
  CHECK_OK(wave_program_describe(program, &of_program, error.into()));
  CHECK_FALSE(std::string(of_program.models).empty());
}

TEST_CASE("a program says which models it has, which one is meant without a name, and what its results depend on") {
  Loaded one("wave 1\nmodel M { output x = 1 s }\n"), same("wave 1\nmodel M { output x = 1 s }\n"),
      two("wave 1\nmodel main { output x = 1 s }\nmodel Other { output x = 1 s }\n");
  Error error;
  Program none;
  CHECK_OK(wave_program_load(one.context, "none.wave",
                             "wave 1\nmodel A { output x = 1 s }\nmodel B { output x = 1 s }\n", nullptr, 0,
                             none.into(), error.into()));
  const auto described = [&](wave_program* program) {
    auto info = empty<wave_program_info>();
    CHECK_OK(wave_program_describe(program, &info, error.into()));
    return info;
  };
  CHECK(std::string(described(one.program).models) == "M");
  CHECK(std::string(described(one.program).main) == "M");
  CHECK(std::string(described(two.program).models) == "main\nOther");
  CHECK(std::string(described(two.program).main) == "main");
  CHECK(std::string(described(none).models) == "A\nB");
  CHECK(std::string(described(none).main).empty());
  const std::string id = described(one.program).id;
  CHECK_FALSE(id.empty());
  CHECK(id.find_first_not_of("0123456789abcdef") == std::string::npos);
  CHECK(id == described(same.program).id);
  CHECK(id != described(two.program).id);
}

TEST_CASE("the options of a context are texts, as on the command line") {
  Context context;
  Error error;
  CHECK_OK(wave_context_create(context.into(), error.into()));
  const auto set = [&](const std::string& option, const std::string& value) {
    return wave_set(context, option.c_str(), value.c_str(), error.into());
  };
  const Options right{{"environment", "false"},  {"I", "models"},
                      {"time-limit", "0.5 s"},   {"time-limit", "none"},
                      {"memory-limit", "2 GiB"}, {"memory-limit", "8589934592 B"},
                      {"threads", "0"},          {"threads", "4"},
                      {"engine", "interpreter"}, {"engine", "automatic"},
                      {"engine", "jit"},         {"shortcuts", "false"},
                      {"cache", "folder"},       {"cache", ""}};
  for (const auto& [option, value] : right) CHECK_OK(set(option, value));
  const Options wrong{{"environment", "yes"},   {"I", ""},           {"time-limit", "0 s"},     {"time-limit", "-1 s"},
                      {"time-limit", "soon"},   {"time-limit", ""},  {"time-limit", "5 B"},     {"memory-limit", "0 B"},
                      {"memory-limit", "5 s"},  {"threads", "-1"},   {"threads", "1000000000"}, {"threads", "x"},
                      {"memory-limit", "much"}, {"engine", "steam"}, {"shortcuts", "no"},       {"", "1"}};
  for (const auto& [option, value] : wrong) {
    CAPTURE(option, value);
    CHECK(set(option, value) == WAVE_MISUSE);
    CHECK_FALSE(last_text().empty());
  }
  CHECK_FAILS(WAVE_MISUSE, "did you mean `threads`?", set("thread", "1"));
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
  CHECK_OK(wave_result_value(result, "x", WAVE_REAL, &value, all.error.into()));
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
  CHECK_OK(wave_set(one.model, "time-limit", "50 ms", one.error.into()));
  CHECK_OK(wave_set(one.model, "memory-limit", "1 GiB", one.error.into()));
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
  CHECK_OK(wave_set(all.model, "memory-limit", "1048576 B", all.error.into()));
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
    return wave_program_load(context, "main.wave", "wave 1\nimport elsewhere\nmodel M { output x = elsewhere.two }\n",
                             nullptr, 0, program.into(), error.into());
  };
  CHECK_FAILS(WAVE_FAILED, "there is no module `elsewhere`", load());
  CHECK_OK(wave_set(context, "environment", "true", error.into()));
  CHECK_OK(wave_set(context, "cache", "", error.into()));
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
  for (const std::string engine : {"interpreter", "jit"}) {
    Error error;
    Context context;
    CHECK_OK(wave_context_create(context.into(), error.into()));
    CHECK_OK(wave_set(context, "engine", engine.c_str(), error.into()));
    Program program;
    CHECK_OK(wave_program_load(context, "jit.wave", recurrence, nullptr, 0, program.into(), error.into()));
    Model model;
    CHECK_OK(wave_model_open(program, nullptr, model.into(), error.into()));
    Result result;
    CHECK_OK(wave_model_run(model, result.into(), error.into()));
    values[engine == "jit"] = value_of<double>(result, "last");
    auto info = empty<wave_result_info>();
    CHECK_OK(wave_result_describe(result, &info, error.into()));
    CHECK(info.engine == engine);
  }
  CHECK(values[0] == values[1]);
}
#endif
