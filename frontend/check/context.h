// Where the checker stands: the item that is being checked, and what is known around it. Its parts share one context.
// They are classes in names.h, expressions.h and declarations.h; each lists as its members the others that it asks.
#pragma once

#include "frontend/check/members.h"
#include "frontend/check/type_tools.h"
#include "frontend/source/diagnostics.h"

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace wave::frontend {
struct Program;
struct SearchPath;
}  // namespace wave::frontend

namespace wave::frontend::check {

// Where an expectation comes from: "`W` is declared as `time` here".
using Why = Label;

struct LocalName {
  std::string name;
  TypeRef type;
  Location location;
  bool follows_index = false;  // whether its value differs between the processes of a grid
  mutable bool read = false;
  const Item* function = nullptr;  // a function given to a parameter without a type, to be checked at its calls
  bool of_sweep = false;           // `tile` or `corner`, which nobody wrote there: it must not hide anything
};

// The local names around, the innermost last, and those of a name without a look through all.
class Locals {
 public:
  void push_back(LocalName local) {
    named_[local.name].push_back(all_.size());
    all_.push_back(std::move(local));
  }
  void shrink_to(std::size_t size) {
    for (; all_.size() > size; all_.pop_back()) {
      const auto named = named_.find(all_.back().name);
      named->second.pop_back();
      if (named->second.empty()) named_.erase(named);
    }
  }
  std::size_t size() const { return all_.size(); }
  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }
  LocalName& back() { return all_.back(); }
  const LocalName& back() const { return all_.back(); }
  // The innermost local of this name among the first `count`, or null.
  const LocalName* find(const std::string& name, std::size_t count) const {
    const auto named = named_.find(name);
    if (named == named_.end()) return nullptr;
    const auto after = std::ranges::lower_bound(named->second, count);
    return after == named->second.begin() ? nullptr : &all_[*(after - 1)];
  }
  // The outermost local of this name that the text declares, or null.
  const LocalName* find_declared(const std::string& name) const {
    const auto named = named_.find(name);
    if (named == named_.end()) return nullptr;
    for (const std::size_t at : named->second) {
      if (all_[at].location.known()) return &all_[at];
    }
    return nullptr;
  }
  // How many locals are around this one, which is one of these.
  std::size_t around(const LocalName& local) const { return static_cast<std::size_t>(&local - all_.data()); }

 private:
  std::vector<LocalName> all_;
  std::unordered_map<std::string, std::vector<std::size_t>> named_;  // places in all_, growing
};

// The surroundings in which a process, a procedure or the algorithm of a collective is checked.
struct ProcessContext {
  enum class Kind { process, procedure, algorithm } kind{};
  const Item* grid_item = nullptr;  // null for an own grid, as `on R[r: p]`
  std::string grid;
  Location grid_location;  // where it is declared
  std::vector<std::string> axes;
  bool grid_known = true;
  TypeRef net;                              // null if there is none, or if it is not known here
  const Item* without_protocols = nullptr;  // a machine that cannot carry messages
  std::vector<Identifier> handles, waits;
  bool in_sweep = false;
  enum class Tasks { none, listed, inside };
  Tasks tasks = Tasks::none;               // whether the present statement is in a list of tasks, or in one of them
  std::vector<Location> index_conditions;  // the conditions on indices around the present statement
};

struct RecurrenceContext {
  const Item* item = nullptr;
  std::vector<std::string> axes;
};

struct Context {
  const Module* module = nullptr;
  const Item* owner = nullptr;  // the machine, model or interface around, or null
  Item* item = nullptr;
  Locals locals;
  ProcessContext* process = nullptr;
  RecurrenceContext* recurrence = nullptr;
  bool in_study = false;
  struct Varied {
    std::string name;
    TypeRef type;
    Location declared;  // of the parameter, or of what has no name but the study's
  };
  std::vector<Varied> varied;  // by the study
  bool in_override = false;    // in a `-D` value, where the names of std are in scope
};

// Leaves the present item for another one, or for a module as a whole, and comes back.
class ContextSwitch {
 public:
  ContextSwitch(Context& context, const Item& item);
  ContextSwitch(Context& context, const Module& module);
  ~ContextSwitch() { context_ = std::move(saved_); }
  ContextSwitch(const ContextSwitch&) = delete;
  ContextSwitch& operator=(const ContextSwitch&) = delete;

 private:
  Context& context_;
  Context saved_;
};

// Locals declared after this are forgotten at its end.
class LocalScope {
 public:
  explicit LocalScope(Context& context) : locals_(context.locals), size_(locals_.size()) {}
  ~LocalScope() { locals_.shrink_to(size_); }
  LocalScope(const LocalScope&) = delete;
  LocalScope& operator=(const LocalScope&) = delete;

 private:
  Locals& locals_;
  std::size_t size_;
};

Item& mutable_item(const Item& item);
Why declared_as(const std::string& name, Location location, const TypeRef& type);  // "`L` is declared as `time` here"

// The parts of the checker. Each takes from here those that it asks.
class Reports;
class Dependences;
class Names;
class Types;
class Expressions;
class Collections;
class References;
class Calls;
class Functions;
class Declarations;
class Machines;
class Processes;
class Studies;
struct Parts {
  Context& context;
  Reports& reports;
  Dependences& dependences;
  Names& names;
  Types& types;
  Expressions& expressions;
  Collections& collections;
  References& references;
  Calls& calls;
  Functions& functions;
  Declarations& declarations;
  Machines& machines;
  Processes& processes;
  Studies& studies;
};

// What the checker reports: every diagnostic once, and none about what the parser has already reported.
class Reports {
 public:
  Reports(const Program& program, const Context& context, Diagnostics& diagnostics)
      : program_(program), context_(context), diagnostics_(diagnostics) {}

  // Reports nothing about a declaration with a syntax error.
  Diagnostic& add(DiagnosticKind kind, Location location, std::string message, std::string label = {});
  bool is_broken(Location location) const;
  // Whether names may be missing here because of a syntax error.
  bool lacks_names() const { return context_.module && !context_.module->broken.empty(); }
  // Adds "did you mean", or the help for those who write a word of another language or of MPI. Only the first
  // diagnostics ask for the names, because there may be many.
  void suggest(Diagnostic& d, const std::string& word, const std::function<std::vector<std::string>()>& names);
  // The same for a name that stands by itself: a word of MPI or of another language says what there is instead.
  void answer(Diagnostic& d, const std::string& word, const std::function<std::vector<std::string>()>& names);

  // A call of a function that is checked again for the types of its arguments.
  struct GenericCall {
    const Item* function;
    Location call;
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
  std::set<std::string> reported_;              // by kind, location and message: once is enough
  std::size_t suggestions_ = 0, compared_ = 0;  // names that were suggested, and those that they were looked for among
  std::vector<GenericCall> generic_calls_;      // inside each other, outermost first
};

}  // namespace wave::frontend::check
