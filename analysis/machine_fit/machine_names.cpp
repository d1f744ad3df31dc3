// See machine_names.h.
#include "analysis/machine_fit/machine_names.h"

#include "base/utf8.h"
#include "frontend/parse/printer.h"
#include "frontend/parse/units.h"

#include <algorithm>
#include <cstddef>
#include <set>

namespace wave::analysis::machine_fit {
namespace {

// No control character and no byte-order mark, and nothing that turns the direction of writing or cannot be seen.
bool is_printable(char32_t c) {
  const auto between = [&](char32_t first, char32_t last) { return c >= first && c <= last; };
  return c >= 0x20 && !between(0x7F, 0x9F) && c != 0x061C && !between(0x200B, 0x200F) && !between(0x2028, 0x202E) &&
         !between(0x2060, 0x206F) && c != 0xFEFF;
}

}  // namespace

std::string harmless(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const auto [c, length] = first_code_point(text);
    if (length > 0 && is_printable(c))
      result += text.substr(0, length);
    else
      result += '?';
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result;
}

std::string quoted(std::string_view text) { return frontend::quote(harmless(text)); }

std::string machine_name_of(std::string_view file) {
  const std::size_t folder = file.find_last_of('/');
  if (folder != std::string_view::npos) file.remove_prefix(folder + 1);
  if (file.size() > 5 && file.substr(file.size() - 5) == ".wave") file.remove_suffix(5);
  std::string name;
  bool start = true;
  for (const char c : file) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'), digit = c >= '0' && c <= '9';
    if (!letter && !(digit && !name.empty())) {
      start = true;
      continue;
    }
    name += start && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    start = false;
  }
  if (name.empty()) return "Fitted";
  return is_machine_name(name) ? name : name + "Machine";
}

bool is_machine_name(std::string_view name) {
  static const std::set<std::string_view> taken = {"NW", "NE", "SW", "SE", "EagerRendezvous", "EagerRendezvousWithGap"};
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  if (name.empty() || !(name.front() >= 'A' && name.front() <= 'Z') || taken.count(name) > 0 ||
      frontend::find_unit(name) != nullptr)
    return false;
  return std::all_of(name.begin(), name.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '_'; });
}

}  // namespace wave::analysis::machine_fit
