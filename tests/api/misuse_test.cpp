// Every call refuses null pointers, closed handles and handles of other kinds, and says which argument it was.
#include "tests/api/handles.h"

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
  Study study;
  Question question;
  Result points;
  Plot plot;
  Error error;
  wave_parameter_info parameter{};
  wave_output_info output{};
  wave_column_info column{};
  wave_diagnostic diagnostic{};
  std::size_t size = 0;
  std::uint64_t point_count = 0;
  double real = 0;
  std::int64_t integer = 0;
  const char* text = nullptr;
  const void* bytes = nullptr;
  const double* reals = nullptr;
  const std::int64_t* integers = nullptr;
  const char* const* texts = nullptr;
  const std::int32_t* codes = nullptr;
  const void* part = nullptr;
  const std::uint64_t* ranges = nullptr;

  Everything() {
    parameter.size = sizeof parameter;
    output.size = sizeof output;
    column.size = sizeof column;
    diagnostic.size = sizeof diagnostic;
    CHECK_OK(wave_model_run(loaded.model, result.into(), error.into()));
    CHECK_OK(wave_batch_create(loaded.model, batch.into(), error.into()));
    const char* const vary[] = {"n=1..4"};
    CHECK_OK(wave_study_create(loaded.model, vary, 1, nullptr, 0, nullptr, 0, study.into(), error.into()));
    CHECK_OK(wave_question_create(nullptr, loaded.model, "find", question.into(), error.into()));
    CHECK_OK(wave_question_set(question, "over", "n=1..2", error.into()));
    CHECK_OK(wave_question_set(question, "where", "n > 1", error.into()));
    CHECK_OK(wave_study_run(study, nullptr, nullptr, points.into(), error.into()));
    CHECK_OK(wave_plot_create(points, "x", nullptr, nullptr, 0, 0, plot.into(), error.into()));
    wave_program* none = nullptr;
    REQUIRE(wave_program_load(nullptr, "x", &none, error.into()) == WAVE_MISUSE);
  }
};

// A call whose handle is to be tried: what it is called in messages, and the call with another handle.
struct Call {
  std::string argument;
  std::function<wave_status(Everything& all, void* handle, wave_error** error)> make;
};

#define WITH(KIND, ARGUMENT, CALL)                                   \
  {ARGUMENT, [](Everything& all, void* handle, wave_error** error) { \
     [[maybe_unused]] auto* const h = static_cast<KIND*>(handle);    \
     [[maybe_unused]] auto* const e = error;                         \
     [[maybe_unused]] auto& a = all;                                 \
     return CALL;                                                    \
   }}

wave_program* new_program = nullptr;
wave_model* new_model = nullptr;
wave_result* new_result = nullptr;
wave_batch* new_batch = nullptr;
wave_study* new_study = nullptr;
wave_question* new_question = nullptr;
wave_plot* new_plot = nullptr;
wave_error* new_error = nullptr;
const char* const names[] = {"n=1..2"};
const std::int64_t measured_n[] = {1, 2};
const double measured_x[] = {1, 2};
const wave_column measured_columns[] = {{"n", measured_n, 2, WAVE_INTEGER, 0}, {"x", measured_x, 2, WAVE_REAL, 0}};

const std::vector<Call> calls{
    WITH(wave_context, "context", wave_context_use_environment(h, e)),
    WITH(wave_context, "context", wave_context_add_folder(h, ".", e)),
    WITH(wave_context, "context", wave_context_set_time_limit(h, 1, e)),
    WITH(wave_context, "context", wave_context_set_memory_limit(h, 1 << 20, e)),
    WITH(wave_context, "context", wave_context_set_threads(h, 1, e)),
    WITH(wave_context, "context", wave_context_set_engine(h, 0, e)),
    WITH(wave_context, "context", wave_context_set_shortcuts(h, 1, e)),
    WITH(wave_context, "context", wave_context_set_cache(h, nullptr, e)),
    WITH(wave_context, "context", wave_program_load(h, "x.wave", &new_program, e)),
    WITH(wave_context, "context", wave_program_load_text(h, "x", "wave 1", nullptr, 0, &new_program, e)),
    WITH(wave_program, "program", wave_program_id(h, &a.text, e)),
    WITH(wave_program, "program", wave_program_warnings(h, &new_error, e)),
    WITH(wave_program, "program", wave_program_model_count(h, &a.size, e)),
    WITH(wave_program, "program", wave_program_model_name(h, 0, &a.text, e)),
    WITH(wave_program, "program", wave_model_open(h, nullptr, &new_model, e)),
    WITH(wave_program, "program", wave_study_open(h, nullptr, &new_study, e)),
    WITH(wave_model, "model", wave_model_name(h, &a.text, e)),
    WITH(wave_model, "model", wave_model_parameter_count(h, &a.size, e)),
    WITH(wave_model, "model", wave_model_parameter(h, 0, &a.parameter, e)),
    WITH(wave_model, "model", wave_model_output_count(h, &a.size, e)),
    WITH(wave_model, "model", wave_model_output(h, 0, &a.output, e)),
    WITH(wave_model, "model", wave_model_output_column(h, 0, 0, &a.column, e)),
    WITH(wave_model, "model", wave_model_set(h, "n", "3", e)),
    WITH(wave_model, "model", wave_model_set_real(h, "n", 3, e)),
    WITH(wave_model, "model", wave_model_set_integer(h, "n", 3, e)),
    WITH(wave_model, "model", wave_model_set_boolean(h, "n", 1, e)),
    WITH(wave_model, "model", wave_model_set_text(h, "n", "x", e)),
    WITH(wave_model, "model", wave_model_unset(h, nullptr, e)),
    WITH(wave_model, "model", wave_model_set_limits(h, 1, 1 << 20, e)),
    WITH(wave_model, "model", wave_model_run(h, &new_result, e)),
    WITH(wave_model, "model", wave_batch_create(h, &new_batch, e)),
    WITH(wave_model, "model", wave_model_breakdown(h, nullptr, &new_result, e)),
    WITH(wave_model, "model", wave_model_critical_path(h, nullptr, &new_result, e)),
    WITH(wave_model, "model", wave_model_sensitivities(h, names, 1, &new_result, e)),
    WITH(wave_model, "model", wave_study_create(h, names, 1, nullptr, 0, nullptr, 0, &new_study, e)),
    WITH(wave_context, "context", wave_question_create(h, nullptr, "cost", &new_question, e)),
    WITH(wave_result, "result", wave_result_warnings(h, &new_error, e)),
    WITH(wave_result, "result", wave_result_output_count(h, &a.size, e)),
    WITH(wave_result, "result", wave_result_output(h, 0, &a.output, e)),
    WITH(wave_result, "result", wave_result_find(h, "x", &a.size, e)),
    WITH(wave_result, "result", wave_result_column(h, 0, 0, &a.column, e)),
    WITH(wave_result, "result", wave_result_real(h, "x", &a.real, e)),
    WITH(wave_result, "result", wave_result_integer(h, "x", &a.integer, e)),
    WITH(wave_result, "result", wave_result_text(h, "x", &a.text, e)),
    WITH(wave_result, "result", wave_result_reals(h, 0, 0, WAVE_SI, &a.reals, &a.size, e)),
    WITH(wave_result, "result", wave_result_integers(h, 1, 0, &a.integers, &a.size, e)),
    WITH(wave_result, "result", wave_result_texts(h, 0, 0, &a.texts, &a.size, e)),
    WITH(wave_result, "result", wave_result_codes(h, 0, &a.codes, &a.size, e)),
    WITH(wave_result, "result", wave_result_engine(h, &a.text, e)),
    WITH(wave_batch, "batch", wave_batch_run(h, 0, nullptr, 0, nullptr, 0, nullptr, nullptr, nullptr, nullptr, e)),
    WITH(wave_batch, "batch", wave_batch_failures(h, &new_error, e)),
    WITH(wave_study, "study", wave_study_point_count(h, &a.point_count, e)),
    WITH(wave_study, "study", wave_study_id(h, &a.text, e)),
    WITH(wave_study, "study", wave_study_run(h, nullptr, nullptr, &new_result, e)),
    WITH(wave_study, "study", wave_study_run_part(h, 0, 0, nullptr, nullptr, &new_result, e)),
    WITH(wave_study, "study", wave_study_compute(h, 0, 0, nullptr, nullptr, &a.part, &a.size, e)),
    WITH(wave_study, "study", wave_study_open_points(h, &a.ranges, &a.size, e)),
    WITH(wave_study, "study", wave_study_add(h, 0, 0, "", 0, e)),
    WITH(wave_study, "study", wave_study_set_journal(h, nullptr, e)),
    WITH(wave_study, "study", wave_study_set_reductions(h, nullptr, 0, e)),
    WITH(wave_study, "study", wave_study_reduce_part(h, 0, 0, nullptr, 0, nullptr, nullptr, &a.bytes, &a.size, e)),
    WITH(wave_study, "study", wave_study_take_state(h, "", 0, e)),
    WITH(wave_study, "study", wave_study_finish_pass(h, &new_result, &a.bytes, &a.size, e)),
    WITH(wave_question, "question", wave_question_set(h, "all", "true", e)),
    WITH(wave_question, "question", wave_question_set_columns(h, "data", measured_columns, 2, 2, e)),
    WITH(wave_question, "question", wave_question_run(h, nullptr, nullptr, &new_result, e)),
    WITH(wave_model, "model", wave_plot_create_timeline(h, nullptr, &new_plot, e)),
    WITH(wave_result, "result", wave_plot_create(h, "x", "n", nullptr, 0, 0, &new_plot, e)),
    WITH(wave_result, "result", wave_plot_create_map(h, "x", "n", "n", &new_plot, e)),
    WITH(wave_result, "result", wave_plot_create_parts(h, &new_plot, e)),
    WITH(wave_plot, "plot", wave_plot_draw(h, WAVE_PLOT_WORDS, &a.text, &a.size, e)),
};

std::map<std::string, void*> handles_of(Everything& all) {
  return {{"context", static_cast<wave_context*>(all.loaded.context)},
          {"program", static_cast<wave_program*>(all.loaded.program)},
          {"model", static_cast<wave_model*>(all.loaded.model)},
          {"result", static_cast<wave_result*>(all.result)},
          {"batch", static_cast<wave_batch*>(all.batch)},
          {"study", static_cast<wave_study*>(all.study)},
          {"question", static_cast<wave_question*>(all.question)},
          {"plot", static_cast<wave_plot*>(all.plot)},
          {"error", static_cast<wave_error*>(all.error)}};
}

void check_refused(const Call& call, Everything& all, void* handle) {
  Error error;
  CHECK(call.make(all, handle, error.into()) == WAVE_MISUSE);
  CHECK_THAT(text_of(error), Catch::Contains("`" + call.argument + "`"));
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
      if (kind != call.argument) check_refused(call, all, handle);
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
  all.study = Study();
  all.question = Question();
  all.plot = Plot();
  Everything more;
  for (const Call& call : calls) {
    CAPTURE(&call - calls.data());
    check_refused(call, later, closed.at(call.argument));
  }
  CHECK(wave_context_close(static_cast<wave_context*>(closed.at("context"))) == WAVE_MISUSE);
  CHECK(wave_model_close(static_cast<wave_model*>(closed.at("model"))) == WAVE_MISUSE);
  CHECK(wave_model_stop(static_cast<wave_model*>(closed.at("model"))) == WAVE_MISUSE);
  CHECK(wave_batch_stop(static_cast<wave_batch*>(closed.at("batch"))) == WAVE_MISUSE);
  CHECK(wave_study_stop(static_cast<wave_study*>(closed.at("study"))) == WAVE_MISUSE);
  CHECK(wave_question_stop(static_cast<wave_question*>(closed.at("question"))) == WAVE_MISUSE);
}

TEST_CASE("null pointers among the other arguments are refused, and so are structures without a size") {
  Everything all;
  wave_context* const c = all.loaded.context;
  wave_program* const p = all.loaded.program;
  wave_model* const m = all.loaded.model;
  wave_result* const r = all.result;
  wave_batch* const b = all.batch;
  wave_study* const s = all.study;
  wave_question* const q = all.question;
  wave_error* const e = all.error;
  std::size_t n = 0;
  wave_parameter_info no_size{};
  const wave_module half[] = {{"a", nullptr}};
  const char* const hole[] = {nullptr};
  const wave_column column{nullptr, nullptr, 0, 0, 0};
  const wave_status all_refused[] = {
      wave_question_create(c, nullptr, nullptr, &new_question, nullptr),
      wave_question_create(nullptr, m, "find", nullptr, nullptr),
      wave_question_set(q, nullptr, "x", nullptr),
      wave_question_set(q, "all", nullptr, nullptr),
      wave_question_set_columns(q, nullptr, measured_columns, 2, 2, nullptr),
      wave_question_set_columns(q, "data", nullptr, 2, 2, nullptr),
      wave_question_set_columns(q, "data", measured_columns, 0, 2, nullptr),
      wave_question_run(q, nullptr, nullptr, nullptr, nullptr),
      wave_result_warnings(r, nullptr, nullptr),
      wave_context_create(nullptr, nullptr),
      wave_context_add_folder(c, nullptr, nullptr),
      wave_context_add_folder(c, "", nullptr),
      wave_context_set_time_limit(c, 0, nullptr),
      wave_context_set_time_limit(c, -1, nullptr),
      wave_context_set_time_limit(c, std::nan(""), nullptr),
      wave_context_set_memory_limit(c, 0, nullptr),
      wave_context_set_threads(c, -1, nullptr),
      wave_context_set_threads(c, 1 << 30, nullptr),
      wave_context_set_engine(c, 99, nullptr),
      wave_program_load(c, nullptr, &new_program, nullptr),
      wave_program_load(c, "x.wave", nullptr, nullptr),
      wave_program_load(c, "-", &new_program, nullptr),
      wave_program_load_text(c, nullptr, "wave 1", nullptr, 0, &new_program, nullptr),
      wave_program_load_text(c, "x", nullptr, nullptr, 0, &new_program, nullptr),
      wave_program_load_text(c, "x", "wave 1", nullptr, 2, &new_program, nullptr),
      wave_program_load_text(c, "x", "wave 1", half, 1, &new_program, nullptr),
      wave_program_load_text(c, "x", "wave 1", nullptr, 0, nullptr, nullptr),
      wave_program_id(p, nullptr, nullptr),
      wave_program_warnings(p, nullptr, nullptr),
      wave_program_model_count(p, nullptr, nullptr),
      wave_program_model_name(p, 0, nullptr, nullptr),
      wave_program_model_name(p, 5, &all.text, nullptr),
      wave_model_open(p, nullptr, nullptr, nullptr),
      wave_model_name(m, nullptr, nullptr),
      wave_model_parameter_count(m, nullptr, nullptr),
      wave_model_parameter(m, 0, nullptr, nullptr),
      wave_model_parameter(m, 0, &no_size, nullptr),
      wave_model_parameter(m, 1, &all.parameter, nullptr),
      wave_model_output_count(m, nullptr, nullptr),
      wave_model_output(m, 0, nullptr, nullptr),
      wave_model_output(m, 2, &all.output, nullptr),
      wave_model_output_column(m, 0, 0, nullptr, nullptr),
      wave_model_output_column(m, 0, 7, &all.column, nullptr),
      wave_model_set(m, nullptr, "1", nullptr),
      wave_model_set(m, "n", nullptr, nullptr),
      wave_model_set_real(m, nullptr, 1, nullptr),
      wave_model_set_real(m, "n", 1.5, nullptr),
      wave_model_set_integer(m, nullptr, 1, nullptr),
      wave_model_set_boolean(m, nullptr, 1, nullptr),
      wave_model_set_text(m, nullptr, "x", nullptr),
      wave_model_set_text(m, "n", nullptr, nullptr),
      wave_model_set_limits(m, std::nan(""), 1, nullptr),
      wave_model_set_limits(m, 1, 0, nullptr),
      wave_model_run(m, nullptr, nullptr),
      wave_model_breakdown(m, nullptr, nullptr, nullptr),
      wave_model_critical_path(m, nullptr, nullptr, nullptr),
      wave_model_sensitivities(m, nullptr, 1, &new_result, nullptr),
      wave_model_sensitivities(m, hole, 1, &new_result, nullptr),
      wave_model_sensitivities(m, names, 0, &new_result, nullptr),
      wave_model_sensitivities(m, names, 1, nullptr, nullptr),
      wave_result_output_count(r, nullptr, nullptr),
      wave_result_output(r, 0, nullptr, nullptr),
      wave_result_output(r, 9, &all.output, nullptr),
      wave_result_find(r, nullptr, &n, nullptr),
      wave_result_find(r, "x", nullptr, nullptr),
      wave_result_find(r, "y", &n, nullptr),
      wave_result_column(r, 0, 0, nullptr, nullptr),
      wave_result_column(r, 0, 3, &all.column, nullptr),
      wave_result_real(r, nullptr, &all.real, nullptr),
      wave_result_real(r, "x", nullptr, nullptr),
      wave_result_real(r, "y", &all.real, nullptr),
      wave_result_real(r, "s", &all.real, nullptr),
      wave_result_integer(r, nullptr, &all.integer, nullptr),
      wave_result_integer(r, "x", nullptr, nullptr),
      wave_result_integer(r, "x", &all.integer, nullptr),
      wave_result_text(r, nullptr, &all.text, nullptr),
      wave_result_text(r, "x", nullptr, nullptr),
      wave_result_text(r, "x", &all.text, nullptr),
      wave_result_reals(r, 0, 0, 7, &all.reals, &n, nullptr),
      wave_result_reals(r, 0, 0, WAVE_SI, nullptr, &n, nullptr),
      wave_result_reals(r, 0, 0, WAVE_SI, &all.reals, nullptr, nullptr),
      wave_result_reals(r, 1, 0, WAVE_SI, &all.reals, &n, nullptr),
      wave_result_integers(r, 1, 0, nullptr, &n, nullptr),
      wave_result_integers(r, 1, 0, &all.integers, nullptr, nullptr),
      wave_result_integers(r, 0, 0, &all.integers, &n, nullptr),
      wave_result_texts(r, 0, 0, &all.texts, &n, nullptr),
      wave_result_texts(r, 0, 0, nullptr, &n, nullptr),
      wave_result_codes(r, 0, nullptr, &n, nullptr),
      wave_result_codes(r, 0, &all.codes, nullptr, nullptr),
      wave_result_engine(r, nullptr, nullptr),
      wave_batch_create(m, nullptr, nullptr),
      wave_batch_run(b, 1, nullptr, 1, nullptr, 0, nullptr, nullptr, nullptr, nullptr, nullptr),
      wave_batch_run(b, 0, &column, 1, nullptr, 0, nullptr, nullptr, nullptr, nullptr, nullptr),
      wave_batch_failures(b, nullptr, nullptr),
      wave_study_create(m, nullptr, 1, nullptr, 0, nullptr, 0, &new_study, nullptr),
      wave_study_create(m, names, 0, nullptr, 0, nullptr, 0, &new_study, nullptr),
      wave_study_create(m, hole, 1, nullptr, 0, nullptr, 0, &new_study, nullptr),
      wave_study_create(m, names, 1, nullptr, 1, nullptr, 0, &new_study, nullptr),
      wave_study_create(m, names, 1, nullptr, 0, nullptr, 1, &new_study, nullptr),
      wave_study_create(m, names, 1, nullptr, 0, nullptr, 0, nullptr, nullptr),
      wave_study_open(p, nullptr, nullptr, nullptr),
      wave_study_point_count(s, nullptr, nullptr),
      wave_study_id(s, nullptr, nullptr),
      wave_study_run(s, nullptr, nullptr, nullptr, nullptr),
      wave_study_run_part(s, 0, 0, nullptr, nullptr, nullptr, nullptr),
      wave_study_set_reductions(s, hole, 1, nullptr),
      wave_study_set_reductions(s, nullptr, 1, nullptr),
      wave_study_reduce_part(s, 0, 0, nullptr, 0, nullptr, nullptr, nullptr, &n, nullptr),
      wave_study_reduce_part(s, 0, 0, nullptr, 1, nullptr, nullptr, nullptr, &n, nullptr),
      wave_study_take_state(s, nullptr, 0, nullptr),
      wave_study_finish_pass(s, nullptr, nullptr, nullptr, nullptr),
      wave_study_compute(s, 0, 0, nullptr, nullptr, nullptr, &all.size, nullptr),
      wave_study_compute(s, 0, 0, nullptr, nullptr, &all.part, nullptr, nullptr),
      wave_study_open_points(s, nullptr, &all.size, nullptr),
      wave_study_open_points(s, &all.ranges, nullptr, nullptr),
      wave_study_add(s, 0, 1, nullptr, 0, nullptr),
      wave_plot_create(r, "x", "n", nullptr, 0, 0, &new_plot, nullptr),
      wave_plot_create(all.points, nullptr, "n", nullptr, 0, 0, &new_plot, nullptr),
      wave_plot_create(all.points, "x", "n", nullptr, 3, 0, &new_plot, nullptr),
      wave_plot_create(all.points, "x", "n", nullptr, 0, -1, &new_plot, nullptr),
      wave_plot_create(all.points, "x", "n", nullptr, 0, 0, nullptr, nullptr),
      wave_plot_create_map(r, "x", "n", "n", &new_plot, nullptr),
      wave_plot_create_map(all.points, nullptr, "n", "n", &new_plot, nullptr),
      wave_plot_create_map(all.points, "x", nullptr, "n", &new_plot, nullptr),
      wave_plot_create_map(all.points, "x", "n", nullptr, &new_plot, nullptr),
      wave_plot_create_map(all.points, "x", "n", "n", nullptr, nullptr),
      wave_plot_create_parts(r, &new_plot, nullptr),
      wave_plot_create_parts(r, nullptr, nullptr),
      wave_plot_create_timeline(m, nullptr, nullptr, nullptr),
      wave_plot_draw(all.plot, 6, &all.text, &n, nullptr),
      wave_plot_draw(all.plot, WAVE_PLOT_WORDS, nullptr, &n, nullptr),
      wave_error_text(nullptr, &all.text),
      wave_error_coloured_text(nullptr, &all.text),
      wave_error_coloured_text(e, nullptr),
      wave_error_text(e, nullptr),
      wave_error_json(e, nullptr),
      wave_error_status(e, nullptr),
      wave_error_count(e, nullptr),
      wave_error_diagnostic(e, 0, nullptr),
      wave_error_diagnostic(e, 4, &all.diagnostic),
      wave_error_close(nullptr),
      wave_context_close(nullptr),
      wave_program_close(nullptr),
      wave_model_close(nullptr),
      wave_model_stop(nullptr),
      wave_result_close(nullptr),
      wave_batch_stop(nullptr),
      wave_question_stop(nullptr),
      wave_question_close(nullptr),
      wave_batch_close(nullptr),
      wave_study_close(nullptr),
      wave_plot_close(nullptr),
      wave_study_stop(nullptr),
  };
  for (const wave_status& status : all_refused) {
    CAPTURE(&status - all_refused);
    CHECK(status == WAVE_MISUSE);
  }
}

TEST_CASE("unknown parameters, models and files are diagnostics with a way on") {
  Everything all;
  wave_model* const m = all.loaded.model;
  Error error;
  CHECK_FAILS(WAVE_FAILED, "`nn`", wave_model_set(m, "nn", "1", error.into()));
  CHECK_FAILS(WAVE_FAILED, "`nn`", wave_model_set_integer(m, "nn", 1, error.into()));
  CHECK_FAILS(WAVE_FAILED, "error[E", wave_model_set(m, " n", "1", error.into()));
  CHECK_FAILS(WAVE_FAILED, "error[E", wave_model_set(m, "n=3", "4", error.into()));
  CHECK_FAILS(WAVE_FAILED, "error[E", wave_model_set(m, "n", "1 +", error.into()));
  CHECK_FAILS(WAVE_FAILED, "error[E", wave_model_set(m, "n", "1 us", error.into()));
  Model model;
  CHECK_FAILS(WAVE_FAILED, "its models are `M`",
              wave_model_open(all.loaded.program, "Lattice", model.into(), error.into()));
  Program program;
  CHECK_FAILS(WAVE_FAILED, "E0612",
              wave_program_load(all.loaded.context, "/nowhere/x.wave", program.into(), error.into()));
}
