// Ranks that square numbers through the module for MPI, without a model, with small and large messages.
// usage: squares POINTS BYTES-PER-POINT; rank 0 prints whether every point came once, and how many ranks there were.
#include "analysis/study/ranks/mpi_transport.h"
#include "analysis/study/ranks/team.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

using wave::PointRange;
using namespace wave::ranks;

namespace {

// A point's square, followed by as many bytes as are asked for.
std::string squares(PointRange range, std::size_t bytes_per_point) {
  std::string text(range.size() * bytes_per_point, '\0');
  for (std::uint64_t i = range.begin; i < range.end; ++i) {
    const std::uint64_t square = i * i;
    std::memcpy(text.data() + (i - range.begin) * bytes_per_point, &square, sizeof square);
    text[(i - range.begin + 1) * bytes_per_point - 1] = static_cast<char>('a' + i % 26);
  }
  return text;
}

int lead(MpiTransport& transport, std::uint64_t points, std::size_t bytes_per_point, const Work& work) {
  Leader leader(transport);
  for (const auto& objection :
       leader.gather([](std::string_view claim) { return claim == "squares" ? "" : "not squares"; })) {
    std::printf("rank %d: %s\n", objection.rank, objection.trouble.c_str());
  }
  std::map<std::uint64_t, std::uint64_t> done;
  bool right = true;
  leader.run({{0, points}}, work, [&](PointRange range, std::string_view bytes) {
    if (range.size() == 0) return true;
    right = right && done.emplace(range.begin, range.end).second && bytes == squares(range, bytes_per_point);
    return true;
  });
  std::uint64_t at = 0;
  for (const auto& [begin, end] : done) {
    right = right && begin == at;
    at = end;
  }
  const bool all_left = leader.end();
  std::printf("%s on %d ranks%s\n", right && at == points ? "all there" : "WRONG", transport.size(),
              all_left ? "" : ", not all of which left");
  std::fflush(stdout);
  transport.leave();
  return right && at == points && all_left ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const std::uint64_t points = std::strtoull(argv[1], nullptr, 10);
  const std::size_t bytes_per_point = std::strtoull(argv[2], nullptr, 10);
  if (bytes_per_point < 9) return 2;
  const auto started = start_mpi(mpi_module_path());
  if (const auto* const none = std::get_if<wave::NoPlugin>(&started)) {
    std::printf("%s\n", none->reason.c_str());
    return 1;
  }
  MpiTransport& transport = *std::get<std::unique_ptr<MpiTransport>>(started);
  const Work work{[&](PointRange range) { return squares(range, bytes_per_point); }};
  if (transport.rank() == 0) return lead(transport, points, bytes_per_point, work);
  const bool home = follow(transport, {"", "squares", ""}, work);
  transport.leave();
  return home ? 0 : 1;
}
