// See part.h.
#include "analysis/study/part.h"

#include <cstring>

namespace wave::analysis {
namespace {

// Longer texts, such as lists of what varies, are replaced by their digest: that they differ is enough.
constexpr std::size_t longest_text = 80;

std::string shortened(const std::string& text) {
  return text.size() <= longest_text ? text : hexadecimal(digest(text));
}

// What `differences` compares, but for the columns and their values.
StudyDescription in_words(const StudyDescription& study) {
  StudyDescription words;
  words.version = study.version;
  words.file = study.file;
  words.model = study.model;
  words.study = study.study;
  for (const auto& argument : study.arguments) words.arguments.push_back(shortened(argument));
  for (const auto& input : study.inputs) words.inputs.push_back({input.what, shortened(input.value)});
  words.points = 1;  // of no columns
  return words;
}

struct Head {
  StudyId study{};
  StudyDescription words;
  std::size_t length = 0;
};

std::optional<Head> read_head(std::string_view part) {
  const auto record = read_record(part, nullptr);
  if (!record || record->kind != RecordKind::description) return std::nullopt;
  Head head;
  if (record->contents.size() < head.study.size()) return std::nullopt;
  std::memcpy(head.study.data(), record->contents.data(), head.study.size());
  auto words = decode_description(record->contents.substr(head.study.size()));
  if (!words) return std::nullopt;
  head.words = std::move(*words);
  head.length = record->length;
  return head;
}

}  // namespace

std::string part_head(const StudyDescription& study) {
  const StudyId id = id_of(study);
  std::string contents(reinterpret_cast<const char*>(id.data()), id.size());
  return make_record(id, RecordKind::description, contents + encode(in_words(study)));
}

namespace {

// Nothing: it is of this study.
std::optional<PartTrouble> trouble_of(const std::optional<Head>& head, const StudyDescription& study,
                                      const StudyId& id) {
  if (!head) return PartTrouble{PartTrouble::Kind::damaged, {}};
  if (head->study == id) return std::nullopt;
  auto all = differences(head->words, in_words(study));
  if (all.empty()) all.emplace_back("what varies, or what is shown, has changed");
  return PartTrouble{PartTrouble::Kind::other_study, std::move(all)};
}

// What follows the head of this study: a record of this kind.
std::variant<Record, PartTrouble> behind_head(std::string_view part, const StudyDescription& study, const StudyId& id,
                                              RecordKind kind) {
  const auto head = read_head(part);
  if (auto trouble = trouble_of(head, study, id)) return std::move(*trouble);
  const std::string_view rest = part.substr(head->length);
  const auto record = read_record(rest, &id);
  if (!record || record->kind != kind || record->length != rest.size())
    return PartTrouble{PartTrouble::Kind::damaged, {}};
  return *record;
}

}  // namespace

std::optional<PartTrouble> trouble_of_head(std::string_view part, const StudyDescription& study, const StudyId& id) {
  const auto head = read_head(part);
  if (auto trouble = trouble_of(head, study, id)) return trouble;
  return head->length == part.size() ? std::nullopt : std::optional(PartTrouble{PartTrouble::Kind::other_points, {}});
}

std::variant<std::string_view, PartTrouble> record_of_part(std::string_view part, const StudyDescription& study,
                                                           const StudyId& id, PointRange points) {
  const auto found = behind_head(part, study, id, RecordKind::chunk);
  if (const auto* const trouble = std::get_if<PartTrouble>(&found)) return *trouble;
  const Record& record = std::get<Record>(found);
  const auto chunk = decode(record.contents);
  if (!chunk || !has_columns_of(study, *chunk)) return PartTrouble{PartTrouble::Kind::damaged, {}};
  if (chunk->range != points) return PartTrouble{PartTrouble::Kind::other_points, {}};
  return part.substr(part.size() - record.length);
}

std::string state_record(const StudyId& id, std::string_view state) {
  return make_record(id, RecordKind::state, state);
}

std::variant<std::string_view, PartTrouble> state_of_part(std::string_view part, const StudyDescription& study,
                                                          const StudyId& id, PointRange points) {
  const auto found = behind_head(part, study, id, RecordKind::state);
  if (const auto* const trouble = std::get_if<PartTrouble>(&found)) return *trouble;
  const std::string_view state = std::get<Record>(found).contents;
  ByteReader reader(state);
  const auto head = read_state_head(reader, study.points);
  if (!head) return PartTrouble{PartTrouble::Kind::damaged, {}};
  if (head->done.ranges() != std::vector<PointRange>{points}) return PartTrouble{PartTrouble::Kind::other_points, {}};
  return state;
}

}  // namespace wave::analysis
