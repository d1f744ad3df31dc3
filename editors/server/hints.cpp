// Values beside the text.
#include "editors/server/features.h"

namespace wave::editors {
namespace {

std::string label_of(const Remark& remark, bool is_before) {
  if (is_before) return "before: " + remark.text;
  switch (remark.kind) {
    case Remark::Kind::value: return remark.text.starts_with("no value") ? remark.text : "= " + remark.text;
    case Remark::Kind::order:
    case Remark::Kind::message:
    case Remark::Kind::recurrence:
    case Remark::Kind::problem: break;
  }
  return remark.text;
}

// Behind the declaration of a name, or the statement; a recurrence's behind its name, since it may have many lines.
std::uint32_t end_of(const View& view, const Remark& remark) {
  const auto has_end = remark.kind == Remark::Kind::value || remark.kind == Remark::Kind::order;
  const Declaration* named = view.analysis.declaration({view.analysis.file(), remark.begin, remark.end});
  const bool is_item = has_end && named && named->kind == DeclarationKind::item;
  return is_item ? named->item->location.end : remark.end;
}

}  // namespace

Json inlay_hints(const View& view, std::uint32_t begin, std::uint32_t end) {
  Json all = Json::array();
  if (!view.values) return all;
  const auto size = static_cast<std::uint32_t>(view.analysis.text().size());
  for (const Remark& remark : view.values->remarks) {
    if (remark.is_written || remark.text.empty() || remark.end > size) continue;
    const std::uint32_t at = end_of(view, remark);
    if (at < begin || at > end) continue;
    Json hint = {{"position", view.lines.range(at, at)["start"]},
                 {"label", label_of(remark, view.values->is_before)},
                 {"paddingLeft", true}};
    if (!remark.details.empty()) hint["tooltip"] = {{"kind", "markdown"}, {"value", remark.details}};
    all.push_back(std::move(hint));
  }
  return all;
}

}  // namespace wave::editors
