// watched_source.hpp -- a source of events that tells a progress bar how many of them were read.
#pragma once

#include <memory>

#include "base/tool/progress.hpp"
#include "trace/source.hpp"

namespace tarry {

/// Passes everything on to another source; counts events a block at a time.
class WatchedSource final : public Source {
 public:
  /// Both must outlive this.
  WatchedSource(Source& source, Progress& progress) : source_(source), progress_(progress) {}

  const Definitions& definitions() const override { return source_.definitions(); }
  const std::string& path() const override { return source_.path(); }
  FaultLog& faults() override { return source_.faults(); }
  void rest() override { source_.rest(); }
  std::unique_ptr<EventReader> open(LocationId location) override {
    if (!progress_.is_shown()) return source_.open(location);
    return std::make_unique<Reader>(source_.open(location), progress_);
  }

 private:
  class Reader final : public EventReader {
   public:
    Reader(std::unique_ptr<EventReader> reader, Progress& progress) : reader_(std::move(reader)), progress_(progress) {}
    std::span<const Event> next() override {
      const std::span<const Event> block = reader_->next();
      progress_.add(block.size());
      return block;
    }

   private:
    std::unique_ptr<EventReader> reader_;
    Progress& progress_;
  };

  Source& source_;
  Progress& progress_;
};

}  // namespace tarry
