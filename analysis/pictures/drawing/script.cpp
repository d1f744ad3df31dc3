// See script.h. The engine offers the language alone: scripts see neither files nor a network.
#include "analysis/pictures/drawing/script.h"

#include <JavaScriptCore/JavaScript.h>
#include <chrono>
#include <cstdlib>
#include <optional>

// In the library, but in none of its public headers (JSContextRefPrivate.h of WebKit): what stops a script that does
// not end.
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

  // What a text evaluates to, as a string. Nothing after an exception, which `wrong` then tells.
  std::optional<std::string> run(const std::string& text) {
    JSValueRef exception = nullptr;
    const JSValueRef value = JSEvaluateScript(context_, String(text), nullptr, nullptr, 1, &exception);
    return settle(value, exception);
  }

  // Calls a function of the scripts with a string: no text of a model becomes text of a program.
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

}  // namespace

Result run_scripts(const Task& task) {
  // Scripts that run once are done before a compiler of theirs would have begun; no page need be writable and
  // executable. Nobody else looks at the environment meanwhile: files are drawn when evaluations, and their threads,
  // have ended.
  setenv("JSC_useJIT", "0", 0);
  Engine engine(task.seconds);
  const auto failed = [&] { return Result(std::in_place_index<1>, engine.wrong()); };
  for (const std::string& script : task.scripts) {
    if (!engine.run(script)) return failed();
  }
  // Promises are kept before each of these returns, and nothing else is waited for: one call is enough.
  if (!engine.call("waveDraw", task.specification)) return failed();
  const auto done = engine.run("waveDrawing.done"), wrong = engine.run("waveDrawing.wrong"),
             svg = engine.run("waveDrawing.svg");
  if (!done || !wrong || !svg) return failed();
  if (*done != "true") return Result(std::in_place_index<1>, "the drawing was never finished");
  if (!wrong->empty()) return Result(std::in_place_index<1>, *wrong);
  return Result(std::in_place_index<0>, *svg);
}

}  // namespace wave::drawing
