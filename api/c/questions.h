// Questions: verbs of the program, asked through the library.
#pragma once

#include "api/c/measured_columns.h"
#include "api/c/models.h"
#include "api/c/progress.h"
#include "api/c/results.h"
#include "cli/ask.h"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace wave::api {

class QuestionClient;

class Question : public Object {
 public:
  static constexpr const char* kind = "question";

  virtual void set_columns(std::string option, const wave_column* columns, std::size_t count, std::size_t rows) = 0;
  // The answer; null where there is none. Ends the call where something is wrong, with `*result` set to what was found
  // all the same.
  virtual void run(wave_progress progress, void* data, std::shared_ptr<Result>& result) = 0;
  void stop_call() override { control_.stop(); }

  std::mutex mutex;

 protected:
  RunControl control_;
};

// A verb that reads texts again.
class AskedQuestion final : public Question {
 public:
  // Of a program, or of none. Ends the call where there is no such verb, or where it takes no model.
  AskedQuestion(Settings settings, std::shared_ptr<LoadedProgram> program, std::unique_ptr<Model> model,
                std::string verb);

  void set_option(const std::string& option, const std::string& value) override;
  void set_columns(std::string option, const wave_column* columns, std::size_t count, std::size_t rows) override;
  void run(wave_progress progress, void* data, std::shared_ptr<Result>& result) override;

 private:
  bool has(const std::string& option) const;
  void add_program(cli::Question& question, QuestionClient& client);
  void add_settings(cli::Question& question) const;
  void add_columns(cli::Question& question, QuestionClient& client);

  const Settings settings_;
  const std::shared_ptr<LoadedProgram> program_;  // null: of none
  const std::string verb_;
  const std::unique_ptr<Model> model_;  // null: of none
  std::vector<cli::GivenOption> options_;
  std::vector<std::pair<std::string, MeasuredColumns>> columns_;  // by the option that takes them
};

}  // namespace wave::api
