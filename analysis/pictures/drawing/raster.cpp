// See raster.h. A drawing that comes from memory has no place in the file system, so that librsvg loads nothing for it.
#include "analysis/pictures/drawing/raster.h"

#include <cairo.h>
#include <cmath>
#include <librsvg/rsvg.h>
#include <memory>

namespace wave::drawing {

namespace {

using Result = std::variant<std::string, std::string>;

constexpr double most_pixels_a_side = 16384;

struct ErrorDeleter {
  void operator()(GError* error) const { g_error_free(error); }
};
struct ObjectDeleter {
  void operator()(void* object) const { g_object_unref(object); }
};
struct SurfaceDeleter {
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
};
struct ContextDeleter {
  void operator()(cairo_t* context) const { cairo_destroy(context); }
};

Result wrong(const std::string& why) { return Result(std::in_place_index<1>, why); }
Result wrong(GError* error) {
  const std::unique_ptr<GError, ErrorDeleter> owned(error);
  return wrong(owned ? owned->message : "the drawing cannot be rendered");
}

cairo_status_t append(void* bytes, const unsigned char* data, unsigned int length) {
  static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

}  // namespace

Result to_png(const std::string& svg, double scale) {
  GError* error = nullptr;
  const std::unique_ptr<RsvgHandle, ObjectDeleter> handle(
      rsvg_handle_new_from_data(reinterpret_cast<const guint8*>(svg.data()), svg.size(), &error));
  if (!handle) return wrong(error);
  double width = 0, height = 0;
  if (!rsvg_handle_get_intrinsic_size_in_pixels(handle.get(), &width, &height)) return wrong("the drawing has no size");
  width = std::ceil(width * scale);
  height = std::ceil(height * scale);
  if (!(width >= 1 && height >= 1 && width <= most_pixels_a_side && height <= most_pixels_a_side)) {
    return wrong("the drawing has a size that no image can have");
  }
  const std::unique_ptr<cairo_surface_t, SurfaceDeleter> surface(
      cairo_image_surface_create(CAIRO_FORMAT_ARGB32, static_cast<int>(width), static_cast<int>(height)));
  const std::unique_ptr<cairo_t, ContextDeleter> context(cairo_create(surface.get()));
  const RsvgRectangle whole{0, 0, width, height};
  if (!rsvg_handle_render_document(handle.get(), context.get(), &whole, &error)) return wrong(error);
  std::string bytes;
  const cairo_status_t status = cairo_surface_write_to_png_stream(surface.get(), append, &bytes);
  if (status != CAIRO_STATUS_SUCCESS) return wrong(cairo_status_to_string(status));
  return Result(std::in_place_index<0>, std::move(bytes));
}

}  // namespace wave::drawing
