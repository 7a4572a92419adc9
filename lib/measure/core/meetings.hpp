// meetings.hpp -- how processes learn that the recorder is in others, too.
//
// Only then may it communicate with them. A message that no recorder takes would reach the program, and a collective
// operation without all its members would never end. So each process puts a link to a common file into the archive
// before it initialises MPI. A process that must know counts the links when MPI has been initialised. They are links
// because every network file system reports their number truly when a file is opened.
//
// Calls: may block.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "defs/definitions.hpp"

namespace tarry::measure {

/// Of a world that may consist of several programs, some without the recorder. A wrapper may have removed it, and a
/// static program has no room for it. Where a launcher states that there is one program, no roll is called.
class RollCall {
 public:
  /// `archive`: the one that this process would be recorded into.
  explicit RollCall(const std::string& archive);

  bool is_called() const { return is_called_; }

  /// True if all `processes` of the world have answered. The same for all of them, once MPI_Init has returned. If not,
  /// one of them reports it; without a name for the archive, that is the one with rank 0.
  bool is_complete(std::uint64_t processes, int rank) const;

  /// All others have counted.
  void dismiss() const;

 private:
  bool is_called_ = false;
  bool is_caller_ = false;  // made the file
  std::string roll_, link_;
};

/// That processes will be spawned, while it lives. Each of them answers it before it initialises MPI.
class Announcement {
 public:
  Announcement() = default;

  /// `process` is the calling one. One that cannot be made gets no answer.
  Announcement(const std::string& archive, WorldRank process);
  Announcement(Announcement&& other) noexcept : path_(std::move(other.path_)) { other.path_.clear(); }
  Announcement& operator=(Announcement&&) = delete;
  ~Announcement();

  /// By how many processes so far.
  std::uint64_t count_answers() const;

 private:
  std::string path_;
};

/// The answers of this process, which may have been spawned, to all announcements that it finds, while they live.
class Answers {
 public:
  /// `archive`: the one that this process would be recorded into.
  explicit Answers(const std::string& archive);
  Answers(const Answers&) = delete;
  Answers& operator=(const Answers&) = delete;
  ~Answers();

  bool are_any() const { return !links_.empty(); }

 private:
  std::vector<std::string> links_;
};

/// Between two processes that MPI connects, at a port or over a socket. Each of them is recorded into this archive, or
/// not at all, and does not know what the other one is.
class Handshake {
 public:
  enum class Side { kAccepts, kConnects };

  /// This process takes no part.
  Handshake() = default;

  /// Before MPI connects them. `place`: where they meet, the same on both sides.
  Handshake(const std::string& archive, Side side, std::string_view place);
  Handshake(const Handshake&) = delete;
  Handshake& operator=(const Handshake&) = delete;
  ~Handshake();

  /// Once they are connected: true if both are recorded, which both find. Several processes may connect at one port;
  /// where some of them are not recorded, this may take seconds.
  bool is_met();

 private:
  bool accept();
  bool connect() const;
  bool is_anybody_connecting() const;
  void end();

  Side side_ = Side::kConnects;
  // Files; empty if there are none.
  std::string folder_, key_;
  std::string open_;  // of who accepts: the others find it
  std::string own_;
};

}  // namespace tarry::measure
