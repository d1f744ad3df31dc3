// What went wrong, and how a call says so.
#pragma once

#include "api/c/handles.h"
#include "api/include/wave/wave.h"
#include "frontend/source/diagnostics.h"

#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace wave::api {

// Texts alone, so that it needs the program no more.
class Error final : public Object {
 public:
  static constexpr const char* kind = "error";

  Error(wave_status status, const frontend::Sources& sources, const frontend::Diagnostics& diagnostics);
  // What several say, one after the other.
  Error(wave_status status, const std::vector<Error>& parts);

  struct Shown {
    std::string code, kind, message, notes, help, file;
    frontend::LineColumn place;
    bool is_warning = false;
  };

  const wave_status status;
  std::vector<Shown> all;
  std::string text, json;
  std::string coloured;  // the text, for a terminal
};

// Ends a call.
struct Failed {
  std::shared_ptr<Error> error;
};

// The status of diagnostics with errors: WAVE_LIMIT where the first is out of time or memory.
wave_status status_of(const frontend::Diagnostics& diagnostics);
[[noreturn]] void fail(const frontend::Sources& sources, const frontend::Diagnostics& diagnostics);
// With a single diagnostic without a place.
[[noreturn]] void fail(wave_status status, frontend::DiagnosticKind kind, const std::string& message,
                       const std::string& help = {});
// Somebody stopped it.
[[noreturn]] void stop();

// Turns what is being thrown into a status and an error.
wave_status caught(wave_error** error) noexcept;

// What every call does: nothing that is thrown leaves it.
template <class Work>
wave_status call(wave_error** error, const Work& work) noexcept {
  if (error) *error = nullptr;
  try {
    work();
    return WAVE_OK;
  } catch (...) {
    return caught(error);
  }
}

// Refuses a null pointer.
template <class Pointer>
void need(const Pointer* pointer, const char* argument) {
  if (!pointer) throw Misuse{std::string("`") + argument + "` is a null pointer"};
}
// Refuses an array that is none although it has elements.
template <class Pointer>
void need_array(const Pointer* array, std::size_t count, const char* argument) {
  if (count > 0) need(array, argument);
}
// Texts of the caller's, none of which may be a null pointer.
std::vector<std::string> texts_of(const char* const* texts, std::size_t count, const char* argument);
// One text a line.
std::string lines_of(const std::vector<std::string>& texts);

void need_index(std::size_t index, std::size_t count, const char* argument);

// How large the caller's version of a structure is.
template <class Info>
std::size_t size_of_structure(const Info* given, const char* argument) {
  need(given, argument);
  const std::size_t size = given->size;
  if (size < sizeof(std::size_t) || size > (std::size_t{1} << 16))
    throw Misuse{std::string("`") + argument + "` has no size: set it to sizeof the structure"};
  return size;
}

// A structure of the caller's; what it does not have is zero.
template <class Info>
Info read_structure(const Info* from, const char* argument) {
  const std::size_t size = size_of_structure(from, argument);
  Info read{};
  std::memcpy(&read, from, size < sizeof read ? size : sizeof read);
  return read;
}

// Fills as much of a structure of the caller's as it has.
template <class Info>
void fill(Info* into, Info filled, const char* argument) {
  const std::size_t size = size_of_structure(into, argument);
  filled.size = size;
  std::memcpy(into, &filled, size < sizeof filled ? size : sizeof filled);
}

}  // namespace wave::api
