#!/bin/sh
# proteins.sh -- a family of proteins, aligned, and sequences to search, of which some are of that family.
python3 - <<'PYTHON'
import random
random.seed(4)
letters = "ACDEFGHIKLMNPQRSTVWY"
root = [random.choice(letters) for _ in range(80)]
near = lambda: "".join(random.choice(letters) if random.random() < 0.3 else each for each in root)
with open("family.sto", "w") as file:
    file.write("# STOCKHOLM 1.0\n" + "".join(f"member{i}  {near()}\n" for i in range(12)) + "//\n")
with open("all.fa", "w") as file:
    for i in range(400):
        text = near() if i % 40 == 0 else "".join(random.choice(letters) for _ in range(150))
        file.write(f">protein{i}\n{text}\n")
PYTHON
hmmbuild -n family family.hmm family.sto >build.log
