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

MaybeError Batch::run(std::size_t rows, const Fields& columns, const Fields& targets, const py::buffer& codes, int unit,
                      const ProgressFunction& progress) {
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
           [&] { wave_stop(batch_.get()); });
  for (auto& [list, found] : texts) {
    for (const char* const text : *found) list.append(text ? py::object(py::str(text)) : py::none());
  }
  wave_error* failures = nullptr;
  checked([&](auto error) { return wave_batch_failures(batch_.get(), &failures, error); });
  return failures ? Failed(WAVE_FAILED, failures).object() : MaybeError(py::none());
}

}  // namespace wave::python
