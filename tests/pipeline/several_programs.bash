# several_programs.bash -- to be sourced: whether mpirun starts several programs in one job. That of Open MPI 5.0.7, as
# packaged in Debian 13, crashes, whatever the programs are.
if (mpirun -np 1 true : -np 1 true; exit $?) >/dev/null 2>&1; then has_several=yes; else has_several=; fi

# Skips a test, or what is left of it when its other parts have passed.
skip_without_several() {
  [ -n "$has_several" ] && return
  echo "without jobs of several programs: this mpirun cannot start them: $(mpirun --version | head -n 1)" >&2
  exit 77
}
