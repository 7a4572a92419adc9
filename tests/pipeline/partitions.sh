# partitions.sh -- two programs in one world that nobody has instrumented: what one waits for the other, and what its own
# ranks wait for each other, within 10 %, on the first screen as well.
# mpich-long
# no-san
# timeout 60
set -euo pipefail
. "$TARRY_ROOT/tests/pipeline/checked_screen.bash"
. "$TARRY_ROOT/tests/pipeline/several_programs.bash"
skip_without_several
"$MPICC" -O1 -g -Wall -Werror -o mesh "$TARRY_ROOT/tests/apps/mesh_and_particles.c"
cp mesh particles
tarry measure -q -t -o run -- mpirun -np 2 ./mesh : -np 2 ./particles
tarry replay -q --strict run
check_screen run run/analysis.cubex
# Both programs have a function main(): a program is not the function that is to blame.
jq -r '.advice[].sentence' found.json | grep -E ' in main \(.*\), called by particles(, blocked for [0-9.]+% of the time there \([a-z, ]+\))?: ' ||
  { cat screen; echo "FAILED: no sentence is about main() of the particles"; exit 1; }
! grep 'due to .* in particles$' screen || { echo "FAILED: a program is taken for a function"; exit 1; }
/usr/bin/python3 - <<'CHECK'
import csv, json, sys
values = {}
for row in csv.DictReader(open("dump.csv")):
    key = row["metric"], row["callpath"].split("/")[0]
    values[key] = values.get(key, 0) + float(row["value"])
of_mesh, of_particles = (values["mpi_wait_nxn", name] for name in ("mesh", "particles"))
path = json.load(open("found.json"))["critical_path"]
wrong = [what for what, holds in (
    ("inter-partition imbalance is not what mesh waits", abs(path["inter_partition"] / of_mesh - 1) < 0.1),
    ("intra-partition imbalance is not what particles waits", abs(path["intra_partition"] - of_particles) < 0.1 * of_mesh),
    ("mesh waits far less than 400 ms", of_mesh > 0.25),
    ("most of it is not for the particles", path["lacked"]["callpath"] == "particles/main" and
     path["lacked"]["inter_partition"] > 0.75 * path["inter_partition"])) if not holds]
print(path, of_mesh, of_particles)
sys.exit("\n".join(wrong) or 0)
CHECK
