// Programs and models.
#pragma once

#include "api/python/extension/results.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace wave::python {

// What the process's environment would otherwise decide.
struct Settings {
  std::vector<std::string> folders;
  double seconds = 60;
  std::uint64_t memory = std::uint64_t{8} << 30;
  int threads = 0, engine = WAVE_ENGINE_AUTOMATIC;
  bool shortcuts = true, environment = true;
};

using ContextHandle = Handle<wave_context, wave_context_close>;
ContextHandle context_of(const Settings& settings);

class Program {
 public:
  Program(const Settings& settings, const std::string& file);
  Program(const Settings& settings, const std::string& name, const std::string& text,
          const std::map<std::string, std::string>& modules);

  std::vector<std::string> models() const;
  std::string id() const;
  py::object warnings() const;  // a wavemodel.Error or None
  wave_program* get() const { return program_.get(); }

 private:
  Handle<wave_program, wave_program_close> program_;
};

class Model {
 public:
  Model(Program& program, const std::optional<std::string>& name);

  std::string name() const;
  py::list parameters();
  py::list outputs();
  // A bool, an int, a float, a str (a text for parameters that are texts, and an expression for all others), or what
  // Python or numpy can make one of these of. Gives whether it became an expression.
  bool set(const std::string& name, const py::handle& value);
  void unset(const std::string& name);
  // The result and None, or what it has and why some outputs failed.
  py::tuple run();
  Result breakdown(const std::optional<std::string>& output);
  Result critical_path(const std::optional<std::string>& output);
  Result sensitivities(const std::vector<std::string>& parameters);
  wave_model* get() const { return model_.get(); }

 private:
  bool set_text(const std::string& name, const std::string& value);
  template <class Call>
  Result interruptible_result(const Call& call);

  Handle<wave_model, wave_model_close> model_;
  InterruptibleCalls runs_;
};

}  // namespace wave::python
