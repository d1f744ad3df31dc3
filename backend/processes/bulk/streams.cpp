// See streams.h.
#include "backend/processes/bulk/streams.h"

#include "backend/processes/bulk/streaming.h"
#include "backend/processes/claimed.h"
#include "backend/processes/thresholds.h"

#include <algorithm>

namespace wave::backend::processes {

StreamedSweeps::StreamedSweeps(Setting setting) : setting_(std::move(setting)) {}
StreamedSweeps::~StreamedSweeps() { forget(); }

bool StreamedSweeps::add(const std::shared_ptr<const SweepPiece>& piece, const std::vector<bool>& rising) {
  const auto [known, is_new] = known_.try_emplace({piece.get(), rising});
  if (is_new) {
    const std::size_t operations = piece->body.operations.size();
    const std::size_t all = operations_ + operations;
    if (operations > most_operations_of_streamed_tile || all > most_operations_of_streams) return false;
    setting_.claim(static_cast<std::int64_t>(operations * bytes_of_streamed_operation));
    operations_ = all;
    known->second = StreamPiece::of(piece, rising, setting_.grid, kinds_);
  }
  pieces_.push_back(known->second);
  return known->second && pieces_.size() < most_pieces_of_streams;
}

void StreamedSweeps::forget() {
  setting_.claim(-static_cast<std::int64_t>(operations_ * bytes_of_streamed_operation));
  operations_ = 0;
  pieces_.clear();
  kinds_.clear();
  known_.clear();
}

bool StreamedSweeps::run() {
  const bool is_done = run_pieces();
  forget();
  return is_done;
}

bool StreamedSweeps::run_pieces() {
  const auto groups_of = [&](const StreamKind& kind) {
    return setting_.levels.sharers(setting_.system[kind.resource.first], kind.resource.second);
  };
  Streaming::Sharing sharing;
  for (const StreamKind& kind : kinds_) (kind.on_arrival ? sharing.on_arrival : sharing.by_program) = groups_of(kind);
  // Those who are asked alike are shared alike, and nobody is asked in both ways.
  const bool is_simple = std::ranges::all_of(kinds_, [&](const StreamKind& kind) {
    const StreamKind other{kind.resource, !kind.on_arrival};
    return groups_of(kind) == (kind.on_arrival ? sharing.on_arrival : sharing.by_program) &&
           std::ranges::find(kinds_, other) == kinds_.end();
  });
  if (!is_simple) return false;
  std::vector<std::vector<std::int64_t>> offsets;
  for (const auto& [key, piece] : known_) piece->add_offsets(offsets);
  const Directions directions(setting_.grid, std::move(offsets));
  if (directions.count() > Directions::most) return false;
  const Claimed claimed(setting_.claim, static_cast<std::int64_t>(directions.bytes()));
  for (const auto& [key, piece] : known_) {
    if (!piece->number(directions)) return false;
  }
  return Streaming(setting_, pieces_, kinds_, directions).run(sharing);
}

}  // namespace wave::backend::processes
