// Checks that a system keeps the rules that the engines rely on.
#pragma once

#include "ir/system.h"

#include <functional>
#include <string>
#include <vector>

namespace wave::ir {

// The rules that are broken, one line each; empty for a system that engines accept. The checks are: ids are in range
// and no node is its own operand; types fit; what a value refers to is visible in its frame; binders are bound where
// they are looked at; `Neighbour` and `quantize` stand only in event bodies, on the event's own space and with an
// offset per axis; events of constraints are real; tables are filled and have rising keys. Every operand of every node,
// and every value of events, roots, processes and ends has the type that its place asks for: places, counts, indices,
// numbers and tags are integers, sizes and times are real, conditions are boolean.
std::vector<std::string> verify(const System& system);

// Throws a std::logic_error that lists them, if there are any: whoever made such a system has a bug, and engines would
// take the bits of one type for another. Every system that is lowered goes through it, in all builds.
void require_valid(const System& system);

// --- its parts, for verify.cpp only ---

// Whether every id refers to something. Nothing else may look at a system before that.
std::vector<std::string> verify_ids(const System& system);

// Types of operands and results, sites where an operation can fail, tables.
std::vector<std::string> verify_types(const System& system);

// Ids and shapes of every process and of all ends. Nothing else may look at them before that. A block does not contain
// itself, peers have a coordinate for each axis, and signals and resources are those of their protocol.
std::vector<std::string> verify_process_ids(const System& system);

// The types of what statements and steps hold, and sites where they can fail.
std::vector<std::string> verify_process_types(const System& system);

// Calls `walk` with every value of a process and the binders that are bound where it stands, statement by statement.
using WalkValue = std::function<void(ValueId, const std::vector<BinderId>&)>;
void walk_process(const System& system, const Process& process, const WalkValue& walk);

}  // namespace wave::ir
