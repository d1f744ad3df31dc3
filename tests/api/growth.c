/* Memory does not grow over runs and loads: `growth RUNS LOADS`. The C interface in C99, with every warning an error. */
#include <wave/wave.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const text =
    "wave 1\n"
    "model M {\n"
    "  param n: int = 4\n"
    "  param L: time = 1 us\n"
    "  output total = n * L\n"
    "}\n";

static void check(wave_status status, wave_error *error, const char *what) {
  const char *words = "";
  if (status == WAVE_OK) return;
  wave_error_text(error, WAVE_ERROR_PLAIN, &words);
  fprintf(stderr, "%s: %d %s\n", what, status, words);
  exit(1);
}

/* Of the process, in KiB. */
static long resident(void) {
  char line[256];
  long size = 0;
  FILE *status = fopen("/proc/self/status", "r");
  while (status && fgets(line, sizeof line, status)) {
    if (strncmp(line, "VmRSS:", 6) == 0) size = strtol(line + 6, NULL, 10);
  }
  if (status) fclose(status);
  return size;
}

static void run(wave_model *model, int64_t n) {
  wave_error *error = NULL;
  wave_result *result = NULL;
  double total = 0;
  check(wave_model_set_integer(model, "n", n, &error), error, "set");
  check(wave_model_set_real(model, "L", 1e-6 * (double)n, &error), error, "set");
  check(wave_model_run(model, &result, &error), error, "run");
  check(wave_result_value(result, "total", WAVE_REAL, &total, &error), error, "read");
  wave_close(result);
  if (wave_result_value(result, "total", WAVE_REAL, &total, &error) != WAVE_MISUSE) exit(1);
  wave_close(error);
}

static wave_model *load(wave_context *context) {
  wave_error *error = NULL;
  wave_program *program = NULL;
  wave_model *model = NULL;
  check(wave_program_load(context, "growth.wave", text, NULL, 0, &program, &error), error, "load");
  check(wave_model_open(program, NULL, &model, &error), error, "open");
  wave_close(program);
  return model;
}

/* A model handle for each number, of one program. */
static void open_many(wave_context *context, long count) {
  wave_error *error = NULL;
  wave_program *program = NULL;
  long i = 0;
  check(wave_program_load(context, "growth.wave", text, NULL, 0, &program, &error), error, "load");
  for (i = 0; i < count; ++i) {
    wave_model *model = NULL;
    check(wave_model_open(program, "M", &model, &error), error, "open");
    run(model, 1 + i);
    wave_close(model);
  }
  wave_close(program);
}

static long many(wave_context *context, long runs, long loads) {
  long i = 0;
  wave_model *model = load(context);
  for (i = 0; i < runs; ++i) run(model, 1 + i % 64);
  wave_close(model);
  for (i = 0; i < loads; ++i) {
    model = load(context);
    run(model, 3);
    wave_close(model);
  }
  open_many(context, loads);
  return resident();
}

int main(int argc, char **argv) {
  const long runs = argc > 2 ? strtol(argv[1], NULL, 10) : 1000, loads = argc > 2 ? strtol(argv[2], NULL, 10) : 10;
  const long most = argc > 3 ? strtol(argv[3], NULL, 10) : 2048; /* KiB of what an allocator keeps */
  wave_error *error = NULL;
  wave_context *context = NULL;
  long before = 0, after = 0;
  check(wave_context_create(&context, &error), error, "context");
  check(wave_set(context, "threads", "1", &error), error, "threads");
  before = many(context, 2000, loads / 10 + 1);
  after = many(context, runs, loads);
  wave_close(context);
  printf("%ld runs, %ld loads: %ld KiB before, %ld KiB after\n", runs, loads, before, after);
  return after - before > most;
}
