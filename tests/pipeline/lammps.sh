# lammps.sh -- LAMMPS, as packaged: the same trajectory when it is measured.
# no-san
# timeout 240
command -v lmp >/dev/null || { echo "LAMMPS is not installed"; exit 77; }
. "$TARRY_ROOT/tests/pipeline/real_program.bash"
export OMP_NUM_THREADS=1

# Everything but speeds and times.
keep_results() {
  grep -vE '^(Loop time|Performance|Total wall time)|CPU|^[A-Z][a-z]+ +\|'
}

compare_measured keep_results log.lammps mpirun -np 4 lmp -in "$TARRY_ROOT/tests/apps/in.liquid" || exit 1
test "$(wc -l <plain.stdout.kept)" -gt 40
