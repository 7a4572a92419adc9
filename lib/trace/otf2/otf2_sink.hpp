// otf2_sink.hpp -- writes an OTF2 trace: one location after the other or several at a time, definitions at the end.
#pragma once

#include <otf2/otf2.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "defs/definitions.hpp"
#include "trace/otf2/otf2_event_writer.hpp"
#include "trace/otf2/otf2_facts.hpp"

namespace tarry {

class Otf2Sink;

/// Writes one location. Different ones may be used by different threads.
class Otf2LocationWriter {
 public:
  Status append(std::span<const Event> events, const RecordExtras& extras);
  /// Ends the location and frees its memory.
  Status close();

 private:
  friend class Otf2Sink;
  Otf2LocationWriter(Otf2Sink& sink, LocationId location, OTF2_EvtWriter* writer);

  Otf2Sink& sink_;
  LocationId location_;
  OTF2_EvtWriter* handle_;
  std::unique_ptr<Otf2EventWriter> writer_;
};

/// A marker for timelines: `duration` ticks from `begin`.
struct Otf2MarkerText {
  Ticks begin = 0;
  Ticks duration = 0;
  std::uint32_t kind = 0;  // index into the kinds given to write_markers
  LocationId location;
  std::string text;
};

class Otf2Sink {
 public:
  /// Makes the folder and begins `folder`/traces.otf2. With `facts`, the definitions are those of the trace that the
  /// events once came from. Else they are made of `definitions`, which must live as long as this.
  static Result<std::unique_ptr<Otf2Sink>> create(const std::string& folder, const Definitions& definitions,
                                                  const Otf2Facts* facts);

  /// Regions are entered and left by records of calling contexts. To be called before locations are opened; it has no
  /// effect if the definitions are those of another trace.
  void write_calling_contexts();
  ~Otf2Sink();

  /// Attributes that events may have beside those of their records, numbered from 0. To be called before locations are
  /// opened, if the definitions are not those of another trace.
  void define_attributes(std::vector<Otf2Attribute> attributes) { model_.attributes = std::move(attributes); }

  Result<std::unique_ptr<Otf2LocationWriter>> open(LocationId location);

  /// Marks for the people who look at the trace; `kinds` are their names.
  Status write_markers(const std::vector<std::string>& kinds, const std::vector<Otf2MarkerText>& markers);

  /// How attributes refer to a location.
  std::uint64_t reference_of(LocationId location) const { return model_.references.locations[location.value]; }

  /// Writes the definitions and the anchor file.
  Status close();

  /// "12 LOST, 3 METRIC": events and records that had no place in the trace; empty if there are none.
  std::string unwritten() const;

 private:
  friend class Otf2LocationWriter;
  Otf2Sink(std::string folder, const Definitions& definitions, const Otf2Facts* facts)
      : folder_(std::move(folder)), definitions_(definitions), facts_(facts) {}
  Status begin();
  void build_model();
  Status write_local_definitions(LocationId location, const OTF2_IdMap* contexts);
  Status write_context_maps();
  Status write_definitions();
  Error failure() const;

  std::string folder_;
  const Definitions& definitions_;
  const Otf2Facts* facts_;
  Otf2WriteModel model_;
  OTF2_Archive* archive_ = nullptr;
  std::mutex mutex_;
  std::vector<std::uint64_t> event_counts_;         // by LocationId
  std::map<LocationId, Otf2ContextTree> contexts_;  // of the locations that are written
  Ticks first_time_ = 0, last_time_ = 0;
  bool is_any_ = false;
};

}  // namespace tarry
