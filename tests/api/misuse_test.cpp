// Every call refuses null pointers, closed handles and handles of other kinds, and says which argument it was.
#include "tests/api/handles.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

using namespace wave::test;

namespace {

// One of each kind, and room for what calls give.
struct Everything {
  Loaded loaded{"wave 1\nmodel M { param n: int = 2; output x = n * 1 s; output s[i in 1..n] = i * 1 s }\n"};
  Result result;
  Batch batch;
  Question question, sweep;
  Result points;
  Plot plot;
  Error error;
  wave_program_info program = empty<wave_program_info>();
  wave_parameter_info parameter = empty<wave_parameter_info>();
  wave_result_info tables = empty<wave_result_info>();
  wave_output_info output = empty<wave_output_info>();
  wave_column_info column = empty<wave_column_info>();
  wave_points_info open = empty<wave_points_info>();
  wave_diagnostic diagnostic = empty<wave_diagnostic>();
  std::size_t size = 0;
  double real = 0;
  std::int64_t integer = 0;
  const char* text = nullptr;
  const void* bytes = nullptr;
  const std::int32_t* codes = nullptr;

  Everything() {
    CHECK_OK(wave_model_run(loaded.model, result.into(), error.into()));
    CHECK_OK(wave_batch_create(loaded.model, batch.into(), error.into()));
    sweep = sweep_of(loaded.model, {{"vary", "n=1..4"}});
    CHECK_OK(wave_question_create(loaded.model, "find", question.into(), error.into()));
    CHECK_OK(wave_set(question, "over", "n=1..2", error.into()));
    CHECK_OK(wave_set(question, "where", "n > 1", error.into()));
    CHECK_OK(wave_question_run(sweep, nullptr, nullptr, points.into(), error.into()));
    CHECK_OK(wave_plot_create(points, "x", nullptr, nullptr, 0, 0, plot.into(), error.into()));
    wave_program* none = nullptr;
    REQUIRE(wave_program_load(nullptr, "x", nullptr, nullptr, 0, &none, error.into()) == WAVE_MISUSE);
  }
};

using Kinds = std::vector<std::string>;

// A call whose handle is to be tried: what it is called in messages, the kinds that may be, and the call with another
// handle.
struct Call {
  std::string argument;
  Kinds kinds;
  std::function<wave_status(Everything& all, void* handle, wave_error** error)> make;
  bool has_error = true;  // a parameter for one
};

#define WITH(KIND, ARGUMENT, KINDS, CALL)                                   \
  {ARGUMENT, KINDS, [](Everything& all, void* handle, wave_error** error) { \
     [[maybe_unused]] auto* const h = static_cast<KIND*>(handle);           \
     [[maybe_unused]] auto* const e = error;                                \
     [[maybe_unused]] auto& a = all;                                        \
     return CALL;                                                           \
   }}
#define OF(KIND, CALL) WITH(wave_##KIND, #KIND, Kinds{#KIND}, CALL)

Call without_error(Call call) {
  call.has_error = false;
  return call;
}

wave_program* new_program = nullptr;
wave_model* new_model = nullptr;
wave_result* new_result = nullptr;
wave_batch* new_batch = nullptr;
wave_question* new_question = nullptr;
wave_plot* new_plot = nullptr;
wave_error* new_error = nullptr;
const char* const names[] = {"n"};
const std::int64_t measured_n[] = {1, 2};
const double measured_x[] = {1, 2};
const wave_column measured_columns[] = {{"n", measured_n, 2, WAVE_INTEGER, 0}, {"x", measured_x, 2, WAVE_REAL, 0}};
const Kinds every_kind{"context", "program", "model", "result", "batch", "question", "plot", "error"};

// All but wave_version() and wave_context_create(), which take no handle.
const std::vector<Call> calls{
    without_error(WITH(void, "handle", every_kind, wave_close(h))),
    without_error(WITH(void, "handle", (Kinds{"model", "batch", "question"}), wave_stop(h))),
    WITH(void, "handle", (Kinds{"context", "model", "question"}), wave_set(h, "time-limit", "1 s", e)),
    WITH(void, "handle", (Kinds{"program", "result"}), wave_warnings(h, &new_error, e)),
    without_error(OF(error, wave_error_text(h, WAVE_ERROR_PLAIN, &a.text))),
    without_error(OF(error, wave_error_count(h, &a.size))),
    without_error(OF(error, wave_error_diagnostic(h, 0, &a.diagnostic))),
    OF(context, wave_program_load(h, "x", "wave 1", nullptr, 0, &new_program, e)),
    OF(context, wave_program_load(h, "x.wave", nullptr, nullptr, 0, &new_program, e)),
    OF(program, wave_program_describe(h, &a.program, e)),
    OF(program, wave_model_open(h, nullptr, &new_model, e)),
    OF(model, wave_model_parameter_count(h, &a.size, e)),
    OF(model, wave_model_parameter(h, 0, &a.parameter, e)),
    OF(model, wave_model_outputs(h, &new_result, e)),
    OF(model, wave_model_set(h, "n", "3", e)),
    OF(model, wave_model_set(h, nullptr, nullptr, e)),
    OF(model, wave_model_set_real(h, "n", 3, e)),
    OF(model, wave_model_set_integer(h, "n", 3, e)),
    OF(model, wave_model_set_text(h, "n", "x", e)),
    OF(model, wave_model_run(h, &new_result, e)),
    OF(model, wave_model_explain(h, WAVE_BREAKDOWN, nullptr, 0, &new_result, e)),
    OF(model, wave_model_explain(h, WAVE_CRITICAL_PATH, nullptr, 0, &new_result, e)),
    OF(model, wave_model_explain(h, WAVE_SENSITIVITIES, names, 1, &new_result, e)),
    OF(result, wave_result_describe(h, &a.tables, e)),
    OF(result, wave_result_output(h, 0, &a.output, e)),
    OF(result, wave_result_find(h, "x", &a.size, e)),
    OF(result, wave_result_column(h, 0, 0, &a.column, e)),
    OF(result, wave_result_value(h, "x", WAVE_REAL, &a.real, e)),
    OF(result, wave_result_cells(h, 0, 0, WAVE_REAL, WAVE_SI, &a.bytes, &a.size, e)),
    OF(result, wave_result_codes(h, 0, &a.codes, &a.size, e)),
    OF(model, wave_batch_create(h, &new_batch, e)),
    OF(batch, wave_batch_run(h, 0, nullptr, 0, nullptr, 0, nullptr, nullptr, nullptr, nullptr, e)),
    OF(batch, wave_batch_failures(h, &new_error, e)),
    WITH(void, "of", (Kinds{"context", "program", "model"}), wave_question_create(h, "find", &new_question, e)),
    WITH(void, "of", (Kinds{"program", "model"}), wave_question_create(h, "sweep", &new_question, e)),
    OF(question, wave_question_set_columns(h, "data", measured_columns, 2, 2, e)),
    OF(question, wave_question_run(h, nullptr, nullptr, &new_result, e)),
    OF(question, wave_question_points(h, &a.open, e)),
    OF(question, wave_question_compute(h, 0, 0, nullptr, 0, nullptr, nullptr, &a.bytes, &a.size, e)),
    OF(question, wave_question_add(h, 0, 0, "", 0, e)),
    OF(result, wave_plot_create(h, "x", "n", nullptr, 0, 0, &new_plot, e)),
    OF(result, wave_plot_create(h, nullptr, nullptr, nullptr, 0, 0, &new_plot, e)),
    OF(model, wave_plot_create_timeline(h, nullptr, &new_plot, e)),
    OF(plot, wave_plot_draw(h, WAVE_PLOT_WORDS, &a.text, &a.size, e)),
};

std::map<std::string, void*> handles_of(Everything& all) {
  return {{"context", static_cast<wave_context*>(all.loaded.context)},
          {"program", static_cast<wave_program*>(all.loaded.program)},
          {"model", static_cast<wave_model*>(all.loaded.model)},
          {"result", static_cast<wave_result*>(all.result)},
          {"batch", static_cast<wave_batch*>(all.batch)},
          {"question", static_cast<wave_question*>(all.question)},
          {"plot", static_cast<wave_plot*>(all.plot)},
          {"error", static_cast<wave_error*>(all.error)}};
}

void check_refused(const Call& call, Everything& all, void* handle) {
  Error error;
  CHECK(call.make(all, handle, error.into()) == WAVE_MISUSE);
  if (call.has_error) CHECK_THAT(text_of(error), Catch::Contains("`" + call.argument + "`"));
  CHECK(call.make(all, handle, nullptr) == WAVE_MISUSE);
}

}  // namespace

TEST_CASE("a null pointer, a handle of another kind and any other pointer are refused by every call") {
  Everything all;
  int local = 0;
  for (const Call& call : calls) {
    CAPTURE(&call - calls.data());
    check_refused(call, all, nullptr);
    check_refused(call, all, &local);
    for (const auto& [kind, handle] : handles_of(all)) {
      CAPTURE(kind);
      if (std::find(call.kinds.begin(), call.kinds.end(), kind) == call.kinds.end()) check_refused(call, all, handle);
    }
  }
}

TEST_CASE("a closed handle is refused by every call, even when others have been opened since") {
  Everything all, later;
  const auto closed = handles_of(all);
  all.loaded.context = Context();
  all.loaded.program = Program();
  all.loaded.model = Model();
  all.result = Result();
  all.batch = Batch();
  all.question = Question();
  all.plot = Plot();
  all.error = Error();
  Everything more;
  for (const Call& call : calls) {
    CAPTURE(&call - calls.data());
    for (const std::string& kind : call.kinds) {
      CAPTURE(kind);
      check_refused(call, later, closed.at(kind));
    }
  }
}

TEST_CASE("a handle of every kind is closed by one call, and once") {
  Everything all;
  const auto handles = handles_of(all);
  all.loaded.context.release();
  all.loaded.program.release();
  all.loaded.model.release();
  all.result.release();
  all.batch.release();
  all.question.release();
  all.plot.release();
  all.error.release();
  CHECK(handles.size() == every_kind.size());
  for (const auto& [kind, handle] : handles) {
    CAPTURE(kind);
    CHECK(wave_close(handle) == WAVE_OK);
    CHECK(wave_close(handle) == WAVE_MISUSE);
  }
}

TEST_CASE("a call that is not being made is stopped without effect") {
  Everything all;
  CHECK(wave_stop(all.loaded.model) == WAVE_OK);
  CHECK(wave_stop(all.batch) == WAVE_OK);
  CHECK(wave_stop(all.question) == WAVE_OK);
  CHECK(wave_stop(all.sweep) == WAVE_OK);
  CHECK_OK(wave_model_run(all.loaded.model, all.result.into(), all.error.into()));
  CHECK_OK(wave_question_run(all.question, nullptr, nullptr, all.result.into(), all.error.into()));
  CHECK_OK(wave_question_run(all.sweep, nullptr, nullptr, all.result.into(), all.error.into()));
}

TEST_CASE("null pointers among the other arguments are refused, and so are structures without a size") {
  Everything all;
  wave_context* const c = all.loaded.context;
  wave_program* const p = all.loaded.program;
  wave_model* const m = all.loaded.model;
  wave_result* const r = all.result;
  wave_batch* const b = all.batch;
  wave_question* const q = all.question;
  wave_question* const s = all.sweep;
  wave_error* const e = all.error;
  std::size_t n = 0;
  wave_program_info program_without_size{};
  wave_parameter_info parameter_without_size{};
  wave_result_info result_without_size{};
  wave_points_info points_without_size{};
  wave_diagnostic diagnostic_without_size{};
  const wave_module half[] = {{"a", nullptr}};
  const char* const hole[] = {nullptr};
  const wave_column column{nullptr, nullptr, 0, 0, 0};
  const wave_status all_refused[] = {
      wave_context_create(nullptr, nullptr),
      wave_set(c, nullptr, "1", nullptr),
      wave_set(c, "threads", nullptr, nullptr),
      wave_set(c, "thread", "1", nullptr),
      wave_set(m, nullptr, "1 s", nullptr),
      wave_set(m, "time-limit", nullptr, nullptr),
      wave_set(m, "time-limit", "0 s", nullptr),
      wave_set(m, "memory-limit", "0 B", nullptr),
      wave_set(m, "threads", "1", nullptr),
      wave_set(q, nullptr, "x", nullptr),
      wave_set(q, "all", nullptr, nullptr),
      wave_set(s, nullptr, "x", nullptr),
      wave_set(s, "show", nullptr, nullptr),
      wave_set(s, "shw", "x", nullptr),
      wave_set(s, "journal", "", nullptr),
      wave_set(s, "study", "Growth", nullptr),
      wave_warnings(p, nullptr, nullptr),
      wave_warnings(r, nullptr, nullptr),
      wave_error_text(e, WAVE_ERROR_PLAIN, nullptr),
      wave_error_text(e, 3, &all.text),
      wave_error_text(e, -1, &all.text),
      wave_error_count(e, nullptr),
      wave_error_diagnostic(e, 0, nullptr),
      wave_error_diagnostic(e, 0, &diagnostic_without_size),
      wave_error_diagnostic(e, 4, &all.diagnostic),
      wave_program_load(c, nullptr, nullptr, nullptr, 0, &new_program, nullptr),
      wave_program_load(c, "x.wave", nullptr, nullptr, 0, nullptr, nullptr),
      wave_program_load(c, "-", nullptr, nullptr, 0, &new_program, nullptr),
      wave_program_load(c, nullptr, "wave 1", nullptr, 0, &new_program, nullptr),
      wave_program_load(c, "x", "wave 1", nullptr, 2, &new_program, nullptr),
      wave_program_load(c, "x", "wave 1", half, 1, &new_program, nullptr),
      wave_program_load(c, "x", "wave 1", nullptr, 0, nullptr, nullptr),
      wave_program_describe(p, nullptr, nullptr),
      wave_program_describe(p, &program_without_size, nullptr),
      wave_model_open(p, nullptr, nullptr, nullptr),
      wave_model_parameter_count(m, nullptr, nullptr),
      wave_model_parameter(m, 0, nullptr, nullptr),
      wave_model_parameter(m, 0, &parameter_without_size, nullptr),
      wave_model_parameter(m, 1, &all.parameter, nullptr),
      wave_model_outputs(m, nullptr, nullptr),
      wave_model_set(m, nullptr, "1", nullptr),
      wave_model_set_real(m, nullptr, 1, nullptr),
      wave_model_set_real(m, "n", 1.5, nullptr),
      wave_model_set_real(m, "n", std::nan(""), nullptr),
      wave_model_set_integer(m, nullptr, 1, nullptr),
      wave_model_set_text(m, nullptr, "x", nullptr),
      wave_model_set_text(m, "n", nullptr, nullptr),
      wave_model_run(m, nullptr, nullptr),
      wave_model_explain(m, WAVE_BREAKDOWN, nullptr, 0, nullptr, nullptr),
      wave_model_explain(m, WAVE_BREAKDOWN, nullptr, 1, &new_result, nullptr),
      wave_model_explain(m, WAVE_CRITICAL_PATH, nullptr, 0, nullptr, nullptr),
      wave_model_explain(m, WAVE_SENSITIVITIES, nullptr, 1, &new_result, nullptr),
      wave_model_explain(m, WAVE_SENSITIVITIES, hole, 1, &new_result, nullptr),
      wave_model_explain(m, WAVE_SENSITIVITIES, names, 0, &new_result, nullptr),
      wave_model_explain(m, WAVE_SENSITIVITIES, names, 1, nullptr, nullptr),
      wave_model_explain(m, 3, nullptr, 0, &new_result, nullptr),
      wave_model_explain(m, -1, nullptr, 0, &new_result, nullptr),
      wave_result_describe(r, nullptr, nullptr),
      wave_result_describe(r, &result_without_size, nullptr),
      wave_result_output(r, 0, nullptr, nullptr),
      wave_result_output(r, 9, &all.output, nullptr),
      wave_result_find(r, nullptr, &n, nullptr),
      wave_result_find(r, "x", nullptr, nullptr),
      wave_result_find(r, "y", &n, nullptr),
      wave_result_column(r, 0, 0, nullptr, nullptr),
      wave_result_column(r, 0, 3, &all.column, nullptr),
      wave_result_value(r, nullptr, WAVE_REAL, &all.real, nullptr),
      wave_result_value(r, "x", WAVE_REAL, nullptr, nullptr),
      wave_result_value(r, "y", WAVE_REAL, &all.real, nullptr),
      wave_result_value(r, "s", WAVE_REAL, &all.real, nullptr),
      wave_result_value(r, nullptr, WAVE_INTEGER, &all.integer, nullptr),
      wave_result_value(r, "x", WAVE_INTEGER, nullptr, nullptr),
      wave_result_value(r, "x", WAVE_INTEGER, &all.integer, nullptr),
      wave_result_value(r, nullptr, WAVE_TEXT, &all.text, nullptr),
      wave_result_value(r, "x", WAVE_TEXT, nullptr, nullptr),
      wave_result_value(r, "x", WAVE_TEXT, &all.text, nullptr),
      wave_result_value(r, "x", WAVE_OTHER, &all.text, nullptr),
      wave_result_value(r, "x", 9, &all.text, nullptr),
      wave_result_cells(r, 0, 0, WAVE_REAL, 7, &all.bytes, &n, nullptr),
      wave_result_cells(r, 0, 0, WAVE_REAL, WAVE_SI, nullptr, &n, nullptr),
      wave_result_cells(r, 0, 0, WAVE_REAL, WAVE_SI, &all.bytes, nullptr, nullptr),
      wave_result_cells(r, 1, 0, WAVE_REAL, WAVE_SI, &all.bytes, &n, nullptr),
      wave_result_cells(r, 9, 0, WAVE_REAL, WAVE_SI, &all.bytes, &n, nullptr),
      wave_result_cells(r, 0, 3, WAVE_REAL, WAVE_SI, &all.bytes, &n, nullptr),
      wave_result_cells(r, 1, 0, WAVE_INTEGER, WAVE_SI, nullptr, &n, nullptr),
      wave_result_cells(r, 1, 0, WAVE_INTEGER, WAVE_SI, &all.bytes, nullptr, nullptr),
      wave_result_cells(r, 0, 0, WAVE_INTEGER, WAVE_SI, &all.bytes, &n, nullptr),
      wave_result_cells(r, 0, 0, WAVE_TEXT, WAVE_SI, &all.bytes, &n, nullptr),
      wave_result_cells(r, 0, 0, WAVE_OTHER, WAVE_SI, &all.bytes, &n, nullptr),
      wave_result_cells(r, 0, 0, 9, WAVE_SI, &all.bytes, &n, nullptr),
      wave_result_codes(r, 0, nullptr, &n, nullptr),
      wave_result_codes(r, 0, &all.codes, nullptr, nullptr),
      wave_batch_create(m, nullptr, nullptr),
      wave_batch_run(b, 1, nullptr, 1, nullptr, 0, nullptr, nullptr, nullptr, nullptr, nullptr),
      wave_batch_run(b, 0, &column, 1, nullptr, 0, nullptr, nullptr, nullptr, nullptr, nullptr),
      wave_batch_failures(b, nullptr, nullptr),
      wave_question_create(c, nullptr, &new_question, nullptr),
      wave_question_create(m, "find", nullptr, nullptr),
      wave_question_create(m, "sweep", nullptr, nullptr),
      wave_question_set_columns(q, nullptr, measured_columns, 2, 2, nullptr),
      wave_question_set_columns(q, "data", nullptr, 2, 2, nullptr),
      wave_question_set_columns(q, "data", measured_columns, 0, 2, nullptr),
      wave_question_set_columns(s, "vary", measured_columns, 2, 2, nullptr),
      wave_question_run(q, nullptr, nullptr, nullptr, nullptr),
      wave_question_run(s, nullptr, nullptr, nullptr, nullptr),
      wave_question_points(q, &all.open, nullptr),
      wave_question_points(s, nullptr, nullptr),
      wave_question_points(s, &points_without_size, nullptr),
      wave_question_compute(q, 0, 0, nullptr, 0, nullptr, nullptr, &all.bytes, &n, nullptr),
      wave_question_compute(s, 0, 0, nullptr, 0, nullptr, nullptr, nullptr, &n, nullptr),
      wave_question_compute(s, 0, 0, nullptr, 0, nullptr, nullptr, &all.bytes, nullptr, nullptr),
      wave_question_compute(s, 0, 0, nullptr, 1, nullptr, nullptr, &all.bytes, &n, nullptr),
      wave_question_compute(s, 0, 0, "x", 1, nullptr, nullptr, &all.bytes, &n, nullptr),
      wave_question_compute(s, 0, 5, nullptr, 0, nullptr, nullptr, &all.bytes, &n, nullptr),
      wave_question_add(q, 0, 1, "", 0, nullptr),
      wave_question_add(s, 0, 1, nullptr, 0, nullptr),
      wave_question_add(s, 0, 5, "", 0, nullptr),
      wave_plot_create(r, "x", "n", nullptr, 0, 0, &new_plot, nullptr),
      wave_plot_create(r, nullptr, nullptr, nullptr, 0, 0, &new_plot, nullptr),
      wave_plot_create(r, nullptr, nullptr, nullptr, 0, 0, nullptr, nullptr),
      wave_plot_create(all.points, nullptr, "n", nullptr, 0, 0, &new_plot, nullptr),
      wave_plot_create(all.points, "x", "n", nullptr, 3, 0, &new_plot, nullptr),
      wave_plot_create(all.points, "x", "n", nullptr, 0, -1, &new_plot, nullptr),
      wave_plot_create(all.points, "x", "n", nullptr, 0, 0, nullptr, nullptr),
      wave_plot_create_timeline(m, nullptr, nullptr, nullptr),
      wave_plot_draw(all.plot, 6, &all.text, &n, nullptr),
      wave_plot_draw(all.plot, WAVE_PLOT_WORDS, nullptr, &n, nullptr),
  };
  for (const wave_status& status : all_refused) {
    CAPTURE(&status - all_refused);
    CHECK(status == WAVE_MISUSE);
  }
  CHECK(std::string(wave_version()).starts_with(std::to_string(WAVE_VERSION_MAJOR) + "."));
}

TEST_CASE("unknown parameters, models and files are diagnostics with a way on") {
  Everything all;
  wave_model* const m = all.loaded.model;
  Error error;
  CHECK_FAILS(WAVE_FAILED, "`nn`", wave_model_set(m, "nn", "1", error.into()));
  CHECK_FAILS(WAVE_FAILED, "`nn`", wave_model_set(m, "nn", nullptr, error.into()));
  CHECK_FAILS(WAVE_FAILED, "`nn`", wave_model_set_integer(m, "nn", 1, error.into()));
  CHECK_FAILS(WAVE_FAILED, "error[E", wave_model_set(m, " n", "1", error.into()));
  CHECK_FAILS(WAVE_FAILED, "error[E", wave_model_set(m, "n=3", "4", error.into()));
  CHECK_FAILS(WAVE_FAILED, "error[E", wave_model_set(m, "n", "1 +", error.into()));
  CHECK_FAILS(WAVE_FAILED, "error[E", wave_model_set(m, "n", "1 us", error.into()));
  Model model;
  CHECK_FAILS(WAVE_FAILED, "its models are `M`",
              wave_model_open(all.loaded.program, "Lattice", model.into(), error.into()));
  Program program;
  CHECK_FAILS(
      WAVE_FAILED, "E0612",
      wave_program_load(all.loaded.context, "/nowhere/x.wave", nullptr, nullptr, 0, program.into(), error.into()));
}
