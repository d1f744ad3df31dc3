// SHA-256 (FIPS 180-4): the names and checksums of cached code and of studies. Models come from anywhere, so two of
// them must not be made to share a name.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace wave {

using Digest = std::array<std::uint8_t, 32>;

Digest digest(std::string_view bytes);
std::string hexadecimal(const Digest& digest);

}  // namespace wave
