#!/usr/bin/env python3
"""Draws docs/unify-scale.svg from the table that unify_scale prints.

usage: build/bench/unify_scale | python3 bench/plot_unify_scale.py > docs/unify-scale.svg
"""
import csv
import math
import sys

PANELS = (("definition_bytes", "bytes of the definitions"), ("most_bytes", "bytes that a rank keeps, at most"),
          ("us_per_rank", "microseconds per rank"), ("steps", "messages one after the other"))
COLOURS = {"homogeneous": "#1f77b4", "two types": "#2ca02c", "one odd": "#ff7f0e", "irregular": "#d62728"}
WIDTH, HEIGHT, LEFT, TOP, GAP = 300, 190, 56, 34, 30


def panel(rows, column, title, x0, y0):
    values = [float(row[column]) for row in rows]
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)) + 1e-9)
    high = max(high, low + 1)
    first, last = math.log2(1024), math.log2(max(int(row["ranks"]) for row in rows))

    def place(row):
        x = x0 + (math.log2(int(row["ranks"])) - first) / (last - first) * WIDTH
        y = y0 + HEIGHT - (math.log10(float(row[column])) - low) / (high - low) * HEIGHT
        return f"{x:.1f},{y:.1f}"

    yield f'<text x="{x0}" y="{y0 - 8}" font-weight="bold">{title}</text>'
    yield f'<rect x="{x0}" y="{y0}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#999"/>'
    for power in range(low, high + 1):
        y = y0 + HEIGHT - (power - low) / (high - low) * HEIGHT
        yield f'<line x1="{x0}" y1="{y:.1f}" x2="{x0 + WIDTH}" y2="{y:.1f}" stroke="#ddd"/>'
        yield f'<text x="{x0 - 4}" y="{y + 4:.1f}" text-anchor="end">{10.0 ** power:g}</text>'
    for ranks, name in ((1024, "1 Ki"), (16384, "16 Ki"), (262144, "256 Ki"), (1835008, "1.8 M")):
        x = x0 + (math.log2(ranks) - first) / (last - first) * WIDTH
        yield f'<text x="{x:.1f}" y="{y0 + HEIGHT + 14}" text-anchor="middle">{name}</text>'
    for kind, colour in COLOURS.items():
        points = [place(row) for row in rows if row["kind"] == kind]
        yield f'<polyline points="{" ".join(points)}" fill="none" stroke="{colour}" stroke-width="1.8"/>'


def main():
    rows = list(csv.DictReader(sys.stdin))
    width, height = 2 * (WIDTH + LEFT + GAP), 2 * (HEIGHT + TOP + GAP) + 24
    print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
          'font-family="DejaVu Sans, Verdana, sans-serif" font-size="11">')
    print("<title>Unifying the system tree of up to 1,835,008 ranks</title>")
    print(f'<rect width="{width}" height="{height}" fill="#fff"/>')
    for i, (column, title) in enumerate(PANELS):
        x, y = LEFT + i % 2 * (WIDTH + LEFT + GAP // 2), TOP + i // 2 * (HEIGHT + TOP + GAP)
        print("\n".join(panel(rows, column, title, x, y)))
    for i, (kind, colour) in enumerate(COLOURS.items()):
        x = LEFT + 150 * i
        print(f'<line x1="{x}" y1="{height - 10}" x2="{x + 24}" y2="{height - 10}" stroke="{colour}" stroke-width="3"/>'
              f'<text x="{x + 30}" y="{height - 6}">{kind}</text>')
    print("</svg>")


main()
