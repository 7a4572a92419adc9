// options.hpp -- what the user wants converted, and into what.
#pragma once

#include <string>

#include "convert/overlays.hpp"
#include "convert/selected_source.hpp"

namespace tarry {

struct MergeOptions {
  std::string input;
  std::string output;
  std::string to;       // otf2, tarry, ...; empty with `from`
  std::string from;     // otf2: import
  std::string command;  // command line, for the manifest
  SelectionTexts selection;
  std::string around;     // "late-sender#1"; empty: all
  OverlayFiles overlays;  // empty names: those in the archive
  bool draws_overlays = true;
  bool has_only_patterns = false;  // no events of the trace, but what a replay finds in it
  std::string patterns;            // metrics, as the user wrote them; empty: all
  std::size_t most_patterns = 0;   // of each kind of wait; 0: all
  bool is_for_spreadsheets = false;
  bool is_strict = false;
  bool prints_fingerprint = false;
  unsigned workers = 0;  // 0: all processors
};

}  // namespace tarry
