// Values of parameters as `-D` takes them: `n=8`, `net.L=5 us`; and `?n=8`, which is passed over where there is no such
// parameter, and of which a string needs no quotes.
#pragma once

#include "frontend/lower/lower.h"

#include <string>
#include <vector>

namespace wave::frontend {

inline constexpr char if_there = '?';

// `n`, `net.L`.
bool is_path(const std::string& text);
bool has_parameter(const Program& program, const Item& owner, const std::string& path);

// Parsed and checked against the parameters of `owner` (a model or a machine). What is wrong is left out, with a
// diagnostic.
std::vector<Override> check_given(Program& program, const Item& owner, const std::vector<std::string>& given,
                                  Diagnostics& diagnostics);

}  // namespace wave::frontend
