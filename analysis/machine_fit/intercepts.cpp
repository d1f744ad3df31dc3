// The lines at size 0, taken apart into latency and overheads. See builder.h.
#include "analysis/machine_fit/builder.h"
#include "analysis/machine_fit/regression.h"

#include <algorithm>
#include <cmath>

namespace wave::analysis::machine_fit {

// --- what the sums determine ---

namespace {

// An assumption is exact, so it weighs this many times as much as a measurement.
constexpr double exactness = 1e4;

constexpr std::string_view given_for_the_fit = "an assumption, given for the fit";

}  // namespace

bool Separation::plausible() const {
  if (!all_determined) return false;
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    if (values[i] < 0) return false;
  }
  return true;
}

Separation separate(const std::vector<Intercept>& intercepts, const std::vector<ProtocolKind>& protocols,
                    const std::vector<Assumption>& assumptions, bool requests_cost_overhead) {
  Separation result;
  result.names.push_back("L");
  const std::size_t eager =
      static_cast<std::size_t>(std::count(protocols.begin(), protocols.end(), ProtocolKind::eager));
  const std::size_t rendezvous = protocols.size() - eager;
  const std::size_t classes = eager + (rendezvous > 1 ? rendezvous - 1 : 0) + (eager == 0 && rendezvous > 0 ? 1 : 0);
  for (std::size_t k = 1; k <= classes; ++k)
    result.names.push_back(classes == 1 ? std::string("o") : fmt::format("o_{}", k));

  const auto unknowns = static_cast<Eigen::Index>(result.names.size());
  const auto segments = static_cast<Eigen::Index>(intercepts.size());
  result.rows = Eigen::MatrixXd::Zero(segments, unknowns);
  Eigen::Index own = 0, largest_eager = std::max<Eigen::Index>(static_cast<Eigen::Index>(eager), 1),
               further = largest_eager;
  bool first_rendezvous = true;
  for (Eigen::Index k = 0; k < segments; ++k) {
    Eigen::Index overhead = 0;
    if (protocols[static_cast<std::size_t>(k)] == ProtocolKind::eager) {
      overhead = ++own;
      result.rows(k, 0) = 1;
    } else {
      overhead = first_rendezvous ? largest_eager : ++further;
      first_rendezvous = false;
      result.rows(k, 0) = 3;
      if (requests_cost_overhead) result.rows(k, 1) += 3;
    }
    result.rows(k, overhead) += 2;
    result.overheads.push_back(result.names[static_cast<std::size_t>(overhead)]);
  }

  std::vector<std::pair<Eigen::Index, double>> assumed;
  for (const auto& one : assumptions) {
    for (Eigen::Index i = 0; i < unknowns; ++i) {
      const std::string& name = result.names[static_cast<std::size_t>(i)];
      if (name == one.name) assumed.emplace_back(i, one.value);
    }
  }
  const Eigen::Index equations = segments + static_cast<Eigen::Index>(assumed.size());
  Eigen::MatrixXd design = Eigen::MatrixXd::Zero(equations, unknowns);
  Eigen::VectorXd values(equations), weights(equations);
  design.topRows(segments) = result.rows;
  double least = intercepts.front().standard_error;
  for (Eigen::Index k = 0; k < segments; ++k) {
    const Intercept& one = intercepts[static_cast<std::size_t>(k)];
    // Times without noise still have the width of rounding, so this is never zero.
    values[k] = one.value;
    weights[k] = 1 / (one.standard_error * one.standard_error);
    least = std::min(least, one.standard_error);
  }
  for (std::size_t i = 0; i < assumed.size(); ++i) {
    const Eigen::Index row = segments + static_cast<Eigen::Index>(i);
    design(row, assumed[i].first) = 1;
    values[row] = assumed[i].second;
    weights[row] = exactness * exactness / (least * least);
  }
  const LinearFit fit = solve_linear(design, values, weights);
  result.values = fit.values;
  result.covariance = fit.unscaled_covariance;
  result.determined = fit.determined;
  result.all_determined = std::all_of(fit.determined.begin(), fit.determined.end(), [](bool one) { return one; });
  return result;
}

std::string sum_of(const Eigen::RowVectorXd& row, const std::vector<std::string>& names) {
  std::string text;
  // Overheads come first, as in the papers.
  for (Eigen::Index i = 1; i <= row.size(); ++i) {
    const Eigen::Index at = i % row.size();
    const double factor = row[at];
    if (factor == 0) continue;
    if (!text.empty()) text += " + ";
    text += factor == 1 ? names[static_cast<std::size_t>(at)]
                        : fmt::format("{} {}", factor, names[static_cast<std::size_t>(at)]);
  }
  return text;
}

// --- with and without assumptions ---

// Whether any time is left for the data of a rendezvous after three latencies and the overheads.
bool Builder::fits_rendezvous(std::size_t k, double latency, double overheads) const {
  return segment(k).line.at(fit_.parts[k].from) >= 3 * latency + overheads;
}

bool Builder::assumes(const std::vector<std::string>& names) const {
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) { return assumption(name).has_value(); });
}

void Builder::refuse_assumptions(std::string message, const std::vector<std::string>& names) {
  frontend::Diagnostic* refusal = nullptr;
  for (const auto& one : options_.assumptions) {
    if (std::find(names.begin(), names.end(), one.name) == names.end()) continue;
    if (refusal == nullptr) {
      refusal = &diagnostics_.add(frontend::DiagnosticKind::too_little_data, one.location, message, "assumed here");
    } else {
      refusal->labels.push_back({one.location, "and here"});
    }
  }
  for (const auto& known : fit_.known)
    refusal->notes.push_back(fmt::format("the times say: {} = {}", known.sum, time_text(known, options_.probability)));
  refusal->help.push_back("assume less, or nothing: the latency then contains the overheads");
}

// Takes one overhead for all messages, which is chosen and not fitted. The rest is latency, unless that is assumed,
// too.
void Builder::all_in_latency(double overhead, bool assumed) {
  const Line& line = segment(0).line;
  const double half =
      interval_factor(options_.probability, fit_.latency->degrees_of_freedom) * segment(0).standard_error.at_zero;
  if (assumed && 2 * overhead > line.at_zero + half) {
    return refuse_assumptions(
        fmt::format("an overhead of {:.6g} us at both ends is more than the {:.6g} us that an empty message takes",
                    overhead, line.at_zero),
        {"o"});
  }
  const auto given = assumed ? assumption("L") : std::nullopt;
  const double latency = given.value_or(std::max(line.at_zero - 2 * overhead, 0.0));
  if (given && latency + 2 * overhead > line.at_zero + half) {
    return refuse_assumptions(
        fmt::format("with what is assumed an empty message takes {:.6g} us, and the line of {} to {} says {:.6g} us",
                    latency + 2 * overhead, size_text(fit_.parts[0].from), size_text(fit_.parts[0].to), line.at_zero),
        {"L", "o"});
  }
  const double error = given ? 0 : segment(0).standard_error.at_zero;
  const std::string origin = assumed ? std::string(given_for_the_fit)
                                     : "a choice: the data do not tell it from L, which contains both overheads";
  add({"o", ParameterUnit::time, overhead, 0, overhead, overhead, "overhead at either end", origin, true});
  add(fitted("L", ParameterUnit::time, latency, error,
             assumed || overhead > 0 ? "latency" : "latency, with the overheads of both ends",
             given ? std::string(given_for_the_fit) : this->origin(0), location(0)));
  fit_.parameters.back().assumed = given.has_value();
  if (given && std::abs(line.at_zero - latency - 2 * overhead) > half) {
    note_step("2 o + L", latency + 2 * overhead, segment(0));
    step_of(0, line.at_zero - latency - 2 * overhead, segment(0).standard_error.at_zero);
  }
  for (std::size_t k = 0; k < count(); ++k) {
    SegmentCosts& part = fit_.parts[k];
    part.o_send = part.o_recv = "o";
    if (part.protocol == ProtocolKind::rendezvous && !fits_rendezvous(k, latency, 2 * overhead)) {
      fit_.notes.push_back(fmt::format(
          "messages from {} on take too little time for the three latencies of a handshake: they are taken for eager",
          size_text(part.from)));
      part.protocol = ProtocolKind::eager;
    }
    const double latencies = part.protocol == ProtocolKind::eager ? 1 : 3;
    if (k > 0 || part.protocol == ProtocolKind::rendezvous) {
      const double se = segment(k).standard_error.at_zero;
      step_of(k, segment(k).line.at_zero - latencies * latency - 2 * overhead, std::hypot(se, latencies * error));
    }
  }
}

void Builder::note_step(const std::string& sum, double expected, const Segment& segment) {
  fit_.notes.push_back(
      fmt::format("with what is assumed {} would be {:.6g} us, and the line of {} to {} says {:.6g} us: a step beside "
                  "the latency makes up for it",
                  sum, expected, size_text(fit_.points[segment.begin].size),
                  size_text(fit_.points[segment.end - 1].size), segment.line.at_zero));
}

// A value that is negative by no more than its error becomes zero. If an assumption contradicts the guess that there is
// a handshake, the assumption prevails.
Separation Builder::separate_with_assumptions(const std::vector<Intercept>& intercepts,
                                              std::vector<ProtocolKind>& protocols) {
  const double factor = interval_factor(options_.probability, fit_.latency->degrees_of_freedom);
  const auto attempt = [&] {
    Separation found = separate(intercepts, protocols, options_.assumptions, true);
    if (!found.all_determined || !assumes(found.names)) return found;
    for (std::size_t i = 0; i < found.names.size(); ++i) {
      const auto at = static_cast<Eigen::Index>(i);
      if (const auto given = assumption(found.names[i])) found.values[at] = *given;
      const double half = factor * std::sqrt(found.covariance(at, at));
      if (found.values[at] < 0 && found.values[at] >= -half) found.values[at] = 0;
    }
    return found;
  };
  Separation found = attempt();
  const bool guessed = options_.protocols.empty() && protocols.back() == ProtocolKind::rendezvous;
  if (!guessed || !found.all_determined || assumption("o") || !assumes(found.names)) return found;
  bool fits = found.plausible();
  for (std::size_t k = 0; k < count(); ++k) {
    const double rest = intercepts[k].value - found.rows.row(static_cast<Eigen::Index>(k)).dot(found.values);
    fits = fits && std::abs(rest) <= factor * intercepts[k].standard_error;
  }
  if (fits) return found;
  const auto before = protocols;
  std::fill(protocols.begin(), protocols.end(), ProtocolKind::eager);
  Separation eager = attempt();
  if (!eager.plausible()) {
    protocols = before;
    return found;
  }
  fit_.notes.push_back("with what is assumed, no messages can be taken to wait for their receiver");
  for (auto& part : fit_.parts) part.protocol = ProtocolKind::eager;
  return eager;
}

void Builder::keep_lines(const Separation& found) {
  const double factor = interval_factor(options_.probability, fit_.latency->degrees_of_freedom);
  for (std::size_t k = 0; k < count(); ++k) {
    const Eigen::RowVectorXd row = found.rows.row(static_cast<Eigen::Index>(k));
    const double expected = row.dot(found.values), error = segment(k).standard_error.at_zero;
    const double rest = segment(k).line.at_zero - expected;
    if (std::abs(rest) <= factor * error) continue;
    // The time that is left for the way through the network cannot be negative.
    if (rest + (k == 0 ? 0 : segment(k).line.per_byte * fit_.parts[k].from) < -factor * error) {
      return refuse_assumptions(
          fmt::format("with what is assumed {} would be {:.6g} us, and the line of {} to {} says {:.6g} us",
                      sum_of(row, found.names), expected, size_text(fit_.parts[k].from), size_text(fit_.parts[k].to),
                      segment(k).line.at_zero),
          found.names);
    }
    note_step(sum_of(row, found.names), expected, segment(k));
    step_of(k, rest, std::hypot(error, std::sqrt(std::max(row.dot(found.covariance * row.transpose()), 0.0))));
  }
}

// Where an overhead would be negative, but by no more than its error, the latency that is written contains what
// overheads there are. Its interval is that of the latency alone: the solution without the bound has it.
void Builder::widen_to_border(const Separation& found, double factor) {
  const auto half = [&](Eigen::Index i) { return factor * std::sqrt(found.covariance(i, i)); };
  double most = 0;
  for (Eigen::Index i = 0; i < found.values.size(); ++i) {
    if (found.values[i] < -half(i)) return;  // no such machine
    if (i > 0) most = std::max(most, found.values[i] + half(i));
  }
  MachineParameter& latency = *find("L");
  latency.lower = std::min(latency.lower, std::max(found.values[0] - half(0), 0.0));
  latency.upper = std::max(latency.upper, found.values[0] + half(0));
  latency.origin += "; the overheads end at their bound, 0: the interval is that of the latency without them";
  find("o")->upper = most;
}

void Builder::separate_intercepts() {
  std::vector<Intercept> intercepts;
  std::vector<ProtocolKind> protocols;
  for (std::size_t k = 0; k < count(); ++k) {
    intercepts.push_back({segment(k).line.at_zero, segment(k).standard_error.at_zero});
    protocols.push_back(fit_.parts[k].protocol);
  }
  const Separation found = separate_with_assumptions(intercepts, protocols);
  const double factor = interval_factor(options_.probability, fit_.latency->degrees_of_freedom);
  for (std::size_t k = 0; k < count(); ++k) {
    const auto row = static_cast<Eigen::Index>(k);
    const double half = factor * intercepts[k].standard_error;
    if (intercepts[k].value < 0) continue;  // no sum of times: the line is too steep to say what an empty message takes
    fit_.known.push_back({sum_of(found.rows.row(row), found.names), intercepts[k].value, intercepts[k].standard_error,
                          std::max(intercepts[k].value - half, 0.0), intercepts[k].value + half});
  }
  // If one overhead serves several lines, the first line gives the latency, and steps do the rest.
  if (!found.plausible() || (assumption("o") && count() > 1)) {
    const auto o = assumption("o");
    const bool decides = assumes(found.names);
    if (found.all_determined && !found.plausible()) {
      std::string values;
      for (std::size_t i = 0; i < found.names.size(); ++i) {
        values += fmt::format("{}{} = {:.4g} us", i == 0 ? "" : ", ", found.names[i],
                              found.values[static_cast<Eigen::Index>(i)]);
      }
      if (!o && decides) return refuse_assumptions("with what is assumed the times would need " + values, found.names);
      fit_.notes.push_back(
          fmt::format("the segments would need {}: that cannot be, so their overheads are not told apart", values));
    }
    if (!o && !options_.assumptions.empty() && !found.all_determined) {
      fit_.notes.push_back("what is assumed does not suffice to tell the other parameters apart, and is not used");
    }
    if (!o) {
      for (std::size_t i = 0; i < found.names.size(); ++i) fit_.undetermined.push_back(found.names[i]);
      // These sums hold without the guess that the segments have different protocols.
      if (found.all_determined)
        fit_.known = {
            {"2 o + L", intercepts[0].value, intercepts[0].standard_error, fit_.known[0].lower, fit_.known[0].upper}};
      if (found.all_determined) fit_.undetermined = {"L", "o"};
    }
    all_in_latency(o.value_or(0), o.has_value());
    if (!o && found.all_determined && options_.assumptions.empty()) widen_to_border(found, factor);
    return;
  }
  const bool guessed = std::count(protocols.begin(), protocols.end(), ProtocolKind::rendezvous) > 0;
  for (std::size_t i = 0; i < found.names.size(); ++i) {
    const std::string& name = found.names[i];
    const auto at = static_cast<Eigen::Index>(i);
    if (const auto given = assumption(name)) {
      add({name, ParameterUnit::time, *given, 0, *given, *given, i == 0 ? "latency" : "overhead at either end",
           std::string(given_for_the_fit), true});
      continue;
    }
    const double error = std::sqrt(found.covariance(at, at));
    MachineParameter parameter =
        fitted(name, ParameterUnit::time, found.values[at], error, i == 0 ? "latency" : "overhead at either end",
               guessed ? "from all lines at size 0, if the last ones do a handshake" : "from the lines at size 0",
               location(0));
    parameter.lower = std::max(parameter.lower, 0.0);
    add(std::move(parameter));
  }
  if (guessed) {
    fit_.requests_cost_overhead = true;
    if (options_.protocols.empty()) {
      const std::size_t first = static_cast<std::size_t>(
          std::find(protocols.begin(), protocols.end(), ProtocolKind::rendezvous) - protocols.begin());
      fit_.notes.push_back(
          fmt::format("messages from {} on are taken to wait for their receiver, since the time jumps there; handling "
                      "a request then costs "
                      "the overhead of a small message (PPoPP'99, eq (4)), which tells L from o",
                      size_text(fit_.parts[first].from)));
    }
  }
  for (std::size_t k = 0; k < count(); ++k) fit_.parts[k].o_send = fit_.parts[k].o_recv = found.overheads[k];
  if (assumes(found.names)) keep_lines(found);
}

}  // namespace wave::analysis::machine_fit
