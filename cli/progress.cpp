// See progress.h.
#include "cli/progress.h"

#include "backend/limits.h"

#include <fmt/format.h>

#include <algorithm>

namespace wave::cli {
namespace {

using Clock = std::chrono::steady_clock;

// Faster evaluations need no line, and nobody reads faster than this.
constexpr std::chrono::milliseconds patience(700), pause(200);
// What takes less is not announced unless it is asked for.
constexpr double worth_a_word = 2;

std::string rate_text(double per_second) {
  if (per_second >= 1e6) return fmt::format("{:.3g} million a second", per_second / 1e6);
  if (per_second >= 1) return fmt::format("{} a second", grouped(static_cast<std::uint64_t>(per_second)));
  return fmt::format("{:.2g} a second", per_second);
}

// Nobody needs tenths of a guess.
std::string left_text(double seconds) {
  if (seconds < 10) return fmt::format("{:.1f} s left", seconds);
  if (seconds < 120) return fmt::format("{:.0f} s left", seconds);
  return backend::duration_text(seconds) + " left";
}

}  // namespace

std::string grouped(std::uint64_t count) {
  std::string digits = fmt::format("{}", count);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, " ");
  return digits;
}

std::string plural(std::uint64_t count, const std::string& one) {
  return fmt::format("{} {}{}", grouped(count), one, count == 1 ? "" : "s");
}

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

std::string progress_text(std::string_view what, double done, double all, double seconds) {
  std::string text = fmt::format("{} of {} {}", grouped(static_cast<std::uint64_t>(done)),
                                 grouped(static_cast<std::uint64_t>(all)), what);
  if (done > 0 && seconds > 0) {
    text += fmt::format(", {}, {}", rate_text(done / seconds), left_text((all - done) * seconds / done));
  }
  return text;
}

std::string progress_bar(double part) {
  constexpr int width = 24;
  const double whole = part > 0 ? std::min(part, 1.0) : 0;
  const int filled = static_cast<int>(whole * width);
  return fmt::format("[{}{}] {:>3} %", std::string(static_cast<std::size_t>(filled), '#'),
                     std::string(static_cast<std::size_t>(width - filled), '.'), static_cast<int>(100 * whole));
}

ProgressLine::ProgressLine(Console& console, std::string what, double all)
    : console_(console), what_(std::move(what)), all_(all), next_(begin_ + patience) {}

ProgressLine::~ProgressLine() { console_.status(""); }

void ProgressLine::advance(double done) {
  if (Clock::now() < next_) return;
  next_ = Clock::now() + pause;
  console_.status(progress_bar(all_ > 0 ? done / all_ : 1) + "  " +
                  progress_text(what_, done, all_, seconds_since(begin_)));
}

EvaluationWatch::~EvaluationWatch() { console_.status(""); }

void EvaluationWatch::begin(std::string_view name, double count, std::string_view what, double seconds) {
  name_ = name;
  begin_ = Clock::now();
  next_ = begin_ + patience;
  const bool shown = always_ || (console_.is_watched() && seconds >= worth_a_word);
  if (!shown) return;
  const std::string time = seconds > 0 ? fmt::format(", about {}", backend::duration_text(seconds)) : "";
  console_.remark(fmt::format("{}: {} {}{}\n", name, backend::count_text(count), what, time));
}

void EvaluationWatch::advance(double part) {
  if (Clock::now() < next_) return;
  next_ = Clock::now() + pause;
  const double seconds = seconds_since(begin_);
  const std::string left = part > 0 ? ", " + left_text((1 - part) * seconds / part) : "";
  console_.status(fmt::format("{}: {:.0f} %{}", name_, 100 * part, left));
}

}  // namespace wave::cli
