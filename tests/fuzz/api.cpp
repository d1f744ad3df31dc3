// Plays random calls of the C interface on handles that are open, closed, of other kinds or none: what is refused has a
// reason, what is given can be used, and nothing else of the caller's changes.
#include "api/include/wave/wave.h"
#include "tests/fuzz/promise.h"

#include <cmath>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

using wave::fuzz::promise;

namespace {

constexpr const char* models[] = {
    "wave 1\ntype C { send: time, n: int }\nmodel M {\n  param n: int = 4 in 1..100\n  param L: time = 1 us\n"
    "  param mode: fast | slow = fast\n  param name: string = \"x\"\n  param on: bool = true\n"
    "  output total = n * L + (if mode == slow then 1 ms else 0 us) in ms\n  output word = if on then name else "
    "\"no\"\n"
    "  output costs = C(send = L, n = n)\n  output row[i in 1..n] = i * L\n  output odd = 1 s / (n - 3)\n}\n",
    "wave 1\nimport std.machines.ibm_sp2 { SP2 }\nimport std.comm { Machine }\nmodel P {\n"
    "  param net: Machine { L: time } = SP2()\n  param n: int = 3\n  grid G[i: n]\n  process p on G using net {\n"
    "    if i > 1 { recv 64 B from G[i-1] }\n    compute(3 us)\n    if i < n { send 64 B to G[i+1] }\n  }\n"
    "  output total = p.finish\n  output parts = breakdown(total)\n}\n",
    "wave 1\nmodel A { output x = 1 s }\nmodel B { param need: time; output x = need * 2 }\n",
    "wave 1\nmodel M { output x = y }\n"};

constexpr const char* words[] = {"n",
                                 "L",
                                 "mode",
                                 "name",
                                 "on",
                                 "net.L",
                                 "need",
                                 "total",
                                 "costs",
                                 "row",
                                 "odd",
                                 "word",
                                 "x",
                                 "M",
                                 "P",
                                 "costs.send",
                                 "slow",
                                 "8",
                                 "5 us",
                                 "\"y\"",
                                 "true",
                                 "",
                                 "1 +",
                                 "n=1..4",
                                 "L=[1 us, 2 us]",
                                 "total = total / 2",
                                 "n > 2",
                                 "mode=[fast, slow]",
                                 "L=1 us..3 us",
                                 "SP2()",
                                 "std.comm"};

// Chooses by the input, and 0 when that is over.
class Choices {
 public:
  Choices(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  bool is_over() const { return at_ >= size_; }
  unsigned byte() { return at_ < size_ ? data_[at_++] : 0; }
  unsigned below(unsigned count) { return byte() % count; }
  double real() {
    double value = 0;
    for (std::size_t i = 0; i < sizeof value && byte() % 2 == 0; ++i) value = value * 256 + byte();
    switch (below(8)) {
      case 0: return std::nan("");
      case 1: return INFINITY;
      case 2: return -value;
      case 3: return value * 1e-6;
      default: return value;
    }
  }
  std::int64_t integer() {
    const auto value = static_cast<std::int64_t>(byte());
    return below(6) == 0 ? value << 55 : value;
  }
  const char* word() {
    if (below(24) == 0) return nullptr;
    if (below(8) != 0) return words[below(std::size(words))];
    texts_.emplace_back();
    for (unsigned count = below(12); count > 0; --count) texts_.back() += static_cast<char>(byte() | 1);
    return texts_.back().c_str();
  }
  std::vector<const char*> several() {
    std::vector<const char*> all;
    for (unsigned count = below(4); count > 0; --count) all.push_back(word());
    return all;
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_, at_ = 0;
  std::vector<std::string> texts_ = reserved();
  static std::vector<std::string> reserved() {
    std::vector<std::string> all;
    all.reserve(1 << 12);  // their addresses stay
    return all;
  }
};

class Player {
 public:
  Player(const std::uint8_t* data, std::size_t size) : choose_(data, size) {
    wave_context* context = nullptr;
    promise(wave_context_create(&context, nullptr) == WAVE_OK, "a context can be made");
    wave_set(context, "memory-limit", "32 MiB", nullptr);
    wave_set(context, "threads", "1", nullptr);
    wave_set(context, "engine", "interpreter", nullptr);
    handles_.push_back(context);
    wave_program* program = nullptr;
    promise(wave_program_load(context, "fuzz.wave", models[choose_.below(3)], nullptr, 0, &program, nullptr) == WAVE_OK,
            "a model can be loaded");
    keep(program);
    wave_set(context, "time-limit", "200 ms", nullptr);
    if (wave_model_open(program, choose_.below(2) ? "A" : nullptr, &model_, nullptr) != WAVE_OK) return;
    wave_set(model_, "time-limit", "200 ms", nullptr);
    keep(model_);
  }
  ~Player() {
    for (void* handle : handles_) {
      wave_close(handle);
      promise(wave_close(handle) == WAVE_MISUSE, "a handle is closed once");
    }
  }

  void play() {
    constexpr int most_calls = 60;
    for (int i = 0; i < most_calls && !choose_.is_over(); ++i) call();
  }

 private:
  // Whatever kind it is of.
  template <class Handle>
  Handle* any() {
    if (choose_.below(32) == 0) return nullptr;
    return static_cast<Handle*>(handles_[handles_.size() - 1 - choose_.below(static_cast<unsigned>(handles_.size()))]);
  }
  void keep(void* handle) {
    if (handle) handles_.push_back(handle);
  }
  // What every call says of itself.
  template <class Given>
  void check(wave_status status, bool may_give_anyway, const Given& given) {
    wave_error* const error = std::exchange(error_, nullptr);
    promise(status >= WAVE_OK && status <= WAVE_STOPPED, "a call fails for a reason of the caller's");
    promise((error != nullptr) == (status != WAVE_OK), "there is an error if, and only if, a call fails");
    promise(status == WAVE_OK || may_give_anyway || given == nullptr, "a call that fails gives nothing");
    if (!error) return;
    const char *text = nullptr, *coloured = nullptr, *json = nullptr;
    promise(wave_error_text(error, WAVE_ERROR_PLAIN, &text) == WAVE_OK && *text != 0, "an error says something");
    promise(wave_error_text(error, WAVE_ERROR_COLOURED, &coloured) == WAVE_OK && *coloured != 0, "and with colours");
    promise(wave_error_text(error, WAVE_ERROR_JSON, &json) == WAVE_OK && *json == '[', "also as JSON");
    std::size_t count = 0;
    promise(wave_error_count(error, &count) == WAVE_OK && count > 0, "an error has diagnostics");
    wave_diagnostic first{};
    first.size = sizeof first;
    promise(wave_error_diagnostic(error, 0, &first) == WAVE_OK && first.code[0] == 'E', "an error has a code");
    if (choose_.below(16) == 0)
      keep(error);
    else
      wave_close(error);
  }

  void call() {
    switch (choose_.below(19)) {
      case 0: return option();
      case 1: return load();
      case 2: {
        wave_model* model = nullptr;
        const auto status = wave_model_open(any<wave_program>(), choose_.word(), &model, &error_);
        check(status, false, model);
        return keep(model);
      }
      case 3:
      case 4: return set_parameter();
      case 5:
      case 6: {
        wave_result* result = nullptr;
        const auto status = wave_model_run(any<wave_model>(), &result, &error_);
        check(status, true, result);
        return keep(result);
      }
      case 7: return describe();
      case 8:
      case 9: return read();
      case 10: {
        wave_batch* batch = nullptr;
        const auto status = wave_batch_create(any<wave_model>(), &batch, &error_);
        check(status, false, batch);
        return keep(batch);
      }
      case 11:
      case 12: return run_batch();
      case 13: return explain();
      case 14: return sweep();
      case 15: return plot();
      case 16: return ask();
      case 17: {
        wave_stop(any<void>());  // nothing is running
        return;
      }
      default: {
        wave_close(any<void>());  // stays among the handles: closed
        return;
      }
    }
  }

  // An option of whatever has some, and of what has none. Limits stay short.
  void option() {
    auto* const handle = any<void>();
    constexpr const char* options[] = {
        "I",      "time-limit", "memory-limit", "threads", "engine", "shortcuts", "vary", "show",   "where",
        "reduce", "study",      "cache",        "over",    "format", "D",         "all",  "thread", "environment"};
    constexpr const char* values[] = {"200 ms", "0.1 s", "0 s",   "32 MiB",         "4096 B", "0 B",
                                      "1",      "-1",    "soon",  "false",          "steam",  "interpreter",
                                      "csv",    "total", "n > 2", "L=[1 us, 2 us]", "n=1..4", "best 2 of total"};
    const char* const name = choose_.below(8) ? options[choose_.below(std::size(options))] : choose_.word();
    set(handle, name, choose_.below(4) ? values[choose_.below(std::size(values))] : choose_.word());
  }

  // None writes files: a fuzz target has no folder for them.
  void set(void* handle, const char* option, const char* value) {
    const auto is = [&](const char* other) { return option && std::strcmp(option, other) == 0; };
    if (is("cache") || is("journal")) value = "";
    if (is("environment")) value = "false";
    check(wave_set(handle, option, value, &error_), false, nullptr);
  }

  void load() {
    wave_program* program = nullptr;
    const wave_module modules[] = {{choose_.word(), models[2]}};
    const char* const name = choose_.word();
    const auto status = wave_program_load(any<wave_context>(), name, models[choose_.below(std::size(models))], modules,
                                          choose_.below(2), &program, &error_);
    check(status, false, program);
    keep(program);
  }

  void set_parameter() {
    auto* const model = any<wave_model>();
    const char* const name = choose_.word();
    wave_status status = WAVE_OK;
    switch (choose_.below(6)) {
      case 0: status = wave_model_set(model, name, choose_.word(), &error_); break;
      case 1: status = wave_model_set_real(model, name, choose_.real(), &error_); break;
      case 2: status = wave_model_set_integer(model, name, choose_.integer(), &error_); break;
      case 3: status = wave_model_set_integer(model, name, choose_.below(3), &error_); break;
      case 4: status = wave_model_set_text(model, name, choose_.word(), &error_); break;
      default: status = wave_model_set(model, name, nullptr, &error_); break;
    }
    check(status, false, nullptr);
  }

  void describe() {
    auto* const model = any<wave_model>();
    wave_parameter_info parameter{};
    parameter.size = choose_.below(8) ? sizeof parameter : choose_.byte();
    check(wave_model_parameter(model, choose_.below(8), &parameter, &error_), false, nullptr);
    std::size_t count = 0;
    check(wave_model_parameter_count(model, &count, &error_), false, nullptr);
    wave_program_info program{};
    program.size = sizeof program;
    const auto status = wave_program_describe(any<wave_program>(), &program, &error_);
    check(status, false, program.id);
    promise(status != WAVE_OK || (*program.id != 0 && program.models && program.main), "a program has a description");
    wave_result* declared = nullptr;
    check(wave_model_outputs(model, &declared, &error_), false, declared);
    keep(declared);
    tables(any<wave_result>());
    wave_error* warnings = nullptr;
    check(wave_warnings(any<void>(), &warnings, &error_), false, warnings);
    keep(warnings);
  }

  void tables(wave_result* result) {
    wave_result_info info{};
    info.size = sizeof info;
    check(wave_result_describe(result, &info, &error_), false, info.engine);
    wave_output_info output{};
    output.size = sizeof output;
    check(wave_result_output(result, choose_.below(6), &output, &error_), false, output.name);
    wave_column_info column{};
    column.size = sizeof column;
    check(wave_result_column(result, choose_.below(6), choose_.below(3), &column, &error_), false, column.name);
    std::size_t index = 0;
    const auto found = wave_result_find(result, choose_.word(), &index, &error_);
    check(found, false, nullptr);
    promise(found != WAVE_OK || index < info.outputs, "a table that is found is one of the result");
    const std::int32_t* codes = nullptr;
    std::size_t count = 0;
    check(wave_result_codes(result, choose_.below(6), &codes, &count, &error_), false, codes);
    for (std::size_t i = 0; codes && i < count; ++i) sum_ += codes[i];
  }

  void read() {
    auto* const result = any<wave_result>();
    union {
      double real = 0;
      std::int64_t integer;
      const char* text;
    } value;
    const int all_cells[] = {WAVE_REAL, WAVE_INTEGER, WAVE_TEXT, static_cast<int>(choose_.below(6))};
    for (const int cell : all_cells) {
      const auto status = wave_result_value(result, choose_.word(), cell, &value, &error_);
      check(status, false, nullptr);
      if (status == WAVE_OK && cell == WAVE_TEXT) sum_ += static_cast<double>(std::strlen(value.text));
    }
    const std::size_t output = choose_.below(5), column = choose_.below(4);
    const int unit = static_cast<int>(choose_.below(3));
    for (const int cell : all_cells) {
      const void* cells = nullptr;
      std::size_t count = 0;
      const auto status = wave_result_cells(result, output, column, cell, unit, &cells, &count, &error_);
      check(status, false, cells);
      if (status != WAVE_OK) continue;
      for (std::size_t i = 0; i < count; ++i) {
        if (cell == WAVE_REAL) sum_ += static_cast<const double*>(cells)[i];
        if (cell == WAVE_INTEGER) sum_ += static_cast<double>(static_cast<const std::int64_t*>(cells)[i]);
        if (cell == WAVE_TEXT) sum_ += static_cast<double>(std::strlen(static_cast<const char* const*>(cells)[i]));
      }
    }
  }

  void run_batch() {
    const std::size_t rows = choose_.below(9);
    constexpr std::size_t room = 16;  // bytes a cell, so that any stride below lies in it
    std::vector<std::vector<std::uint64_t>> memory;
    std::vector<wave_column> columns;
    std::vector<wave_target> targets;
    for (unsigned i = choose_.below(4); i > 0; --i) {
      auto& cells = memory.emplace_back(rows * room / 8 + 1);
      const int cell = static_cast<int>(choose_.below(5));
      const std::ptrdiff_t stride = choose_.below(2) ? 0 : 16;
      for (std::size_t row = 0; row < rows; ++row) {
        auto* const at =
            reinterpret_cast<char*>(cells.data()) + row * static_cast<std::size_t>(stride                 ? stride
                                                                                   : cell == WAVE_BOOLEAN ? 1
                                                                                                          : 8);
        const double real = choose_.real();
        const std::int64_t integer = choose_.integer();
        const char* const text = cell == WAVE_TEXT ? choose_.word() : nullptr;
        if (cell == WAVE_REAL) std::memcpy(at, &real, 8);
        if (cell == WAVE_INTEGER) std::memcpy(at, &integer, 8);
        if (cell == WAVE_BOOLEAN) *at = static_cast<char>(integer);
        if (cell == WAVE_TEXT) std::memcpy(at, &text, 8);
      }
      columns.push_back(
          {choose_.word(), choose_.below(16) ? cells.data() : nullptr, rows + (choose_.below(16) == 0), cell, stride});
    }
    for (unsigned i = choose_.below(4); i > 0; --i) {
      auto& cells = memory.emplace_back(rows * room / 8 + 1);
      targets.push_back({choose_.word(), cells.data(), rows + (choose_.below(16) == 0),
                         static_cast<int>(choose_.below(5)), choose_.below(2) ? 0 : 16,
                         static_cast<int>(choose_.below(3))});
    }
    std::vector<std::int32_t> codes(rows + 1, -1);
    std::size_t failed = 0;
    auto* const batch = any<wave_batch>();
    Patience patience = some_patience();
    const auto status =
        wave_batch_run(batch, rows, columns.data(), columns.size(), targets.data(), targets.size(),
                       choose_.below(2) ? codes.data() : nullptr, &failed, Patience::tell, &patience, &error_);
    check(status, false, nullptr);
    promise(failed <= rows && codes[rows] == -1, "no more rows fail than there are");
    wave_error* failures = nullptr;
    check(wave_batch_failures(batch, &failures, &error_), false, failures);
    keep(failures);
  }

  void explain() {
    wave_result* result = nullptr;
    auto* const model = any<wave_model>();
    const auto names = choose_.several();
    const int what = static_cast<int>(choose_.below(4));
    check(wave_model_explain(model, what, names.data(), names.size(), &result, &error_), true, result);
    keep(result);
  }

  // A study of a model or of a program, which others may compute in parts.
  void sweep() {
    wave_question* question = nullptr;
    void* const of = choose_.below(4) ? model_ : any<void>();
    check(wave_question_create(of, "sweep", &question, &error_), false, question);
    keep(question);
    constexpr const char* likely[] = {"n=1..4", "L=[1 us, 2 us]", "mode=[fast, slow]", "n=1..40"};
    constexpr const char* reductions[] = {"best 2 of total", "mean and extremes of total by n", "median of total exact",
                                          "histogram of x in 4 bins an octave"};
    if (choose_.below(4)) set(question, "vary", likely[choose_.below(4)]);
    if (choose_.below(4) == 0) set(question, "show", "total");
    if (choose_.below(4) == 0) set(question, "reduce", reductions[choose_.below(4)]);
    if (choose_.below(4) == 0) {
      for (const char* const option : {"vary", "show", "where"}) {
        for (const char* const value : choose_.several()) set(question, option, value);
      }
    }
    wave_result* result = nullptr;
    Patience patience = some_patience();
    check(wave_question_run(any<wave_question>(), Patience::tell, &patience, &result, &error_), true, result);
    keep(result);
    parts(question, choose_.below(4) ? question : any<wave_question>());
  }

  // What one computes another takes, or refuses: it may be of another study, of other points, of another pass, or
  // damaged. Then all of it.
  void parts(wave_question* one, wave_question* other) {
    wave_points_info points{};
    points.size = sizeof points;
    check(wave_question_points(one, &points, &error_), false, points.id);
    for (std::size_t i = 0; i < points.open_count; ++i)
      promise(points.open[2 * i] < points.open[2 * i + 1] && points.open[2 * i + 1] <= points.count,
              "points that are open are points");
    const std::string plan(points.plan_size ? static_cast<const char*>(points.plan) : "", points.plan_size);
    const char* const wrong_plan = "x";
    const std::uint64_t begin = choose_.below(4), end = choose_.below(8) ? begin + choose_.below(8) : choose_.below(64);
    const void* part = nullptr;
    std::size_t size = 0;
    Patience patience = some_patience();
    const bool is_wrong = choose_.below(8) == 0;
    check(wave_question_compute(one, begin, end, is_wrong ? wrong_plan : plan.data(), is_wrong ? 1 : plan.size(),
                                Patience::tell, &patience, &part, &size, &error_),
          false, part);
    if (part == nullptr) return;
    std::string bytes(static_cast<const char*>(part), size);
    if (choose_.below(2) != 0) bytes[choose_.below(static_cast<unsigned>(size))] ^= 1;
    check(wave_question_add(other, begin, choose_.below(4) != 0 ? end : end + 1, bytes.data(), bytes.size(), &error_),
          false, nullptr);
    check(wave_question_points(other, &points, &error_), false, nullptr);
    wave_result* result = nullptr;
    patience = some_patience();
    check(wave_question_run(other, Patience::tell, &patience, &result, &error_), true, result);
    keep(result);
  }

  // A verb with likely and unlikely options, of a model or of none.
  void ask() {
    constexpr const char* verbs[] = {"find", "optimize", "validate", "fit", "compare", "run", "cost", "count"};
    constexpr const char* options[] = {"over",     "where", "minimize", "show", "params",
                                       "measured", "with",  "D",        "all",  "format"};
    const char* const verb = choose_.below(8) ? verbs[choose_.below(8)] : choose_.word();
    wave_question* question = nullptr;
    // A model, a program or a context, as it comes.
    check(wave_question_create(any<void>(), verb, &question, &error_), false, question);
    keep(question);
    // Before anything else, so that none takes long.
    for (const char* const limit : {"time-limit", "budget", "point-limit"}) {
      if (question && choose_.below(8)) wave_set(question, limit, "50 ms", nullptr);
    }
    for (unsigned count = choose_.below(5); count > 0; --count) {
      const char* const option = choose_.below(8) ? options[choose_.below(10)] : choose_.word();
      set(question, option, choose_.word());
    }
    if (choose_.below(2)) give_columns(question);
    wave_result* answer = nullptr;
    Patience patience = some_patience();
    check(wave_question_run(question, Patience::tell, &patience, &answer, &error_), true, answer);
    keep(answer);
  }

  // Columns as a caller may have them, of measurements and what varied.
  void give_columns(wave_question* question) {
    const std::size_t rows = choose_.below(6);
    std::vector<std::vector<double>> reals;
    std::vector<std::vector<std::int64_t>> integers;
    std::vector<wave_column> columns;
    for (unsigned i = choose_.below(4); i > 0; --i) {
      auto& of_reals = reals.emplace_back();
      auto& of_integers = integers.emplace_back();
      for (std::size_t row = 0; row <= rows; ++row) {
        of_reals.push_back(choose_.real());
        of_integers.push_back(choose_.integer());
      }
      const bool is_real = choose_.below(2) == 0;
      // Mostly what the first model takes and gives.
      constexpr const char* likely[] = {"n", "L", "total", "total [ms]", "time"};
      const char* const name = choose_.below(4) ? likely[choose_.below(5)] : choose_.word();
      columns.push_back({name, is_real ? static_cast<const void*>(of_reals.data()) : of_integers.data(),
                         rows + (choose_.below(16) == 0), is_real ? WAVE_REAL : WAVE_INTEGER, 0});
    }
    check(wave_question_set_columns(question, "data", columns.data(), columns.size(), rows, &error_), false, nullptr);
  }

  // What a batch or a question reports to, which may stop it, by its answer or by a call.
  struct Patience {
    int left = 0;
    void* stopped = nullptr;
    static int tell(std::uint64_t done, std::uint64_t all, void* data) {
      auto& its = *static_cast<Patience*>(data);
      promise(done <= all || all == 0, "no more is done than there is");
      if (its.stopped) wave_stop(its.stopped);
      return --its.left == 0 ? 1 : 0;
    }
  };
  Patience some_patience() {
    Patience some;
    some.left = static_cast<int>(choose_.below(8));
    if (choose_.below(8) == 0) some.stopped = any<void>();
    return some;
  }

  void plot() {
    wave_plot* plot = nullptr;
    wave_status status = WAVE_OK;
    const auto scale = [&] { return static_cast<int>(choose_.below(4)); };
    if (choose_.below(4) == 0) {
      status = wave_plot_create_timeline(any<wave_model>(), choose_.word(), &plot, &error_);
    } else {
      constexpr const char* pairs[] = {"n, L", "n,mode", "n, n", ","};
      const char *const y = choose_.word(), *const by = choose_.word();
      const char* const x = choose_.below(4) ? choose_.word() : pairs[choose_.below(4)];
      const int x_scale = scale(), y_scale = scale();
      status = wave_plot_create(any<wave_result>(), y, x, by, x_scale, y_scale, &plot, &error_);
    }
    check(status, false, plot);
    keep(plot);
    // Not the forms that need the drawing module, which takes half a second.
    constexpr int forms[] = {WAVE_PLOT_VEGA_LITE, WAVE_PLOT_HTML, WAVE_PLOT_WORDS, 9};
    const char* bytes = nullptr;
    std::size_t size = 0;
    check(wave_plot_draw(any<wave_plot>(), forms[choose_.below(4)], &bytes, &size, &error_), false, bytes);
    if (bytes) promise(std::strlen(bytes) == size, "a drawing in text has no zeros");
  }

  Choices choose_;
  std::vector<void*> handles_;
  wave_model* model_ = nullptr;  // the first, which is open unless it was closed
  wave_error* error_ = nullptr;  // of the call that is being made
  double sum_ = 0;               // of all that was read
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Player(data, size).play();
  return 0;
}
