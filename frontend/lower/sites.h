// Where values may fail, and what is remembered of a place for the words of its failure; words as integers; and the end
// of what cannot be lowered.
#pragma once

#include "frontend/check/program.h"
#include "frontend/lower/lower.h"
#include "frontend/lower/parts.h"
#include "ir/operations.h"

#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace wave::frontend::lowering {

class Sites {
 public:
  Sites(const Parts& parts, std::vector<std::string>& words, SiteNotes& notes);

  [[noreturn]] void abandon(DiagnosticKind kind, Place place, const std::string& message, const std::string& label = {},
                            const std::string& help = {});
  ir::SiteId site(ir::FailureKind kind, Place place, const std::string& text = {}, std::vector<Place> related = {});
  // None for one that never fails.
  ir::SiteId site(const ir::Operation& operation, Place place, const std::string& text = {});

  SiteNote& note(ir::SiteId site) { return notes_[site.index]; }
  void note_types(ir::SiteId site, std::vector<TypeRef> types) { note(site).operands = std::move(types); }
  // The types of what the sites of an expression's place have as operands.
  void note_operands(Place place, std::vector<TypeRef> types);
  void note_table(ir::SiteId site, ir::TableId table) { note(site).table = table; }
  // The call that stands at a place; null where none has been lowered.
  void note_call(Place place, const expr::Call& call) { calls_at_.try_emplace(key(place), &call); }
  const expr::Call* call_at(Place place) const;

  // Strings are integers of the system.
  std::int64_t word(const std::string& text);
  const std::string& text_of_word(std::int64_t word) const { return words_[static_cast<std::size_t>(word)]; }

 private:
  using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
  static Key key(Place place) { return {place.file, place.begin, place.end}; }

  void find_generic_functions();
  bool in_generic_function(Place place) const;

  const Program& program_;
  ir::Builder& b_;
  Diagnostics& diagnostics_;
  std::vector<std::string>& words_;
  SiteNotes& notes_;
  std::unordered_map<std::string, std::int64_t> word_numbers_;
  std::map<Key, std::vector<TypeRef>> operands_at_;
  std::map<Key, const expr::Call*> calls_at_;
  std::vector<Place> generic_functions_;
  std::map<std::tuple<int, std::uint32_t, std::uint32_t, std::uint32_t, std::string>, ir::SiteId> sites_;
};

}  // namespace wave::frontend::lowering
