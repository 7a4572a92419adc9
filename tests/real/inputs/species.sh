#!/bin/sh
# species.sh SPECIES SITES [examl|nexus] -- sequences that have grown along a tree, aligned.
python3 - "$1" "$2" <<'PYTHON'
import random, sys
random.seed(3)
count, sites = int(sys.argv[1]), int(sys.argv[2])
species = ["".join(random.choice("ACGT") for _ in range(sites))]
while len(species) < count:
    parent = random.choice(species)
    species.append("".join(random.choice("ACGT") if random.random() < 0.1 else base for base in parent))
with open("species.phy", "w") as file:
    file.write(f"{count} {sites}\n" + "".join(f"species{i:03d}  {text}\n" for i, text in enumerate(species)))
with open("species.fa", "w") as file:
    file.write("".join(f">species{i:03d}\n{text}\n" for i, text in enumerate(species)))
rows = "".join(f"species{i:03d} {text}\n" for i, text in enumerate(species))
with open("species.nex", "w") as file:
    file.write(f"#NEXUS\nbegin data;\ndimensions ntax={count} nchar={sites};\nformat datatype=dna missing=? gap=-;\nmatrix\n{rows};\nend;\n"
               "begin mrbayes;\nset autoclose=yes nowarn=yes seed=5 swapseed=5;\nlset nst=2;\n"
               "mcmc ngen=300 samplefreq=20 printfreq=100 nruns=1 nchains=4 diagnfreq=100;\nend;\n")
PYTHON
[ "${3-}" != examl ] || {
  parse-examl -s species.phy -m DNA -n species >parse.log &&
    raxmlHPC -y -s species.phy -m GTRCAT -n start -p 12345 >tree.log
}
