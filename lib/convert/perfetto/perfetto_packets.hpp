// perfetto_packets.hpp -- packets of Perfetto's trace format, with its public field numbers.
#pragma once

#include <cstdint>
#include <string>

#include "base/files/file.hpp"
#include "convert/perfetto/protobuf_writer.hpp"

namespace tarry {

namespace perfetto {

/// Field numbers of Perfetto's messages.
namespace trace {
enum : std::uint32_t { kPacket = 1 };
}
namespace packet {
enum : std::uint32_t { kTimestamp = 8, kSequence = 10, kTrackEvent = 11, kInterned = 12, kFlags = 13, kTrack = 60 };
}
namespace track {
enum : std::uint32_t { kUuid = 1, kName = 2, kProcess = 3, kThread = 4, kParent = 5, kCounter = 8 };
}
namespace process {
enum : std::uint32_t { kPid = 1, kName = 6 };
}
namespace thread {
enum : std::uint32_t { kPid = 1, kTid = 2, kName = 5 };
}
namespace interned {
enum : std::uint32_t { kEventNames = 2, kAnnotationNames = 3, kAnnotationTexts = 29, kIid = 1, kName = 2 };
}
namespace event {
enum : std::uint32_t {
  kAnnotation = 4,
  kType = 9,
  kNameIid = 10,
  kTrack = 11,
  kName = 23,
  kCounterValue = 30,
  kDoubleValue = 44,
  kFlow = 47,
  kFlowEnd = 48
};
enum : std::uint32_t { kBegin = 1, kEnd = 2, kInstant = 3, kCounter = 4 };
}  // namespace event
namespace counter {
enum : std::uint32_t { kUnitName = 6 };
}
namespace annotation {
enum : std::uint32_t { kNameIid = 1, kUint = 3, kDouble = 5, kString = 6, kName = 10, kStringIid = 17 };
}

/// Process ids must not be 0, which is the idle task.
inline std::uint64_t pid_of(std::uint32_t rank) { return std::uint64_t{rank} + 1; }

}  // namespace perfetto

/// The one sequence of packets that a trace consists of.
class PerfettoPackets {
 public:
  PerfettoPackets(const File& file, const std::string& path) : file_(file), path_(path) {}

  void put_names(const ProtobufWriter& interned) {
    start();
    packet_.message(perfetto::packet::kInterned, interned);
    packet_.varint(perfetto::packet::kFlags, kClearState);
    end();
  }
  void put_track(const ProtobufWriter& descriptor) {
    start();
    packet_.message(perfetto::packet::kTrack, descriptor);
    end();
  }
  void put_event(std::uint64_t when, const ProtobufWriter& event) {
    packet_.clear();
    packet_.varint(perfetto::packet::kTimestamp, when);
    packet_.varint(perfetto::packet::kSequence, kSequence);
    packet_.message(perfetto::packet::kTrackEvent, event);
    packet_.varint(perfetto::packet::kFlags, kNeedsState);
    end();
  }

  /// Writes what has gathered, if it is much.
  Status spill() { return text_.size() < kGathered ? Status() : flush(); }
  Status flush() {
    TARRY_TRY(write_all(file_, text_.data(), text_.size(), path_));
    text_.clear();
    return {};
  }

 private:
  enum : std::uint32_t { kClearState = 1, kNeedsState = 2 };
  static constexpr std::uint32_t kSequence = 1;
  static constexpr std::size_t kGathered = 1 << 20;  // bytes

  void start() {
    packet_.clear();
    packet_.varint(perfetto::packet::kSequence, kSequence);
  }
  void end() {
    ProtobufWriter outer;
    outer.message(perfetto::trace::kPacket, packet_);
    text_ += outer.bytes();
  }

  const File& file_;
  const std::string& path_;
  ProtobufWriter packet_;
  std::string text_;
};

}  // namespace tarry
