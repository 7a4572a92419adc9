// otf2_records.cpp -- opens an OTF2 trace, and reads its global definitions as plain structs.
//
// References between them stay numbers here; otf2_definitions.cpp resolves them. OTF2's own messages are kept back.
#include "trace/otf2/otf2_records.hpp"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <mutex>

#include "base/files/file.hpp"
#include "base/processes/thread_owned.hpp"
#include "trace/otf2/otf2_anchor.hpp"

namespace tarry {
namespace {

thread_local ThreadOwned<std::string> last_message;

OTF2_ErrorCode keep_message(void*, const char*, std::uint64_t, const char*, OTF2_ErrorCode code, const char* format,
                            va_list arguments) {
  char text[256] = "";
  if (format) std::vsnprintf(text, sizeof text, format, arguments);
  last_message.assign(OTF2_Error_GetDescription(code));
  if (text[0] != '\0') last_message += std::string(": ") + text;
  return code;
}

Otf2Records& of(void* user) { return *static_cast<Otf2Records*>(user); }

OTF2_GlobalDefReaderCallbacks* make_callbacks() {
  OTF2_GlobalDefReaderCallbacks* set = OTF2_GlobalDefReaderCallbacks_New();
  OTF2_GlobalDefReaderCallbacks_SetStringCallback(set, [](void* user, OTF2_StringRef self, const char* string) {
    of(user).strings.emplace_back(self, string ? string : "");
    return OTF2_CALLBACK_SUCCESS;
  });
  OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(
      set, [](void* user, std::uint64_t resolution, std::uint64_t offset, std::uint64_t, std::uint64_t realtime) {
        of(user).timer_resolution = resolution;
        of(user).global_offset = offset;
        of(user).realtime = realtime;
        return OTF2_CALLBACK_SUCCESS;
      });
  OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodeCallback(
      set, [](void* user, std::uint32_t self, std::uint32_t name, std::uint32_t class_name, std::uint32_t parent) {
        of(user).nodes.push_back({self, name, class_name, parent});
        return OTF2_CALLBACK_SUCCESS;
      });
  OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(
      set, [](void* user, std::uint32_t self, std::uint32_t name, OTF2_LocationGroupType type, std::uint32_t node,
              std::uint32_t creator) {
        of(user).location_groups.push_back({self, name, node, creator, type});
        return OTF2_CALLBACK_SUCCESS;
      });
  OTF2_GlobalDefReaderCallbacks_SetLocationCallback(
      set, [](void* user, std::uint64_t self, std::uint32_t name, OTF2_LocationType type, std::uint64_t event_count,
              std::uint32_t process) {
        of(user).locations.push_back({self, event_count, name, process, type});
        return OTF2_CALLBACK_SUCCESS;
      });
  OTF2_GlobalDefReaderCallbacks_SetRegionCallback(
      set, [](void* user, std::uint32_t self, std::uint32_t name, std::uint32_t canonical_name, std::uint32_t,
              OTF2_RegionRole role, OTF2_Paradigm paradigm, OTF2_RegionFlag flags, std::uint32_t file,
              std::uint32_t begin_line, std::uint32_t end_line) {
        of(user).regions.push_back({self, name, canonical_name, file, begin_line, end_line, role, paradigm, flags});
        return OTF2_CALLBACK_SUCCESS;
      });
  OTF2_GlobalDefReaderCallbacks_SetGroupCallback(
      set, [](void* user, std::uint32_t self, std::uint32_t name, OTF2_GroupType type, OTF2_Paradigm paradigm,
              OTF2_GroupFlag flags, std::uint32_t count, const std::uint64_t* members) {
        of(user).groups.push_back({self, name, type, paradigm, flags, {members, members + count}});
        return OTF2_CALLBACK_SUCCESS;
      });
  OTF2_GlobalDefReaderCallbacks_SetCommCallback(set, [](void* user, std::uint32_t self, std::uint32_t name,
                                                        std::uint32_t group, std::uint32_t parent, OTF2_CommFlag) {
    of(user).comms.push_back({self, name, group, OTF2_UNDEFINED_GROUP, parent, false});
    return OTF2_CALLBACK_SUCCESS;
  });
  OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(
      set, [](void* user, std::uint32_t self, std::uint32_t name, std::uint32_t group_a, std::uint32_t group_b,
              std::uint32_t common, OTF2_CommFlag) {
        of(user).comms.push_back({self, name, group_a, group_b, common, true});
        return OTF2_CALLBACK_SUCCESS;
      });
  OTF2_GlobalDefReaderCallbacks_SetRmaWinCallback(
      set, [](void* user, std::uint32_t self, std::uint32_t name, std::uint32_t comm, OTF2_RmaWinFlag) {
        of(user).windows.push_back({self, name, comm});
        return OTF2_CALLBACK_SUCCESS;
      });
  OTF2_GlobalDefReaderCallbacks_SetCallingContextCallback(
      set, [](void* user, std::uint32_t self, std::uint32_t region, std::uint32_t, std::uint32_t parent) {
        of(user).contexts.push_back({self, region, parent});
        return OTF2_CALLBACK_SUCCESS;
      });
  OTF2_GlobalDefReaderCallbacks_SetParameterCallback(
      set, [](void* user, std::uint32_t self, std::uint32_t name, OTF2_ParameterType) {
        of(user).parameters.push_back({self, name});
        return OTF2_CALLBACK_SUCCESS;
      });
  const auto on_file = [](void* user, std::uint32_t self, std::uint32_t name, std::uint32_t) -> OTF2_CallbackCode {
    of(user).io_files.push_back({self, name});
    return OTF2_CALLBACK_SUCCESS;
  };
  OTF2_GlobalDefReaderCallbacks_SetIoRegularFileCallback(set, on_file);
  OTF2_GlobalDefReaderCallbacks_SetIoDirectoryCallback(set, on_file);
  OTF2_GlobalDefReaderCallbacks_SetIoHandleCallback(
      set, [](void* user, std::uint32_t self, std::uint32_t name, std::uint32_t file, OTF2_IoParadigmRef,
              OTF2_IoHandleFlag, std::uint32_t comm, std::uint32_t) {
        of(user).io_handles.push_back({self, name, file, comm});
        return OTF2_CALLBACK_SUCCESS;
      });
  OTF2_GlobalDefReaderCallbacks_SetLocationGroupPropertyCallback(
      set, [](void* user, std::uint32_t process, std::uint32_t name, OTF2_Type type, OTF2_AttributeValue value) {
        const std::uint32_t text = type == OTF2_TYPE_STRING ? value.stringRef : OTF2_UNDEFINED_STRING;
        of(user).process_properties.push_back({process, name, text});
        return OTF2_CALLBACK_SUCCESS;
      });
  OTF2_GlobalDefReaderCallbacks_SetCartDimensionCallback(set, [](void* user, std::uint32_t self, std::uint32_t name,
                                                                 std::uint32_t size, OTF2_CartPeriodicity periodicity) {
    of(user).cart_dimensions.push_back({self, name, size, periodicity == OTF2_CART_PERIODIC_TRUE});
    return OTF2_CALLBACK_SUCCESS;
  });
  OTF2_GlobalDefReaderCallbacks_SetCartTopologyCallback(
      set, [](void* user, std::uint32_t self, std::uint32_t name, std::uint32_t comm, std::uint8_t count,
              const std::uint32_t* dimensions) {
        of(user).carts.push_back({self, name, comm, {dimensions, dimensions + count}});
        return OTF2_CALLBACK_SUCCESS;
      });
  OTF2_GlobalDefReaderCallbacks_SetCartCoordinateCallback(
      set,
      [](void* user, std::uint32_t cart, std::uint32_t rank, std::uint8_t count, const std::uint32_t* coordinates) {
        of(user).cart_places.push_back({cart, rank, {coordinates, coordinates + count}});
        return OTF2_CALLBACK_SUCCESS;
      });
  OTF2_GlobalDefReaderCallbacks_SetMetricMemberCallback(
      set, [](void* user, std::uint32_t self, std::uint32_t name, std::uint32_t description, OTF2_MetricType source,
              OTF2_MetricMode mode, OTF2_Type type, OTF2_Base base, std::int64_t exponent, std::uint32_t unit) {
        of(user).metric_members.push_back({self, name, description, unit, source, mode, type, base, exponent});
        return OTF2_CALLBACK_SUCCESS;
      });
  OTF2_GlobalDefReaderCallbacks_SetMetricClassCallback(
      set, [](void* user, std::uint32_t self, std::uint8_t count, const std::uint32_t* members, OTF2_MetricOccurrence,
              OTF2_RecorderKind) {
        of(user).metric_classes.push_back({self, OTF2_UNDEFINED_METRIC, {members, members + count}});
        return OTF2_CALLBACK_SUCCESS;
      });
  OTF2_GlobalDefReaderCallbacks_SetMetricInstanceCallback(
      set,
      [](void* user, std::uint32_t self, std::uint32_t metric_class, std::uint64_t, OTF2_MetricScope, std::uint64_t) {
        of(user).metric_instances.push_back({self, metric_class, {}});
        return OTF2_CALLBACK_SUCCESS;
      });
  OTF2_GlobalDefReaderCallbacks_SetAttributeCallback(
      set, [](void* user, std::uint32_t self, std::uint32_t name, std::uint32_t, OTF2_Type) {
        of(user).attributes.push_back({self, name});
        return OTF2_CALLBACK_SUCCESS;
      });
  return set;
}

}  // namespace

std::string last_otf2_message() { return last_message.empty() ? "damaged" : last_message; }

void silence_otf2() {
  static std::once_flag once;
  std::call_once(once, [] { OTF2_Error_RegisterCallback(keep_message, nullptr); });
}

Result<Otf2Handle> open_otf2_handle(const std::string& anchor_path) {
  silence_otf2();
  if (!path_exists(anchor_path))
    return Error{anchor_path, "there is no such file", "name the anchor file of the trace, traces.otf2"};
  TARRY_TRY(check_otf2_anchor(anchor_path));
  TARRY_TRY(check_otf2_file(anchor_path.substr(0, anchor_path.rfind('.')) + ".def"));
  last_message.clear();
  Otf2Handle handle(OTF2_Reader_Open(anchor_path.c_str()));
  if (!handle)
    return Error{anchor_path, "not an OTF2 anchor file (" + last_otf2_message() + ")", "name the trace's .otf2 file"};
  if (OTF2_Reader_SetSerialCollectiveCallbacks(handle.get()) != OTF2_SUCCESS)
    return Error{anchor_path, last_otf2_message(), ""};
  return handle;
}

std::vector<std::pair<std::string, std::string>> read_otf2_properties(OTF2_Reader* reader) {
  std::vector<std::pair<std::string, std::string>> properties;
  std::uint32_t count = 0;
  char** names = nullptr;
  if (OTF2_Reader_GetPropertyNames(reader, &count, &names) != OTF2_SUCCESS) return properties;
  for (std::uint32_t i = 0; i < count; ++i) {
    char* value = nullptr;
    if (OTF2_Reader_GetProperty(reader, names[i], &value) == OTF2_SUCCESS && value)
      properties.emplace_back(names[i], value);
    std::free(value);
  }
  std::free(names);
  return properties;
}

Result<Otf2Records> read_otf2_records(OTF2_Reader* reader, const std::string& anchor_path) {
  Otf2Records records;
  records.properties = read_otf2_properties(reader);
  OTF2_GlobalDefReader* definitions = OTF2_Reader_GetGlobalDefReader(reader);
  OTF2_ErrorCode outcome = OTF2_ERROR_INTEGRITY_FAULT;
  if (definitions) {
    OTF2_GlobalDefReaderCallbacks* callbacks = make_callbacks();
    OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks, &records);
    OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
    std::uint64_t count = 0;
    outcome = OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &count);
  }
  if (outcome == OTF2_SUCCESS) return records;
  return Error{anchor_path, "the global definitions cannot be read (" + last_otf2_message() + ")",
               "copy the whole trace again"};
}

}  // namespace tarry
