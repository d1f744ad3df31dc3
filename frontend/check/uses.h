// What the names in the texts of a program mean: where each stands, and where what it means is declared. The checker
// notes this as it resolves them, so that nobody has to resolve them again.
#pragma once

#include "ir/location.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace wave::frontend {

struct Use {
  Location place;
  Location declared;  // of the name in its declaration; of the module's import for the name of a module
};

class Uses {
 public:
  // A place has one meaning, the last that was noted: the body of a function without parameter types is checked at each
  // of its calls. A name that is declared again (`override`) is a use of what it replaces, too.
  void add(Location place, Location declared) {
    if (!place.known() || !declared.known() || place == declared) return;
    if (files_.size() <= place.file) files_.resize(place.file + std::size_t{1});
    files_[place.file].insert_or_assign(place.begin, Use{place, declared});
  }
  void forget(std::uint32_t file) {
    if (file < files_.size()) files_[file].clear();
  }
  // Those of a file, by where they begin.
  const std::unordered_map<std::uint32_t, Use>& of(std::uint32_t file) const {
    static const std::unordered_map<std::uint32_t, Use> none;
    return file < files_.size() ? files_[file] : none;
  }

 private:
  std::vector<std::unordered_map<std::uint32_t, Use>> files_;
};

}  // namespace wave::frontend
