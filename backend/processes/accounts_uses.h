// Tells what the parts of a process's program look at, and so which of them need to be walked only once.
#pragma once

#include "ir/dependences.h"

#include <optional>
#include <set>
#include <unordered_map>

namespace wave::backend::processes {

// Of a block and everything inside it.
struct Uses {
  std::set<ir::BinderId> binders;
  bool waits = false;  // for operations in the background
};

class ProgramUses {
 public:
  // Of what is looked at:
  //   counts     what decides how many messages of which size are sent
  //   accounts   that, and what messages and computation take
  //   all        that, and what collectives take
  enum class Of : std::uint8_t { counts, accounts, all };
  ProgramUses(const ir::System& system, const ir::Process& process, const ir::FreeBinders& binders, Of of)
      : system_(system), process_(process), binders_(binders), of_(of) {}

  const Uses& of(ir::BlockId block);
  // How far from either end of an axis it may matter where on it a process is: of offsets that are constant numbers,
  // the largest. Nothing: it may matter everywhere.
  std::optional<std::int64_t> reach(std::uint32_t axis);

 private:
  struct Collector;
  const ir::System& system_;
  const ir::Process& process_;
  const ir::FreeBinders& binders_;
  Of of_;
  std::unordered_map<ir::BlockId, Uses> known_;
};

}  // namespace wave::backend::processes
