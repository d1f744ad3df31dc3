// How systems are made, copied and dropped. See system.h.
#include "ir/system.h"

namespace wave::ir {

System::System() = default;
System::System(const System&) = default;
System::System(System&&) noexcept = default;
System& System::operator=(const System&) = default;
System& System::operator=(System&&) noexcept = default;
System::~System() = default;

}  // namespace wave::ir
