// Programs that were read and checked, which several models share.
#pragma once

#include "api/c/context.h"
#include "frontend/lower/lower.h"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace wave::api {

class LoadedProgram final : public Object {
 public:
  static constexpr const char* kind = "program";

  // Ends the call if the program has errors.
  LoadedProgram(Settings settings, const std::string& name, const std::string* text, frontend::OpenTexts modules);

  const Settings settings;
  const std::string name;
  std::vector<std::string> model_names;  // those that it declares, then those that it imports
  std::shared_ptr<Error> warnings;       // null: none

  std::shared_ptr<Error> said() override { return warnings; }
  const wave_program_info& description();

  // Null: there is none of that name. Empty: the only one, or `main`.
  const frontend::Item* choose_model(const std::string& name) const;

  // For whoever reads: nobody else does meanwhile.
  std::unique_lock<std::mutex> reading() { return std::unique_lock(mutex_); }
  frontend::Program& program() { return *program_; }
  // What its results depend on, as hexadecimal digits: texts, data files, and the version.
  const std::string& id();

  // `n=8` as -D takes it. The same text is read once. Ends the call if it is wrong.
  void check_given(const frontend::Item& model, const std::string& given);
  // A stand-in for the value of a parameter that is set to a number, "16" or "true".
  void check_stand_in(const frontend::Item& model, const std::string& path, const std::string& text);
  // The text of one with which the model could be lowered; empty if there is none yet.
  std::string known_stand_in(const frontend::Item& model, const std::string& path) const;
  void remember_stand_ins(const frontend::Item& model, const std::map<std::string, std::string>& texts);
  // Lends what these texts came to.
  void with_overrides(const frontend::Item& model, const std::vector<std::string>& given,
                      const std::function<void(const std::vector<frontend::Override>&)>& use);

 private:
  using Key = std::pair<const frontend::Item*, std::string>;

  std::mutex mutex_;
  std::unique_ptr<frontend::Program> program_;
  std::string id_, model_lines_, main_;  // empty: nobody has asked
  wave_program_info description_{};
  std::map<Key, frontend::Override> overrides_;
  std::map<Key, std::string> stand_ins_;              // by the parameter
  std::map<std::string, Location> set_from_outside_;  // what stands for the place of a number, by the parameter
};

// What the overrides of a stand-in are called.
std::string stand_in_name(const std::string& path, const std::string& text);

}  // namespace wave::api
