// The transport of MPI. Its module is loaded here.
#pragma once

#include "analysis/study/ranks/mpi/plugin.h"
#include "analysis/study/ranks/transport.h"
#include "base/plugin.h"

#include <memory>
#include <variant>

namespace wave::ranks {

// A process can have only one, and only once.
class MpiTransport final : public Transport {
 public:
  MpiTransport(const MpiPlugin& plugin, std::string library);

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  std::string host() const override { return host_; }
  bool send(int to, std::string_view bytes) override;
  std::optional<Packet> receive() override;

  // "Open MPI v4.1.4 ..."
  const std::string& library() const { return library_; }
  // Leaves MPI together with all other ranks.
  void leave() const { plugin_.leave(); }
  // Ends all ranks, this one included.
  void end_all(int exit_code) const { plugin_.end_all(exit_code); }

 private:
  const MpiPlugin& plugin_;
  const std::string library_;
  const int rank_, size_;
  const std::string host_;
};

// Where the module should be: beside the others, or where WAVE_MPI_PLUGIN says.
std::string mpi_module_path();

// Loads the module and starts MPI.
std::variant<std::unique_ptr<MpiTransport>, NoPlugin> start_mpi(const std::string& path);

}  // namespace wave::ranks
