// Questions: what the verbs of the program answer, and sweeps that are divided.
#pragma once

#include "api/python/extension/models.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <variant>

namespace wave::python {

// What a question is asked of: a model, a program, or what its options name, under these settings.
using Asked = std::variant<Model*, Program*, Options>;

class Question {
 public:
  Question(const Asked& of, const std::string& verb, const Options& options);

  // So many rows for an option: for each name an array or a list of str, as batches take them.
  void set_columns(const std::string& option, const Fields& columns, std::size_t rows);
  // The answer or None; what is to be said beside it; and why it is not whole.
  std::tuple<std::optional<Result>, MaybeError, MaybeError> run(const ProgressFunction& progress);
  // Ends the call that another thread makes.
  void stop() const { wave_stop(get()); }
  // What it holds is given back, such as a journal.
  void close() { question_.reset(); }

  // Of a sweep: `id`, `count`, the ranges that are `open`, and the `plan` of the pass over them.
  Fields points();
  // What is found at the points begin <= i < end in the pass of a plan, for `add` of the same sweep in another process;
  // begin = end: which sweep it is.
  py::bytes compute(std::uint64_t begin, std::uint64_t end, const py::bytes& plan);
  void add(std::uint64_t begin, std::uint64_t end, const py::bytes& part);

 private:
  wave_question* get() const { return question_.get(); }

  Handle<wave_question> question_;
};

}  // namespace wave::python
