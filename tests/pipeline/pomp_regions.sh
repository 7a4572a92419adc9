# pomp_regions.sh -- regions marked with "#pragma pomp inst" and "!POMP$ INST" build and are recorded, with each compiler,
# with OpenMP and without.
# no-san
set -eu
command -v opari2 >/dev/null || { echo "opari2 is not installed"; exit 77; }
apps=$TARRY_ROOT/tests/apps/instrumented
fail() { echo "FAILED: $*"; exit 1; }
visits() { tarry cube dump --csv "$1/summary.cubex" | awk -F, -v name="$2" '$1 == "visits" && $2 ~ ("(^|/)" name "$") { sum += $5 } END { print sum + 0 }'; }
check() {  # check NAME PRINTS EARLY...: what it prints alone and measured, and visits "region=count"
  name=$1 prints=$2
  shift 2
  [ "$("./$name")" = "$prints" ] || fail "$name alone"
  [ "$(tarry measure -q -s -t -o "run-$name" -- "./$name")" = "$prints" ] || fail "$name measured"
  tarry archive verify "run-$name" >/dev/null
  for region in "$@"; do
    [ "$(visits "run-$name" "${region%=*}")" = "${region#*=}" ] || { tarry cube calltree "run-$name"; fail "$name: $region"; }
  done
}
build() {  # build NAME COMMAND...: no word from us
  name=$1
  shift
  tarry instrument "$@" -o "$name" 2>"$name.err" || { cat "$name.err"; fail "$name does not build"; }
  grep tarry "$name.err" && fail "$name: a line of ours"
  return 0
}

cp "$apps/pomp_regions.c" pomp_regions.cpp
for compiler in gcc clang g++ clang++; do
  command -v $compiler >/dev/null || continue
  case $compiler in *++) source=pomp_regions.cpp ;; *) source=$apps/pomp_regions.c ;; esac
  for openmp in "" -fopenmp; do
    build "$compiler$openmp" $compiler -O2 $openmp "$source"
    check "$compiler$openmp" "pomp 6" outer=1 early=4 outer/early=0 hidden=0 either=3
  done
done
build user --user gcc -O0 "$apps/pomp_regions.c"
check user "pomp 6" early=4 outer=1 either=3 hidden=0
if command -v gfortran >/dev/null; then
  build fortran --user gfortran -fopenmp "$apps/pomp_regions.f90"
  check fortran "pomp 8" either=3 early=4 outer=1 hidden=0
  build fortran-plain gfortran -O2 "$apps/pomp_regions.f90"
  check fortran-plain "pomp 8" either=3 early=4 outer=1 hidden=0
fi
