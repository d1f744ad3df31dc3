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

class AskedQuestion final : public Object {
 public:
  static constexpr const char* kind = "question";

  // Of a model as it is set now, or of none. Ends the call where there is no such verb, or where it takes no model.
  AskedQuestion(Settings settings, Model* model, std::string verb);

  void set(std::string option, std::string value);
  void set_columns(std::string option, const wave_column* columns, std::size_t count, std::size_t rows);
  // The answer; null where there is none. Ends the call where something is wrong, with `*result` set to what was found
  // all the same.
  void run(wave_progress progress, void* data, std::shared_ptr<Result>& result);
  void stop_run() { control_.stop(); }

  std::mutex mutex;

 private:
  bool has(const std::string& option) const;
  void add_model(cli::Question& question, QuestionClient& client);
  void add_settings(cli::Question& question) const;
  void add_columns(cli::Question& question, QuestionClient& client);

  const Settings settings_;
  const std::string verb_;
  std::unique_ptr<Model> model_;  // null: of none
  std::vector<cli::GivenOption> options_;
  std::vector<std::pair<std::string, MeasuredColumns>> columns_;  // by the option that takes them
  RunControl control_;
};

}  // namespace wave::api
