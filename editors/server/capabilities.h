// What the server tells a client that it can do.
#pragma once

#include "editors/server/positions.h"

namespace wave::editors {

Json capabilities(Encoding encoding);

}  // namespace wave::editors
