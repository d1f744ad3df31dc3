// Handles what is measured in addition to round trips: overheads, and the time from one message of a stream to the
// next. See builder.h.
#include "analysis/machine_fit/builder.h"
#include "analysis/machine_fit/regression.h"

#include <algorithm>
#include <cmath>

namespace wave::analysis::machine_fit {
namespace {

Overhead mean_of(const std::vector<TimedSize>& points) {
  double sum = 0, weights = 0;
  for (const auto& point : points) {
    sum += 1 / point.time;
    weights += 1 / (point.time * point.time);
  }
  Overhead result;
  result.used = points;
  result.line = {sum / weights, 0};
  double squares = 0;
  for (const auto& point : points) squares += std::pow(point.time / result.line.at_zero - 1, 2);
  const double n = static_cast<double>(points.size());
  result.degrees_of_freedom = n - 1;
  if (n > 1) result.error = result.line.at_zero * std::sqrt(squares / (n - 1) / n);
  return result;
}

}  // namespace

// A line if its slope is beyond doubt, and otherwise the mean.
Overhead Builder::overhead_of(const std::string& of, const std::vector<TimedSize>& points) {
  SegmentOptions options;
  options.segments = 1;
  options.probability = options_.probability;
  options.keep_outliers = options_.keep_outliers;
  const auto line = find_segments(points, options);
  if (!line) return mean_of(points);
  set_aside(of, *line, points);
  const Segment& segment = line->segments.front();
  std::vector<TimedSize> used;
  for (const std::size_t i : segment.used) used.push_back(points[i]);
  Overhead result = mean_of(used);
  if (line->degrees_of_freedom >= 1 && segment.lower.per_byte > 0 && segment.line.at_zero > 0) {
    result.line = segment.line;
    result.error = segment.standard_error.at_zero;
    result.error_per_byte = segment.standard_error.per_byte;
    result.degrees_of_freedom = line->degrees_of_freedom;
  }
  return result;
}

bool Builder::overheads_contain_waiting(std::size_t k) const {
  const SegmentCosts& part = fit_.parts[k];
  double share = 0;
  for (const BenchmarkMeasure end : {BenchmarkMeasure::send_overhead, BenchmarkMeasure::receive_overhead}) {
    const std::vector<TimedSize> points = points_between(*timings_.find(end), part.from, part.to);
    if (points.empty()) return false;
    std::vector<double> shares;
    for (const auto& point : points) shares.push_back(point.time / segment(k).line.at(point.size));
    share += median(std::move(shares));
  }
  return share > 1;
}

void Builder::use_overheads() {
  const Series& sends = *timings_.find(BenchmarkMeasure::send_overhead);
  const Series& receives = *timings_.find(BenchmarkMeasure::receive_overhead);
  double latency = 0, latency_error = 0;
  Overhead send, receive;
  std::string send_name, receive_name, send_per_byte, receive_per_byte;
  std::string last_send, last_receive;  // of the largest eager messages
  double largest_send = 0, largest_receive = 0;
  bool waits = false;
  for (std::size_t k = 0; k < count(); ++k) {
    SegmentCosts& part = fit_.parts[k];
    const Line& line = segment(k).line;
    const double error = segment(k).standard_error.at_zero;
    if (k > 0 && (waits || part.protocol == ProtocolKind::rendezvous || overheads_contain_waiting(k))) {
      if (!waits && part.protocol == ProtocolKind::eager) {
        fit_.notes.push_back(fmt::format(
            "from {} on the overheads of both ends are more than the whole message takes, so they contain waiting: "
            "these messages are taken to wait for their receiver",
            size_text(part.from)));
      }
      waits = true;
      part.protocol = ProtocolKind::rendezvous;
      // The measured overheads contain waiting for the other end here. So those of the largest eager messages are used.
      const double overheads = largest_send + largest_receive;
      if (!fits_rendezvous(k, latency, overheads)) {
        fit_.notes.push_back(fmt::format(
            "messages from {} on take too little time for the three latencies of a handshake: they are taken for eager",
            size_text(part.from)));
        part.protocol = ProtocolKind::eager;
      }
      const double latencies = part.protocol == ProtocolKind::eager ? 1 : 3;
      if (last_send.empty()) {
        last_send = "o_s_last";
        last_receive = "o_r_last";
        const std::string from =
            fmt::format("the overhead of the largest eager messages, {}", size_text(fit_.parts[k - 1].to));
        add(fitted(last_send, ParameterUnit::time, largest_send, 0, "overhead of sending with a handshake", from,
                   location(k - 1)));
        add(fitted(last_receive, ParameterUnit::time, largest_receive, 0, "overhead of receiving with a handshake",
                   from, location(k - 1)));
      }
      part.o_send = last_send;
      part.o_recv = last_receive;
      step_of(k, line.at_zero - latencies * latency - overheads, std::hypot(error, latencies * latency_error));
      continue;
    }
    part.protocol = ProtocolKind::eager;
    const std::vector<TimedSize> sent = points_between(sends, part.from, part.to),
                                 received = points_between(receives, part.from, part.to);
    if (sent.empty() || received.empty()) {
      if (k == 0) return separate_intercepts();
    } else {
      send = overhead_of("overhead of sending", sent);
      receive = overhead_of("overhead of receiving", received);
      // The bytes cannot cost the processors more than they cost in all.
      if (send.line.per_byte + receive.line.per_byte > line.per_byte) {
        send = mean_of(send.used);
        receive = mean_of(receive.used);
      }
      // Of the first messages nothing but latency is left beside the overheads.
      const double total = k == 0 ? line.at_zero : line.at(part.from), from = k == 0 ? 0 : part.from,
                   both = send.at(from) + receive.at(from);
      if (both > total) {
        fit_.notes.push_back(
            fmt::format("the overheads of both ends, {:.4g} us, are more than the {:.4g} us of a message of {}: they "
                        "overlap with its way, "
                        "which this machine does not have; they are made smaller in proportion",
                        both, total, size_text(from)));
        for (Overhead* one : {&send, &receive}) {
          one->line = {one->line.at_zero * total / both, 0};
          one->error *= total / both;
        }
      }
      send_name = numbered("o_s", k);
      receive_name = numbered("o_r", k);
      const std::string origin =
          fmt::format("measured by itself, {} values, {} to {}", sent.size(), size_text(part.from), size_text(part.to));
      add(fitted(send_name, ParameterUnit::time, send.line.at_zero, send.error, "overhead of sending", origin,
                 sent.front().location, send.degrees_of_freedom));
      add(fitted(receive_name, ParameterUnit::time, receive.line.at_zero, receive.error, "overhead of receiving",
                 origin, received.front().location, receive.degrees_of_freedom));
      send_per_byte = receive_per_byte = "";
      if (send.line.per_byte > 0) {
        send_per_byte = numbered("O_s", k);
        add(fitted(send_per_byte, ParameterUnit::time_per_byte, send.line.per_byte, send.error_per_byte,
                   "overhead of sending each byte", origin, sent.front().location, send.degrees_of_freedom));
      }
      if (receive.line.per_byte > 0) {
        receive_per_byte = numbered("O_r", k);
        add(fitted(receive_per_byte, ParameterUnit::time_per_byte, receive.line.per_byte, receive.error_per_byte,
                   "overhead of receiving each byte", origin, received.front().location, receive.degrees_of_freedom));
      }
      largest_send = send.at(part.to);
      largest_receive = receive.at(part.to);
    }
    part.o_send = send_name;
    part.o_recv = receive_name;
    part.o_send_per_byte = send_per_byte;
    part.o_recv_per_byte = receive_per_byte;
    const double overheads = send.line.at_zero + receive.line.at_zero;
    const double way = std::hypot(error, std::hypot(send.error, receive.error));
    if (k == 0) {
      latency = std::max(line.at_zero - overheads, 0.0);
      latency_error = way;
      add(fitted("L", ParameterUnit::time, latency, latency_error, "latency", origin(0) + ", less the overheads",
                 location(0)));
    } else {
      step_of(k, line.at_zero - overheads - latency, std::hypot(way, latency_error));
    }
    // The slope of the line contains what each byte costs the processors.
    for (auto& parameter : fit_.parameters) {
      if (parameter.name != part.per_byte) continue;
      const double processors = send.line.per_byte + receive.line.per_byte;
      parameter.value = std::max(parameter.value - processors, 0.0);
      parameter.lower = std::max(parameter.lower - processors, 0.0);
      parameter.upper = std::max(parameter.upper - processors, 0.0);
      if (processors > 0) parameter.origin += ", less the overheads";
    }
  }
}

double Builder::total_at(double size) const {
  std::size_t k = 0;
  while (k + 1 < count() && size > fit_.latency->thresholds[k].below) ++k;
  return std::max(segment(k).line.at(size), 0.0);
}

// The gap between messages has protocols of its own, so its times are cut separately.
void Builder::set_gaps() {
  const Series* series = timings_.find(BenchmarkMeasure::gap);
  if (series == nullptr) return;
  SegmentOptions options;
  options.probability = options_.probability;
  options.keep_outliers = options_.keep_outliers;
  fit_.gap_points = gaps_of(*series, [this](double size) { return total_at(size); });
  thin(fit_.gap_points, fit_);
  fit_.gap = find_segments(fit_.gap_points, options);
  if (!fit_.gap) {
    fit_.notes.push_back("the times between messages are not used: they are of fewer than three sizes");
    fit_.gap_points.clear();
    return;
  }
  const auto& segments = fit_.gap->segments;
  set_aside("the next message", *fit_.gap, fit_.gap_points);
  refuse_line_below_zero(segments.front(), "g", fit_.gap_points);
  for (std::size_t k = 0; k < segments.size(); ++k) {
    const Segment& one = segments[k];
    const std::string suffix = segments.size() == 1 ? "" : fmt::format("_{}", k + 1);
    const std::string from = "fitted to " + range_text(fit_.gap_points, one);
    const frontend::Location first = fit_.gap_points[one.used.front()].location;
    // What was taken off is as uncertain as an empty message, there and back.
    const double rest = fit_.gap_points[one.begin].share.factor - 1;
    const double error = std::hypot(one.standard_error.at_zero, 2 * rest * segment(0).standard_error.at_zero);
    MachineParameter g = fitted("g" + suffix, ParameterUnit::time, one.line.at_zero, error,
                                "gap between messages, without their bytes", from, first, one.degrees_of_freedom);
    MachineParameter per_byte =
        fitted("G_gap" + suffix, ParameterUnit::time_per_byte, one.line.per_byte, one.standard_error.per_byte,
               "gap for each byte of a stream", from, first, one.degrees_of_freedom);
    per_byte.lower = std::max(one.lower.per_byte, 0.0);
    per_byte.upper = std::max(one.upper.per_byte, 0.0);
    if (one.flat) per_byte.origin += "; the slope was not positive, so it is 0";
    fit_.gap_from.emplace_back();
    if (k > 0 && g.value < 0 && per_byte.value > 0) {
      MachineParameter& threshold = fit_.parameters.back();  // of the segment before
      begin_at_threshold(g, threshold, one);
      g.meaning = "gap after a message of " + size_text(threshold.value);
      fit_.gap_from.back() = threshold.name;
    }
    add(std::move(g));
    add(std::move(per_byte));
    if (k + 1 == segments.size()) continue;
    const Threshold& threshold = fit_.gap->thresholds[k];
    add({segments.size() == 2 ? std::string("S_gap") : fmt::format("S_gap_{}", k + 1), ParameterUnit::size,
         threshold.below, 0, threshold.lowest, threshold.highest, "the largest message with the gap before",
         fmt::format("{} and {} were measured, on either side of it", size_text(threshold.below),
                     size_text(threshold.above)),
         false});
  }
  const double way = fit_.latency->segments.back().line.per_byte, stream = segments.back().line.per_byte;
  if (stream > 0 && way > 0) {
    const double ratio = way / stream;
    const char* const verdict =
        ratio > 1.2 ? "on its way alone a byte takes longer than in a stream, as where messages are copied or cut into "
                      "pieces on the way"
        : ratio < 0.8
            ? "in a stream a byte takes longer than on its way alone: the interfaces or the receiver do not keep up"
            : "the two agree";
    fit_.notes.push_back(
        fmt::format("a byte of the largest messages takes {:.4g} us in a round trip and {:.4g} us in a stream: {}", way,
                    stream, verdict));
  }
}

}  // namespace wave::analysis::machine_fit
