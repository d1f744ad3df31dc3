// See rows.h.
#include "api/python/extension/rows.h"

#include "api/python/extension/memory.h"
#include "api/python/extension/progress.h"

namespace wave::python {
namespace {

struct TextTarget {
  py::list list;
  const std::vector<const char*>* pointers;
};

}  // namespace

Batch::Batch(Model& model) {
  checked_aside([&](auto error) { return wave_batch_create(model.get(), Into(batch_), error); });
}

py::object Batch::run(std::size_t rows, const py::dict& columns, const py::dict& targets, const py::buffer& codes,
                      int unit, const py::object& progress) {
  Memory memory;
  const std::vector<wave_column> from = memory.columns(columns);
  std::vector<wave_target> into;
  std::vector<TextTarget> texts;
  for (const auto& [key, value] : targets) {
    const std::string& name = memory.kept_name(key);
    if (py::isinstance<py::list>(value)) {
      auto& room = memory.room(rows);
      texts.push_back({py::reinterpret_borrow<py::list>(value), &room});
      into.push_back({name.c_str(), room.data(), rows, WAVE_TEXT, sizeof(const char*), unit});
      continue;
    }
    const Cells cells = memory.numbers(name, value, true);
    into.push_back({name.c_str(), cells.data, cells.count, cells.cell, cells.stride, unit});
  }
  const py::buffer_info failed = codes.request(true);
  if (failed.ndim != 1 || failed.format != "i" || failed.shape[0] != static_cast<py::ssize_t>(rows) ||
      (rows > 0 && failed.strides[0] != sizeof(std::int32_t)))
    throw py::value_error("`codes` must be a packed array of int32 with a place for each row");
  Progress told;
  told.function = progress;
  const auto run = [&](auto error) {
    return wave_batch_run(batch_.get(), rows, from.data(), from.size(), into.data(), into.size(),
                          static_cast<std::int32_t*>(failed.ptr), nullptr, Progress::tell, &told, error);
  };
  const bool is_larger = rows > std::exchange(rows_, rows);  // and may take longer than those before
  told.run([&](const auto& stop) { is_larger ? interruptible(run, stop) : runs_.make(run, stop); },
           [&] { wave_batch_stop(batch_.get()); });
  for (auto& [list, found] : texts) {
    for (const char* const text : *found) list.append(text ? py::object(py::str(text)) : py::none());
  }
  wave_error* failures = nullptr;
  checked([&](auto error) { return wave_batch_failures(batch_.get(), &failures, error); });
  return failures ? Failed(WAVE_FAILED, failures).object() : py::none();
}

Study::Study(Model& model, const std::vector<std::string>& vary, const std::vector<std::string>& show,
             const std::vector<std::string>& where) {
  const auto varied = pointers(vary), shown = pointers(show), conditions = pointers(where);
  interruptible(
      [&](auto error) {
        return wave_study_create(model.get(), varied.data(), varied.size(), shown.data(), shown.size(),
                                 conditions.data(), conditions.size(), Into(study_), error);
      },
      [&] { wave_model_stop(model.get()); });
}

Study::Study(Program& program, const std::optional<std::string>& name) {
  checked_aside([&](auto error) { return wave_study_open(program.get(), text_or_null(name), Into(study_), error); });
}

std::uint64_t Study::point_count() const {
  std::uint64_t count = 0;
  checked([&](auto error) { return wave_study_point_count(study_.get(), &count, error); });
  return count;
}

Result Study::run(const py::object& progress) {
  Progress told;
  told.function = progress;
  MadeResult result;
  const auto run = [&](auto error) { return wave_study_run(study_.get(), Progress::tell, &told, Into(result), error); };
  told.run([&](const auto& stop) { interruptible(run, stop); }, [&] { wave_study_stop(study_.get()); });
  return Result(std::move(result));
}

py::bytes Study::compute(std::uint64_t begin, std::uint64_t end) {
  const void* part = nullptr;
  std::size_t size = 0;
  interruptible(
      [&](auto error) { return wave_study_compute(study_.get(), begin, end, nullptr, nullptr, &part, &size, error); },
      [&] { wave_study_stop(study_.get()); });
  return {static_cast<const char*>(part), size};
}

py::list Study::open_points() {
  const std::uint64_t* ranges = nullptr;
  std::size_t count = 0;
  checked_aside([&](auto error) { return wave_study_open_points(study_.get(), &ranges, &count, error); });
  py::list all;
  for (std::size_t i = 0; i < count; ++i) all.append(py::make_tuple(ranges[2 * i], ranges[2 * i + 1]));
  return all;
}

void Study::add(std::uint64_t begin, std::uint64_t end, const py::bytes& part) {
  const std::string_view bytes(part);
  checked_aside(
      [&](auto error) { return wave_study_add(study_.get(), begin, end, bytes.data(), bytes.size(), error); });
}

std::string Study::id() const {
  const char* id = "";
  checked_aside([&](auto error) { return wave_study_id(study_.get(), &id, error); });
  return id;
}

void Study::stop() const { wave_study_stop(study_.get()); }

void Study::set_journal(const std::optional<std::string>& file) {
  checked([&](auto error) { return wave_study_set_journal(study_.get(), text_or_null(file), error); });
}

void Study::set_reductions(const std::vector<std::string>& reductions) {
  const auto texts = pointers(reductions);
  checked_aside([&](auto error) { return wave_study_set_reductions(study_.get(), texts.data(), texts.size(), error); });
}

py::bytes Study::reduce_part(std::uint64_t begin, std::uint64_t end, const std::string& plan,
                             const py::object& progress) {
  Progress told;
  told.function = progress;
  const void* state = nullptr;
  std::size_t size = 0;
  const auto reduce = [&](auto error) {
    return wave_study_reduce_part(study_.get(), begin, end, plan.data(), plan.size(), Progress::tell, &told, &state,
                                  &size, error);
  };
  told.run([&](const auto& stop) { interruptible(reduce, stop); }, [&] { wave_study_stop(study_.get()); });
  return py::bytes(static_cast<const char*>(state), size);
}

void Study::take_state(const std::string& state) {
  checked_aside([&](auto error) { return wave_study_take_state(study_.get(), state.data(), state.size(), error); });
}

py::object Study::finish_pass() {
  MadeResult result;
  const void* plan = nullptr;
  std::size_t size = 0;
  checked_aside([&](auto error) { return wave_study_finish_pass(study_.get(), Into(result), &plan, &size, error); });
  if (plan) return py::bytes(static_cast<const char*>(plan), size);
  return py::cast(Result(std::move(result)));
}

}  // namespace wave::python
