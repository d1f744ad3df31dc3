// What bench/library.py measures of the C interface: a module without Python, whose calls work on memory of NumPy's. A
// call that fails ends the process, since there is nothing to measure then.
#include "api/include/wave/wave.h"

#include <cstdio>
#include <cstdlib>

namespace {

wave_error* error = nullptr;

void check(wave_status status) {
  if (status == WAVE_OK) return;
  const char* text = "";
  wave_error_text(error, WAVE_ERROR_PLAIN, &text);
  std::fputs(text, stderr);
  std::exit(1);
}

wave_model* model = nullptr;
wave_batch* batch = nullptr;

}  // namespace

extern "C" {

WAVE_API void library_open(const char* file, const char* name) {
  wave_context* context = nullptr;
  wave_program* program = nullptr;
  check(wave_context_create(&context, &error));
  check(wave_set(context, "environment", "true", &error));
  check(wave_set(context, "threads", "1", &error));
  check(wave_program_load(context, file, nullptr, nullptr, 0, &program, &error));
  check(wave_model_open(program, name, &model, &error));
  check(wave_batch_create(model, &batch, &error));
}

WAVE_API void library_batch(size_t rows, const int64_t* n, const int64_t* m, const double* Wg, const double* Wg_pre,
                            double* step) {
  const wave_column columns[] = {{"n", n, rows, WAVE_INTEGER, 0},
                                 {"m", m, rows, WAVE_INTEGER, 0},
                                 {"Wg", Wg, rows, WAVE_REAL, 0},
                                 {"Wg_pre", Wg_pre, rows, WAVE_REAL, 0}};
  const wave_target target = {"step", step, rows, WAVE_REAL, 0, WAVE_SI};
  check(wave_batch_run(batch, rows, columns, 4, &target, 1, nullptr, nullptr, nullptr, nullptr, &error));
}

// One run for each row.
WAVE_API void library_runs(size_t rows, const int64_t* n, const double* Wg, double* step) {
  for (size_t row = 0; row < rows; ++row) {
    wave_result* result = nullptr;
    check(wave_model_set_integer(model, "n", n[row], &error));
    check(wave_model_set_real(model, "Wg", Wg[row], &error));
    check(wave_model_run(model, &result, &error));
    check(wave_result_value(result, "step", WAVE_REAL, &step[row], &error));
    wave_close(result);
  }
}
}
