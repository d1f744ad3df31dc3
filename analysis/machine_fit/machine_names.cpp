// Names of files and of machines, in texts that are programs. See machine_text.h.
#include "analysis/machine_fit/machine_text.h"
#include "frontend/parse/units.h"

#include <algorithm>
#include <set>

namespace wave::analysis::machine_fit {
namespace {

// Bytes of the well-formed UTF-8 sequence at the front; 0 where there is none.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  const std::size_t length = lead < 0x80                   ? 1
                             : lead >= 0xC2 && lead < 0xE0 ? 2
                             : lead >= 0xE0 && lead < 0xF0 ? 3
                             : lead >= 0xF0 && lead < 0xF5 ? 4
                                                           : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  if ((lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xED && byte(1) >= 0xA0) || (lead == 0xF0 && byte(1) < 0x90) ||
      (lead == 0xF4 && byte(1) >= 0x90))
    return 0;
  return length;
}

bool is_printable(std::string_view character) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(character[i]); };
  if (character.size() == 1) return byte(0) >= 0x20 && byte(0) != 0x7F;
  if (character.size() == 2 && byte(0) == 0xC2 && byte(1) < 0xA0) return false;   // C1 controls
  if (character.size() == 2 && byte(0) == 0xD8 && byte(1) == 0x9C) return false;  // the Arabic letter mark
  if (character.size() == 3 && byte(0) == 0xE2 && byte(1) == 0x80)
    return !(byte(2) >= 0x8B && byte(2) <= 0x8F) && !(byte(2) >= 0xA8 && byte(2) <= 0xAE);
  if (character.size() == 3 && byte(0) == 0xE2 && byte(1) == 0x81) return !(byte(2) >= 0xA0 && byte(2) <= 0xAF);
  if (character.size() == 3 && byte(0) == 0xEF && byte(1) == 0xBB && byte(2) == 0xBF)
    return false;  // a byte-order mark
  return true;
}

}  // namespace

std::string harmless(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(length, 1));
    if (length > 0 && is_printable(character))
      result += character;
    else
      result += '?';
    text.remove_prefix(character.size());
  }
  return result;
}

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : harmless(text)) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

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
