// See machine_tables.h.
#include "analysis/machine_fit/machine_tables.h"

#include "analysis/machine_fit/builder.h"
#include "analysis/machine_fit/machine_text.h"

#include <cmath>

namespace wave::analysis::machine_fit {
namespace {

constexpr double microsecond = 1e6;  // in base units

Cell count_cell(std::size_t number) { return static_cast<std::int64_t>(number); }

}  // namespace

std::string term_text(const Term& term) {
  static constexpr std::string_view growths[] = {"1", "log2(p)", "p", "p^c"};
  const std::string growth(growths[static_cast<std::size_t>(term.growth)]);
  if (!term.per_byte) return growth;
  return term.growth == Term::Growth::constant ? "s" : growth + " s";
}

RowTable parameters_table(const std::vector<MachineParameter>& parameters) {
  RowTable made{"parameters",
                "",
                {{"name", text_type(), {}},
                 {"value", plain_type(), {}},
                 {"unit", text_type(), {}},
                 {"standard_error", plain_type(), {}},
                 {"lower", plain_type(), {}},
                 {"upper", plain_type(), {}},
                 {"meaning", text_type(), {}},
                 {"from", text_type(), {}}},
                {}};
  for (const auto& one : parameters) {
    made.rows.push_back({one.name, one.value, std::string(unit_of(one.dimension)), one.standard_error, one.lower,
                         one.upper, one.meaning, one.origin});
  }
  return made;
}

RowTable parameters_table(const InterfaceFit& fit) {
  std::vector<MachineParameter> all;
  for (const auto& place : fit.places) {
    for (auto& one : parameters_of(place)) all.push_back(std::move(one));
  }
  RowTable made = parameters_table(all);
  made.name = "numbers";
  made.doc = "of each class, as the machine has them";
  return made;
}

RowTable segments_table(const MachineFit& fit) {
  RowTable made{"segments",
                "",
                {{"of", text_type(), {}},
                 {"from", data_type(), {}},
                 {"to", data_type(), {}},
                 {"protocol", text_type(), {}},
                 {"at_zero", plain_type(), {}},
                 {"at_zero_error", plain_type(), {}},
                 {"per_byte", plain_type(), {}},
                 {"per_byte_error", plain_type(), {}},
                 {"points", count_type(), {}},
                 {"ambiguous", count_type(), {}},
                 {"wild", count_type(), {}},
                 {"rms", plain_type(), {}},
                 {"largest", plain_type(), {}}},
                {}};
  const auto add = [&](const std::string& of, const Segmentation& found, const std::vector<TimedSize>& points,
                       const std::vector<SegmentCosts>* parts) {
    for (std::size_t k = 0; k < found.segments.size(); ++k) {
      const Segment& one = found.segments[k];
      made.rows.push_back({of, points[one.begin].size, points[one.end - 1].size,
                           parts ? std::string(name_of((*parts)[k].protocol)) : "", one.line.at_zero,
                           one.standard_error.at_zero, one.line.per_byte, one.standard_error.per_byte,
                           count_cell(one.used.size()), count_cell(one.ambiguous.size()),
                           count_cell(one.outliers.size()), one.rms, one.largest});
    }
  };
  if (fit.latency) add("latency", *fit.latency, fit.points, &fit.parts);
  if (fit.gap) add("gap", *fit.gap, fit.gap_points, nullptr);
  return made;
}

RowTable thresholds_table(const MachineFit& fit) {
  RowTable made{"thresholds",
                "",
                {{"of", text_type(), {}},
                 {"below", data_type(), {}},
                 {"above", data_type(), {}},
                 {"lower", data_type(), {}},
                 {"upper", data_type(), {}}},
                {}};
  const auto add = [&](const std::string& of, const Segmentation& found) {
    for (const Threshold& one : found.thresholds)
      made.rows.push_back({of, one.below, one.above, one.lowest, one.highest});
  };
  if (fit.latency) add("latency", *fit.latency);
  if (fit.gap) add("gap", *fit.gap);
  return made;
}

RowTable known_table(const MachineFit& fit) {
  RowTable made{"known",
                "",
                {{"sum", text_type(), {}},
                 {"value", plain_type(), {}},
                 {"standard_error", plain_type(), {}},
                 {"lower", plain_type(), {}},
                 {"upper", plain_type(), {}}},
                {}};
  for (const Combination& one : fit.known)
    made.rows.push_back({one.sum, one.value, one.standard_error, one.lower, one.upper});
  return made;
}

RowTable terms_table(const MachineFit& fit) {
  RowTable made{"terms",
                "",
                {{"operation", text_type(), {}},
                 {"term", text_type(), {}},
                 {"coefficient", plain_type(), {}},
                 {"unit", text_type(), {}},
                 {"standard_error", plain_type(), {}},
                 {"lower", plain_type(), {}},
                 {"upper", plain_type(), {}}},
                {}};
  for (const CollectiveFit& one : fit.collectives) {
    for (const Term& term : one.terms)
      made.rows.push_back({one.operation, term_text(term), term.coefficient, std::string(term.per_byte ? "us/B" : "us"),
                           term.standard_error, term.lower, term.upper});
    if (one.exponent)
      made.rows.push_back({one.operation, std::string("c"), one.exponent->value, std::string(),
                           one.exponent->standard_error, one.exponent->lower, one.exponent->upper});
  }
  return made;
}

RowTable machine_table(const std::string& tool, const std::string& text) {
  return record_table("machine", {{{"tool", text_type(), {}}, tool}, {{"text", text_type(), {}}, text}});
}

RowTable collectives_table(const MachineFit& fit) {
  RowTable made{"collectives",
                "",
                {{"operation", text_type(), {}},
                 {"formula", text_type(), {}},
                 {"points", count_type(), {}},
                 {"rms", plain_type(), {}},
                 {"largest", plain_type(), {}}},
                {}};
  for (const auto& one : fit.collectives) {
    made.rows.push_back(
        {one.operation, formula_text(one), static_cast<std::int64_t>(one.points), one.rms, one.largest});
  }
  return made;
}

RowTable classes_table(const InterfaceFit& fit) {
  const auto rate = std::make_shared<const frontend::Type>(frontend::Type{frontend::types::Real{{1, -1, 0}}});
  RowTable made{"classes",
                "the last of k pairs: L + max(s G, q (g + s G_N)), q = k / servers, rounded up",
                {{"within", text_type(), {}},
                 {"from", data_type(), {}},
                 {"to", data_type(), {}},
                 {"L", time_type(), {}},
                 {"G", rate, {}},
                 {"g", time_type(), {}},
                 {"G_N", rate, {}},
                 {"servers", count_type(), {}},
                 {"points", count_type(), {}},
                 {"rms", text_type(), {}},
                 {"largest", text_type(), {}}},
                {}};
  for (const auto& place : fit.places) {
    for (const auto& one : place.classes) {
      made.rows.push_back({place.level.empty() ? "none" : place.level, one.from, one.to,
                           one.at_zero.value * microsecond, one.per_byte.value * microsecond,
                           one.gap.value * microsecond, one.gap_per_byte.value * microsecond,
                           std::int64_t{place.servers}, static_cast<std::int64_t>(one.points), percent_text(one.rms),
                           percent_text(one.largest)});
    }
  }
  return made;
}

RowTable replay_table(const Replay& replay) {
  RowTable made{"replayed",
                "the benchmarks, run on this machine; `off`: by more than three standard deviations",
                {{"benchmark", text_type(), {}},
                 {"on", text_type(), {}},
                 {"size", data_type(), {}},
                 {"measured", plain_type(), {}},
                 {"replayed", plain_type(), {}},
                 {"unit", text_type(), {}},
                 {"error", text_type(), {}},
                 {"mark", text_type(), {}}},
                {}};
  for (const auto& one : replay.times) {
    constexpr double finest = 5e-5;
    made.rows.push_back({one.benchmark, one.on, one.size, one.printed(one.measured), one.printed(one.replayed),
                         std::string(one.unit()),
                         std::abs(one.error()) < finest ? "0 %" : fmt::format("{:+.2g} %", 100 * one.error()),
                         std::string(one.is_off() ? "off" : "")});
  }
  return made;
}

RowTable set_aside_table(const std::vector<WildTime>& wild, const frontend::Sources& sources) {
  RowTable made{"set_aside",
                "too far from the rest to be noise",
                {{"file", text_type(), {}},
                 {"line", count_type(), {}},
                 {"of", text_type(), {}},
                 {"on", text_type(), {}},
                 {"size", data_type(), {}},
                 {"time", time_type(), {}},
                 {"expected", time_type(), {}}},
                {}};
  for (const auto& one : wild) {
    const auto place = sources.line_column(one.location.file, one.location.begin);
    made.rows.push_back({sources.name(one.location.file), std::int64_t{place.line}, one.of, one.on, one.size,
                         one.time * microsecond, one.expected * microsecond});
  }
  return made;
}

RowTable notes_table(const std::vector<std::string>& notes, const std::vector<std::string>& remarks) {
  RowTable made{"notes", "", {{"note", text_type(), {}}}, {}};
  for (const auto* const all : {&notes, &remarks}) {
    for (const auto& note : *all) made.rows.push_back({note});
  }
  return made;
}

}  // namespace wave::analysis::machine_fit
