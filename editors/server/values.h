// What a document is worth: the values of its models, as texts, by their places.
#pragma once

#include "frontend/check/program.h"

#include <atomic>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wave::editors {

// Beside a place of the document.
struct Remark {
  enum class Kind { value, order, message, recurrence, problem };
  Kind kind{};
  std::uint32_t begin = 0, end = 0;  // of the name or the statement
  std::uint32_t until = 0;           // the end of the whole declaration; 0: `end`
  std::string text;                  // "1.3 ms", "3 full fills", "eager, 12 us"
  std::string details;               // further words in Markdown; may be empty
  bool is_written = false;           // the text says it as well
};

struct ModelValues {
  std::string name;
  std::uint32_t begin = 0;  // of its name
  std::uint32_t until = 0;  // the end of the model
  std::vector<std::pair<std::string, std::string>> outputs;
  std::map<std::string, std::string> parameters;  // by path: "n", "net.L"
};

struct TestResult {
  std::string name;
  std::uint32_t begin = 0;  // of its name
  bool has_passed = false;
  std::string message;  // why not
};

struct Values {
  std::vector<Remark> remarks;  // in the order of their places
  std::vector<ModelValues> models;
  std::vector<TestResult> tests;
  bool is_before = false;  // the text has errors, and these are of the last one that had none

  const ModelValues* model(const std::string& name) const;
  const Remark* at(std::uint32_t offset) const;  // whose place is around it, the smallest
};

struct EvaluationLimits {
  double seconds = 1;  // for a whole document
  std::size_t memory_bytes = std::size_t{4} << 30;
  double reading_seconds() const { return 10 * seconds; }  // for a text, read and checked in the background
};

// What the values of a text are beside a later one with errors: those of declarations whose lines are the same.
Values values_before(const Values& values, std::string_view text_before, std::string_view text);

// A document that is to be evaluated, apart from the server.
struct EvaluatedText {
  std::string name;
  frontend::SearchPath search;
  std::shared_ptr<const std::string> text;
  std::vector<std::string> given;  // "n=64", "net.L=5 us"; before those in comments
  std::uint64_t imports = 0;       // another number: what it imports may be other texts
};

// Evaluates one document after the other. It is used by one thread.
class Evaluator {
 public:
  explicit Evaluator(EvaluationLimits limits) : limits_(limits) {}

  // Nothing of a document with errors. May throw std::bad_alloc.
  std::optional<Values> evaluate(const EvaluatedText& document, const std::atomic<bool>& stop);
  // Where the time of a model's outputs goes, for people.
  std::string break_down(const EvaluatedText& document, const std::string& model, const std::atomic<bool>& stop);

 private:
  // False if it has errors.
  bool load(const EvaluatedText& document);
  Values values_of(const EvaluatedText& document, const std::atomic<bool>& stop);

  EvaluationLimits limits_;
  // The last document, so that only its text is read again after a key stroke.
  std::unique_ptr<frontend::Program> program_;
  std::string name_;
  std::uint64_t imports_ = 0;
};

// What messages of some sizes cost on a machine of a module, in Markdown. Empty if it cannot be evaluated.
std::string message_costs(const std::string& module, const std::string& machine, const frontend::SearchPath& search,
                          const std::string* text, EvaluationLimits limits, const std::atomic<bool>& stop);

}  // namespace wave::editors
