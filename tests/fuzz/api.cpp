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
    wave_context_set_memory_limit(context, std::uint64_t{32} << 20, nullptr);
    wave_context_set_threads(context, 1, nullptr);
    wave_context_set_engine(context, WAVE_ENGINE_INTERPRETER, nullptr);
    handles_.push_back(context);
    wave_program* program = nullptr;
    promise(wave_program_load_text(context, "fuzz.wave", models[choose_.below(3)], nullptr, 0, &program, nullptr) ==
                WAVE_OK,
            "a model can be loaded");
    keep(program);
    wave_context_set_time_limit(context, 0.2, nullptr);
    wave_model* model = nullptr;
    if (wave_model_open(program, choose_.below(2) ? "A" : nullptr, &model, nullptr) != WAVE_OK) return;
    wave_model_set_limits(model, 0.2, std::uint64_t{32} << 20, nullptr);
    keep(model);
  }
  ~Player() {
    for (void* handle : handles_) close(handle);
  }

  void play() {
    constexpr int most_calls = 60;
    for (int i = 0; i < most_calls && !choose_.is_over(); ++i) call();
  }

 private:
  template <class Handle>
  Handle* any() {
    if (choose_.below(32) == 0) return nullptr;
    return static_cast<Handle*>(handles_[handles_.size() - 1 - choose_.below(static_cast<unsigned>(handles_.size()))]);
  }
  void keep(void* handle) {
    if (handle) handles_.push_back(handle);
  }
  static void close(void* handle) {
    const int closed = (wave_context_close(static_cast<wave_context*>(handle)) == WAVE_OK) +
                       (wave_program_close(static_cast<wave_program*>(handle)) == WAVE_OK) +
                       (wave_model_close(static_cast<wave_model*>(handle)) == WAVE_OK) +
                       (wave_result_close(static_cast<wave_result*>(handle)) == WAVE_OK) +
                       (wave_batch_close(static_cast<wave_batch*>(handle)) == WAVE_OK) +
                       (wave_study_close(static_cast<wave_study*>(handle)) == WAVE_OK) +
                       (wave_question_close(static_cast<wave_question*>(handle)) == WAVE_OK) +
                       (wave_plot_close(static_cast<wave_plot*>(handle)) == WAVE_OK) +
                       (wave_error_close(static_cast<wave_error*>(handle)) == WAVE_OK);
    promise(closed <= 1, "a handle is of one kind");
  }

  // What every call says of itself.
  template <class Given>
  void check(wave_status status, bool may_give_anyway, const Given& given) {
    wave_error* const error = std::exchange(error_, nullptr);
    promise(status >= WAVE_OK && status <= WAVE_STOPPED, "a call fails for a reason of the caller's");
    promise((error != nullptr) == (status != WAVE_OK), "there is an error if, and only if, a call fails");
    promise(status == WAVE_OK || may_give_anyway || given == nullptr, "a call that fails gives nothing");
    if (!error) return;
    const char *text = nullptr, *json = nullptr;
    wave_status told = WAVE_OK;
    promise(wave_error_text(error, &text) == WAVE_OK && *text != 0, "an error says something");
    const char* coloured = nullptr;
    promise(wave_error_coloured_text(error, &coloured) == WAVE_OK && *coloured != 0, "and with colours");
    promise(wave_error_json(error, &json) == WAVE_OK && *json == '[', "also as JSON");
    promise(wave_error_status(error, &told) == WAVE_OK && told == status, "an error has the status of its call");
    wave_diagnostic first{};
    first.size = sizeof first;
    promise(wave_error_diagnostic(error, 0, &first) == WAVE_OK && first.code[0] == 'E', "an error has a code");
    if (choose_.below(16) == 0)
      keep(error);
    else
      wave_error_close(error);
  }

  void call() {
    switch (choose_.below(17)) {
      case 0: return settings();
      case 1: return load();
      case 2: {
        wave_model* model = nullptr;
        const auto status = wave_model_open(any<wave_program>(), choose_.word(), &model, &error_);
        check(status, false, model);
        return keep(model);
      }
      case 3:
      case 4: return set();
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
      case 14: return study();
      case 15: return plot();
      case 16: return ask();
      default: return close(any<void>());  // stays among the handles: closed
    }
  }

  void settings() {
    auto* const context = any<wave_context>();
    wave_status status = WAVE_OK;
    switch (choose_.below(5)) {
      case 0: status = wave_context_add_folder(context, choose_.word(), &error_); break;
      case 1: status = wave_context_set_shortcuts(context, static_cast<int>(choose_.below(2)), &error_); break;
      case 2: status = wave_context_set_engine(context, choose_.below(2) ? WAVE_ENGINE_INTERPRETER : 9, &error_); break;
      case 3: status = wave_context_set_time_limit(context, std::fmin(choose_.real(), 0.2), &error_); break;
      default: status = wave_context_set_memory_limit(context, std::uint64_t{choose_.byte()} << 17, &error_); break;
    }
    check(status, false, nullptr);
  }

  void load() {
    wave_program* program = nullptr;
    const wave_module modules[] = {{choose_.word(), models[2]}};
    const char* const name = choose_.word();
    const auto status = wave_program_load_text(any<wave_context>(), name, models[choose_.below(std::size(models))],
                                               modules, choose_.below(2), &program, &error_);
    check(status, false, program);
    keep(program);
  }

  void set() {
    auto* const model = any<wave_model>();
    const char* const name = choose_.word();
    wave_status status = WAVE_OK;
    switch (choose_.below(6)) {
      case 0: status = wave_model_set(model, name, choose_.word(), &error_); break;
      case 1: status = wave_model_set_real(model, name, choose_.real(), &error_); break;
      case 2: status = wave_model_set_integer(model, name, choose_.integer(), &error_); break;
      case 3: status = wave_model_set_boolean(model, name, static_cast<int>(choose_.below(3)), &error_); break;
      case 4: status = wave_model_set_text(model, name, choose_.word(), &error_); break;
      default: status = wave_model_unset(model, name, &error_); break;
    }
    check(status, false, nullptr);
  }

  void describe() {
    auto* const model = any<wave_model>();
    wave_parameter_info parameter{};
    parameter.size = choose_.below(8) ? sizeof parameter : choose_.byte();
    check(wave_model_parameter(model, choose_.below(8), &parameter, &error_), false, nullptr);
    wave_output_info output{};
    output.size = sizeof output;
    check(wave_model_output(model, choose_.below(6), &output, &error_), false, nullptr);
    wave_column_info column{};
    column.size = sizeof column;
    check(wave_model_output_column(model, choose_.below(6), choose_.below(3), &column, &error_), false, nullptr);
  }

  void read() {
    auto* const result = any<wave_result>();
    double real = 0;
    std::int64_t integer = 0;
    const char* text = nullptr;
    check(wave_result_real(result, choose_.word(), &real, &error_), false, nullptr);
    check(wave_result_integer(result, choose_.word(), &integer, &error_), false, nullptr);
    check(wave_result_text(result, choose_.word(), &text, &error_), false, nullptr);
    const double* reals = nullptr;
    const std::int64_t* integers = nullptr;
    const char* const* texts = nullptr;
    std::size_t count = 0;
    const std::size_t output = choose_.below(5), column = choose_.below(4);
    const int unit = static_cast<int>(choose_.below(3));
    double sum = 0;
    const auto status = wave_result_reals(result, output, column, unit, &reals, &count, &error_);
    check(status, false, reals);
    for (std::size_t i = 0; status == WAVE_OK && i < count; ++i) sum += reals[i];
    check(wave_result_integers(result, output, column, &integers, &count, &error_), false, integers);
    const auto of_texts = wave_result_texts(result, output, column, &texts, &count, &error_);
    check(of_texts, false, texts);
    for (std::size_t i = 0; of_texts == WAVE_OK && i < count; ++i) sum += static_cast<double>(std::strlen(texts[i]));
    sum_ += sum;
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
    wave_status status = WAVE_OK;
    const auto names = choose_.several();
    switch (choose_.below(3)) {
      case 0: status = wave_model_breakdown(model, choose_.word(), &result, &error_); break;
      case 1: status = wave_model_critical_path(model, choose_.word(), &result, &error_); break;
      default: status = wave_model_sensitivities(model, names.data(), names.size(), &result, &error_); break;
    }
    check(status, true, result);
    keep(result);
  }

  void study() {
    wave_study* study = nullptr;
    const auto vary = choose_.several(), show = choose_.several(), where = choose_.several();
    check(wave_study_create(any<wave_model>(), vary.data(), vary.size(), show.data(), show.size(), where.data(),
                            where.size(), &study, &error_),
          false, study);
    keep(study);
    wave_result* result = nullptr;
    Patience patience = some_patience();
    check(wave_study_run(any<wave_study>(), Patience::tell, &patience, &result, &error_), false, result);
    keep(result);
    patience = some_patience();
    result = nullptr;
    check(wave_study_run_part(any<wave_study>(), choose_.below(8), choose_.below(64), Patience::tell, &patience,
                              &result, &error_),
          false, result);
    keep(result);
    const char* id = nullptr;
    check(wave_study_id(any<wave_study>(), &id, &error_), false, id);
    parts(any<wave_study>(), any<wave_study>());
    // None is given a name: a fuzz target writes no files.
    check(wave_study_set_journal(any<wave_study>(), choose_.below(2) ? nullptr : "", &error_), false, nullptr);
  }

  // What one computes another takes, or refuses: it may be of another study, of other points, or damaged.
  void parts(wave_study* one, wave_study* other) {
    const std::uint64_t* ranges = nullptr;
    std::size_t count = 0, size = 0;
    check(wave_study_open_points(one, &ranges, &count, &error_), false, nullptr);
    const std::uint64_t begin = choose_.below(8), end = choose_.below(64);
    const void* part = nullptr;
    Patience patience = some_patience();
    check(wave_study_compute(one, begin, end, Patience::tell, &patience, &part, &size, &error_), false, part);
    if (part == nullptr) return;
    std::string bytes(static_cast<const char*>(part), size);
    if (choose_.below(2) != 0) bytes[choose_.below(static_cast<unsigned>(size))] ^= 1;
    check(wave_study_add(other, begin, choose_.below(2) != 0 ? end : end + 1, bytes.data(), bytes.size(), &error_),
          false, nullptr);
  }

  // A verb with likely and unlikely options, of a model or of none.
  void ask() {
    constexpr const char* verbs[] = {"find", "optimize", "validate", "fit", "compare", "run", "cost", "count"};
    constexpr const char* options[] = {"over",     "where", "minimize", "show", "params",
                                       "measured", "with",  "D",        "all",  "format"};
    const char* const verb = choose_.below(8) ? verbs[choose_.below(8)] : choose_.word();
    wave_question* question = nullptr;
    const bool has_model = choose_.below(4) != 0;
    check(wave_question_create(has_model ? nullptr : any<wave_context>(), has_model ? any<wave_model>() : nullptr, verb,
                               &question, &error_),
          false, question);
    keep(question);
    // Before anything else, so that none takes long.
    for (const char* const limit : {"time-limit", "budget", "point-limit"}) {
      if (question && choose_.below(8)) wave_question_set(question, limit, "50 ms", nullptr);
    }
    for (unsigned count = choose_.below(5); count > 0; --count) {
      const char* const option = choose_.below(8) ? options[choose_.below(10)] : choose_.word();
      check(wave_question_set(question, option, choose_.word(), &error_), false, nullptr);
    }
    if (choose_.below(2)) give_columns(question);
    wave_result* answer = nullptr;
    Patience patience = some_patience();
    check(wave_question_run(question, Patience::tell, &patience, &answer, &error_), true, answer);
    keep(answer);
    wave_error* warnings = nullptr;
    check(wave_result_warnings(any<wave_result>(), &warnings, &error_), false, warnings);
    keep(warnings);
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

  // What a batch, a study or a question reports to, which may stop it, by its answer or by a call.
  struct Patience {
    int left = 0;
    wave_batch* batch = nullptr;
    wave_study* study = nullptr;
    wave_question* question = nullptr;
    static int tell(std::uint64_t done, std::uint64_t all, void* data) {
      auto& its = *static_cast<Patience*>(data);
      promise(done <= all || all == 0, "no more is done than there is");
      if (its.batch) wave_batch_stop(its.batch);
      if (its.study) wave_study_stop(its.study);
      if (its.question) wave_question_stop(its.question);
      return --its.left == 0 ? 1 : 0;
    }
  };
  Patience some_patience() {
    Patience some;
    some.left = static_cast<int>(choose_.below(8));
    if (choose_.below(16) == 0) some.batch = any<wave_batch>();
    if (choose_.below(16) == 0) some.study = any<wave_study>();
    if (choose_.below(16) == 0) some.question = any<wave_question>();
    return some;
  }

  void plot() {
    wave_plot* plot = nullptr;
    wave_status status = WAVE_OK;
    const auto scale = [&] { return static_cast<int>(choose_.below(4)); };
    switch (choose_.below(4)) {
      case 0: {
        const char *const y = choose_.word(), *const x = choose_.word(), *const by = choose_.word();
        const int x_scale = scale(), y_scale = scale();
        status = wave_plot_create(any<wave_result>(), y, x, by, x_scale, y_scale, &plot, &error_);
        break;
      }
      case 1: {
        const char *const value = choose_.word(), *const x = choose_.word(), *const y = choose_.word();
        status = wave_plot_create_map(any<wave_result>(), value, x, y, &plot, &error_);
        break;
      }
      case 2: status = wave_plot_create_parts(any<wave_result>(), &plot, &error_); break;
      default: status = wave_plot_create_timeline(any<wave_model>(), choose_.word(), &plot, &error_); break;
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
  wave_error* error_ = nullptr;  // of the call that is being made
  double sum_ = 0;               // of all that was read
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Player(data, size).play();
  return 0;
}
