// otf2_facts.hpp -- what an archive keeps of the definitions of an imported OTF2 trace, in OTF2's terms.
//
// An export writes them as they were. References tell how the numbers of that trace relate to our indices.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"

namespace tarry {

/// References in an OTF2 trace by our indices.
struct Otf2References {
  std::vector<std::uint64_t> locations;
  std::vector<std::uint64_t> regions;
  std::vector<std::uint64_t> comms;
  std::vector<std::uint64_t> windows;
  std::vector<std::uint64_t> groups;
  std::vector<std::uint64_t> io_handles;
};

struct Otf2Facts {
  std::string creator, machine_name, description;
  std::vector<std::pair<std::string, std::string>> properties;
  Otf2References references;
  /// The global definitions in the order of the file. Each: varint code (otf2_kinds.def), varint length, fields.
  std::vector<std::uint8_t> definitions;
  /// Definitions of kinds we do not know; they are not among the above.
  std::uint64_t unknown_definitions = 0;
};

/// As archives keep them (docs/FORMAT.md, "otf2.tdef").
std::vector<std::uint8_t> encode_otf2_facts(const Otf2Facts& facts);
Result<Otf2Facts> decode_otf2_facts(std::span<const std::uint8_t> bytes);

/// Reads them from a trace, `references` aside.
Result<Otf2Facts> read_otf2_facts(const std::string& anchor_path);

}  // namespace tarry
