// otf2_facts.cpp -- keeps the definitions of an OTF2 trace in its own words.
#include "trace/otf2/otf2_facts.hpp"

#include <otf2/otf2.h>

#include <cstdlib>

#include "base/bytes/bytes.hpp"
#include "trace/otf2/otf2_record_codec.hpp"
#include "trace/otf2/otf2_records.hpp"

namespace tarry {
namespace {

struct Capture {
  Otf2Facts facts;
  std::vector<std::uint8_t> fields;  // of the definition at hand
};

/// The callback that keeps a definition; made for the type of the callback.
template <int kCode, class Callback>
struct DefinitionKeeper;

template <int kCode, class... Args>
struct DefinitionKeeper<kCode, OTF2_CallbackCode (*)(void*, Args...)> {
  static OTF2_CallbackCode keep(void* user, Args... args) {
    auto& [facts, fields] = *static_cast<Capture*>(user);
    fields.clear();
    encode_otf2_fields(fields, args...);
    Otf2FieldEncoder out(facts.definitions);
    out.varint(kCode);
    out.varint(fields.size());
    facts.definitions.insert(facts.definitions.end(), fields.begin(), fields.end());
    return OTF2_CALLBACK_SUCCESS;
  }
};

OTF2_CallbackCode count_unknown(void* user) {
  ++static_cast<Capture*>(user)->facts.unknown_definitions;
  return OTF2_CALLBACK_SUCCESS;
}

void set_callbacks(OTF2_GlobalDefReaderCallbacks* set) {
#define TARRY_OTF2_DEFINITION(code, name)            \
  OTF2_GlobalDefReaderCallbacks_Set##name##Callback( \
      set, DefinitionKeeper<code, OTF2_GlobalDefReaderCallback_##name>::keep);
#include "trace/otf2/otf2_kinds.def"
#undef TARRY_OTF2_DEFINITION
  OTF2_GlobalDefReaderCallbacks_SetUnknownCallback(set, count_unknown);
}

/// A text that OTF2 allocated.
template <class Function>
std::string anchor_text(OTF2_Reader* reader, Function get) {
  char* text = nullptr;
  std::string copy;
  if (get(reader, &text) == OTF2_SUCCESS && text) copy = text;
  std::free(text);
  return copy;
}

void encode_references(ByteWriter& out, const std::vector<std::uint64_t>& references) {
  out.varint(references.size());
  std::uint64_t before = ~std::uint64_t{0};  // most count up from 0
  for (const std::uint64_t reference : references) {
    out.varint(zigzag(static_cast<std::int64_t>(reference - before - 1)));
    before = reference;
  }
}

std::vector<std::uint64_t> decode_references(ByteReader& in) {
  std::vector<std::uint64_t> references;
  const std::uint64_t count = in.varint();
  if (count > in.left()) in.fail();
  std::uint64_t before = ~std::uint64_t{0};
  for (std::uint64_t i = 0; i < count && !in.failed(); ++i)
    references.push_back(before += 1 + static_cast<std::uint64_t>(unzigzag(in.varint())));
  return references;
}

}  // namespace

std::vector<std::uint8_t> encode_otf2_facts(const Otf2Facts& facts) {
  ByteWriter out;
  out.text(facts.creator);
  out.text(facts.machine_name);
  out.text(facts.description);
  out.varint(facts.properties.size());
  for (const auto& [key, value] : facts.properties) {
    out.text(key);
    out.text(value);
  }
  encode_references(out, facts.references.locations);
  encode_references(out, facts.references.regions);
  encode_references(out, facts.references.comms);
  encode_references(out, facts.references.windows);
  encode_references(out, facts.references.groups);
  encode_references(out, facts.references.io_handles);
  out.varint(facts.definitions.size());
  out.raw(facts.definitions.data(), facts.definitions.size());
  return std::move(out.bytes());
}

Result<Otf2Facts> decode_otf2_facts(std::span<const std::uint8_t> bytes) {
  ByteReader in(bytes);
  Otf2Facts facts;
  facts.creator = in.text();
  facts.machine_name = in.text();
  facts.description = in.text();
  for (std::uint64_t left = in.varint(); left > 0 && !in.failed(); --left) {
    std::string key(in.text());
    facts.properties.emplace_back(std::move(key), in.text());
  }
  facts.references.locations = decode_references(in);
  facts.references.regions = decode_references(in);
  facts.references.comms = decode_references(in);
  facts.references.windows = decode_references(in);
  facts.references.groups = decode_references(in);
  facts.references.io_handles = decode_references(in);
  const auto definitions = in.take(in.varint());
  facts.definitions.assign(definitions.begin(), definitions.end());
  if (in.failed()) return Error{"definitions of OTF2", "cannot be decoded", ""};
  return facts;
}

Result<Otf2Facts> read_otf2_facts(const std::string& anchor_path) {
  TARRY_TRY_ASSIGN(handle, open_otf2_handle(anchor_path));
  OTF2_Reader* reader = handle.get();
  Capture capture;
  capture.facts.creator = anchor_text(reader, OTF2_Reader_GetCreator);
  capture.facts.machine_name = anchor_text(reader, OTF2_Reader_GetMachineName);
  capture.facts.description = anchor_text(reader, OTF2_Reader_GetDescription);
  capture.facts.properties = read_otf2_properties(reader);
  OTF2_GlobalDefReader* definitions = OTF2_Reader_GetGlobalDefReader(reader);
  OTF2_GlobalDefReaderCallbacks* callbacks = OTF2_GlobalDefReaderCallbacks_New();
  set_callbacks(callbacks);
  std::uint64_t count = 0;
  const bool is_read =
      definitions && OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks, &capture) == OTF2_SUCCESS &&
      OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &count) == OTF2_SUCCESS;
  OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
  if (is_read) return std::move(capture.facts);
  return Error{anchor_path, "the global definitions cannot be read (" + last_otf2_message() + ")",
               "copy the whole trace again"};
}

}  // namespace tarry
