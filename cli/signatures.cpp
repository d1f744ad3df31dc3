// See signatures.h.
#include "cli/signatures.h"

#include <fmt/format.h>

namespace wave::cli {
namespace {

namespace item = frontend::item;
using frontend::Item;
using frontend::Place;
using frontend::Sources;

// On one line, with single spaces.
std::string one_line(std::string_view text) {
  std::string result;
  bool space = false;
  for (const char c : text) {
    const bool is_space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!is_space && space && !result.empty()) result += ' ';
    if (!is_space) result += c;
    space = is_space;
  }
  return result;
}

// Texts of declarations, cut where their bodies begin.
class Head {
 public:
  Head(const Sources& sources, const Item& item) : sources_(sources), item_(item) {}

  std::string operator()(const item::Import&) const { return whole(); }
  std::string operator()(const item::Param& p) const {
    std::string text = fmt::format("param {}", item_.name.text);
    if (p.type) text += ": " + slice(p.type->place);
    if (p.default_value) text += " = " + slice(p.default_value->place);
    if (p.has_range)
      text += fmt::format(" in {}..{}", p.lower ? slice(p.lower->place) : "", p.upper ? slice(p.upper->place) : "");
    return text;
  }
  std::string operator()(const item::Let&) const { return whole(); }
  std::string operator()(const item::Function& f) const {
    if (!f.lets.empty()) return until(f.lets.front().name.place.begin, "=");
    return f.body ? until(f.body->place.begin, "=") : whole();
  }
  std::string operator()(const item::Record&) const { return whole(); }
  std::string operator()(const item::Require&) const { return whole(); }
  std::string operator()(const item::Protocol&) const { return until_brace(); }
  std::string operator()(const item::Collective& c) const {
    if (c.has_algorithm) return until_brace();
    return whole();
  }
  std::string operator()(const item::Interface&) const { return until_brace(); }
  std::string operator()(const item::Machine&) const { return until_brace(); }
  std::string operator()(const item::Grid&) const { return whole(); }
  std::string operator()(const item::Recurrence& r) const {
    if (!r.lets.empty()) return until(r.lets.front().name.place.begin, "=");
    return r.body ? until(r.body->place.begin, "=") : whole();
  }
  std::string operator()(const item::Process&) const { return until_brace(); }
  std::string operator()(const item::Procedure&) const { return until_brace(); }
  std::string operator()(const item::Output& o) const {
    std::string text = o.value ? until(o.value->place.begin, "=") : whole();
    return o.unit ? text + " in " + o.unit->text : text;
  }
  std::string operator()(const item::Model&) const { return until_brace(); }
  std::string operator()(const item::Study&) const { return until_brace(); }
  std::string operator()(const item::Test&) const { return fmt::format("test \"{}\"", item_.name.text); }
  std::string operator()(const item::Unknown&) const { return whole(); }

 private:
  std::string slice(Place place) const { return one_line(sources_.text(place)); }
  std::string whole() const { return slice(item_.place); }

  // Up to `end`, and before the last of the characters in `stop` where one is written.
  std::string until(std::uint32_t end, std::string_view stop) const {
    auto text = sources_.text({item_.place.file, item_.place.begin, end});
    const auto at = text.find_last_of(stop);
    if (at != std::string_view::npos) text = text.substr(0, at);
    return one_line(text);
  }
  // What is written after the name and before the first brace behind it.
  std::string until_brace() const {
    const auto text = sources_.text(item_.place);
    const auto after_name = item_.name.place.end > item_.place.begin ? item_.name.place.end - item_.place.begin : 0;
    return one_line(text.substr(0, text.find('{', after_name)));
  }

  const Sources& sources_;
  const Item& item_;
};

}  // namespace

std::string signature(const Sources& sources, const Item& item) { return std::visit(Head(sources, item), item.node); }

}  // namespace wave::cli
