#!/usr/bin/env python3
"""Checks a Perfetto trace as protoc decodes it, against the events of the same trace as CSV.

usage: protoc --decode=Trace -I tests/convert perfetto_fields.proto <TRACE | check_perfetto.py EVENTS.csv

Fields by their public numbers: Trace.packet 1; TracePacket.timestamp 8, trusted_packet_sequence_id 10, track_event 11,
interned_data 12, sequence_flags 13, track_descriptor 60; TrackEvent.type 9, name_iid 10, track_uuid 11, name 23,
flow_ids 47, terminating_flow_ids 48. Slices must nest, names and tracks must be defined, flows have two ends.
"""
import collections
import csv
import sys


def check(is_fine, text):
    if not is_fine:
        sys.exit(f"check_perfetto.py: {text}")


def number_of(name):
    """Fields that we know are called f and their number, others have only a number."""
    check(name.strip().startswith("f"), f"a field with the number {name}, which we do not write")
    return int(name.strip()[1:])


def read_message(lines):
    """The fields of a message in protoc's text: number -> values; ends at its closing brace."""
    fields = collections.defaultdict(list)
    for line in lines:
        line = line.strip()
        if line == "}":
            break
        if line.endswith("{"):
            fields[number_of(line[:-1])].append(read_message(lines))
        else:
            number, value = line.split(": ", 1)
            fields[number_of(number)].append(value if value.startswith('"') else int(value, 0))
    return fields


def main():
    names, tracks, descriptors = {}, {}, []
    open_slices, last_time = collections.Counter(), {}
    begun, ended = collections.Counter(), collections.Counter()
    slices, instants, first = collections.Counter(), collections.Counter(), True
    lines = iter(sys.stdin)
    for line in lines:
        check(line.strip() == "f1 {", f"not a packet: {line}")
        packet = read_message(lines)
        check(packet[10] == [1], "every packet is of sequence 1")
        if first:
            check(packet[13] == [1] and packet[12], "the first packet clears the state and names what is interned")
            for name in packet[12][0][2]:
                names[name[1][0]] = name[2][0].strip('"')
            first = False
            continue
        if packet[60]:
            track = packet[60][0]
            check(track[1] and track[1][0] not in tracks, "a track without a number of its own")
            tracks[track[1][0]] = track
            descriptors.append(track)
            continue
        check(len(packet[8]) == 1 and len(packet[11]) == 1 and packet[13] == [2], "an event")
        time, event = packet[8][0], packet[11][0]
        uuid, kind = event[11][0], event[9][0]
        check(uuid in tracks, "an event on a track that is not there")
        check(time >= last_time.get(uuid, 0), "time runs backwards on a track")
        last_time[uuid] = time
        if kind == 1:
            open_slices[uuid] += 1
            name = names[event[10][0]] if event[10] else event[23][0].strip('"')
            slices[tracks[uuid][2][0] if tracks[uuid][2] else "thread"] += 1
            check(name, "a slice without a name")
        elif kind == 2:
            open_slices[uuid] -= 1
            check(open_slices[uuid] >= 0, "an end without a beginning")
        else:
            check(kind == 3 and event[23], "an instant")
            instants[event[23][0].strip('"')] += 1
        begun.update(event[47])
        ended.update(event[48])
    check(not any(open_slices.values()), "slices that do not end")
    for track in descriptors:
        if track[4]:
            check(track[4][0][1] and track[4][0][2], "a thread without process")
        elif track[5]:
            check(track[5][0] in tracks, "a track below one that is not there")
        else:
            check(track[3], "a track that is neither process nor thread")
    check(all(n == 1 for n in begun.values()) and all(n == 1 for n in ended.values()), "a flow used twice")
    kinds = collections.Counter(row["kind"] for row in csv.DictReader(open(sys.argv[1])))
    sends = kinds["MPI_SEND"] + kinds["MPI_ISEND"]
    check(set(begun) == set(ended) and len(begun) == sends, f"{len(begun)} flows, {sends} messages")
    check(slices["thread"] == kinds["ENTER"], f"{slices['thread']} slices, {kinds['ENTER']} visits")
    for kind, count in kinds.items():
        check(kind in ("ENTER", "LEAVE") or instants[kind] == count, f"{instants[kind]} {kind} of {count}")
    print(f"{sum(slices.values())} slices, {len(begun)} flows, {dict(slices)}")


main()
