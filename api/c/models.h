// A model of a program with values for its parameters, and what evaluates it.
#pragma once

#include "analysis/study/study_model.h"
#include "api/c/programs.h"
#include "api/c/tables.h"
#include "backend/engine.h"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace wave::api {

// A number, truth value or word for a scalar parameter, which is bound when the model is evaluated. Quantities are in
// base units, choices are ordinals.
using Number = std::variant<double, std::int64_t, bool, std::string>;
// Or the text of an expression, which is part of what is lowered.
struct Expression {
  std::string text;
};
using Value = std::variant<Expression, Number>;
using Values = std::map<std::string, Value>;

// The number as an expression of the language: "(4.5)*(1 ps)", "(16)", "eager".
std::string text_of(const Number& number, const frontend::TypeRef& type);

// The model as it was lowered with some values, and its engine.
struct Prepared {
  frontend::Lowered lowered;
  frontend::Diagnostics diagnostics;  // of outputs that could not be lowered
  std::unique_ptr<backend::Engine> engine;
  std::map<std::string, ir::DefinitionId> bound;  // parameters that are set to numbers
  Words words;                                    // of `lowered`, which grow with strings that are set

  // The scalar that stands for a number.
  ir::Scalar scalar(const Number& number);
  Words current_words();
};

// Lowering ends with the limits.
frontend::LoweringOptions lowering_options(const backend::Limits& limits);

// What wave_model_parameter() tells; parameters.h.
class ParameterList;

class Model final : public Object {
 public:
  static constexpr const char* kind = "model";
  Model(std::shared_ptr<LoadedProgram> program, const frontend::Item& item, std::string name)
      : program(std::move(program)), item(item), name(std::move(name)), settings(this->program->settings) {}

  const std::shared_ptr<LoadedProgram> program;
  const frontend::Item& item;
  const std::string name;

  // What follows is for whoever holds this.
  std::mutex mutex;
  Settings settings;
  Values values;
  std::shared_ptr<Prepared> prepared;               // null: to be lowered
  std::map<std::string, frontend::TypeRef> types;   // of parameters that were looked at
  std::shared_ptr<const ParameterList> parameters;  // null: to be listed

  // Of any thread.
  std::atomic<bool> is_stopped{false};
  void stop_call() override { is_stopped = true; }
  void set_option(const std::string& option, const std::string& value) override;

  // Refuses a parameter that there is not.
  frontend::TypeRef type_of(const std::string& path);
  void set(const std::string& path, Value value);
  // Gives a parameter its default again; null: all of them.
  void unset(const char* path);
  // Forgets what was made for other values.
  void forget();
  // Lowered for the present values.
  Prepared& prepare(const backend::Limits& limits);
  std::vector<backend::Binding> bindings(Prepared& prepared) const;
  // For questions that lower it in their own way: the texts of all values.
  std::vector<std::string> given_texts();

 private:
  // What a number is lowered as, since it is bound afterwards: a value that the program knows already, so that it need
  // not keep one more, or its own.
  enum class StandIns { known, own };
  std::shared_ptr<Prepared> lower(const std::map<std::string, frontend::TypeRef>& of_numbers, StandIns stand_ins,
                                  const backend::Limits& limits);
};

// Calls on a model wait for each other. `work` is told the limits of this one. One that was stopped ends as
// WAVE_STOPPED.
void with_model(Model& model, const std::function<void(const backend::Limits& limits)>& work);

// Whether one of these is a machine or the like, whose models are lowered when their turn comes. A call that goes over
// such variables holds the program until its end.
bool are_lowered_later(const std::vector<analysis::Variable>& variables);

}  // namespace wave::api
