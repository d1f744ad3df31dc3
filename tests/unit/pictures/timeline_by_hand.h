// A timeline made by hand: one process computes and sends, the other waits for it and goes on.
#pragma once

#include "analysis/pictures/plot.h"

namespace wave::test {

inline analysis::pictures::Plot timeline_by_hand() {
  analysis::pictures::Plot plot;
  plot.kind = analysis::pictures::Plot::Kind::timeline;
  plot.title = "What exchange does when";
  plot.by = "what";
  plot.y.name = "process";
  plot.y.categories = {"P[1]", "P[2]"};
  plot.x.name = "begin";
  plot.value.name = "end";
  plot.x.unit = plot.value.unit = "us";
  plot.series = {"compute", "wait for data"};
  plot.points = {{0, 0, 3, 0, false}, {0, 1, 8, 1, false}, {8, 1, 10, 0, false}, {11, 1, 12, 0, false}};
  plot.words = describe(plot);
  return plot;
}

}  // namespace wave::test
