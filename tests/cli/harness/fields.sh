# fields.sh -- the check of fields finds those that are taken or given by position, and takes nothing else for them.
check() { "$PYTHON" "$TARRY_ROOT/tests/check_fields.py"; echo "status $?"; }
mkdir -p lib/trace tests/unit/trace
cat >lib/trace/event_kinds.def <<'END'
TARRY_EVENT(1, Enter, "ENTER", TARRY_FIELD(RegionId, region))
TARRY_EVENT(3, MpiSend, "MPI_SEND",
            TARRY_FIELD(CommRank, receiver) TARRY_FIELD(CommId, comm))
END
cat >lib/trace/event_codec.cpp <<'END'
event.fields[i] = value;
END
cat >lib/trace/other.cpp <<'END'
fields[kEnter] = difference(before, enter);  // event.fields[0]
template <class... Fields> void change(Fields&... fields) { count(fields...); }
if (info.fields[i].is_optional) count(csv.fields(), {EventKind::kEnter, EventKind::kMpiSend});
const Event event = event_of(9, record::MpiSend{.receiver = CommRank(1), .comm = CommId(0)});
END
check
echo '--- taken'
cat >tests/unit/trace/planted_test.cpp <<'END'
EXPECT_EQ(events[3].fields[0], 7u);
const auto& fields = lost->fields;
END
check
echo '--- given'
cat >tests/unit/trace/planted_test.cpp <<'END'
events.push_back({100, EventKind::kEnter, {region}});
stream.add(5, kMpiSend,
           {1, 0});
END
check
