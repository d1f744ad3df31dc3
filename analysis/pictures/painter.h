// Makes a Vega-Lite specification of a plot: what all kinds of plots have in common, and a file for each kind.
#pragma once

#include "analysis/pictures/vega_lite.h"

#include <nlohmann/json.hpp>

#include <string>

namespace wave::analysis::pictures {

class Painter {
 public:
  Painter(const Plot& plot, Medium medium)
      : plot_(plot), is_page_(medium != Medium::file), fits_(medium == Medium::page) {}

  std::string paint();

 private:
  using Json = nlohmann::ordered_json;

  void paint_lines();
  Json values_of_lines() const;
  Json end_of_range(const char* field) const;
  void add_bands(Json& layers) const;
  void add_bars(Json& layers) const;
  void add_lines(Json& layers) const;
  void add_marks(Json& layers) const;
  void paint_bars();
  void paint_heat_map();
  Json side_of_map(const char* field, const PlotAxis& axis, std::vector<std::string> domain) const;
  Json colour_of_map(const AxisSpan& span) const;
  Json numbers_in_cells(const AxisSpan& span) const;
  void paint_timeline();
  Json values_of_slices(const std::vector<PlotPoint>& slices, const std::vector<std::string>& names,
                        const char* named) const;
  Json opacity_channel() const;
  void add_phases(Json& layers) const;
  void add_arrows(Json& layers) const;

  // --- colours and fonts ---

  std::string ink() const;
  std::string faint() const;
  std::string ground() const;
  std::string series_colour(std::size_t number) const;
  // Of one of several in an order, from the first colour to the last.
  std::string ramp_colour(std::size_t number, std::size_t count) const;
  Json colours() const;
  // A size in pixels that goes with the font: `usual` at its usual size.
  double scaled(double usual) const {
    return is_page_ ? usual : usual * plot_.size.font_points / PictureSize().font_points;
  }

  // --- room ---

  bool has_size() const { return !is_page_ && plot_.size.width > 0; }
  double width() const;
  double height() const;
  double drawn_width() const;
  double drawn_height() const;
  double room_of_legend() const;
  double columns_of_legend() const;
  // Of the whole picture, or of its drawing: `usual_height` where nobody gives a size.
  void set_size(double usual_height);
  // A text in as many lines as it takes in a room of so many pixels, in letters of this size. One line is a string.
  Json lines_of(const std::string& text, double room, double letters) const;

  // --- parts ---

  void add_title();
  Json axis(const PlotAxis& axis, double PlotPoint::* coordinate, double room) const;
  Json channel(const char* field, const PlotAxis& one, double PlotPoint::* coordinate, double room) const;
  Json place(const PlotAxis& axis, double value) const;
  Json series_channel() const;
  Json dash_channel() const;
  Json shape_channel() const;
  Json tooltip() const;
  // The lanes of bars and timelines.
  Json lanes(double padding_between, double padding_outside) const;
  // The number on an axis of time, without ticks of its own.
  Json plain_axis(const std::string& title, int ticks) const;
  Json config() const;

  const Plot& plot_;
  const bool is_page_;  // has its colours
  const bool fits_;     // is as wide as there is room
  double usual_height_ = 0;
  Json spec_;
};

// Writes numbers at axes as `tick_text` does.
inline constexpr const char* label_of_number =
    "datum.value != 0 && (abs(datum.value) >= 1e6 || abs(datum.value) < 1e-4) ? replace(format(datum.value, '.3~e'), "
    "'e+', 'e') : format(datum.value, '.5~r')";

}  // namespace wave::analysis::pictures
