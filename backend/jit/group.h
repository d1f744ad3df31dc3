// The cells of a group of events: all of them, or a window of slices that moves with the outermost loop and the
// points and lines that are read from outside.
#pragma once

#include "backend/jit/runtime.h"
#include "backend/jit/word_pool.h"

#include <optional>
#include <vector>

namespace wave::jit {

// A part of an event's space that is kept: along each axis one index, or all of them.
struct KeptBox {
  std::vector<std::optional<std::int64_t>> fixed;
  std::vector<std::int64_t> stride;  // in words; 0 along fixed axes
  std::vector<Word> cells;
};

struct EventCells {
  Words words;                // all cells, or the window
  std::vector<KeptBox> kept;  // where not all cells are stored
};

// Cells of whole planes that lie in strips (backend/jit/lanes/strip_layout.h).
struct StripStorage {
  lanes::StripShape shape;  // without lanes: there are none
  std::vector<Word*> base;  // per event: plane 0, strip 0, step 0; null where only points are kept
};

// For tests: windows as small as they can be, wherever the reads allow one.
void force_windows(bool force);
bool windows_are_forced();

struct Group {
  std::vector<Word> header;  // GroupHeader
  std::vector<std::int64_t> first, last;
  std::vector<EventCells> events;
  std::vector<backend::kernels::Cells> elsewhere;  // per event, where the cells were evaluated elsewhere
  StripStorage strips;
  std::size_t bytes = 0;

  double words_of(const KeptBox& box) const;
  void lay_out(KeptBox& box) const;  // with room for its cells
};

}  // namespace wave::jit
