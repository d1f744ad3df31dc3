// Ranks that are threads. Their packets take time, and some ranks die.
#pragma once

#include "analysis/study/ranks/transport.h"
#include "tests/random/choices.h"

#include <chrono>
#include <deque>
#include <exception>
#include <mutex>
#include <set>
#include <vector>

namespace wave::test {

// Thrown in a rank that dies, so that it does nothing more.
struct Died : std::exception {};

class FakeNetwork {
 public:
  FakeNetwork(int size, std::uint64_t seed, std::chrono::microseconds longest_delay)
      : boxes_(static_cast<std::size_t>(size)), longest_delay_(longest_delay), choices_(seed) {}

  int size() const { return static_cast<int>(boxes_.size()); }
  // After this call, nobody notices that packets to a dead rank do not arrive.
  void deaths_are_silent() { silent_ = true; }

  bool send(int from, int to, std::string_view bytes);
  std::optional<ranks::Packet> receive(int rank);
  void die(int rank);

 private:
  struct Letter {
    std::chrono::steady_clock::time_point arrives;
    ranks::Packet packet;
  };

  std::vector<std::deque<Letter>> boxes_;
  const std::chrono::microseconds longest_delay_;
  std::mutex mutex_;
  Choices choices_;
  std::set<int> dead_;
  bool silent_ = false;
};

class FakeRank final : public ranks::Transport {
 public:
  // The rank dies when it tries to send after `letters` packets.
  FakeRank(FakeNetwork& network, int rank, std::uint64_t letters = ~std::uint64_t{0})
      : network_(network), rank_(rank), letters_(letters) {}
  int rank() const override { return rank_; }
  int size() const override { return network_.size(); }
  std::string host() const override { return "host" + std::to_string(rank_); }
  bool send(int to, std::string_view bytes) override {
    if (letters_-- == 0) {
      network_.die(rank_);
      throw Died();
    }
    return network_.send(rank_, to, bytes);
  }
  std::optional<ranks::Packet> receive() override { return network_.receive(rank_); }

 private:
  FakeNetwork& network_;
  const int rank_;
  std::uint64_t letters_;
};

}  // namespace wave::test
