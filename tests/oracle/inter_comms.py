"""inter_comms.py -- lets Python's otf2 read and write inter-communicators.

Its class InterComm inherits the group of a communicator that has but one, and demands it: version 3.0 of the module can
neither write such a definition nor understand one that it reads.
"""
from otf2.definitions import InterComm


def repair():
    name, *rest = InterComm._fields
    of_comm, own = rest[:-4], rest[-4:]
    if [field.name for field in of_comm] == ["group", "parent", "flags"]:
        InterComm._fields = (name, own[0], own[1], of_comm[1], of_comm[2])


repair()
