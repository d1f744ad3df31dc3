// Colours of the terminal, or none.
#pragma once

#include <string>
#include <string_view>

namespace wave::cli {

enum class Style { error, warning, accent, secondary, strong, good };

class Palette {
 public:
  explicit Palette(bool coloured) : coloured_(coloured) {}
  std::string operator()(Style style, std::string_view text) const;

 private:
  bool coloured_;
};

}  // namespace wave::cli
