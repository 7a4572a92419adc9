#!/bin/sh
# grid.sh -- a graph of 60 by 60 points, in the form of Scotch.
python3 - >grid.grf <<'PYTHON'
n = 60
lines = []
for y in range(n):
    for x in range(n):
        near = [(x + a, y + b) for a, b in ((0, -1), (-1, 0), (1, 0), (0, 1)) if 0 <= x + a < n and 0 <= y + b < n]
        lines.append(f"{len(near)} " + " ".join(str(b * n + a) for a, b in near))
print(f"0\n{n * n} {sum(int(line.split()[0]) for line in lines)}\n0 000")
print("\n".join(lines))
PYTHON
