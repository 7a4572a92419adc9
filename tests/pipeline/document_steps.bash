# document_steps.bash -- what readers of the documents have already; sourced by tests.

# prepare_reader: their programs and inputs, in the current folder. Open MPI has a core for each rank, or takes it so.
prepare_reader() {
  cp "$TARRY_ROOT"/tests/apps/reader/* "$TARRY_ROOT/tests/apps/in.liquid" . && echo 1.5 >input.txt || exit 1
  mpicc -O2 -g -o app main.c solve.c || exit 1
  tarry instrument mpicc -O2 -o solver main.c solve.c || exit 1
  export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
}

# follow PAGE: runs its commands in this shell's folder and functions, without those of programs that are not there.
follow() {
  python3 "$TARRY_ROOT/tests/pipeline/document_steps.py" "$TARRY_ROOT/$1" >steps.sh ||
    { echo "$1: no commands"; exit 1; }
  command -v lmp >/dev/null || sed -i '/\blmp\b/d' steps.sh
  command -v hpcc >/dev/null || sed -i '/hpcc/d' steps.sh
  command -v tarry-explore >/dev/null || sed -i '/tarry explore/d' steps.sh
  python3 -c 'import mpi4py' 2>/dev/null || sed -i '/solve\.py/d' steps.sh
  echo "== $1: $(grep -c . steps.sh) lines"
  # Not as a part of `||`, where a failure does not end a shell.
  (set -euxo pipefail; . ./steps.sh) </dev/null >page.out 2>page.err
  [ $? = 0 ] || { tail -n 20 page.out page.err; echo "FAILED: a command of $1"; exit 1; }
}
