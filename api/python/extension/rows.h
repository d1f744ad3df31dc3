// Batches over memory of the caller's, and studies.
#pragma once

#include "api/python/extension/models.h"

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wave::python {

class Batch {
 public:
  explicit Batch(Model& model);

  // Evaluates all rows. `columns` has for each name a buffer of one dimension (double, int64 or bool, with any stride)
  // or a list of str; `targets` a buffer to write to, or a list that is filled with texts; `codes` is a buffer of
  // int32. `progress` is None, or is called with the numbers of rows that are done and of all. Gives why rows failed,
  // or None.
  py::object run(std::size_t rows, const py::dict& columns, const py::dict& targets, const py::buffer& codes, int unit,
                 const py::object& progress);

 private:
  InterruptibleCalls runs_;
  std::size_t rows_ = 0;  // of the last run
  Handle<wave_batch, wave_batch_close> batch_;
};

class Study {
 public:
  Study(Model& model, const std::vector<std::string>& vary, const std::vector<std::string>& show,
        const std::vector<std::string>& where);
  Study(Program& program, const std::optional<std::string>& name);

  std::uint64_t point_count() const;
  // `progress` is None, or is called with the numbers of points that are done and of all.
  Result run(const py::object& progress);
  // The points begin <= i < end, for `add` of the same study in another process; none: which study it is.
  py::bytes compute(std::uint64_t begin, std::uint64_t end);
  // The ranges of points that are neither added nor in the journal: pairs.
  py::list open_points();
  void add(std::uint64_t begin, std::uint64_t end, const py::bytes& part);
  // None: no journal.
  void set_journal(const std::optional<std::string>& file);
  std::string id() const;
  // What is made of the points; none: they are kept.
  void set_reductions(const std::vector<std::string>& reductions);
  // The state of some points, in the first pass (an empty plan) or in that of a plan; what takes states of all parts;
  // and the result of all of them, or the plan of another pass.
  py::bytes reduce_part(std::uint64_t begin, std::uint64_t end, const std::string& plan, const py::object& progress);
  void take_state(const std::string& state);
  py::object finish_pass();
  // Ends the run that another thread makes.
  void stop() const;

 private:
  Handle<wave_study, wave_study_close> study_;
};

}  // namespace wave::python
