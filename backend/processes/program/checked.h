// Forms of programs are checked after each step that makes or rewrites them: in debug builds and under the sanitizers.
#pragma once

#include <stdexcept>
#include <string>

namespace wave::backend::processes {

#if defined(WAVE_SANITIZED) || !defined(NDEBUG)
inline constexpr bool forms_are_checked = true;
#else
inline constexpr bool forms_are_checked = false;
#endif

// `breach`: empty, the form is whole. Otherwise whoever made it has made a mistake.
inline void require_whole(const std::string& breach) {
  if (!breach.empty()) throw std::logic_error(breach);
}

}  // namespace wave::backend::processes
