// See machine_text.h.
#include "analysis/machine_fit/machine_text.h"

#include "analysis/machine_fit/benchmark_names.h"
#include "analysis/machine_fit/builder.h"
#include "analysis/machine_fit/machine_names.h"
#include "base/text.h"
#include "frontend/format/quantities.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace wave::analysis::machine_fit {

std::string_view unit_of(ParameterUnit dimension) {
  switch (dimension) {
    case ParameterUnit::time: return "us";
    case ParameterUnit::time_per_byte: return "us/B";
    case ParameterUnit::size: return "B";
    case ParameterUnit::plain: return "";
  }
  return "";
}

namespace {

constexpr std::size_t widest_line = 120;

// As many digits as are significant: two of the error, and at most twelve in all.
std::string number_text(double value, double error) {
  if (value == 0) return "0";
  if (!(error > 0)) return fmt::format("{:.12g}", value);
  const int first = static_cast<int>(std::floor(std::log10(std::abs(value))));
  const int last = static_cast<int>(std::floor(std::log10(error))) - 1;
  return fmt::format("{:.{}g}", value, std::clamp(first - last + 1, 2, 12));
}

// A literal of the language has digits before an exponent, and no `+` in it.
std::string literal(double value, double error, std::string_view unit) {
  std::string text = number_text(value, error);
  const std::size_t plus = text.find("e+");
  if (plus != std::string::npos) text.erase(plus + 1, 1);
  if (unit.empty()) return text;
  return fmt::format("{} {}", text, unit);
}

std::string_view type_of(ParameterUnit dimension) {
  switch (dimension) {
    case ParameterUnit::time: return "time";
    case ParameterUnit::time_per_byte: return "time/data";
    case ParameterUnit::size: return "data";
    case ParameterUnit::plain: return "real";
  }
  return "";
}

// Writes a comment of one paragraph, broken between words.
void comment(std::string& out, std::string_view indent, std::string_view first, std::string_view text) {
  const std::string start = fmt::format("{}/// {}", indent, first);
  const std::string further = fmt::format("{}/// {}", indent, std::string(first.size(), ' '));
  std::string line = start;
  bool fresh = true;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    if (!fresh && line.size() + 1 + word.size() > widest_line) {
      out += line + "\n";
      line = further;
      fresh = true;
    }
    if (!fresh) line += ' ';
    line += word;
    fresh = false;
    at = end + 1;
  }
  out += line + "\n";
}

class MachineWriter {
 public:
  MachineWriter(const MachineFit& fit, const Provenance& provenance) : fit_(fit), provenance_(provenance) {}

  std::string write();

 private:
  void write_documentation();
  void write_parameters();
  void write_functions();
  void write_gap();
  void write_collective(const CollectiveFit& one, bool in_machine);
  std::string choose(const std::string& name, const std::vector<std::string>& values) const;
  std::string files(bool with_digests) const;
  std::string percent() const { return fmt::format("{:g} %", 100 * fit_.probability); }

  const MachineFit& fit_;
  const Provenance& provenance_;
  std::string out_;
};

std::string MachineWriter::files(bool with_digests) const {
  std::string text;
  for (std::size_t i = 0; i < provenance_.files.size(); ++i) {
    text += fmt::format("{}\"{}\"", text.empty() ? "" : ", ", harmless(provenance_.files[i]));
    if (with_digests && i < provenance_.digests.size()) text += fmt::format(" (SHA-256 {})", provenance_.digests[i]);
  }
  return text;
}

void MachineWriter::write_documentation() {
  std::string& out = out_;
  if (fit_.latency) {
    std::size_t used = 0, outliers = 0, ambiguous = 0;
    for (const auto& segment : fit_.latency->segments) {
      used += segment.used.size();
      outliers += segment.outliers.size();
      ambiguous += segment.ambiguous.size();
    }
    comment(out, "", "",
            fmt::format("Fitted to {} measured times of messages of {} to {}.", fit_.points.size(),
                        size_text(fit_.points.front().size), size_text(fit_.points.back().size)));
    out += "///\n";
    comment(out, "", "- ", fmt::format("Data: {}, by {}.", files(true), join_texts(provenance_.tools, ", ")));
    comment(
        out, "", "- ",
        fmt::format("Times used: {}; left out: {}, and {} that may belong to either of two segments. Noise: {}.", used,
                    frontend::counted(outliers, "outlier"), ambiguous, noise_text(*fit_.latency, fit_.noise)));
    for (std::size_t k = 0; k < fit_.parts.size(); ++k) {
      const Segment& segment = fit_.latency->segments[k];
      comment(out, "", "- ",
              fmt::format("{} to {}, {}: {:.5g} us + {:.5g} us/B * s; residuals: rms {}, largest {}.",
                          size_text(fit_.parts[k].from), size_text(fit_.parts[k].to), name_of(fit_.parts[k].protocol),
                          segment.line.at_zero, segment.line.per_byte, percent_text(segment.rms),
                          percent_text(segment.largest)));
    }
    comment(out, "", "- ",
            fmt::format("After `±` stands the standard error, in the source the {} interval.", percent()));
    comment(out, "", "- ", "Every byte counts, s * G. Overhead does not overlap latency.");
    if (!fit_.undetermined.empty()) {
      comment(out, "", "- ",
              fmt::format("The data do not tell {} apart. They say:", join_texts(fit_.undetermined, ", ")));
      for (const auto& one : fit_.known)
        comment(out, "", "  ", fmt::format("{} = {}.", one.sum, time_text(one, fit_.probability)));
    }
    for (const auto& note : fit_.notes) comment(out, "", "- ", fmt::format("Note: {}.", harmless(note)));
    out += "///\n";
    comment(out, "", "",
            fmt::format("Valid for messages of {} to {}, one at a time{}. Contention, copies of unexpected messages "
                        "and messages inside a node are left out; "
                        "buffers are without bounds.",
                        size_text(fit_.points.front().size), size_text(fit_.points.back().size),
                        fit_.gap ? ", or one after the other" : "; the time between two messages is left out"));
  }
}

void MachineWriter::write_parameters() {
  for (const auto& one : fit_.parameters) out_ += parameter_text(one, fit_.probability);
  const bool waits = std::any_of(fit_.parts.begin(), fit_.parts.end(),
                                 [](const SegmentCosts& one) { return one.protocol == ProtocolKind::rendezvous; });
  if (waits) {
    out_ +=
        "  /// A `send` with a handshake is over when its bytes have left.\n"
        "  override param blocks: at_once | until_sent = until_sent\n"
        "    from \"MPI_Send returns when its buffer may be used again\"\n";
  }
}

// The value for the segment that a message belongs to: `when { s <= S_1: a; s <= S_2: b; else: c }`.
std::string MachineWriter::choose(const std::string& name, const std::vector<std::string>& values) const {
  std::size_t last = values.size() - 1;  // the first of those at the end that are the same
  while (last > 0 && values[last - 1] == values.back()) --last;
  if (last == 0) return values.front();
  std::string text = "when { ";
  for (std::size_t k = 0; k <= last; ++k) {
    if (k == last)
      text += fmt::format("else: {} }}", values[k]);
    else
      text += fmt::format("s <= {}: {}; ",
                          name.empty() ? fit_.parts[k].threshold
                                       : fmt::format("{}{}", name, values.size() == 2 ? "" : fmt::format("_{}", k + 1)),
                          values[k]);
  }
  return text;
}

// Bytes count from a size on.
std::string linear_text(const std::string& constant, const std::string& per_byte, const std::string& from = {}) {
  const std::string size = from.empty() ? "s" : fmt::format("(s - {})", from);
  const std::string bytes = per_byte.empty() ? "" : fmt::format("{} * {}", size, per_byte);
  if (constant.empty()) return bytes.empty() ? "0" : bytes;
  return bytes.empty() ? constant : fmt::format("{} + {}", constant, bytes);
}

void MachineWriter::write_functions() {
  const auto& parts = fit_.parts;
  const bool sends_alike = std::all_of(parts.begin(), parts.end(), [](const SegmentCosts& one) {
    return one.o_send == one.o_recv && one.o_send_per_byte == one.o_recv_per_byte;
  });
  std::vector<std::string> transfer, send, receive;
  for (const auto& part : parts) {
    transfer.push_back(linear_text(part.step, part.per_byte, part.step_from));
    send.push_back(linear_text(part.o_send, part.o_send_per_byte));
    receive.push_back(linear_text(part.o_recv, part.o_recv_per_byte));
  }
  std::string at_once = "true";
  for (std::size_t k = 0; k < parts.size(); ++k) {
    if (parts[k].protocol != ProtocolKind::rendezvous) continue;
    at_once = k == 0 ? "false" : fmt::format("s <= {}", parts[k - 1].threshold);
    break;
  }
  out_ += "\n";
  out_ += fmt::format("  override fn at_once(s: data, within: level): bool = {}\n", at_once);
  out_ += "  override fn latency(within: level): time = L\n";
  out_ += fmt::format("  override fn transfer(s: data, within: level): time = {}\n", choose("", transfer));
  out_ += fmt::format("  override fn o_send(s: data, within: level): time = {}\n", choose("", send));
  if (!sends_alike)
    out_ += fmt::format("  override fn o_recv(s: data, within: level): time = {}\n", choose("", receive));
  if (fit_.requests_cost_overhead)
    out_ += fmt::format("  override fn o_control(within: level): time = {}\n", parts.front().o_send);
}

void MachineWriter::write_gap() {
  if (!fit_.gap) return;
  const std::size_t count = fit_.gap->segments.size();
  std::vector<std::string> gaps;
  for (std::size_t k = 0; k < count; ++k) {
    const std::string suffix = count == 1 ? "" : fmt::format("_{}", k + 1);
    gaps.push_back(linear_text("g" + suffix, "G_gap" + suffix, fit_.gap_from[k]));
  }
  out_ += fmt::format("  override fn gap(s: data, within: level): time = {}\n", choose("S_gap", gaps));
}

bool is_identifier(std::string_view name) {
  static const std::set<std::string_view> taken = {"p",    "s",   "L",   "log2", "if",    "then",
                                                   "else", "max", "min", "fn",   "param", "let"};
  if (name.empty() || taken.count(name) > 0 || !(std::isalpha(static_cast<unsigned char>(name.front())) != 0))
    return false;
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; });
}

// Whether it is written as the operation of std.comm.
bool is_member(const CollectiveFit& one) {
  return is_operation_of_machines(one.operation) && (one.sized || one.operation == "barrier");
}

std::string function_name(const CollectiveFit& one, std::size_t number) {
  return "time_of_" + (is_identifier(one.operation) ? one.operation : "collective_" + std::to_string(number));
}

void MachineWriter::write_collective(const CollectiveFit& one, bool in_machine) {
  static const std::set<std::string> rooted_from = {"broadcast", "scatter"}, rooted_to = {"reduce", "gather"};
  const std::string indent = in_machine ? "  " : "";
  // What a model may ask of every machine has a fixed form. A barrier has no size.
  const bool member = in_machine && is_member(one);
  const bool sized = member ? one.operation != "barrier" : one.sized;
  const std::string name =
      member ? one.operation : function_name(one, static_cast<std::size_t>(&one - fit_.collectives.data()) + 1);
  out_ += "\n";
  comment(out_, indent, "",
          fmt::format("{} on {} to {} processes{}: {} measured times; residuals: rms {}, largest {}. The form is "
                      "chosen by a criterion.",
                      is_identifier(one.operation) ? "`" + one.operation + "`" : harmless(quoted(one.operation)),
                      one.processes.front(), one.processes.back(),
                      one.sized ? fmt::format(", {} to {}", size_text(one.from), size_text(one.to)) : std::string(),
                      one.points, percent_text(one.rms), percent_text(one.largest)));
  std::string intervals;
  for (const auto& term : one.terms) {
    intervals += fmt::format("{}{} to {}", intervals.empty() ? "" : ", ", literal(term.lower, term.standard_error, ""),
                             literal(term.upper, term.standard_error, term.per_byte ? "us/B" : "us"));
  }
  if (one.exponent)
    intervals += fmt::format(", exponent {} to {}", literal(one.exponent->lower, one.exponent->standard_error, ""),
                             literal(one.exponent->upper, one.exponent->standard_error, ""));
  comment(out_, indent, "", fmt::format("With {}: {}. One process alone exchanges nothing.", percent(), intervals));
  const char* const root = rooted_from.count(one.operation) > 0 ? " from root"
                           : rooted_to.count(one.operation) > 0 ? " to root"
                                                                : "";
  const std::string parameters = sized ? "(s: data, p: int)" : "(p: int)";
  const std::string head = member ? fmt::format("collective {}{}{}: time =", name, root, parameters)
                                  : fmt::format("fn {}{}: time =", name, parameters);
  out_ += fmt::format("{}{}\n{}  if p > 1 then max({}, 0) else 0\n", indent, head, indent, formula_text(one));
}

std::string MachineWriter::write() {
  out_ += fmt::format("/// Fitted to {} by `wave fit`.\n", files(false));
  out_ += fmt::format("// {}\n// version {}\n", harmless(provenance_.command), harmless(provenance_.version));
  out_ += "wave 1\n";
  if (!fit_.latency) {
    for (const auto& one : fit_.collectives) write_collective(one, false);
    return std::move(out_);
  }
  const char* const base = fit_.gap ? "EagerRendezvousWithGap" : "EagerRendezvous";
  out_ += fmt::format("import std.protocols {{ {} }}\n\n", base);
  write_documentation();
  out_ += fmt::format("machine {} extends {} {{\n", provenance_.name, base);
  write_parameters();
  write_functions();
  write_gap();
  for (const auto& one : fit_.collectives) write_collective(one, true);
  out_ += "}\n";
  return std::move(out_);
}

}  // namespace

std::string parameter_text(const MachineParameter& parameter, double probability) {
  const MachineParameter& one = parameter;
  std::string text;
  comment(text, "  ", "",
          fmt::format("{}{}", static_cast<char>(std::toupper(one.meaning.front())), one.meaning.substr(1)) + ".");
  std::string source = one.origin;
  if (one.standard_error > 0) {
    source += fmt::format("; {:g} % {} to {}", 100 * probability, literal(one.lower, one.standard_error, ""),
                          literal(one.upper, one.standard_error, unit_of(one.dimension)));
  }
  return text + fmt::format("  param {}: {} = {} in 0 {}..\n    from {}\n", one.name, type_of(one.dimension),
                            quantity_text(one), unit_of(one.dimension), quoted(source));
}

std::string machine_text(const MachineFit& fit, const Provenance& provenance) {
  return MachineWriter(fit, provenance).write();
}

std::string quantity_text(const MachineParameter& parameter) {
  const std::string_view unit = unit_of(parameter.dimension);
  // A value that follows from fits, without an error of its own, has no more digits than they have.
  const bool derived =
      parameter.standard_error == 0 && !parameter.assumed && parameter.dimension != ParameterUnit::size;
  std::string text =
      literal(parameter.value, derived ? std::abs(parameter.value) * 1e-5 : parameter.standard_error, unit);
  if (parameter.standard_error > 0)
    text += fmt::format(" ± {}", literal(parameter.standard_error, parameter.standard_error, unit));
  return text;
}

std::string use_text(const CollectiveFit& fit, bool in_machine) {
  if (in_machine && is_member(fit)) {
    const std::string arguments = fit.operation == "barrier" ? "()" : "(s)";
    return fmt::format("used by `{}{}` of a process that runs on this machine, and by `net.{}` in a formula",
                       fit.operation, arguments, fit.operation);
  }
  if (!is_identifier(fit.operation)) return "no statement of a process uses it";
  return fmt::format("no statement of a process uses it; a formula may call `{}`", function_name(fit, 0));
}

std::string formula_text(const CollectiveFit& fit) {
  const auto grown = [&](const Term& term) -> std::string {
    switch (term.growth) {
      case Term::Growth::constant: return "";
      case Term::Growth::logarithm: return " * log2(p)";
      case Term::Growth::linear: return " * p";
      case Term::Growth::power:
        return fmt::format(" * p ^ {}", literal(fit.exponent->value, fit.exponent->standard_error, ""));
    }
    return "";
  };
  std::string start, bytes;
  for (const auto& term : fit.terms) {
    std::string& sum = term.per_byte ? bytes : start;
    const bool minus = term.coefficient < 0;
    if (!sum.empty())
      sum += minus ? " - " : " + ";
    else if (minus)
      sum += "-";
    sum += literal(std::abs(term.coefficient), term.standard_error, term.per_byte ? "us/B" : "us") + grown(term);
  }
  if (bytes.empty()) return start;
  return fmt::format("{}({}) * s", start.empty() ? "" : start + " + ", bytes);
}

}  // namespace wave::analysis::machine_fit
