# sampling_inclusive.sh -- a program is measured twice: inclusive times of its ten functions are those of samples.
# long
# no-san
# serial
# timeout 400
set -euo pipefail
apps=$TARRY_ROOT/tests/apps

# compare NAME SUFFIX COMPILER ROUNDS: shares of the whole time, as two runs of one program differ by more than samples.
compare() {
  local name=$1 source=$apps/nested_work.$2 compiler=$3 rounds=$4
  # As written: the compiler merges or copies no functions, and a caller stays on the stack.
  local flags="-O2 -fno-inline -fno-ipa-icf -fno-ipa-cp -fno-optimize-sibling-calls"
  # shellcheck disable=SC2086
  "$compiler" $flags -o "$name" "$source"
  # shellcheck disable=SC2086
  tarry instrument "$compiler" $flags -o "$name.instrumented" "$source"
  tarry measure --sample 4999 -s -o "$name.sampled.run" -- "./$name" "$rounds"
  tarry measure -q -s -o "$name.run" -- "./$name.instrumented" "$rounds"
  tarry cube dump --csv -m time "$name.sampled.run/summary.cubex" >sampled.csv
  tarry cube dump --csv -m time "$name.run/summary.cubex" >instrumented.csv
  python3 - sampled.csv instrumented.csv <<'PYTHON'
import csv, re, sys
PARTS = "left_leaf right_leaf last_leaf twice left_branch right_branch both_branches last_part step steps".split()
def shares(path):
    found = dict.fromkeys(PARTS, 0.0)
    total = 0.0
    for row in csv.DictReader(open(path)):
        total += float(row["value"])
        functions = {re.sub(r"\(.*\)$", "", part).split("::")[-1] for part in re.split(r"(?<!\\)/", row["callpath"])}
        for name in functions & found.keys():
            found[name] += float(row["value"])
    return {name: value / total for name, value in found.items()}
sampled, instrumented = map(shares, sys.argv[1:])
worst = 0.0
for name in PARTS:
    off = sampled[name] / instrumented[name] - 1
    worst = max(worst, abs(off))
    print(f"{name:15} {100 * instrumented[name]:6.2f} % {100 * sampled[name]:6.2f} %  {100 * off:+.2f} %")
sys.exit(worst > 0.03)
PYTHON
}

compare cpp cpp g++ 12000
compare fortran f90 gfortran 5000
