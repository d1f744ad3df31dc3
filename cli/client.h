// A program that asks a verb through the library, instead of a user at a command line: nothing is printed for it, and
// no signal and no clock of the process is used.
#pragma once

#include "frontend/check/program.h"

#include <atomic>
#include <map>
#include <string>
#include <string_view>

namespace wave::cli {

struct Document;

class Client {
 public:
  virtual ~Client() = default;

  // Texts that stand for files: by the names that options give, and modules that are imported.
  std::map<std::string, std::string> texts;
  frontend::OpenTexts modules;

  // What is wrong, or worth a warning. `sources` ends before the client does.
  virtual void report(const frontend::Sources& sources, const frontend::Diagnostics& diagnostics) = 0;
  // A line beside the answer.
  virtual void remark(std::string_view text) = 0;
  // The answer. It refers to objects of the verb, so all that is wanted of it is taken now.
  virtual void answer(const Document& document) = 0;
  // Whether the answer is also wanted as the text that `--format` asks for.
  virtual bool wants_text() const = 0;
  // A piece of that text, or of an answer that is nothing but text.
  virtual void print(std::string_view text) = 0;
  // What the program would write to this file.
  virtual void file(const std::string& name, const std::string& text) = 0;
  // From one thread at a time.
  virtual void advance(double done, double all) = 0;
  // Set by any thread: nobody wants the answer any more.
  virtual const std::atomic<bool>& is_stopped() const = 0;
};

}  // namespace wave::cli
