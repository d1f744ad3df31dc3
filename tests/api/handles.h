// Handles of the C interface that close themselves, and what errors say.
#pragma once

#include "api/include/wave/wave.h"

#include <catch2/catch.hpp>

#include <string>
#include <type_traits>
#include <utility>

namespace wave::test {

// Where the last call that asked for an error has put it.
inline wave_error** last_error = nullptr;

template <class Handle, wave_status (*close)(Handle*)>
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
    if (handle_) close(handle_);
  }
  operator Handle*() const { return handle_; }
  // For calls that make one; the old one is closed.
  Handle** into() {
    if (handle_) close(std::exchange(handle_, nullptr));
    if constexpr (std::is_same_v<Handle, wave_error>) last_error = &handle_;
    return &handle_;
  }

 private:
  Handle* handle_ = nullptr;
};

using Context = Owned<wave_context, wave_context_close>;
using Program = Owned<wave_program, wave_program_close>;
using Model = Owned<wave_model, wave_model_close>;
using Result = Owned<wave_result, wave_result_close>;
using Batch = Owned<wave_batch, wave_batch_close>;
using Study = Owned<wave_study, wave_study_close>;
using Question = Owned<wave_question, wave_question_close>;
using Plot = Owned<wave_plot, wave_plot_close>;
using Error = Owned<wave_error, wave_error_close>;

inline std::string text_of(const Error& error) {
  const char* text = "";
  if (error) wave_error_text(error, &text);
  return text;
}

inline std::string last_text() {
  const char* text = "";
  if (last_error && *last_error) wave_error_text(*last_error, &text);
  return text;
}

inline std::string code_of(const Error& error) {
  wave_diagnostic diagnostic{};
  diagnostic.size = sizeof diagnostic;
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

// A model of a text.
struct Loaded {
  Error error;
  Context context;
  Program program;
  Model model;

  explicit Loaded(const char* text, const char* name = nullptr) {
    CHECK_OK(wave_context_create(context.into(), error.into()));
    CHECK_OK(wave_program_load_text(context, "test.wave", text, nullptr, 0, program.into(), error.into()));
    CHECK_OK(wave_model_open(program, name, model.into(), error.into()));
  }
  double run(const char* output) {
    Result result;
    CHECK_OK(wave_model_run(model, result.into(), error.into()));
    double value = 0;
    CHECK_OK(wave_result_real(result, output, &value, error.into()));
    return value;
  }
};

}  // namespace wave::test
