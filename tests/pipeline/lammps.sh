# lammps.sh -- LAMMPS, as packaged: the same trajectory when it is measured.
# serial
# no-san
# timeout 240
command -v lmp >/dev/null || { echo "LAMMPS is not installed"; exit 77; }
. "$TARRY_ROOT/tests/pipeline/real_program.bash"
export OMP_NUM_THREADS=1

cat >in.liquid <<'INPUT'
units lj
atom_style atomic
lattice fcc 0.8
region cell block 0 6 0 6 0 6
create_box 1 cell
create_atoms 1 box
mass 1 1.0
velocity all create 2.0 4711 loop geom
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0
neighbor 0.3 bin
fix move all nve
thermo 20
run 400
INPUT

# Everything but speeds and times.
keep_results() {
  grep -vE '^(Loop time|Performance|Total wall time)|CPU|^[A-Z][a-z]+ +\|'
}

compare_measured keep_results log.lammps mpirun -np 4 lmp -in in.liquid || exit 1
test "$(wc -l <plain.stdout.kept)" -gt 40
