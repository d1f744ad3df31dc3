/* Sweep3D from C: one prediction, its parameters changed, and a batch over processor grids.
 *
 *   cc sweep3d.c $(pkg-config --cflags --libs wave) -o sweep3d
 *   ./sweep3d ../sweep3d/sweep3d.wave
 */
#include <wave/wave.h>

#include <stdio.h>
#include <stdlib.h>

/* Prints what went wrong, and ends. */
static void check(wave_status status, wave_error *error) {
  const char *text = "";
  if (status == WAVE_OK) return;
  wave_error_text(error, WAVE_ERROR_PLAIN, &text);
  fprintf(stderr, "%s", text);
  wave_close(error);
  exit(1);
}

int main(int argc, char **argv) {
  enum { rows = 4 };
  const int64_t n[rows] = {2, 4, 8, 16}, m[rows] = {2, 4, 8, 16};
  double totals[rows], total = 0, iteration = 0;
  size_t failed = 0, row;
  wave_error *error = NULL;
  wave_context *context = NULL;
  wave_program *program = NULL;
  wave_model *model = NULL;
  wave_result *result = NULL;
  wave_batch *batch = NULL;

  if (argc != 2) {
    fprintf(stderr, "usage: sweep3d FILE.wave\n");
    return 2;
  }
  check(wave_context_create(&context, &error), error);
  check(wave_program_load(context, argv[1], NULL, NULL, 0, &program, &error), error);
  check(wave_model_open(program, NULL, &model, &error), error);

  /* As it is written. Times are in seconds. */
  check(wave_model_run(model, &result, &error), error);
  check(wave_result_value(result, "total", WAVE_REAL, &total, &error), error);
  printf("total %.17g\n", total);
  wave_close(result);

  /* With other parameters: a number, and one of the machine by an expression. */
  check(wave_model_set_integer(model, "n", 8, &error), error);
  check(wave_model_set(model, "net.L", "10 us", &error), error);
  check(wave_model_run(model, &result, &error), error);
  check(wave_result_value(result, "iteration", WAVE_REAL, &iteration, &error), error);
  printf("iteration %.17g\n", iteration);
  wave_close(result);

  /* Many at once: columns in, columns out. */
  {
    const wave_column columns[2] = {{"n", n, rows, WAVE_INTEGER, 0}, {"m", m, rows, WAVE_INTEGER, 0}};
    const wave_target target = {"total", totals, rows, WAVE_REAL, 0, WAVE_SI};
    check(wave_batch_create(model, &batch, &error), error);
    check(wave_batch_run(batch, rows, columns, 2, &target, 1, NULL, &failed, NULL, NULL, &error), error);
    for (row = 0; row < rows; ++row) printf("batch %d %.17g\n", (int)n[row], totals[row]);
  }
  wave_close(batch);
  wave_close(model);
  wave_close(program);
  wave_close(context);
  return failed == 0 ? 0 : 1;
}
