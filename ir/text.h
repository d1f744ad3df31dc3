// Expressions, processes and the ends of their messages as text, for the printer.
#pragma once

#include "ir/system.h"

#include <functional>
#include <string>
#include <unordered_set>
#include <vector>

namespace wave::ir {

// The name of an event, with a prime if another event of its frame has the same name: the second form of a recurrence
// (ir/passes.h).
std::string event_name(const System& system, EventId event);

class ExpressionText {
 public:
  explicit ExpressionText(const System& system);

  std::string of(ValueId value);
  // In parentheses unless it is a product or binds tighter.
  std::string of_summand(ValueId value);
  std::string neighbour(const Neighbour& node) const;
  std::string levels(const std::vector<Level>& levels);
  // The lines `%12 = ...` that the text written so far refers to, once each.
  std::vector<std::string> take_shared();

 private:
  struct Visit;
  std::string write(ValueId value, int precedence);
  bool is_named(ValueId value) const;

  const System& system_;
  std::vector<std::uint8_t> uses_;
  std::vector<ValueId> pending_;
  std::unordered_set<ValueId> announced_;
  ValueId top_;  // written out even if it has a name
  std::size_t depth_ = 0;
};

// Called with the indentation and the text of each line; the text may refer to what `text` has shared.
using PrintLine = std::function<void(int, const std::string&)>;

// `process transport on P[i in 1..n, j in 1..m]` and its statements. A block that several statements share is written
// out once, and named after that.
void print_process(const System& system, const Process& process, ExpressionText& text, int indent,
                   const PrintLine& line);

// `ends net(size, local)` and its protocols.
void print_ends(const System& system, const MessageEnds& ends, ExpressionText& text, int indent, const PrintLine& line);

}  // namespace wave::ir
