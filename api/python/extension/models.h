// Programs and models.
#pragma once

#include "api/python/extension/results.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace wave::python {

// Options and their values, as wave_set() takes them.
using Options = std::vector<std::pair<std::string, std::string>>;

// What the process's environment would otherwise decide.
Handle<wave_context> context_of(const Options& settings);

class Program {
 public:
  // Without a text, a file or a module of the library.
  Program(const Options& settings, const std::string& name, const std::optional<std::string>& text,
          const std::map<std::string, std::string>& modules);

  std::vector<std::string> models() const;
  std::string main() const { return info().main; }  // the model that is meant where none is named
  std::string id() const { return info().id; }
  MaybeError warnings() const { return warnings_of(get()); }
  wave_program* get() const { return program_.get(); }

 private:
  wave_program_info info() const;

  Handle<wave_program> program_;
};

class Model {
 public:
  Model(Program& program, const std::optional<std::string>& name);

  std::vector<Fields> parameters();
  // As they are declared: tables without rows.
  Result outputs();
  // A bool, an int, a float, a str (a text for parameters that are texts, and an expression for all others), or what
  // Python or numpy can make one of these of. Gives whether it became an expression.
  bool set(const std::string& name, const py::object& value);
  // The result and None, or what it has and why some outputs failed.
  std::tuple<Result, MaybeError> run();
  // WAVE_BREAKDOWN and so on of these names.
  Result explain(int what, const std::vector<std::string>& names);
  wave_model* get() const { return model_.get(); }

 private:
  bool set_text(const std::string& name, const std::string& value);
  void set_truth(const std::string& name, bool value);

  Handle<wave_model> model_;
  InterruptibleCalls runs_;
  std::set<std::string> truths_;  // parameters that are known to take truth values
};

}  // namespace wave::python
