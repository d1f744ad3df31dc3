// Handles of the C interface that close themselves, and what errors say.
#pragma once

#include "api/include/wave/wave.h"

#include <catch2/catch.hpp>

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace wave::test {

// Where the last call that asked for an error has put it.
inline wave_error** last_error = nullptr;

template <class Handle>
class Owned {
 public:
  Owned() = default;
  explicit Owned(Handle* handle) : handle_(handle) {}
  Owned(Owned&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Owned() {
    if constexpr (std::is_same_v<Handle, wave_error>) {
      if (last_error == &handle_) last_error = nullptr;
    }
    if (handle_) wave_close(handle_);
  }
  operator Handle*() const { return handle_; }
  // Somebody else closes it.
  void release() { handle_ = nullptr; }
  // For calls that make one; the old one is closed.
  Handle** into() {
    if (handle_) wave_close(std::exchange(handle_, nullptr));
    if constexpr (std::is_same_v<Handle, wave_error>) last_error = &handle_;
    return &handle_;
  }

 private:
  Handle* handle_ = nullptr;
};

using Context = Owned<wave_context>;
using Program = Owned<wave_program>;
using Model = Owned<wave_model>;
using Result = Owned<wave_result>;
using Batch = Owned<wave_batch>;
using Question = Owned<wave_question>;
using Plot = Owned<wave_plot>;
using Error = Owned<wave_error>;

inline std::string text_of(const Error& error) {
  const char* text = "";
  if (error) wave_error_text(error, WAVE_ERROR_PLAIN, &text);
  return text;
}

inline std::string last_text() {
  const char* text = "";
  if (last_error && *last_error) wave_error_text(*last_error, WAVE_ERROR_PLAIN, &text);
  return text;
}

// A structure that the library fills.
template <class Info>
Info empty() {
  Info info{};
  info.size = sizeof info;
  return info;
}

inline std::string code_of(const Error& error) {
  auto diagnostic = empty<wave_diagnostic>();
  return error && wave_error_diagnostic(error, 0, &diagnostic) == WAVE_OK ? diagnostic.code : "";
}

// A call that must succeed.
#define CHECK_OK(CALL)                  \
  do {                                  \
    const wave_status status_ = (CALL); \
    INFO(last_text());                  \
    REQUIRE(status_ == WAVE_OK);        \
  } while (false)

// A call that must fail with a status, and say something.
#define CHECK_FAILS(STATUS, WORDS, CALL)             \
  do {                                               \
    CHECK((CALL) == (STATUS));                       \
    CHECK_THAT(last_text(), Catch::Contains(WORDS)); \
  } while (false)

// What WAVE_REAL and the others are in C++.
template <class Cell>
inline constexpr int cell_of = WAVE_TEXT;
template <>
inline constexpr int cell_of<double> = WAVE_REAL;
template <>
inline constexpr int cell_of<std::int64_t> = WAVE_INTEGER;

// One value of a result; texts are const char*.
template <class Cell>
Cell value_of(const wave_result* result, const char* name) {
  Error error;
  Cell value{};
  CHECK_OK(wave_result_value(result, name, cell_of<Cell>, &value, error.into()));
  return value;
}

template <class Cell>
std::vector<Cell> column_of(const wave_result* result, std::size_t output, std::size_t column, int unit = WAVE_SI) {
  Error error;
  const void* cells = nullptr;
  std::size_t count = 0;
  CHECK_OK(wave_result_cells(result, output, column, cell_of<Cell>, unit, &cells, &count, error.into()));
  const auto* const first = static_cast<const Cell*>(cells);
  return {first, first + count};
}

// A study of a model or a program: options that are set one after the other.
using Options = std::vector<std::pair<std::string, std::string>>;

inline Question sweep_of(void* of, const Options& options) {
  Error error;
  Question question;
  CHECK_OK(wave_question_create(of, "sweep", question.into(), error.into()));
  for (const auto& [name, value] : options) CHECK_OK(wave_set(question, name.c_str(), value.c_str(), error.into()));
  return question;
}

// A model of a text.
struct Loaded {
  Error error;
  Context context;
  Program program;
  Model model;

  explicit Loaded(const char* text, const char* name = nullptr) {
    CHECK_OK(wave_context_create(context.into(), error.into()));
    CHECK_OK(wave_program_load(context, "test.wave", text, nullptr, 0, program.into(), error.into()));
    CHECK_OK(wave_model_open(program, name, model.into(), error.into()));
  }
  double run(const char* output) {
    Result result;
    CHECK_OK(wave_model_run(model, result.into(), error.into()));
    return value_of<double>(result, output);
  }
};

}  // namespace wave::test
