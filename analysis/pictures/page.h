// A report as one HTML page that needs nothing else: no network, no files, no date. The same contents give the same
// bytes.
#pragma once

#include "analysis/pictures/plot.h"
#include "analysis/pictures/table_plots.h"

#include <string>
#include <variant>
#include <vector>

namespace wave::analysis::pictures {

namespace block {
struct Words {
  std::string text;
};  // paragraphs, between empty lines
struct Facts {
  std::vector<std::pair<std::string, std::string>> of;
};  // names and what they are
struct Numbers {
  TextTable table;
  bool folded = false;
};  // folded: opened by whoever wants to see it
struct Picture {
  Plot plot;
};
struct Code {
  std::string text;
};  // as it is written
struct Remarks {
  std::vector<std::string> lines;
};  // what is wrong or left out
}  // namespace block
using Block = std::variant<block::Words, block::Facts, block::Numbers, block::Picture, block::Code, block::Remarks>;

struct PageSection {
  std::string heading;
  std::vector<Block> blocks;
};

struct Page {
  std::string title;
  std::string subtitle;
  std::string generator;  // "wave 0.1.0"
  std::vector<PageSection> sections;
};

std::string render_page(const Page& page);

}  // namespace wave::analysis::pictures
