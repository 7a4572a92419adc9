// cubepl_builtins.cpp -- what a CubePL program can ask about the report.
#include <iterator>

#include "report/algebra/cubepl_program.hpp"

namespace tarry {
namespace {

using Structure = ReportStructure;
using Reader = CubeplValue (*)(const Structure&, const CubeplPlace&, std::size_t);

CubeplValue number(double value) { return {false, value, ""}; }
CubeplValue text(const std::string& value) { return {true, 0, value}; }

// A field of the element number `i` of a list; empty beyond its end.
template <auto List, auto Field>
CubeplValue text_of(const Structure& report, const CubeplPlace&, std::size_t i) {
  const auto& list = report.*List;
  return text(i < list.size() ? list[i].*Field : "");
}

template <auto List, auto Field>
CubeplValue number_member(const Structure& report, const CubeplPlace&, std::size_t i) {
  const auto& list = report.*List;
  return number(i < list.size() ? static_cast<double>(list[i].*Field) : 0);
}

template <auto List>
CubeplValue count_of(const Structure& report, const CubeplPlace&, std::size_t) {
  return number(static_cast<double>((report.*List).size()));
}

// The parent's number, -1 if there is none.
template <auto List>
CubeplValue parent_of(const Structure& report, const CubeplPlace&, std::size_t i) {
  const auto& list = report.*List;
  return number(i < list.size() && list[i].parent.value < i ? list[i].parent.value : -1.0);
}

template <auto Field>
CubeplValue place_of(const Structure&, const CubeplPlace& place, std::size_t) {
  return number(place.*Field);
}

template <int Value>
CubeplValue always(const Structure&, const CubeplPlace&, std::size_t) {
  return number(Value);
}

CubeplValue metric_type(const Structure& report, const CubeplPlace&, std::size_t i) {
  return text(i < report.metrics.size() ? dtype_text(report.metrics[i].format()) : "");
}

CubeplValue own_region(const Structure& report, const CubeplPlace& place, std::size_t) {
  return number(place.path < report.call_paths.size() ? report.call_paths[place.path].region : 0);
}

CubeplValue own_region_name(const Structure& report, const CubeplPlace& place, std::size_t) {
  return text(place.path < report.call_paths.size() ? report.regions[report.call_paths[place.path].region].name : "");
}

struct BuiltIn {
  std::string_view name;
  Reader read;
};

const BuiltIn kBuiltIns[] = {
    {"cube::#mirrors", count_of<&Structure::mirrors>},
    {"cube::#metrics", count_of<&Structure::metrics>},
    {"cube::#regions", count_of<&Structure::regions>},
    {"cube::#callpaths", count_of<&Structure::call_paths>},
    {"cube::#locations", count_of<&Structure::locations>},
    {"cube::#locations::nonvoid", count_of<&Structure::locations>},
    {"cube::#threads::nonvoid", count_of<&Structure::locations>},
    {"cube::#locations::void", always<0>},
    {"cube::#locationgroups", count_of<&Structure::processes>},
    {"cube::#locationgroups::nonvoid", count_of<&Structure::processes>},
    {"cube::#processes::nonvoid", count_of<&Structure::processes>},
    {"cube::#locationgroups::void", always<0>},
    {"cube::#stns", count_of<&Structure::system_nodes>},
    {"cube::metric::uniq::name", text_of<&Structure::metrics, &ReportMetric::unique_name>},
    {"cube::metric::disp::name", text_of<&Structure::metrics, &ReportMetric::display_name>},
    {"cube::metric::url", text_of<&Structure::metrics, &ReportMetric::url>},
    {"cube::metric::description", text_of<&Structure::metrics, &ReportMetric::description>},
    {"cube::metric::dtype", metric_type},
    {"cube::metric::uom", text_of<&Structure::metrics, &ReportMetric::unit>},
    {"cube::metric::expression", text_of<&Structure::metrics, &ReportMetric::expression>},
    {"cube::metric::initexpression", text_of<&Structure::metrics, &ReportMetric::init_expression>},
    {"cube::metric::parent::id", parent_of<&Structure::metrics>},
    {"cube::callpath::mod", text_of<&Structure::call_paths, &ReportCallPath::module>},
    {"cube::callpath::line", number_member<&Structure::call_paths, &ReportCallPath::line>},
    {"cube::callpath::calleeid", number_member<&Structure::call_paths, &ReportCallPath::region>},
    {"cube::callpath::parent::id", parent_of<&Structure::call_paths>},
    {"cube::region::name", text_of<&Structure::regions, &ReportRegion::name>},
    {"cube::region::mangled::name", text_of<&Structure::regions, &ReportRegion::mangled_name>},
    {"cube::region::paradigm", text_of<&Structure::regions, &ReportRegion::paradigm>},
    {"cube::region::role", text_of<&Structure::regions, &ReportRegion::role>},
    {"cube::region::url", text_of<&Structure::regions, &ReportRegion::url>},
    {"cube::region::description", text_of<&Structure::regions, &ReportRegion::description>},
    {"cube::region::mod", text_of<&Structure::regions, &ReportRegion::module>},
    {"cube::region::begin::line", number_member<&Structure::regions, &ReportRegion::begin_line>},
    {"cube::region::end::line", number_member<&Structure::regions, &ReportRegion::end_line>},
    {"cube::stn::name", text_of<&Structure::system_nodes, &ReportSystemNode::name>},
    {"cube::stn::class", text_of<&Structure::system_nodes, &ReportSystemNode::class_name>},
    {"cube::locationgroup::name", text_of<&Structure::processes, &ReportProcess::name>},
    {"cube::locationgroup::rank", number_member<&Structure::processes, &ReportProcess::rank>},
    {"cube::locationgroup::type", text_of<&Structure::processes, &ReportProcess::type>},
    {"cube::locationgroup::parent::id", number_member<&Structure::processes, &ReportProcess::node>},
    {"cube::location::name", text_of<&Structure::locations, &ReportLocation::name>},
    {"cube::location::type", text_of<&Structure::locations, &ReportLocation::type>},
    {"cube::location::rank", number_member<&Structure::locations, &ReportLocation::rank>},
    {"cube::location::parent::id", number_member<&Structure::locations, &ReportLocation::process>},
    {"calculation::metric::id", place_of<&CubeplPlace::metric>},
    {"calculation::callpath::id", place_of<&CubeplPlace::path>},
    {"calculation::region::id", own_region},
    {"calculation::region::name", own_region_name},
    {"calculation::sysres::id", place_of<&CubeplPlace::location>},
    {"calculation::sysres::kind", always<7>},
};

}  // namespace

int find_cubepl_builtin(std::string_view name) {
  for (std::size_t i = 0; i < std::size(kBuiltIns); ++i)
    if (kBuiltIns[i].name == name) return static_cast<int>(i);
  return -1;
}

CubeplValue cubepl_builtin(int number, const ReportStructure& report, const CubeplPlace& place, double index) {
  const std::size_t at = index >= 0 && index < 4e9 ? static_cast<std::size_t>(index) : SIZE_MAX;
  return kBuiltIns[number].read(report, place, at);
}

}  // namespace tarry
