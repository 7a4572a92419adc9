#!/usr/bin/env python3
"""Draws the pictures of docs/METRICS.md from traces that the unit tests analyse (`make pictures`).

usage: make_pictures.py TRACES.json FOLDER

TRACES.json is written by the test Pictures.EveryFigureIsDescribed. One SVG file for each picture; its panels stand one
below the other. Fails if the waits drawn are not those that the analysis found.
"""
import collections
import json
import pathlib
import sys
from xml.sax.saxutils import escape

WIDTH, LEFT, RIGHT, TOP = 760, 56, 16, 8
BAR, ROW, CLOSE_ROW, CAPTION, AXIS, LEGEND = 24, 54, 46, 24, 28, 24
COLOURS = ("#b9d6f0", "#fbe39a", "#c3e6b5", "#dcc9ec", "#f7cbb5")
NAMED = {"blue": "#b9d6f0", "yellow": "#fbe39a"}
PATH, DELAY, INK, GREY = "#d2202f", "#e07b00", "#222", "#c8c8c8"
WAITS = ("mpi_latesender", "mpi_latereceiver", "mpi_barrier_wait", "mpi_finalize_wait")

HEAD = """<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"
  font-family="DejaVu Sans, Verdana, sans-serif" font-size="12">
<title>{title}</title>
<defs>
<pattern id="wait" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
<rect width="6" height="6" fill="#fff"/><line x1="0" y1="0" x2="0" y2="6" stroke="#777" stroke-width="2"/></pattern>
<marker id="head" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">
<path d="M0 0 8 4 0 8z" fill="{ink}"/></marker>
</defs>
<rect width="{width}" height="{height}" fill="#fff"/>
"""

Bar = collections.namedtuple("Bar", "rank begin end name wait")


class Panel:
    """One trace: bars, messages, the critical path, and which bars are delays."""
    def __init__(self, description):
        self.caption, self.ranks = description["caption"], description["ranks"]
        self.values = collections.defaultdict(float)
        for metric, path, rank, value in description["values"]:
            self.values[metric, path.split("/")[-1], rank] += value
        self.calls, sent, received = self._read(description["events"])
        self.span = max(end for _, _, end, _ in self.calls)
        self.messages = [(sent[pair][k], received[pair][k]) for pair in sent for k in range(len(sent[pair]))]
        self.bars = [Bar(*call, self._wait(call)) for call in self.calls]
        rows = (line.split(",") for line in description["critical_path"].splitlines()[1:])
        self.path = [(float(begin), float(end), int(rank)) for begin, end, rank, *_ in rows if begin != end]
        self._compare_waits(description["picture"])

    @staticmethod
    def _read(events):
        """Calls that `main` makes, and in which of them and when messages of each (source, target) went and came."""
        calls, stack = [], collections.defaultdict(list)
        sent, received = collections.defaultdict(list), collections.defaultdict(list)
        for rank, time, kind, *more in events:
            if kind == "enter":
                stack[rank].append((time, more[0]))
            elif kind == "leave":
                begin, name = stack[rank].pop()
                if stack[rank]:
                    calls.append((rank, begin, time, name))
            elif kind == "send":
                sent[rank, more[0]].append((rank, *stack[rank][-1], time))
            else:
                received[more[0], rank].append((rank, *stack[rank][-1], time))
        return calls, sent, received

    def _wait(self, call):
        """How long a call waits: for the other end of its message, or for the last to enter."""
        rank, begin, end, name = call
        until = begin
        if name in ("MPI_Recv", "MPI_Ssend"):
            mine, others = (1, 0) if name == "MPI_Recv" else (0, 1)
            until = max(pair[others][1] for pair in self.messages if pair[mine][:3] == (rank, begin, name))
        elif name in ("MPI_Barrier", "MPI_Finalize"):
            number = sum(c[3] == name and c[0] == rank and c[1] < begin for c in self.calls)
            until = max(sorted(c[1] for c in self.calls if c[3] == name and c[0] == r)[number]
                        for r in range(self.ranks))
        return max(0, min(until, end) - begin)

    def _compare_waits(self, picture):
        drawn = sum(bar.wait for bar in self.bars)
        found = sum(value for (metric, _, _), value in self.values.items() if metric in WAITS)
        if abs(drawn - found) > 1e-9:
            sys.exit(f"make_pictures: {picture}: {drawn} of waiting drawn, {found} found by the analysis")

    def costs(self, bar):
        """Short-term and long-term delay costs of the bar's call path on its rank. What the end of the run costs is left
        out, as no picture draws it."""
        here = (bar.name, bar.rank)

        def total(is_meant):
            return sum(value for (metric, *at), value in self.values.items() if tuple(at) == here and is_meant(metric))

        at_the_end = total(lambda metric: metric == "delay_finalize_aggregate")
        at_the_end_later = total(lambda metric: metric == "delay_finalize_longterm")
        long_term = total(lambda metric: metric.startswith("delay_") and metric.endswith("_longterm"))
        everything = self.values.get(("delay", *here), 0)
        return everything - long_term - (at_the_end - at_the_end_later), long_term - at_the_end_later

    def is_on_path(self, bar):
        begin = bar.begin + bar.wait
        return any(rank == bar.rank and start < bar.end and end > begin for start, end, rank in self.path)

    def _kept_others_waiting(self, rank):
        """When the last of the calls began that others waited for."""
        waits = {(bar.rank, bar.begin, bar.name): bar.wait for bar in self.bars}
        causes = [mine[1] for pair in self.messages for mine, other in (pair, pair[::-1])
                  if mine[0] == rank and waits[other[:3]]]
        for bar in self.bars:
            others = [b for b in self.bars if b.name == bar.name == "MPI_Barrier" and b.end == bar.end]
            if bar.rank == rank and not bar.wait and any(b.wait for b in others):
                causes.append(bar.begin)
        return max(causes, default=0)

    def delays(self):
        """Of each call path with costs, the bars to mark: before somebody waited for this rank, and on the critical
        path if any of them is."""
        found = collections.defaultdict(list)
        for bar in self.bars:
            if sum(self.costs(bar)) > 0 and bar.begin + bar.wait < min(bar.end, self._kept_others_waiting(bar.rank)):
                found[bar.rank, bar.name].append(bar)
        for bars in found.values():
            yield [bar for bar in bars if self.is_on_path(bar)] or bars


class Drawing:
    def __init__(self, panels):
        self.panels, self.parts, self.y = panels, [], TOP
        self.colours = dict(NAMED)
        for panel in panels:
            self._draw_panel(panel)
        self._draw_legend()

    def svg(self, title):
        head = HEAD.format(width=WIDTH, height=self.y, title=escape(title), ink=INK)
        return head + "\n".join(self.parts) + "\n</svg>\n"

    # ---- primitives

    def _add(self, text):
        self.parts.append(text)

    def _rect(self, x, y, width, fill):
        self._add(f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{BAR}" fill="{fill}" stroke="#555" '
                  'stroke-width="0.8"/>')

    def _text(self, x, y, text, anchor="middle", fill=INK, size=12, more=""):
        self._add(f'<text x="{x:.1f}" y="{y}" text-anchor="{anchor}" fill="{fill}" font-size="{size}"{more}>'
                  f'{escape(text)}</text>')

    def _line(self, x1, y1, x2, y2, stroke, width, more=""):
        self._add(f'<line x1="{x1:.1f}" y1="{y1}" x2="{x2:.1f}" y2="{y2}" stroke="{stroke}" '
                  f'stroke-width="{width}"{more}/>')

    # ---- panels

    def _draw_panel(self, panel):
        self.scale = (WIDTH - LEFT - RIGHT) / panel.span
        if panel.caption:
            self._text(TOP, self.y + 14, panel.caption, "start", size=13, more=' font-weight="bold"')
            self.y += CAPTION
        self.first_row, self.row_height = self.y + 10, ROW if panel.messages else CLOSE_ROW
        for rank in range(panel.ranks):
            self._text(LEFT - 8, self._row(rank) + 16, f"rank {rank}", "end")
        for bar in panel.bars:
            self._draw_bar(bar)
        for bars in panel.delays():
            self._underline(bars)
        self._draw_path(panel)
        for send, receive in panel.messages:
            self._draw_message(send, receive, panel)
        for bar in panel.bars:
            self._label_bar(bar)
        for bars in panel.delays():
            self._write_costs(bars, panel.costs(bars[0]))
        self.y = self.first_row + panel.ranks * self.row_height
        self._draw_axis(panel.span)

    def _x(self, time):
        return LEFT + time * self.scale

    def _row(self, rank):
        return self.first_row + rank * self.row_height

    def _draw_bar(self, bar):
        y, begin, middle, end = self._row(bar.rank), self._x(bar.begin), self._x(bar.begin + bar.wait), self._x(bar.end)
        if bar.wait:
            self._rect(begin, y, middle - begin, "url(#wait)")
        if end > middle:
            self._rect(middle, y, end - middle, GREY if bar.name.startswith("MPI_") else self._colour(bar.name))

    def _label_bar(self, bar):
        y, begin, middle, end = self._row(bar.rank), self._x(bar.begin), self._x(bar.begin + bar.wait), self._x(bar.end)
        name, length = bar.name.replace("MPI_", ""), bar.end - bar.begin - bar.wait
        if bar.wait:
            self._label(begin, middle, y, [f"{name} waits {bar.wait:g}", f"{name} {bar.wait:g}", f"{bar.wait:g}"], True)
        if length:
            self._label(middle, end, y, [f"{name} {length:g}", f"{length:g}"])

    def _colour(self, name):
        if name not in self.colours:
            self.colours[name] = COLOURS[(len(self.colours) - len(NAMED)) % len(COLOURS)]
        return self.colours[name]

    def _label(self, begin, end, y, choices, on_hatching=False):
        """The first of the texts that fits."""
        for text in choices:
            if 7.2 * len(text) + 6 <= end - begin:
                halo = ' stroke="#fff" stroke-width="4" paint-order="stroke"' if on_hatching else ""
                return self._text((begin + end) / 2, y + 16, text, more=halo)

    def _underline(self, bars):
        for bar in bars:
            begin, y, end = self._x(bar.begin + bar.wait), self._row(bar.rank) + BAR, self._x(bar.end)
            self._add(f'<rect x="{begin:.1f}" y="{y}" width="{end - begin:.1f}" height="5" fill="{DELAY}"/>')

    def _write_costs(self, bars, costs):
        text = " + ".join(f"{cost:g}" for cost in costs) + (", together" if len(bars) > 1 else "")
        begin, end = self._x(bars[0].begin + bars[0].wait), self._x(bars[0].end)
        fits = 7 * len(text) <= end - begin
        x, anchor = (begin + 3, "start") if fits else (end - 4, "end")
        self._text(x, self._row(bars[0].rank) + BAR + 18, text, anchor, DELAY, 11,
                   ' font-weight="bold" stroke="#fff" stroke-width="3" paint-order="stroke"')

    def _draw_path(self, panel):
        points = " L".join(f"{self._x(time):.1f} {self._row(rank) - 3}"
                           for begin, end, rank in panel.path for time in (begin, end))
        self._add(f'<path d="M{points}" fill="none" stroke="{PATH}" stroke-width="4" stroke-linejoin="round"/>')

    def _draw_message(self, send, receive, panel):
        source, target, end = send[0], receive[0], receive[-1]
        begin = next(bar.begin + bar.wait for bar in panel.bars if bar[:2] + bar[3:4] == send[:3])
        down = target > source
        y1, y2 = self._row(source) + (BAR if down else 0), self._row(target) + (0 if down else BAR)
        self._line(self._x(begin), y1, self._x(end), y2, INK, 1.3, ' marker-end="url(#head)"')

    def _draw_axis(self, span):
        self._line(LEFT, self.y, self._x(span), self.y, "#888", 1)
        step = next(s for s in (5, 10, 20, 50) if span / s <= 14)
        for time in range(0, int(span) + 1, step):
            self._line(self._x(time), self.y, self._x(time), self.y + 4, "#888", 1)
            self._text(self._x(time), self.y + 15, str(time), fill="#555", size=10)
        self.y += AXIS

    def _draw_legend(self):
        y = self.y
        for x, fill, text in ((LEFT, "url(#wait)", "waiting"), (LEFT + 104, GREY, "communication")):
            self._add(f'<rect x="{x}" y="{y}" width="22" height="12" fill="{fill}" stroke="#555" stroke-width="0.8"/>')
            self._text(x + 28, y + 10, text, "start", size=11)
        self._add(f'<rect x="{LEFT + 246}" y="{y + 4}" width="22" height="5" fill="{DELAY}"/>')
        self._text(LEFT + 274, y + 10, "delay, with its costs: short-term + long-term", "start", size=11)
        self._line(LEFT + 566, y + 6, LEFT + 588, y + 6, PATH, 4)
        self._text(LEFT + 594, y + 10, "critical path", "start", size=11)
        self.y += LEGEND


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    pictures = collections.defaultdict(list)
    for description in json.loads(pathlib.Path(sys.argv[1]).read_text()):
        pictures[description["picture"]].append(Panel(description))
    for name, panels in pictures.items():
        file = pathlib.Path(sys.argv[2]) / f"{name}.svg"
        file.write_text(Drawing(panels).svg(f"Figure {name.split('-')[0]}"))


if __name__ == "__main__":
    main()
