// caliper_attribute.cpp -- asks the program's Caliper for what it knows of an attribute.
#include "measure/annotations-layer/caliper_attribute.hpp"

#include <cstring>

#include "measure/annotations-layer/annotation_names.hpp"
#include "measure/annotations-layer/next_call.hpp"

namespace tarry::measure {
namespace {

constexpr int kNested = 256;  // a property of attributes
constexpr char kIteration[] = "iteration#";

constinit NextCall<const char*(AttributeNumber)> g_name_of("cali_attribute_name");
constinit NextCall<int(AttributeNumber)> g_properties_of("cali_attribute_properties");
constinit NextCall<AttributeNumber(const char*)> g_find_attribute("cali_find_attribute");

}  // namespace

CaliperAttribute::CaliperAttribute(const void* caller, const char* name)
    : CaliperAttribute(caller, g_find_attribute(caller, name)) {}

const char* CaliperAttribute::name() const { return g_name_of(caller_, number_); }

bool CaliperAttribute::is_nested() const { return (g_properties_of(caller_, number_) & kNested) != 0; }

// No address is as small as one of these numbers.
AnnotationStack CaliperAttribute::stack() const {
  return reinterpret_cast<AnnotationStack>(static_cast<std::uintptr_t>(number_ + 1));
}

void CaliperAttribute::begin() const { begin(name()); }

void CaliperAttribute::begin(const char* value) const {
  if (is_nested()) begin_annotation(kept_name(AnnotationText().add(value)), stack());
}

void CaliperAttribute::begin(std::string_view value) const {
  if (is_nested()) begin_annotation(kept_name(AnnotationText().add(value.data(), value.size())), stack());
}

void CaliperAttribute::begin(int value) const {
  const char* const text = name();
  if (text && std::strncmp(text, kIteration, sizeof kIteration - 1) == 0)
    begin_iteration(kept_name(AnnotationText().add(text)), value, stack());
}

void CaliperAttribute::end() const { end_annotation(stack()); }

}  // namespace tarry::measure
