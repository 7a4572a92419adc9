// sequence_codec.hpp -- the definitions of large runs to few bytes and back (docs/FORMAT.md, "Definitions").
//
// The system tree becomes sequence definitions. Names, groups and communicators become columns of evenly spaced
// numbers.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/bytes/bytes.hpp"
#include "defs/definitions.hpp"

namespace tarry {

/// A column of numbers: runs of evenly spaced ones, or differences where that is shorter.
void encode_column(ByteWriter& out, std::span<const std::uint64_t> numbers);

/// Fails on damage and on more than `most` numbers.
std::vector<std::uint64_t> decode_column(ByteReader& in, std::uint64_t most);

/// Names: the texts around a number, and columns of which of them and of the numbers.
void encode_names(ByteWriter& out, std::span<const std::string_view> names);
std::vector<StringId> decode_names(ByteReader& in, Interner& strings, std::uint64_t most);

/// System nodes, processes and locations without their names. False, and nothing written, if reading it would not give
/// back the same tables.
bool encode_system(ByteWriter& fields, const Definitions& all);
/// Appends to empty tables; names are those that a reader makes up.
void decode_system(ByteReader& fields, Definitions& into);

/// Their names.
void encode_system_names(ByteWriter& fields, const Definitions& all);
void decode_system_names(ByteReader& fields, Definitions& into);

/// False, and nothing written, if there are more than a reader takes in one record.
bool encode_group_table(ByteWriter& fields, const Definitions& all);
void decode_group_table(ByteReader& fields, Definitions& into);

bool encode_communicator_table(ByteWriter& fields, const Definitions& all);
void decode_communicator_table(ByteReader& fields, Definitions& into);

}  // namespace tarry
