// See signatures.h.
#include "frontend/format/signatures.h"

#include <fmt/format.h>

namespace wave::frontend {
namespace {

// Texts of declarations, cut where their bodies begin.
class Head {
 public:
  Head(const Sources& sources, const Item& item) : sources_(sources), item_(item) {}

  std::string operator()(const item::Import&) const { return whole(); }
  std::string operator()(const item::Param& p) const {
    std::string text = fmt::format("param {}", item_.name.text);
    if (p.type) text += ": " + slice(p.type->location);
    if (p.default_value) text += " = " + slice(p.default_value->location);
    if (p.has_range)
      text +=
          fmt::format(" in {}..{}", p.lower ? slice(p.lower->location) : "", p.upper ? slice(p.upper->location) : "");
    return text;
  }
  std::string operator()(const item::Let&) const { return whole(); }
  std::string operator()(const item::Function& f) const {
    if (!f.lets.empty()) return until(f.lets.front().name.location.begin, "=");
    return f.body ? until(f.body->location.begin, "=") : whole();
  }
  std::string operator()(const item::Record&) const { return whole(); }
  std::string operator()(const item::Require&) const { return whole(); }
  std::string operator()(const item::Protocol&) const { return until_brace(); }
  std::string operator()(const item::Levels&) const { return whole(); }
  std::string operator()(const item::Resource&) const { return whole(); }
  std::string operator()(const item::Collective& c) const {
    if (c.has_algorithm) return until_brace();
    return whole();
  }
  std::string operator()(const item::Interface&) const { return until_brace(); }
  std::string operator()(const item::Machine&) const { return until_brace(); }
  std::string operator()(const item::Grid&) const { return whole(); }
  std::string operator()(const item::Recurrence& r) const {
    if (!r.lets.empty()) return until(r.lets.front().name.location.begin, "=");
    return r.body ? until(r.body->location.begin, "=") : whole();
  }
  std::string operator()(const item::Process&) const { return until_brace(); }
  std::string operator()(const item::Procedure&) const { return until_brace(); }
  std::string operator()(const item::Output& o) const {
    std::string text = o.value ? until(o.value->location.begin, "=") : whole();
    return o.unit ? text + " in " + o.unit->text : text;
  }
  std::string operator()(const item::Model&) const { return until_brace(); }
  std::string operator()(const item::Study&) const { return until_brace(); }
  std::string operator()(const item::Test&) const { return fmt::format("test \"{}\"", item_.name.text); }
  std::string operator()(const item::Unknown&) const { return whole(); }

 private:
  std::string slice(Location location) const { return one_line(sources_.text(location)); }
  std::string whole() const { return slice(item_.location); }

  // Up to `end`, and before the last of the characters in `stop` where one is written.
  std::string until(std::uint32_t end, std::string_view stop) const {
    auto text = sources_.text({item_.location.file, item_.location.begin, end});
    const auto at = text.find_last_of(stop);
    if (at != std::string_view::npos) text = text.substr(0, at);
    return one_line(text);
  }
  // What is written after the name and before the first brace behind it.
  std::string until_brace() const {
    const auto text = sources_.text(item_.location);
    const auto after_name =
        item_.name.location.end > item_.location.begin ? item_.name.location.end - item_.location.begin : 0;
    return one_line(text.substr(0, text.find('{', after_name)));
  }

  const Sources& sources_;
  const Item& item_;
};

}  // namespace

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

std::string signature(const Sources& sources, const Item& item) { return std::visit(Head(sources, item), item.node); }

}  // namespace wave::frontend
