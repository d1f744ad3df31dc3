// The exchange of two steps as a combination of their weights.
#include "backend/closed_form/interchange.h"

namespace wave::backend::closed_form {

Combination interchange(const Paths& paths, std::size_t x, std::size_t y) {
  const CellFunction &wx = *paths.along(x), &wy = *paths.along(y);
  const Places here(paths.axes.size(), 0);
  Places before_x = here, before_y = here;
  before_x[x] = before_y[y] = 1;
  Box domain = paths.box();
  domain.first[x] = domain.first[y] = 1;
  Combination result(std::move(domain));
  result.add(wy, 1, before_x);
  result.add(wx, 1, here);
  result.add(wx, -1, before_y);
  result.add(wy, -1, here);
  return result;
}

}  // namespace wave::backend::closed_form
