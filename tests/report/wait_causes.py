"""The table of causes in an analysis report: docs/CUBEX.md, "Causes of waits"."""
import struct
import tarfile

TAR_BLOCK = 512


class Bytes:
    """Reads the table."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def varint(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def take(self, size):
        self.at += size
        return self.data[self.at - size:self.at]

    def number(self):
        return struct.unpack("<d", self.take(8))[0]

    def causes(self):
        """Seconds of each call path, direct and indirect together."""
        found = []
        for _ in range(self.varint()):
            self.varint()
            found.append(self.number() + self.number())
            self.varint()
            for _ in range(self.varint()):
                self.varint(), self.varint(), self.number()
        return found


def read_causes(report):
    """[(metric of the costs, waiting, seconds that the causes explain)] for each group of waits in the report."""
    with tarfile.open(report) as members:
        if "waits.causes" not in members.getnames():
            return []
        table = Bytes(members.extractfile("waits.causes").read())
    groups = []
    table.varint()
    size = len(table.data) - (len(table.data) % TAR_BLOCK == 1)  # whole blocks have one byte more ("Container")
    while table.at < size:
        kind = table.take(table.varint()).decode()
        table.varint()
        waiting, delays = table.number(), sum(table.causes())
        table.causes()
        groups.append((kind, waiting, delays))
    return groups
