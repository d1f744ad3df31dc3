/* The C interface of Wave: loads models, evaluates them, and explains what they predict. Plain C99.
 *
 * Handles. Everything is behind a handle, made by a call and given back by wave_close(). Handles keep alive what they
 * need, so they may be closed in any order. A null pointer, a closed handle or one of another kind is WAVE_MISUSE, and
 * the error names the argument. The library finds that out by a table of the handles that are open; a look into it
 * takes some tens of nanoseconds a call. It is the only thing that calls on different handles share.
 *
 * Errors. Every call returns a status. Calls that can fail for a reason worth telling take an `error` last: the
 * address of a pointer, which becomes a new error handle if something went wrong and NULL if not; or NULL, if nobody
 * wants to know. Where a call fails, what its other pointers lead to stays as it was, unless it is said otherwise.
 *
 * Units. Numbers are in seconds, bytes, flop and their combinations: `B/s`, `flop/B`. Who wants results in the unit
 * that the model asks for (`in ms`) says so.
 *
 * Texts are UTF-8 and end with a zero. Those that the library gives out belong to the handle that they come from, and
 * stay until it is closed or, where that is said, until another call.
 *
 * Structures with a member `size`, which the caller sets to sizeof the structure, are filled or read by the library.
 * Later versions add members at the end only; what a shorter structure does not have is 0. Pointers that are not
 * needed may be NULL where it is said.
 *
 * Threads. Calls on different handles may be made at the same time, and on results, errors and contexts of one handle,
 * too. Calls on one model, batch or question wait for each other, those on models of one program only while they read.
 *
 * The library prints nothing, ends no process, handles no signal, and reads no environment variable unless a context's
 * option "environment" is set; but models of a project with a wave.toml look for packages where XDG_DATA_HOME and
 * XDG_DATA_DIRS say. */
#ifndef WAVE_WAVE_H
#define WAVE_WAVE_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define WAVE_API __attribute__((visibility("default")))
#else
#define WAVE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define WAVE_VERSION_MAJOR 0
#define WAVE_VERSION_MINOR 1

typedef int wave_status;
enum {
  WAVE_OK = 0,
  WAVE_FAILED = 1,   /* the model or the question is wrong: the error holds diagnostics, as the program prints them */
  WAVE_MISUSE = 2,   /* the call is wrong: a null pointer, a closed handle, an unknown name, a wrong type or length */
  WAVE_LIMIT = 3,    /* out of time or memory */
  WAVE_STOPPED = 4,  /* wave_stop() or a callback said so */
  WAVE_INTERNAL = 5  /* a mistake in the library, please report it */
};

typedef struct wave_context wave_context;
typedef struct wave_program wave_program;
typedef struct wave_model wave_model;
typedef struct wave_result wave_result;
typedef struct wave_batch wave_batch;
typedef struct wave_question wave_question;
typedef struct wave_plot wave_plot;
typedef struct wave_error wave_error;

/* The version of the library, "0.1.0". */
WAVE_API const char *wave_version(void);

/* --- handles of all kinds --- */

/* Gives a handle back. What others still need of it stays. */
WAVE_API wave_status wave_close(const void *handle);
/* Ends the call that another thread is making on this model, batch or question now: that returns WAVE_STOPPED. Without
 * one, does nothing. */
WAVE_API wave_status wave_stop(const void *handle);
/* Sets an option of a context, a model or a question to a value, as on the command line of the program, without its
 * dashes: "time-limit" and "20 s". Which there are is said where each is made. Of an option that may not be repeated,
 * the last value counts. */
WAVE_API wave_status wave_set(void *handle, const char *option, const char *value, wave_error **error);

/* --- errors: what went wrong, as diagnostics --- */

typedef struct wave_diagnostic {
  size_t size;
  const char *code;    /* "E0201"; `wave explain E0201` says more */
  const char *kind;    /* "unknown_name" */
  const char *message; /* one line */
  const char *notes;   /* lines; empty if there are none */
  const char *help;    /* how to go on, in lines; empty if there is none */
  const char *file;    /* empty if the diagnostic has no place */
  uint32_t line, column; /* from 1; columns in characters; 0 without a place */
  int is_warning;
} wave_diagnostic;

enum {
  WAVE_ERROR_PLAIN = 0,     /* as the program shows it, with the lines of the source */
  WAVE_ERROR_COLOURED = 1, /* the same with the colours of a terminal, as ANSI escape sequences */
  WAVE_ERROR_JSON = 2      /* an array of the objects that `--diagnostics json` prints */
};

/* All of it in a form. */
WAVE_API wave_status wave_error_text(const wave_error *error, int form, const char **text);
WAVE_API wave_status wave_error_count(const wave_error *error, size_t *count);
WAVE_API wave_status wave_error_diagnostic(const wave_error *error, size_t index, wave_diagnostic *diagnostic);

/* --- contexts: what the process's environment would otherwise decide --- */

/* A context: no search folders, 60 s and 8 GiB a call, as many threads as there are processors, the automatic engine,
 * shortcuts, and no cache of compiled code. A program takes a copy of these settings when it is loaded. Options:
 *
 * "environment" "true"    takes search folders from WAVE_PATH and the cache from WAVE_CACHE, XDG_CACHE_HOME or HOME, as
 *                         the program does
 * "I" "models"            a further folder where imported modules are looked for
 * "time-limit" "20 s"     how long a call may take; "none": as long as it needs
 * "memory-limit" "2 GiB"  how much memory an evaluation may take for values and rows; "8589934592 B"
 * "threads" "4"           how many an evaluation may use; "0": as many as there are processors
 * "engine" "jit"          or "interpreter", "automatic"; engines and shortcuts change no bit of a result
 * "shortcuts" "false"     evaluates everything in the plain way
 * "cache" "folder"        where compiled code is kept between runs; "": nowhere */
WAVE_API wave_status wave_context_create(wave_context **context, wave_error **error);

/* --- programs: texts that were read and checked --- */

/* A module that is no file, "lattice" or "lattice.shapes": an `import` of that name finds it below the folder of the
 * text that is loaded with it, before any file. */
typedef struct wave_module {
  const char *name;
  const char *text;
} wave_module;

/* Loads a text. `name` stands for it in diagnostics, and its folder is where imports are looked for: "model.wave" is in
 * the current folder. `modules` may be NULL if there are none. Where `text` is NULL, loads the file of that name, or a
 * module of the library: "std.machines.ibm_sp2". WAVE_FAILED: it has errors. */
WAVE_API wave_status wave_program_load(wave_context *context, const char *name, const char *text,
                                       const wave_module *modules, size_t module_count, wave_program **program,
                                       wave_error **error);

typedef struct wave_program_info {
  size_t size;
  const char *id;     /* what its results depend on, as one number in hexadecimal digits: the same for the same texts,
                         data files and library, in whatever process */
  const char *models; /* those that it declares, then those that it imports, one a line */
  const char *main;   /* the one that is meant where none is named; empty: there are several, or none */
} wave_program_info;

WAVE_API wave_status wave_program_describe(wave_program *program, wave_program_info *info, wave_error **error);
/* What is to be said of a program that was loaded, or of an answer, as warnings; `*warnings` becomes NULL if there is
 * nothing. */
WAVE_API wave_status wave_warnings(const void *handle, wave_error **warnings, wave_error **error);

/* --- models: a model of a program, with values for its parameters --- */

/* What a cell holds, or a parameter takes. */
enum {
  WAVE_REAL = 0,    /* double */
  WAVE_INTEGER = 1, /* int64_t */
  WAVE_BOOLEAN = 2, /* results: int64_t, 0 or 1; columns of batches: unsigned char */
  WAVE_TEXT = 3,    /* const char *: strings, and words of a choice */
  WAVE_OTHER = 4    /* machines, orders, lists: only as an expression */
};

typedef struct wave_parameter_info {
  size_t size;
  const char *name;   /* "n", "net.L" */
  const char *type;   /* as the language writes it: "int", "time", "eager | rendezvous" */
  const char *doc;    /* empty if there is none, as are the following */
  const char *source; /* where the default comes from */
  const char *unit;   /* of its values: "s", "s/B" */
  const char *default_text; /* as written; empty if it must be given */
  const char *range_text;   /* as written, "1..64" */
  const char *words;  /* of a choice, one a line */
  int cell;           /* WAVE_REAL ... WAVE_OTHER */
  int time, data, work; /* the exponents of its dimension */
  int is_given;       /* by wave_model_set() and the like */
  int has_value, has_default, has_lower, has_upper; /* whether the following are known */
  double value;       /* now, if it is a number */
  double default_value, lower, upper;
} wave_parameter_info;

enum { WAVE_SINGLE = 0, WAVE_SERIES = 1, WAVE_LIST = 2, WAVE_RECORD = 3, WAVE_RECORDS = 4 };

/* An output of a model, or a table of a result. */
typedef struct wave_output_info {
  size_t size;
  const char *name;
  const char *doc;
  int shape;       /* WAVE_SINGLE ... WAVE_RECORDS */
  size_t columns;  /* of a series, its indices come first */
  size_t rows;     /* of a result; a single value and a record have one */
  const char *failed; /* of a result: the code of why there are no rows, "E0512"; empty if there are */
} wave_output_info;

typedef struct wave_column_info {
  size_t size;
  const char *name;
  const char *unit;       /* of WAVE_SI: "s"; empty for plain numbers and what is no number */
  const char *asked_unit; /* of WAVE_ASKED: "ms"; the same if the model asks for none */
  double asked_in_si;     /* one asked unit in the other: 0.001 */
  int cell;               /* WAVE_REAL ... WAVE_TEXT */
  int time, data, work;
} wave_column_info;

/* `name` is that of a model which the program declares or imports; NULL: the only one, or `main`. Its options are
 * "time-limit" and "memory-limit", instead of those of its context. */
WAVE_API wave_status wave_model_open(wave_program *program, const char *name, wave_model **model, wave_error **error);
WAVE_API wave_status wave_model_parameter_count(wave_model *model, size_t *count, wave_error **error);
/* The texts of a parameter stay until the model is closed or set. */
WAVE_API wave_status wave_model_parameter(wave_model *model, size_t index, wave_parameter_info *info,
                                          wave_error **error);
/* The outputs as declared: a result whose tables have columns and no rows. */
WAVE_API wave_status wave_model_outputs(wave_model *model, wave_result **result, wave_error **error);

/* Sets a parameter, "n" or "net.L", to an expression as `-D` takes it: "8", "5 us", "true", "SP2_C()"; NULL: to its
 * default again, and all of them if `name` is NULL, too. The program keeps the text of each expression that it has not
 * seen before until it is closed; numbers cost nothing. */
WAVE_API wave_status wave_model_set(wave_model *model, const char *name, const char *expression, wave_error **error);
/* Sets a quantity or real number, in seconds, bytes, flop; or a whole number to a value that is whole. A value that is
 * a whole number of picoseconds to the accuracy of a double has the bits of the literal. After the first time, only
 * the number changes: the next run reads and compiles nothing. NaN and infinities are refused. */
WAVE_API wave_status wave_model_set_real(wave_model *model, const char *name, double value, wave_error **error);
/* Sets a whole number, or a real one, or a truth value to 0 or 1. */
WAVE_API wave_status wave_model_set_integer(wave_model *model, const char *name, int64_t value, wave_error **error);
/* Sets a string, or a choice to one of its words. */
WAVE_API wave_status wave_model_set_text(wave_model *model, const char *name, const char *value, wave_error **error);

/* Evaluates all outputs. If some of them fail, the status says so, and `*result` is there all the same if anything
 * could be evaluated: outputs that failed have their code. Else it becomes NULL. */
WAVE_API wave_status wave_model_run(wave_model *model, wave_result **result, wave_error **error);

/* What an explanation is of. */
enum {
  /* Where the time of an output goes ("total.breakdown": of, where, time, percent), and the critical paths of the
   * processes whose times it consists of, by kind and by statement ("total.path", "total.statements"; if there are
   * several processes, their first column is "process"). `names` are outputs; none: all of dimension time. */
  WAVE_BREAKDOWN = 0,
  WAVE_CRITICAL_PATH = 1, /* the critical paths alone */
  /* How outputs that are single reals answer to real parameters, which `names` are: "sensitivity to net.L" (output,
   * derivative, elasticity, ...) of times, and "sensitivity to net.L, of data/time" and so on of others. Units of the
   * derivative are "s/(B/s)". */
  WAVE_SENSITIVITIES = 2
};

/* Explains what the model predicts, as tables. */
WAVE_API wave_status wave_model_explain(wave_model *model, int what, const char *const *names, size_t count,
                                        wave_result **result, wave_error **error);

/* --- results: tables, one for each output; they never change --- */

enum { WAVE_SI = 0, WAVE_ASKED = 1 };

typedef struct wave_result_info {
  size_t size;
  size_t outputs;     /* how many tables there are */
  const char *engine; /* what evaluated it: "interpreter", "jit" */
} wave_result_info;

WAVE_API wave_status wave_result_describe(const wave_result *result, wave_result_info *info, wave_error **error);
WAVE_API wave_status wave_result_output(const wave_result *result, size_t index, wave_output_info *info,
                                        wave_error **error);
WAVE_API wave_status wave_result_find(const wave_result *result, const char *name, size_t *index, wave_error **error);
WAVE_API wave_status wave_result_column(const wave_result *result, size_t output, size_t column,
                                        wave_column_info *info, wave_error **error);
/* One value, by the name of the output, "total", or of a record's field, "costs.total", into a double (`cell`
 * WAVE_REAL, also of whole numbers), an int64_t (WAVE_INTEGER, WAVE_BOOLEAN) or a const char * (WAVE_TEXT).
 * WAVE_FAILED: the output failed. */
WAVE_API wave_status wave_result_value(const wave_result *result, const char *name, int cell, void *value,
                                       wave_error **error);
/* A column as it is kept: `*cells` has `*count` doubles, int64_t or const char * as `cell` says, one for each row,
 * until the result is closed. `unit`, of doubles, is WAVE_SI or WAVE_ASKED. */
WAVE_API wave_status wave_result_cells(const wave_result *result, size_t output, size_t column, int cell, int unit,
                                       const void **cells, size_t *count, wave_error **error);
/* Of the points of a study: 0, or the number of the code of why the point failed, 512 for E0512. Where no row
 * can fail by itself, `*codes` becomes NULL and `*count` 0. */
WAVE_API wave_status wave_result_codes(const wave_result *result, size_t output, const int32_t **codes, size_t *count,
                                       wave_error **error);

/* Batches and questions call it now and then with the number of rows or points that are done and of all, from one
 * thread at a time. Nonzero stops. Of the calls on what calls it, it may make only the one that stops it. */
typedef int (*wave_progress)(uint64_t done, uint64_t all, void *data);

/* --- batches: many rows of parameter values at once --- */

/* A column of the caller's: `count` cells, `stride` bytes from one to the next, which may be negative; 0: packed. */
typedef struct wave_column {
  const char *name; /* of a parameter */
  const void *data;
  size_t count;     /* must be the number of rows */
  int cell;         /* WAVE_REAL: double, of whole numbers also where all are whole; WAVE_INTEGER: int64_t;
                       WAVE_BOOLEAN: unsigned char; WAVE_TEXT: const char * */
  ptrdiff_t stride;
} wave_column;

typedef struct wave_target {
  const char *name; /* of an output that is a single value, "total", or of a record's field, "costs.total" */
  void *data;
  size_t count;
  int cell;         /* WAVE_REAL takes whole numbers as well; WAVE_TEXT: pointers that stay until the next run */
  ptrdiff_t stride;
  int unit;         /* WAVE_SI or WAVE_ASKED */
} wave_target;

/* A batch of the model as it is set now; later changes of the model do not reach it. */
WAVE_API wave_status wave_batch_create(wave_model *model, wave_batch **batch, wave_error **error);
/* Evaluates the outputs that are asked for in each of `rows` rows, each of which has the bits of a run of its own. The
 * same columns as the time before are not compiled again. Rows that fail get NaN, 0 or NULL, and in `codes` (which has
 * room for every row, or is NULL) the number of their code, 512 for E0512; else 0. `failed_rows`, which may be NULL,
 * becomes their number. The status is WAVE_OK though rows failed. `progress` may be NULL. Rows are evaluated and
 * written part by part: where the call fails, or is stopped, some of the first rows may have been written. */
WAVE_API wave_status wave_batch_run(wave_batch *batch, size_t rows, const wave_column *columns, size_t column_count,
                                    const wave_target *targets, size_t target_count, int32_t *codes,
                                    size_t *failed_rows, wave_progress progress, void *data, wave_error **error);
/* Why rows of the last run failed, a diagnostic for each way; `*failures` becomes NULL if none did. */
WAVE_API wave_status wave_batch_failures(wave_batch *batch, wave_error **failures, wave_error **error);

/* --- questions: what the verbs of the program answer --- */

/* A question is a verb, "find", with its options, which wave_set() gives by their names: "over" and "n=1..64" for
 * `--over n=1..64`, "all" and "true" for a flag, "machine" and "std.machines.ibm_sp2.SP2" for the argument MACHINE;
 * those that may be repeated several times. What they hold is looked at when the question is asked. `wave VERB --help`
 * lists them, and docs/json.md the tables that each answers with. The verbs are those whose answer is a table or a
 * text: run, sweep, check, test, doc, explain, cost, count, flops, compare, validate, fit, find, infer, report, diff,
 * optimize, trace.
 *
 * It is asked of a model as it is set now or of a program, whose texts are not read again, under its limits and
 * settings; or, where `of` is a context, of what options name.
 *
 * "sweep" is asked of a model, or of a program: a study that it declares (option "study"; without it, the only one).
 * Its options are "vary", "show" and "where" ("n=1..16 by *2", "speedup = total[n = 1] / total", "n >= m"; without
 * "show", all outputs that are single values or records are shown); "reduce" ("best 10 of total"); "samples" and
 * "seed"; "journal", a file; and the limits of a model. It answers with one table, "points", of a row for each point,
 * whose columns are what varies and then what is shown; points that fail have a code. With "reduce" it keeps no
 * points, but what each reduction makes of them, a table each; a cell without a value is NaN, 0 or "". With "journal"
 * it keeps in this file what it finds, and goes on from what the file holds of the same study: after a run that was
 * stopped, or whose process ended. With either, the limit of time is one for each point, and points that exceed a
 * limit have its code. */
WAVE_API wave_status wave_question_create(void *of, const char *verb, wave_question **question, wave_error **error);
/* Columns instead of a file, of an option that takes a table of a model ("data"): named like its headings, "n",
 * "net.L [us]", "time [ms]". Their cells are copied. Numbers of columns without a unit are in SI units; a machine or an
 * order is an expression, a text. NaN is refused unless "skip_missing", or "ignore" of the column, was set before. */
WAVE_API wave_status wave_question_set_columns(wave_question *question, const char *option, const wave_column *columns,
                                               size_t column_count, size_t rows, wave_error **error);
/* The answer: the verb's tables; "says", what it says beside them, a line a row; "text" where option "format" asks for
 * one, or where the answer is nothing but a text; and "files" (name, text), what the program would write: the library
 * writes none. `*result` becomes NULL if there is none; it may be there although
 * the status is not WAVE_OK: the best so far of a run that was stopped, outputs that did not fail, predictions that are
 * further off than allowed. `progress`, which may be NULL, is called with 0 for all of them where nobody knows how many
 * there will be. */
WAVE_API wave_status wave_question_run(wave_question *question, wave_progress progress, void *data,
                                       wave_result **result, wave_error **error);

/* The points of a sweep. */
typedef struct wave_points_info {
  size_t size;
  const char *id; /* what its results depend on, as one number in hexadecimal digits: the same for the same study of the
                     same texts, in whatever process */
  uint64_t count; /* of points */
  const uint64_t *open; /* ranges of the points that are in no part that was added, and not in the journal: the
                           beginning and the end of each */
  size_t open_count;    /* of ranges */
  const void *plan;     /* of the pass over the points that they are open in */
  size_t plan_size;
} wave_points_info;

/* What follows is of sweeps, for those who divide one between processes, each of which asks the same question.
 *
 * What it is about, and what of it is missing. All of that stays until another call on the question. */
WAVE_API wave_status wave_question_points(wave_question *question, wave_points_info *info, wave_error **error);
/* What is found at the points begin <= i < end in the pass of a plan (`plan_size` 0: the first) as bytes, which stay
 * until the next ones are made, an option is set, or the question is closed; begin = end: which study it is, and no
 * points. The limits of time and memory are those of each point. `progress` may be NULL. */
WAVE_API wave_status wave_question_compute(wave_question *question, uint64_t begin, uint64_t end, const void *plan,
                                           size_t plan_size, wave_progress progress, void *data, const void **part,
                                           size_t *size, wave_error **error);
/* Keeps what wave_question_compute() has found at these open points. What is of another study, of other points, or
 * damaged is an error, and is not kept. wave_question_run() then evaluates what is missing, and gives all: the same
 * bits for every division. An option that is set later forgets what is in no journal. begin = end: the part is of this
 * study. Where no point is open any more, but reductions must see them once more, all are open again, under another
 * plan. */
WAVE_API wave_status wave_question_add(wave_question *question, uint64_t begin, uint64_t end, const void *part,
                                       size_t size, wave_error **error);

/* --- plots: pictures of results, as reports draw them --- */

enum { WAVE_SCALE_FITTING = 0, WAVE_SCALE_LINEAR = 1, WAVE_SCALE_LOG = 2 };
enum {
  WAVE_PLOT_VEGA_LITE = 0, /* a specification of Vega-Lite, with its data and its colours: JSON */
  WAVE_PLOT_SVG = 1,       /* a drawing */
  WAVE_PLOT_PNG = 2,
  WAVE_PLOT_HTML = 3,      /* a page with all that draws it, which needs no network */
  WAVE_PLOT_WORDS = 4,     /* what it shows, for those who do not see it */
  WAVE_PLOT_PDF = 5        /* the drawing as a document of one page */
};

/* A plot of a result of a sweep: the column `y` over the column `x` (NULL: the first that varies), with a line for
 * each value of what else varies, `by` first if it is not NULL. Several columns between commas have a line each ("a,
 * b"); two of them as `x` make a heat map, whose colours have `y_scale`. Or, where `y` is NULL, times and their parts
 * as bars, of a result of WAVE_BREAKDOWN or WAVE_CRITICAL_PATH. Results of other calls are WAVE_MISUSE. */
WAVE_API wave_status wave_plot_create(const wave_result *result, const char *y, const char *x, const char *by,
                                      int x_scale, int y_scale, wave_plot **plot, wave_error **error);
/* What a process of the model does when: a lane for each of its first 64 processes. In pages and where Vega-Lite is
 * shown, the wheel zooms along the time. `process` NULL: the only one, or the only one that outputs read. */
WAVE_API wave_status wave_plot_create_timeline(wave_model *model, const char *process, wave_plot **plot,
                                               wave_error **error);
/* The plot in a form. The bytes, of which `*size` says the number unless it is NULL, end with a zero and stay until
 * the plot is closed. SVG, PNG and PDF need the drawing module, which is loaded for them and stays: its JavaScript
 * engine sets aside 8 GiB of addresses and handles SIGUSR1. They are WAVE_FAILED where it is not installed. */
WAVE_API wave_status wave_plot_draw(const wave_plot *plot, int form, const char **bytes, size_t *size,
                                    wave_error **error);

#ifdef __cplusplus
}
#endif

#endif
