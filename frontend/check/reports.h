// What the checker says: every diagnostic once, none about what the parser has already reported.
#pragma once

#include "frontend/check/context.h"
#include "frontend/check/program.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace wave::frontend::check {

class Reports {
 public:
  Reports(const Program& program, const Context& context, Diagnostics& diagnostics)
      : program_(program), context_(context), diagnostics_(diagnostics) {}

  // Nothing is said of a declaration with a syntax error.
  Diagnostic& add(DiagnosticKind kind, Place place, std::string message, std::string label = {});
  bool is_broken(Place place) const;
  // Whether names may be missing here because of a syntax error.
  bool lacks_names() const { return context_.module && !context_.module->broken.empty(); }
  // Adds "did you mean", or what is said to one who writes a word of another language or of MPI. The names are asked
  // for the first diagnostics only, because there may be many.
  void suggest(Diagnostic& d, const std::string& word, const std::function<std::vector<std::string>()>& names);

  // A call of a function that is checked anew for the types of its arguments.
  struct GenericCall {
    const Item* function;
    Place call;
    std::string arguments;
  };
  // While such a call is checked, what is reported belongs to it as well.
  void enter(GenericCall call) { generic_calls_.push_back(std::move(call)); }
  void leave() { generic_calls_.pop_back(); }
  std::size_t generic_calls() const { return generic_calls_.size(); }

 private:
  void explain_calls(Diagnostic& d);

  const Program& program_;
  const Context& context_;
  Diagnostics& diagnostics_;
  std::set<std::string> reported_;  // kind, place and message: once is enough
  std::size_t suggestions_ = 0;
  std::vector<GenericCall> generic_calls_;  // inside each other, outermost first
};

// Adds "did you mean" and the name that is nearest to the word; false where none is near.
bool suggest_nearest(Diagnostic& d, const std::string& word, const std::vector<std::string>& names);

}  // namespace wave::frontend::check
