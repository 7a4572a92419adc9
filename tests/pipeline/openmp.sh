# openmp.sh -- the same OpenMP programs, seen by OMPT (clang, libomp) and by OPARI2 (GCC, libgomp): equal visits of each
# construct, and the waits that the programs say.
# mpich-long
# timed
# no-san
# timeout 240
set -u
failed=0
apps=$TARRY_ROOT/tests/apps

# build WAY PROGRAM: as WAY/PROGRAM, so that both have the same root
build() {
  mkdir -p "$1"
  if [ "$1" = ompt ]; then
    OMPI_CC=clang MPICH_CC=clang "$MPICC" -std=gnu11 -O1 -g -Wall -Werror -fopenmp -o "ompt/$2" "$apps/$2.c"
  else
    tarry instrument --user "$MPICC" -std=gnu11 -O1 -g -fopenmp -o "opari2/$2" "$apps/$2.c"
  fi
}

# Runs WAY/PROGRAM as attempt N and prints the values of its analysis.
values() {
  tarry measure -q -t -o "run-$1-$2-$3" -- "$1/$2" >"$1-$2.txt" &&
    tarry archive verify "run-$1-$2-$3" >&2 &&
    tarry replay -q --strict "run-$1-$2-$3" &&
    tarry cube dump --csv "run-$1-$2-$3/analysis.cubex"
}

# GCC's Fortran and a program without MPI, compiled and linked in two steps.
build_fortran() {
  mkdir -p opari2 && tarry instrument --user gfortran -O1 -g -fopenmp -c -o openmp_fortran.o "$apps/openmp_fortran.f90" &&
    tarry instrument --user gfortran -fopenmp -o opari2/openmp_fortran openmp_fortran.o
}

# compare WAY PROGRAM: visits as the program says. "app/!$omp single sblock @app.c:21" counts for single_sblock.
compare() {
  { [ "$2" = openmp_fortran ] && build_fortran || build "$1" "$2"; } && values "$1" "$2" 1 >"$1-$2.csv" || return 1
  awk -F, -v way="$1" -v program="$2" '
    FILENAME ~ /csv$/ && $1 == "visits" {
      n = split($2, part, "/"); name = part[n]
      sub(/ @.*/, "", name); sub(/^!\$omp /, "", name); gsub(/ /, "_", name)
      visits[name] += $NF
    }
    $1 ~ /^wrong/ { print; failed = 1 }
    /^EXPECT/ {
      split($0, word, " "); ++expected
      if (visits[word[2]] != word[3]) {
        print way ": " program ": " word[2] ": " visits[word[2]] + 0 " visits, expected " word[3]
        failed = 1
      }
    }
    END { print way ": " program ": " expected " constructs compared"; exit failed || expected != 9 }' "$1-$2.csv" "$1-$2.txt"
}

for way in ompt opari2; do
  echo "== $way"
  compare $way openmp_constructs || failed=1
  compare $way openmp_nested || failed=1
  # Nobody waits longer in a barrier than there is of it: nested teams are not taken for one.
  awk -F, '{ sum[$1] += $NF } END {
      for (kind in sum) if (kind ~ /^omp_[ei]barrier$/ && sum[kind "_wait"] > sum[kind]) { print kind, sum[kind "_wait"], sum[kind]; exit 1 }
    }' $way-openmp_nested.csv || { echo "$way: waits in barriers are too long"; failed=1; }
  build $way openmp_waits || { failed=1; continue; }
  # Threads may wake up late on a busy machine: each value must be right in one of five runs.
  for attempt in 1 2 3 4 5; do
    values $way openmp_waits $attempt >$way-waits-$attempt.csv && "$PYTHON" "$TARRY_ROOT/tests/pipeline/check_expect.py" \
      "$apps/openmp_waits.c" $way-waits-?.csv && continue 2
  done
  failed=1
done

compare opari2 openmp_fortran || failed=1

# The regions of both have the same names, if the line can be found.
for way in ompt opari2; do
  grep -o '!\$omp [a-z ]*@openmp_constructs.c:[0-9]*' $way-openmp_constructs.csv | sort -u >$way-names.txt
done
diff ompt-names.txt opari2-names.txt || failed=1
test "$(wc -l <ompt-names.txt)" -ge 10 || { echo "too few names"; failed=1; }

"$PYTHON" "$TARRY_ROOT/tests/report/check_ideal.py" run-*-1 || { echo "FAILED: predictions"; failed=1; }
exit $failed
