// How a picture is to look, where somebody says so.
#pragma once

#include <string>

namespace wave::analysis::pictures {

// Of a picture in a file. On a page, pictures are as wide as the page and have its font.
struct PictureSize {
  double width = 0, height = 0;  // of the whole picture, in pixels of 1/96 inch; 0: what its contents need
  double font_points = 9;        // of axes and legends; a title is larger in proportion
};

// Texts in place of the usual ones, which are used where these are empty.
struct PictureTexts {
  std::string title;
  std::string x, y;  // at the axes; the unit is added
  bool any() const { return !title.empty() || !x.empty() || !y.empty(); }
};

// How several measurements of one point are drawn: as their mean with a bar, or each by itself.
enum class ErrorBars {
  deviation,  // the standard deviation of the measurements on either side of the mean
  interval,   // the 95 % confidence interval of the mean, by Student's t
  range,      // from the least to the largest
  none,       // no mean: every measurement is a point
};

}  // namespace wave::analysis::pictures
