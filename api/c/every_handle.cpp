// The calls on handles of all kinds.
#include "api/c/errors.h"

using namespace wave::api;

extern "C" {

const char* wave_version(void) { return WAVE_VERSION; }

wave_status wave_close(const void* handle) {
  return call(nullptr, [&] {
    get<Object>(handle, "handle");
    remove_handle(handle);
  });
}

wave_status wave_stop(const void* handle) {
  return call(nullptr, [&] { get<Object>(handle, "handle")->stop_call(); });
}

wave_status wave_set(void* handle, const char* option, const char* value, wave_error** error) {
  return call(error, [&] {
    const auto found = get<Object>(handle, "handle");
    need(option, "option");
    need(value, "value");
    found->set_option(option, value);
  });
}

wave_status wave_warnings(const void* handle, wave_error** warnings, wave_error** error) {
  return call(error, [&] {
    const auto found = get<Object>(handle, "handle");
    need(warnings, "warnings");
    const auto said = found->said();
    *warnings = said ? open_handle<wave_error>(said) : nullptr;
  });
}

}  // extern "C"
