// Values while a text has errors.
#include "editors/server/values.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace wave::editors {
namespace {

// With their ends.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> all;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    all.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return all;
}

// Two texts that have lines in common at their beginnings and at their ends, as one who types leaves them.
class SameLines {
 public:
  SameLines(std::string_view before, std::string_view now) : before_(before.size()), now_(now.size()) {
    const auto old_lines = lines_of(before), new_lines = lines_of(now);
    const std::size_t most = std::min(old_lines.size(), new_lines.size());
    std::size_t first = 0, last = 0;
    while (first < most && old_lines[first] == new_lines[first]) first_ += old_lines[first++].size();
    while (first + last < most && old_lines[old_lines.size() - 1 - last] == new_lines[new_lines.size() - 1 - last])
      last_ += old_lines[old_lines.size() - 1 - last++].size();
  }

  // Where a place of the old text is in the new one, and how far it has moved. Nothing if its lines have changed.
  std::optional<std::ptrdiff_t> shift(std::uint32_t begin, std::uint32_t end) const {
    if (end <= first_) return 0;
    if (begin >= before_ - last_) return static_cast<std::ptrdiff_t>(now_) - static_cast<std::ptrdiff_t>(before_);
    return std::nullopt;
  }

 private:
  std::size_t before_, now_;
  std::size_t first_ = 0, last_ = 0;  // bytes that they have in common
};

}  // namespace

Values values_before(const Values& values, std::string_view text_before, std::string_view text) {
  const SameLines lines(text_before, text);
  Values all;
  all.is_before = true;
  const auto moved = [](std::uint32_t at, std::ptrdiff_t by) {
    return static_cast<std::uint32_t>(static_cast<std::ptrdiff_t>(at) + by);
  };
  for (Remark remark : values.remarks) {
    const auto by = lines.shift(remark.begin, std::max(remark.end, remark.until));
    if (!by || remark.kind == Remark::Kind::problem) continue;
    remark.begin = moved(remark.begin, *by);
    remark.end = moved(remark.end, *by);
    all.remarks.push_back(std::move(remark));
  }
  for (const ModelValues& model : values.models) {
    const auto by = lines.shift(model.begin, model.until);
    if (by) all.models.push_back({model.name, moved(model.begin, *by), moved(model.until, *by), model.outputs, {}});
  }
  return all;
}

}  // namespace wave::editors
