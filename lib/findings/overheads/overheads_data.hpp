// overheads_data.hpp -- the overheads of a run for programs: CSV and JSON.
#pragma once

#include <string>
#include <vector>

#include "findings/overheads/overheads.hpp"
#include "findings/overheads/wanted_overheads.hpp"

namespace tarry {

/// What is written about.
struct OverheadSubject {
  const Report& report;
  const Overheads& overheads;
  const Overheads* reference = nullptr;  // of the reference run, if there is one
  std::string region;                    // what the user chose; empty: the whole run
  std::vector<Overhead> chosen;          // classes that the user chose; empty: all
  std::vector<WantedOverheads> wanted;   // what the source asks for

  /// A class that the user chose, or part of one.
  bool is_chosen(Overhead overhead) const;
};

/// A line for each class of the whole and each leaf of a region; with chosen classes a line for each call path.
std::string overheads_csv(const OverheadSubject& subject);
std::string overheads_json(const OverheadSubject& subject);

}  // namespace tarry
