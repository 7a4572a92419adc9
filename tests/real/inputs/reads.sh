#!/bin/sh
# reads.sh -- a made genome of 4,000 bases, read 2,000 times with errors.
python3 - <<'PYTHON'
import random
random.seed(7)
genome = "".join(random.choice("ACGT") for _ in range(4000))
open("genome.fa", "w").write(f">genome\n{genome}\n")
with open("reads.fa", "w") as file:
    for number in range(2000):
        begin = random.randrange(len(genome) - 100)
        read = list(genome[begin:begin + 100])
        if random.random() < 0.05:
            read[random.randrange(100)] = random.choice("ACGT")
        file.write(f">read{number}\n{''.join(read)}\n")
PYTHON
