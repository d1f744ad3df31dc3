// See mpi_transport.h.
#include "analysis/study/ranks/mpi_transport.h"

#include <algorithm>
#include <vector>

namespace wave::ranks {
namespace {

// How long to wait for the rest of a message whose head has come.
constexpr double patience_seconds = 60;

// "Open MPI v4.1.4, package: Debian OpenMPI, ident: ..." up to the first comma; some have several lines.
std::string short_name(const std::string& version) { return version.substr(0, version.find_first_of(",\n")); }

}  // namespace

MpiTransport::MpiTransport(const MpiPlugin& plugin, std::string library)
    : plugin_(plugin), library_(std::move(library)), rank_(plugin.rank()), size_(plugin.size()), host_(plugin.host()) {}

bool MpiTransport::send(int to, std::string_view bytes) { return plugin_.send(to, bytes.data(), bytes.size()) == 0; }

std::optional<Packet> MpiTransport::receive() {
  Packet packet;
  std::size_t count = 0;
  // An error is no message: who is gone is known by their silence.
  if (plugin_.probe(&packet.from, &count) != 1) return std::nullopt;
  packet.bytes.reserve(std::max<std::size_t>(count, 64));  // not within the string itself: see below
  packet.bytes.resize(count);
  if (plugin_.receive(packet.bytes.data(), count, patience_seconds) == 0) return packet;
  // The sender died while it sent. MPI may still write to the bytes, so they have to stay.
  static std::vector<std::string> given_up;
  given_up.push_back(std::move(packet.bytes));
  return std::nullopt;
}

std::string mpi_module_path() { return plugin_path("WAVE_MPI_PLUGIN", "libwave-mpi.so"); }

std::variant<std::unique_ptr<MpiTransport>, NoPlugin> start_mpi(const std::string& path) {
  // Not RTLD_LOCAL: an MPI library opens modules of its own, which look for its symbols.
  const auto loaded =
      load_plugin<MpiPlugin>(path, mpi_plugin_symbol, WAVE_MPI_ABI, "the MPI module", RTLD_GLOBAL | RTLD_NOW);
  if (const auto* const none = std::get_if<NoPlugin>(&loaded)) return *none;
  const MpiPlugin& plugin = *std::get<const MpiPlugin*>(loaded);
  const char* version = "";
  if (const char* const trouble = plugin.start(&version))
    return NoPlugin{false, std::string("MPI does not start: ") + trouble};
  return std::make_unique<MpiTransport>(plugin, short_name(version));
}

}  // namespace wave::ranks
