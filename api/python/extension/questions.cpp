// See questions.h.
#include "api/python/extension/questions.h"

#include "api/python/extension/memory.h"
#include "api/python/extension/progress.h"

#include <optional>

namespace wave::python {
namespace {

using QuestionHandle = Handle<wave_question, wave_question_close>;

py::object warnings_of(const Result& result) {
  wave_error* warnings = nullptr;
  checked([&](auto error) { return wave_result_warnings(result.get(), &warnings, error); });
  return warnings ? Failed(WAVE_OK, warnings).object() : py::none();
}

void set_columns(wave_question* question, const GivenColumns& given) {
  if (given.columns.empty()) return;
  Memory memory;
  const auto columns = memory.columns(given.columns);
  checked([&](auto error) {
    return wave_question_set_columns(question, "data", columns.data(), columns.size(), given.rows, error);
  });
}

}  // namespace

py::tuple ask(const Settings& settings, Model* model, const std::string& verb,
              const std::vector<std::pair<std::string, std::string>>& options, const GivenColumns& given,
              const py::object& progress) {
  const ContextHandle context = context_of(settings);
  QuestionHandle question;
  checked([&](auto error) {
    return wave_question_create(context.get(), model ? model->get() : nullptr, verb.c_str(), Into(question), error);
  });
  for (const auto& [option, value] : options) {
    if (option.find('\0') != std::string::npos || value.find('\0') != std::string::npos)
      throw py::value_error("`" + option.substr(0, option.find('\0')) + "` or its value has a zero character in it");
    checked([&](auto error) { return wave_question_set(question.get(), option.c_str(), value.c_str(), error); });
  }
  set_columns(question.get(), given);
  Progress told;
  told.function = progress;
  MadeResult made;
  std::optional<Failed> failure;
  const auto run = [&](auto error) {
    return wave_question_run(question.get(), Progress::tell, &told, Into(made), error);
  };
  try {
    told.run([&](const auto& stop) { interruptible(run, stop); }, [&] { wave_question_stop(question.get()); });
  } catch (const Failed& failed) {
    if (!made) throw;
    failure = failed;
  }
  if (!made) return py::make_tuple(py::none(), py::none(), py::none());
  const Result result(std::move(made));
  return py::make_tuple(result, warnings_of(result), failure ? failure->object() : py::none());
}

}  // namespace wave::python
