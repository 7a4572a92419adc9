# device_waits.bash -- what tests of accelerators share; sourced by them, behind fail().
. "$TARRY_ROOT/tests/pipeline/checked_screen.bash"

# value RUN METRIC PATTERN: seconds at call paths that the pattern matches, over all locations.
value() { tarry cube dump --csv "$1/analysis.cubex" -m "$2" 2>/dev/null | awk -F, -v pattern="$3" 'NR > 1 && $2 ~ pattern {sum += $5} END {print sum + 0}'; }
# near NAME FOUND EXPECTED: within 10 %.
near() {
  awk -v a="$2" -v b="$3" 'BEGIN {exit !(b > 0 && a > 0.9 * b && a < 1.1 * b)}' || fail "$1: $2, and not $3"
}
# measured CASE NAME: what the program has printed of itself, in CASE.err.
measured() { sed -n "s/.*$2 \([0-9.]*\).*/\1/p" "$1.err"; }

# write_mpi_program FILE: with the body that stands on stdin, in which `rank` and `token` are known.
write_mpi_program() {
  cat >"$1" <<END
#include <mpi.h>
int run_case(const char* name);
int main(int argc, char** argv) {
  int rank, token = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  $(cat)
  return MPI_Finalize();
}
END
}

# write_two_ranks SOURCE: ranks.c and case.c, a program of which rank 1 waits for the case `slow` of rank 0.
write_two_ranks() {
  write_mpi_program ranks.c <<'END'
  if (rank == 0) {
    run_case("slow");
    MPI_Send(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  } else {
    MPI_Recv(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
END
  sed 's/^int main(int argc, char\*\* argv) {/int run_case(const char* name) { char* argv[] = {"", (char*)name}; int argc = 2;/' \
    "$1" >case.c
}

# check_two_ranks PATTERN: in ranks.run, the kernel at these call paths pays for the wait of rank 1.
check_two_ranks() {
  tarry replay -q --strict ranks.run
  awk -v costs="$(value ranks.run delay_latesender_longterm "$1")" -v wait="$(value ranks.run mpi_latesender .)" \
    'BEGIN {exit !(costs > 0.4 * wait && wait > 0.2)}' || fail "the kernel of rank 0 does not pay for the wait of rank 1"
  check_screen ranks.run ranks.run/analysis.cubex || fail "the first screen of two ranks is not so"
}
