// The module that draws files: Vega's scripts in JavaScriptCore make SVG, which librsvg and cairo turn into PNG or PDF.
//
// The engine offers the language alone, so that scripts see neither files nor a network. A drawing that comes from
// memory has no place in the file system, so that librsvg loads nothing for it.
#include "analysis/pictures/drawing/plugin.h"

#include <JavaScriptCore/JavaScript.h>
#include <cairo-pdf.h>
#include <cairo.h>
#include <chrono>
#include <cmath>
#include <jsc/jsc.h>
#include <librsvg/rsvg.h>
#include <memory>
#include <optional>

// Stops a script that does not end. This is in the library, but in none of its public headers (see
// JSContextRefPrivate.h of WebKit).
extern "C" {
using JSShouldTerminateCallback = bool (*)(JSContextRef context, void* data);
void JSContextGroupSetExecutionTimeLimit(JSContextGroupRef group, double seconds, JSShouldTerminateCallback callback,
                                         void* data);
}

namespace wave::drawing {

namespace {

using Result = std::variant<std::string, std::string>;

class String {
 public:
  explicit String(const std::string& text) : string_(JSStringCreateWithUTF8CString(text.c_str())) {}
  explicit String(JSStringRef taken) : string_(taken) {}
  ~String() { JSStringRelease(string_); }
  String(const String&) = delete;
  String& operator=(const String&) = delete;
  operator JSStringRef() const { return string_; }
  std::string text() const {
    std::string text(JSStringGetMaximumUTF8CStringSize(string_), '\0');
    const std::size_t written = JSStringGetUTF8CString(string_, text.data(), text.size());
    text.resize(written == 0 ? 0 : written - 1);
    return text;
  }

 private:
  JSStringRef string_;
};

bool stop(JSContextRef, void* stopped) {
  *static_cast<bool*>(stopped) = true;
  return true;
}

class Engine {
 public:
  explicit Engine(double seconds)
      : group_(JSContextGroupCreate()), context_(JSGlobalContextCreateInGroup(group_, nullptr)) {
    JSContextGroupSetExecutionTimeLimit(group_, seconds, stop, &stopped_);
  }
  ~Engine() {
    JSGlobalContextRelease(context_);
    JSContextGroupRelease(group_);
  }
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // What a text evaluates to, as a string. Nothing after an exception, of which `wrong` then tells.
  std::optional<std::string> run(const std::string& text) {
    JSValueRef exception = nullptr;
    const JSValueRef value = JSEvaluateScript(context_, String(text), nullptr, nullptr, 1, &exception);
    return settle(value, exception);
  }

  // Calls a function of the scripts with a string, so that no text of a model becomes text of a program.
  std::optional<std::string> call(const std::string& function, const std::string& argument) {
    JSValueRef exception = nullptr;
    const JSValueRef value = JSEvaluateScript(context_, String(function), nullptr, nullptr, 1, &exception);
    if (exception || !JSValueIsObject(context_, value)) return settle(value, exception);
    const JSValueRef given = JSValueMakeString(context_, String(argument));
    const JSObjectRef called = JSValueToObject(context_, value, nullptr);
    return settle(JSObjectCallAsFunction(context_, called, nullptr, 1, &given, &exception), exception);
  }

  std::string wrong() const { return stopped_ ? "drawing takes too long" : wrong_; }

 private:
  std::optional<std::string> settle(JSValueRef value, JSValueRef exception) {
    if (!value || exception) {
      wrong_ = exception ? text_of(exception) : "no value";
      return std::nullopt;
    }
    return text_of(value);
  }
  std::string text_of(JSValueRef value) {
    JSStringRef const string = JSValueToStringCopy(context_, value, nullptr);
    return string ? String(string).text() : "something that is no text";
  }

  JSContextGroupRef group_;
  JSGlobalContextRef context_;
  std::string wrong_;
  bool stopped_ = false;
};

// Specifications to SVG. Index 0: the drawing. Index 1: why there is none.
Result run_scripts(const Drawing& drawing) {
  // Scripts that run once are done before their compiler would begin, and without it no memory need be both writable
  // and executable.
  static const bool is_set = jsc_options_set_boolean(JSC_OPTIONS_USE_JIT, FALSE);
  static_cast<void>(is_set);
  Engine engine(drawing.seconds);
  const auto failed = [&] { return Result(std::in_place_index<1>, engine.wrong()); };
  for (const std::string& script : drawing.scripts) {
    if (!engine.run(script)) return failed();
  }
  // Promises are settled before each of these calls returns, and nothing else is waited for. So one call is enough.
  if (!engine.call("waveDraw", drawing.specification)) return failed();
  const auto done = engine.run("waveDrawing.done"), wrong = engine.run("waveDrawing.wrong"),
             svg = engine.run("waveDrawing.svg");
  if (!done || !wrong || !svg) return failed();
  if (*done != "true") return Result(std::in_place_index<1>, "the drawing was never finished");
  if (!wrong->empty()) return Result(std::in_place_index<1>, *wrong);
  return Result(std::in_place_index<0>, *svg);
}

// --- images and documents ---

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

// An SVG that is drawn, and its size in pixels.
struct Opened {
  std::unique_ptr<RsvgHandle, ObjectDeleter> handle;
  double width = 0, height = 0;
};

// Index 1: why it cannot be opened.
std::variant<Opened, std::string> open_svg(const std::string& svg) {
  GError* error = nullptr;
  Opened opened;
  opened.handle.reset(rsvg_handle_new_from_data(reinterpret_cast<const guint8*>(svg.data()), svg.size(), &error));
  if (!opened.handle) return std::get<1>(wrong(error));
  if (!rsvg_handle_get_intrinsic_size_in_pixels(opened.handle.get(), &opened.width, &opened.height))
    return "the drawing has no size";
  return opened;
}

// Draws on a surface of this size, in its units.
Result draw_on(cairo_surface_t* surface, const Opened& opened, double width, double height) {
  GError* error = nullptr;
  const std::unique_ptr<cairo_t, ContextDeleter> context(cairo_create(surface));
  const RsvgRectangle whole{0, 0, width, height};
  if (!rsvg_handle_render_document(opened.handle.get(), context.get(), &whole, &error)) return wrong(error);
  return Result(std::in_place_index<0>, "");
}

Result finished(cairo_status_t status, std::string bytes) {
  if (status != CAIRO_STATUS_SUCCESS) return wrong(cairo_status_to_string(status));
  return Result(std::in_place_index<0>, std::move(bytes));
}

// Index 0: the bytes of the file. Index 1: why there is none.
Result to_png(const Opened& opened) {
  constexpr double pixels_to_a_unit = 2;  // sharp on the screens of today, and in print at half its size
  const double width = std::ceil(opened.width * pixels_to_a_unit), height = std::ceil(opened.height * pixels_to_a_unit);
  if (!(width >= 1 && height >= 1 && width <= most_pixels_a_side && height <= most_pixels_a_side))
    return wrong("the drawing has a size that no image can have");
  const std::unique_ptr<cairo_surface_t, SurfaceDeleter> surface(
      cairo_image_surface_create(CAIRO_FORMAT_ARGB32, static_cast<int>(width), static_cast<int>(height)));
  if (auto drawn = draw_on(surface.get(), opened, width, height); drawn.index() == 1) return drawn;
  std::string bytes;
  const cairo_status_t status = cairo_surface_write_to_png_stream(surface.get(), append, &bytes);
  return finished(status, std::move(bytes));
}

// The same, as a page of the drawing's size. It has no date, so that the same drawing gives the same bytes.
Result to_pdf(const Opened& opened) {
  constexpr double points_to_a_pixel = 0.75;  // 72 and 96 to an inch
  const double width = opened.width * points_to_a_pixel, height = opened.height * points_to_a_pixel;
  std::string bytes;
  const std::unique_ptr<cairo_surface_t, SurfaceDeleter> surface(
      cairo_pdf_surface_create_for_stream(append, &bytes, width, height));
  cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATE_DATE, "");
  if (auto drawn = draw_on(surface.get(), opened, width, height); drawn.index() == 1) return drawn;
  cairo_surface_finish(surface.get());
  return finished(cairo_surface_status(surface.get()), std::move(bytes));
}

Result draw(const Drawing& drawing) {
  auto drawn = run_scripts(drawing);
  if (drawing.format == Format::svg || drawn.index() == 1) return drawn;
  const auto opened = open_svg(std::get<0>(drawn));
  if (const auto* const why = std::get_if<std::string>(&opened)) return wrong(*why);
  return drawing.format == Format::png ? to_png(std::get<Opened>(opened)) : to_pdf(std::get<Opened>(opened));
}

constexpr Plugin plugin{WAVE_PICTURES_ABI, draw};

}  // namespace

}  // namespace wave::drawing

extern "C" __attribute__((visibility("default"))) const wave::drawing::Plugin* wave_pictures_plugin() {
  return &wave::drawing::plugin;
}
