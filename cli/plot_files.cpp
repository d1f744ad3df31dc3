// See plot_files.h.
#include "cli/plot_files.h"

#include "analysis/pictures/drawing.h"
#include "cli/diagnostics.h"
#include "cli/files.h"
#include "cli/text.h"
#include "frontend/source/files.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

namespace wave::cli {
namespace {

using analysis::pictures::Plot;
using frontend::DiagnosticKind;

using Files = std::vector<std::pair<std::string, drawing::Format>>;

Files files_of(const Drawing& drawing) {
  Files files;
  for (const auto& [path, format] : {std::pair(&drawing.svg, drawing::Format::svg),
                                     {&drawing.png, drawing::Format::png},
                                     {&drawing.pdf, drawing::Format::pdf}}) {
    if (!path->empty()) files.emplace_back(*path, format);
  }
  return files;
}

// "fig-2.svg".
std::string numbered(const std::string& path, std::size_t number) {
  const std::filesystem::path file(path);
  return (file.parent_path() / fmt::format("{}-{}{}", file.stem().string(), number, file.extension().string()))
      .string();
}

// False, reported, if the file is another one that this program writes.
bool claim(Console& console, const std::string& path) {
  const std::string other = frontend::written_files().add(path, fmt::format("`{}`", path));
  if (other.empty()) return true;
  report_without_location(console, DiagnosticKind::cannot_write, fmt::format("`{}` cannot be written", path),
                          fmt::format("{} is the same file", other));
  return false;
}

}  // namespace

std::optional<int> find_misuse_of_drawing(const Drawing& drawing, Console& console) {
  const std::string files = "give a file for it: `--svg fig.svg`, `--png fig.png` or `--pdf fig.pdf`";
  if (drawing.all && !drawing.has_file())
    return report_misuse(console, "`--all-plots` draws into files, and none is named", files);
  if (drawing.style.has_size() && !drawing.has_file())
    return report_misuse(console, "a size is of a picture in a file, and none is named", files);
  if (!drawing.any() && (drawing.style.any() || !drawing.asked.of.empty()))
    return report_misuse(console, "a picture is described, and none is drawn",
                         files + "; or `--plot` for the terminal");
  for (const auto& [path, format] : files_of(drawing)) {
    if (drawing.all && is_written_through(path))
      return report_misuse(console, fmt::format("`{}` is one file, and `--all-plots` draws several", path),
                           "name a file, to whose name the numbers are added");
  }
  return std::nullopt;
}

void make_room_for_drawing(const Console& console) {
  if (!console.client()) analysis::pictures::make_room_for_drawing();
}

bool write_plot(Console& console, const Plot& plot, const std::string& path, drawing::Format format) {
  make_room_for_drawing(console);
  const auto drawn = analysis::pictures::draw_file(plot, format);
  if (drawn.index() == 1) {
    report_without_location(console, DiagnosticKind::engine_unavailable, fmt::format("`{}` cannot be drawn", path),
                            std::get<1>(drawn));
    return false;
  }
  return write_result(path, std::get<0>(drawn), console) == success;
}

bool write_plots(Console& console, const Drawing& drawing, const std::vector<Plot>& plots) {
  bool is_done = true;
  for (const auto& [path, format] : files_of(drawing)) {
    for (std::size_t i = 0; i < (drawing.all ? plots.size() : 1); ++i) {
      const std::string file = drawing.all ? numbered(path, i + 1) : path;
      is_done = (!drawing.all || claim(console, file)) && write_plot(console, plots[i], file, format) && is_done;
      if (drawing.all && is_done) console.remark(fmt::format("`{}`: {}\n", sanitize(file), sanitize(plots[i].title)));
    }
  }
  if (is_done && !drawing.all && plots.size() > 1) {
    console.remark(
        fmt::format("drawn: `{}`, the first of {} plots; `--draw` chooses another, `--all-plots` draws all\n",
                    sanitize(plots.front().title), plots.size()));
  }
  return is_done;
}

}  // namespace wave::cli
