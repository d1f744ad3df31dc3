// See questions.h.
#include "api/python/extension/questions.h"

#include "api/python/extension/memory.h"
#include "api/python/extension/progress.h"

#include <string_view>

namespace wave::python {
namespace {

// Makes the question while a context of it is there.
struct Asks {
  const std::string& verb;
  Handle<wave_question>& into;

  void operator()(const Options& settings) const { of(context_of(settings).get()); }
  void operator()(const Model* model) const { of(model ? model->get() : nullptr); }
  void operator()(const Program* program) const { of(program ? program->get() : nullptr); }
  void of(void* handle) const {
    checked_aside([&](auto error) { return wave_question_create(handle, verb.c_str(), Into(into), error); });
  }
};

}  // namespace

Question::Question(const Asked& of, const std::string& verb, const Options& options) {
  std::visit(Asks{verb, question_}, of);
  for (const auto& [option, value] : options)
    checked_aside([&](auto error) { return wave_set(get(), option.c_str(), value.c_str(), error); });
}

void Question::set_columns(const std::string& option, const Fields& columns, std::size_t rows) {
  Memory memory;
  const auto all = memory.columns(columns);
  checked_aside([&](auto error) {
    return wave_question_set_columns(get(), option.c_str(), all.data(), all.size(), rows, error);
  });
}

std::tuple<std::optional<Result>, MaybeError, MaybeError> Question::run(const ProgressFunction& progress) {
  Progress told;
  told.function = progress;
  MadeResult made;
  std::optional<Failed> failure;
  const auto run = [&](auto error) { return wave_question_run(get(), Progress::tell, &told, Into(made), error); };
  try {
    told.run([&](const auto& ends) { interruptible(run, ends); }, [&] { stop(); });
  } catch (const Failed& failed) {
    if (!made) throw;
    failure = failed;
  }
  if (!made) return {std::nullopt, py::none(), py::none()};
  const Result result(std::move(made));
  return {result, warnings_of(result.get()), failure ? failure->object() : MaybeError(py::none())};
}

Fields Question::points() {
  wave_points_info info{};
  info.size = sizeof info;
  interruptible([&](auto error) { return wave_question_points(get(), &info, error); }, [&] { stop(); });
  py::list open;
  for (std::size_t i = 0; i < info.open_count; ++i) open.append(py::make_tuple(info.open[2 * i], info.open[2 * i + 1]));
  Fields all;
  all["id"] = info.id;
  all["count"] = info.count;
  all["open"] = open;
  all["plan"] = py::bytes(static_cast<const char*>(info.plan), info.plan_size);
  return all;
}

py::bytes Question::compute(std::uint64_t begin, std::uint64_t end, const py::bytes& plan) {
  const std::string_view pass(plan);
  const void* part = nullptr;
  std::size_t size = 0;
  interruptible(
      [&](auto error) {
        return wave_question_compute(get(), begin, end, pass.data(), pass.size(), nullptr, nullptr, &part, &size,
                                     error);
      },
      [&] { stop(); });
  return {static_cast<const char*>(part), size};
}

void Question::add(std::uint64_t begin, std::uint64_t end, const py::bytes& part) {
  const std::string_view bytes(part);
  checked_aside([&](auto error) { return wave_question_add(get(), begin, end, bytes.data(), bytes.size(), error); });
}

}  // namespace wave::python
