// What handles stand for. A handle is a number that was never given out before, as a pointer that nobody follows: so a
// closed one, one of another kind and any other pointer are found out.
#pragma once

#include <memory>
#include <string>
#include <utility>

namespace wave::api {

// The call is wrong. `argument` is in backticks in the message.
struct Misuse {
  std::string message;
  std::string help = {};
};

class Error;

// Kinds that do not have one of these refuse it.
class Object {
 public:
  static constexpr const char* kind = "handle";
  virtual ~Object() = default;
  // Sets an option to a value, as on the command line.
  virtual void set_option(const std::string& option, const std::string& value);
  // Ends the call that another thread makes on it.
  virtual void stop_call();
  // What is to be said of it; null: nothing.
  virtual std::shared_ptr<Error> said();
};

void* add_handle(std::shared_ptr<Object> object);
// Null: it is not open.
std::shared_ptr<Object> find_handle(const void* handle);
// Drops what an open handle stands for.
void remove_handle(const void* handle);

// Every kind of object says its `kind`: "model".
[[noreturn]] void refuse_handle(const void* handle, const char* argument, const char* kind, bool is_open);

// `argument` is how the call names it.
template <class Kind>
std::shared_ptr<Kind> get(const void* handle, const char* argument) {
  const auto found = find_handle(handle);
  auto object = std::dynamic_pointer_cast<Kind>(found);
  if (!object) refuse_handle(handle, argument, Kind::kind, found != nullptr);
  return object;
}

template <class Handle, class Kind>
Handle* open_handle(std::shared_ptr<Kind> object) {
  return static_cast<Handle*>(add_handle(std::move(object)));
}

}  // namespace wave::api
