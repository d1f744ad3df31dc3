// What times of several pairs do not tell: ties it to what they tell, and says so. See interface_steps.h.
#include "analysis/machine_fit/builder.h"
#include "analysis/machine_fit/interface_steps.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace wave::analysis::machine_fit {

std::string where_of(const PlaceFit& place) {
  return place.level.empty() ? "between nodes" : fmt::format("within a {}", place.level);
}

namespace {

// The class nearest to one that lacks something, of those that have it: the one of larger messages if two are as near.
template <typename Has>
const PairClass* nearest(const std::vector<PairClass>& classes, std::size_t k, const Has& has) {
  for (std::size_t steps = 1; steps < classes.size(); ++steps) {
    if (k + steps < classes.size() && has(classes[k + steps])) return &classes[k + steps];
    if (k >= steps && has(classes[k - steps])) return &classes[k - steps];
  }
  return nullptr;
}

std::string sizes_of(const PairClass& one) { return fmt::format("{} to {}", size_text(one.from), size_text(one.to)); }

// What a process alone leaves in a stream. Where an interface bounds every stream, the process is as fast as that.
void complete_stream(PlaceFit& place, std::size_t k, const std::vector<PairClass>& fitted, const std::string& where,
                     std::vector<std::string>& notes) {
  PairClass& one = place.classes[k];
  if (one.own_gap.told || one.own_gap_per_byte.told) return;
  const PairClass* other = nearest(fitted, k, [](const PairClass& any) { return any.own_gap_per_byte.told; });
  if (one.has_streams || !other) {
    one.own_gap.value = one.gap.value;
    one.own_gap_per_byte.value = one.gap_per_byte.value;
    if (one.has_streams)
      notes.push_back(
          fmt::format("{}, {}: what is shared bounds all streams, so that p and P of a process are at most about g "
                      "and G_N: they are written as these",
                      where, sizes_of(one)));
    return;
  }
  one.own_gap.value = other->own_gap.value;
  one.own_gap_per_byte.value = other->own_gap_per_byte.value;
  notes.push_back(
      fmt::format("{}, {}: there are no streams, so p and P are those of {}", where, sizes_of(one), sizes_of(*other)));
}

// A class without times of single messages, or of one number of pairs, is completed by another one.
void complete(PlaceFit& place, const std::string& where, std::vector<std::string>& notes) {
  const std::vector<PairClass> fitted = place.classes;
  for (std::size_t k = 0; k < fitted.size(); ++k) {
    PairClass& one = place.classes[k];
    const PairClass* single = nearest(fitted, k, [](const PairClass& other) { return other.at_zero.told; });
    if (!one.at_zero.told && single) {
      one.at_zero.value = single->at_zero.value;
      one.per_byte.value = single->per_byte.told ? single->per_byte.value : single->gap_per_byte.value;
      notes.push_back(fmt::format("{}, {}: there are no times of single messages, so L and G are those of {}", where,
                                  sizes_of(one), sizes_of(*single)));
    }
    const PairClass* several = nearest(fitted, k, [](const PairClass& other) { return other.several_pairs; });
    if (!one.several_pairs && several) {
      one.gap.value = several->gap.value;
      one.gap_per_byte.value = several->gap_per_byte.value;
      notes.push_back(fmt::format("{}, {}: one number of pairs was measured, so g and G_N are those of {}", where,
                                  sizes_of(one), sizes_of(*several)));
    }
    complete_stream(place, k, fitted, where, notes);
  }
}

}  // namespace

void tie(PlaceFit& place, std::vector<std::string>& notes) {
  const std::string where = where_of(place);
  const bool one_count = place.pairs.size() < 2;
  if (one_count) {
    notes.push_back(
        fmt::format("{}: times of {} pair{} at once alone do not tell what is shared: all is taken for "
                    "the pair's own",
                    where, place.pairs.front(), place.pairs.front() == 1 ? "" : "s"));
  } else if (!place.servers_told) {
    notes.push_back(
        fmt::format("{}: with {} pairs alone, r servers do what one does that is r times as fast: one is "
                    "written",
                    where, join_texts(place.pairs, " and ")));
  }
  for (PairClass& one : place.classes) {
    const std::string sizes = fmt::format("{}, {}", where, sizes_of(one));
    constexpr double alarming = 0.25;
    if (one.largest > alarming)
      notes.push_back(fmt::format("{}: some times are {:.0f} % off: these numbers are a poor description of them",
                                  sizes, 100 * one.largest));
    if (one.at_zero.told && !one.per_byte.told) {
      one.per_byte.value = one.gap_per_byte.value;
      notes.push_back(
          fmt::format("{}: the interface bounds all of them, so that a pair's own G is at most about "
                      "G_N: it is written as G_N",
                      sizes));
    }
    if (one.several_pairs && !one.gap.told && !one.gap_per_byte.told)
      notes.push_back(fmt::format("{}: nothing shared bounds them, so g and G_N are written as 0", sizes));
  }
  complete(place, where, notes);
}

// Says where some of the pairs take as long as all of them, though longer than a few: their processes fill interfaces
// one after the other (socket by socket, rail by rail), and a resource of the node cannot have that.
void note_filling(const PlaceFit& place, const std::vector<PairTime>& points, std::vector<std::string>& notes) {
  constexpr double longer = 1.4, no_longer = 1.1;
  std::map<std::pair<bool, double>, std::map<int, double>> curves;  // of a size: the times over the pairs
  for (const PairTime& one : points) curves[{one.stream, one.size}][one.pairs] = one.time;
  std::map<int, std::size_t> level_from;  // numbers of pairs from which on times grow no more, and at how many sizes
  std::size_t grow = 0;
  for (const auto& [of, times] : curves) {
    const auto [most, last] = *times.rbegin();
    if (times.size() < 3 || last < longer * times.begin()->second) continue;
    ++grow;
    for (const auto& [pairs, time] : times) {
      if (pairs <= most / 2 && last < no_longer * time) {
        ++level_from[pairs];
        break;
      }
    }
  }
  for (const auto& [pairs, sizes] : level_from) {
    if (2 * sizes <= grow || sizes < fewest_sizes) continue;
    notes.push_back(
        fmt::format("{}: at {} of {} sizes {} pairs take as long as {}, and longer than {}, as where processes fill "
                    "interfaces one after the other, {} each (socket by socket, say). The machine has one interface "
                    "for all of them, which is too fast for up to {} pairs, or too slow for more: `--pairs` with "
                    "numbers up to {} fits one of the interfaces",
                    where_of(place), sizes, grow, pairs, place.pairs.back(), place.pairs.front(), pairs, pairs, pairs));
    return;
  }
}

}  // namespace wave::analysis::machine_fit
