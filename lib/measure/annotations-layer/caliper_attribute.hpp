// caliper_attribute.hpp -- an attribute of Caliper, whose values are its regions.
//
// Those of nested attributes are on the path that Caliper's reports show, and become regions here. The number of an
// iteration is the value of an attribute of its own.
//
// Calls: may block.
#pragma once

#include <cstdint>
#include <string_view>

#include "measure/annotations-layer/open_annotations.hpp"

namespace tarry::measure {

/// As Caliper numbers its attributes.
using AttributeNumber = std::uint64_t;

class CaliperAttribute {
 public:
  /// `caller`: code of the program, whose Caliper it is.
  CaliperAttribute(const void* caller, AttributeNumber number) : caller_(caller), number_(number) {}
  CaliperAttribute(const void* caller, const char* name);

  /// A region of the attribute's name, or of a value. Nothing, if it is not nested.
  void begin() const;
  void begin(const char* value) const;
  void begin(std::string_view value) const;

  /// An iteration. Nothing, if the attribute is none of iterations.
  void begin(int value) const;

  void end() const;

 private:
  const char* name() const;
  bool is_nested() const;
  AnnotationStack stack() const;

  const void* caller_;
  AttributeNumber number_;
};

}  // namespace tarry::measure
