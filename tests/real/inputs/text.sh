#!/bin/sh
# text.sh MEGABYTES -- text that can be compressed, the same each time.
python3 - "$1" >text <<'PYTHON'
import random, sys
random.seed(2)
words = ["".join(random.choice("abcdefghijklmnop") for _ in range(random.randrange(2, 9))) for _ in range(3000)]
size = 0
while size < int(sys.argv[1]) << 20:
    line = " ".join(random.choice(words) for _ in range(12)) + "\n"
    size += len(line)
    sys.stdout.write(line)
PYTHON
