// How the program ends at once, and what it does not leave behind then: files and folders that are there only until a
// result is whole.
#pragma once

#include <csignal>
#include <initializer_list>
#include <list>
#include <string>
#include <string_view>

namespace wave::cli {

// While one lives, the program does not end at once: what it guards happens as a whole. For what is quick. Several
// threads take turns.
class Undisturbed {
 public:
  Undisturbed();
  ~Undisturbed();
  Undisturbed(const Undisturbed&) = delete;
  Undisturbed& operator=(const Undisturbed&) = delete;

 private:
  sigset_t before_{};
};

// A file, or a folder that is empty without other temporaries: removed if the program ends at once. Otherwise who made
// it removes it, or puts it in its place.
class Temporary {
 public:
  // Said before it is made, while `undisturbed` lives: so none is left that nobody knows of, not even where there is no
  // memory to remember it.
  Temporary(const std::string& path, const Undisturbed& undisturbed);
  // The system has chosen other letters for its name.
  void rename(std::string_view path, const Undisturbed&) { place_->assign(path); }
  ~Temporary();
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

 private:
  std::list<std::string>::iterator place_;
};

// Writes these words to standard error, removes what is temporary, the latest first, and ends the program. May be
// called by handlers of signals.
[[noreturn]] void end_at_once(std::initializer_list<std::string_view> words, int code);

}  // namespace wave::cli
